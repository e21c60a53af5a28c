internal import PipelineByteText
internal import PipelineJSONText

/// Reads `http-client.env.json`: an object of variables for each environment.
struct HTTPEnvironments {
  private var found = ImportedSurroundings()
  private var report: ImportReport
  private let lineOf: (JSONNode) -> Int

  static func read(
    _ root: JSONNode, line: @escaping (JSONNode) -> Int, _ report: inout ImportReport
  ) -> ImportedSurroundings {
    var reader = HTTPEnvironments(report: report, lineOf: line)
    let root = ReadNode(root)
    root.ignore("$schema")
    // What all environments have.
    let shared = root["$shared"].map { reader.values($0) } ?? []
    for member in root.members where !member.name.hasPrefix(bytes: "$") {
      reader.found.add(shared + reader.values(member.value), to: member.name)
    }
    if reader.found.environments.isEmpty, !shared.isEmpty { reader.found.globals = shared }
    report = reader.report
    report.approximateUnread(root, line: line)
    return reader.found
  }

  private init(report: ImportReport, lineOf: @escaping (JSONNode) -> Int) {
    self.report = report
    self.lineOf = lineOf
  }

  private static let settings: Set<String> = ["Security", "SSLConfiguration", "Proxy"]

  /// Whether a file is one: objects of single values, and of settings that have known names.
  static func isOne(_ root: JSONNode) -> Bool {
    root.count > 0
      && root.members.allSatisfy { environment in
        environment.value.members.contains { _ in true }
          && environment.value.members.allSatisfy {
            $0.value.count == 0 || settings.contains($0.name) || $0.value["provider"] != nil
          } || environment.name.equals(bytes: "$schema")
      }
  }

  private mutating func text(_ node: ReadNode) -> ForeignText {
    ForeignText(node.plain, line: lineOf(node.node), &report)
  }

  private mutating func values(_ environment: ReadNode) -> [ImportedCollection.Variable] {
    var values: [ImportedCollection.Variable] = []
    for member in environment.node.members where !Self.settings.contains(member.name) {
      guard let node = environment[member.name] else { continue }
      // A value that a vault has.
      let isKept = node["provider"] != nil
      if isKept { node.ignore() }
      values.append(
        .init(name: member.name, value: isKept ? nil : text(node), isSecret: isKept))
    }
    for login in environment["Security"]?["Auth"].memberList ?? [] {
      readLogin(login.value, named: login.name)
    }
    return values
  }

  /// The settings of a token. Those of the first environment are taken.
  private mutating func readLogin(_ node: ReadNode, named name: String) {
    var values: [String: ForeignText] = [:]
    var further: [ForeignOAuth2.Parameter] = []
    for member in node.members {
      guard member.value.kind == .object else {
        values[member.name] = text(member.value)
        continue
      }
      for parameter in member.value.members {
        let isOfLogin = parameter.value["Use"]?.string?.equals(bytes: "In Auth Request") == true
        let value = parameter.value["Value"] ?? parameter.value
        further.append(
          .init(
            name: parameter.name, value: text(value[0] ?? value), place: .body,
            isOfLogin: isOfLogin))
      }
    }
    node.ignore()
    guard values["Type"]?.plain.map({ $0.lowercasedASCII == "oauth2" }) == true,
      !found.logins.contains(where: { $0.name.equals(bytes: name) })
    else { return }
    let login = ForeignOAuth2(values, further, line: lineOf(node.node))
    if case .oauth2(let settings) = login.auth(&report) { found.logins.append((name, settings)) }
  }
}
