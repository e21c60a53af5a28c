import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A credential that is written into the file.
enum HardCodedCredential: LintRule {
  static let explanation = Explanation(
    "hard-coded-credential", .warning, PackageResources.hard_coded_credential_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    let workflow = context.workflow
    var found: [Diagnostic] = []
    let written = WrittenSecrets(of: workflow) { context.secretInputs(of: $0) }
    let root = workflow.document.root
    let steps = ["steps", "finally"].compactMap { root[$0]?.range }
    let declarations = root["inputs"]?.range
    let constants = Self.passwordsOfSecretUsers(context)
    for (range, what) in written.found where !constants.contains(range) {
      let (file, place) = workflow.place(of: range)
      let bytes = file.bytes[place.clamped(to: 0..<file.bytes.count)]
      // Where steps are looked through for shapes, one text has one finding.
      let isInStep = steps.contains { $0.contains(range.lowerBound) }
      if isInStep, what == .shape || isKnown(bytes) { continue }
      let isDeclared = declarations?.contains(range.lowerBound) ?? false
      if let message = message(what, isDeclared, file.bytes, bytes) {
        var finding = finding(message, at: range)
        finding.fix = fix(what, at: range, file.bytes, bytes, context)
        finding.isInherited = !isInStep
        found.append(finding)
      }
    }
    for input in workflow.inputs where !input.isSecret {
      guard let value = input.defaultValue, let name = KnownCredentials.name(in: value) else {
        continue
      }
      found.append(
        finding(
          "this looks like \(name); \(wayOut)", at: value.range,
          fix: takingFromEnvironment(input)))
    }
    return found
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    // Defaults are judged once per file.
    for (node, site, isInherited) in step.parts.literals where !isInherited {
      if node.kind == .string {
        if let name = KnownCredentials.name(in: node) {
          found.append(
            finding(
              "this looks like \(name); \(wayOut)", at: node.range,
              fix: inserting("token", for: node.range, context)))
        } else if case .url = site, let name = KnownCredentials.path(in: node) {
          found.append(finding("this looks like \(name); \(wayOut)", at: node.range))
        }
      } else if KnownCredentials.name(in: node) != nil {
        judgeTexts(in: node, context, &found)
      }
    }
  }

  /// The texts in a list or object.
  private static func judgeTexts(
    in node: JSONNode, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    if node.kind == .string, let name = KnownCredentials.name(in: node) {
      found.append(
        finding(
          "this looks like \(name); \(Self.wayOut)", at: node.range,
          fix: inserting("token", for: node.range, context)))
    }
    for element in node.elements { judgeTexts(in: element, context, &found) }
    for member in node.members { judgeTexts(in: member.value, context, &found) }
  }

  /// The edits that declare an input for what is written in the file, and insert it.
  private static func fix(
    _ what: WrittenSecrets.What, at range: Range<Int>, _ file: [UInt8], _ bytes: ArraySlice<UInt8>,
    _ context: LintContext
  ) -> DiagnosticFix? {
    switch what {
    case .input(let name):
      let root = context.workflow.document.root
      if root["inputs"]?.range.contains(range.lowerBound) == true {
        return context.workflow.inputs.first { $0.name == name }.flatMap(takingFromEnvironment)
      }
      if let environments = root["environments"], environments.range.contains(range.lowerBound) {
        return leaving(name, outOf: environments, at: range, context)
      }
      return inserting(name, for: range, context)
    case .credential, .shape: return inserting("token", for: range, context)
    case .cookie(let name): return inserting(name, for: range, context)
    case .named(let name):
      let name = name.isEmpty ? parameter(before: bytes.startIndex, in: file) : name
      return inserting(name, for: range, context)
    }
  }

  /// - Parameter words: What the input is called after: `X-Api-Key`.
  private static func inserting(
    _ words: String, for range: Range<Int>, _ context: LintContext
  ) -> DiagnosticFix? {
    let written = context.text(in: range)
    let isWhole = written.utf8.first == UInt8(ascii: "\"")
    let text = isWhole ? String(written.dropFirst().dropLast()) : written
    let scheme = text.prefix(before: " ")
    let isSchemed = ["bearer", "token", "basic"].contains(scheme.lowercased())
    let isName = !words.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "/") }
    let lowered = words.lowercased() == "authorization" || !isName ? "token" : words.lowercased()
    guard let name = WorkflowDecoder.nearestName(to: lowered) else { return nil }
    let variable = lowered.uppercased().replacing(bytes: "-", with: "_")
    guard
      let declaration = context.declaring(
        input: name, as: "{ \"env\": \"\(variable)\", \"secret\": true }")
    else { return nil }
    let value = (isSchemed ? scheme + " " : "") + "{{inputs.\(name)}}"
    return DiagnosticFix(
      message: "declare the input '\(name)', and insert it",
      edits: [
        declaration,
        DiagnosticFix.Edit(range: range, replacement: isWhole ? "\"\(value)\"" : value),
      ], isSafe: false)
  }

  /// The edits that take an input from the environment, and not from its default.
  private static func takingFromEnvironment(_ input: Input) -> DiagnosticFix? {
    let node = input.node
    guard let member = node.members.first(where: { $0.name == "default" }) else { return nil }
    var members: [String] = []
    if input.variable == nil { members.append("\"env\": \"\(variable(for: input.name))\"") }
    if node["secret"] == nil { members.append("\"secret\": true") }
    guard !members.isEmpty else {
      return .suggesting("remove 'default'", [node.removing(member)])
    }
    let range = member.nameRange.lowerBound..<member.value.range.upperBound
    return .replacing(range, with: members.joined(separator: ", "), isSafe: false)
  }

  /// The edits that take the value of a secret out of an environment, and let a variable give it.
  private static func leaving(
    _ name: String, outOf environments: JSONNode, at range: Range<Int>, _ context: LintContext
  ) -> DiagnosticFix? {
    guard let input = context.workflow.inputs.first(where: { $0.name == name }),
      let environment = environments.members.first(where: {
        $0.value.range.contains(range.lowerBound)
      })
    else { return nil }
    var edits = [environment.value.removing(name)]
    let variable = variable(for: name)
    if input.variable == nil { edits.append(input.node.setting("env", to: "\"\(variable)\"")) }
    return .suggesting("take it from 'env'", edits)
  }

  /// `API_TOKEN` for `apiToken`.
  private static func variable(for name: String) -> String {
    var variable = ""
    for scalar in name.unicodeScalars {
      let isUpper = ("A"..."Z").contains(scalar)
      if isUpper, let last = variable.unicodeScalars.last, last != "_",
        !("A"..."Z").contains(name.unicodeScalars.first ?? "A")
      {
        variable += "_"
      }
      variable.unicodeScalars.append(scalar == "-" ? "_" : scalar)
    }
    return variable.uppercased()
  }

  private static let wayOut = "declare an input with 'secret' and 'env', and insert that"

  /// The passwords beside a user that is a secret: some servers take a token as the user, with a
  /// constant password.
  private static func passwordsOfSecretUsers(_ context: LintContext) -> Set<Range<Int>> {
    var ranges: Set<Range<Int>> = []
    for step in context.steps {
      switch step.request?.auth?.scheme {
      case .basic(let form)?, .digest(let form)?:
        let readings = zip(step.uses, context.readings[step.number])
        let isSecret = readings.contains { use, reading in
          form.user.range.contains(use.use.range.lowerBound) && reading.shape.isSecret
        }
        if isSecret { ranges.insert(form.password.range) }
      case .bearer?, .oauth2?, .awsSigV4?, .sign?, nil: break
      }
    }
    return ranges
  }

  private static func isKnown(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { KnownCredentials.name(in: $0) } != nil
  }

  /// - Parameters:
  ///   - isDeclared: Whether the text is in an input's declaration.
  ///   - bytes: The text as it is in the file, with its quotes if it is a whole string.
  private static func message(
    _ what: WrittenSecrets.What, _ isDeclared: Bool, _ file: [UInt8], _ bytes: ArraySlice<UInt8>
  ) -> String? {
    let text = bytes.first == UInt8(ascii: "\"") ? bytes.dropFirst().dropLast() : bytes
    // A shell's variable is not a credential, and a template is not one either.
    guard !text.isEmpty, !text.contains(UInt8(ascii: "$")), !text.contains(UInt8(ascii: "{")) else {
      return nil
    }
    switch what {
    case .input(let name):
      return
        "the \(isDeclared ? "default" : "value") of the secret '\(name)' is written here; take it"
        + " from 'env'"
    case .credential: return "a credential is written here; \(wayOut)"
    case .cookie(let name):
      guard KnownCredentials.isSession(name), text.count >= shortest else { return nil }
      return "the cookie '\(name)' is written here; \(wayOut)"
    case .named(let name):
      guard text.count >= shortest else { return nil }
      let parameter = name.isEmpty ? parameter(before: bytes.startIndex, in: file) : name
      return "'\(parameter)' is written here; \(wayOut)"
    case .shape: return "this looks like a credential; \(wayOut)"
    }
  }

  /// The name of a parameter of a URL, before its value.
  private static func parameter(before start: Int, in file: [UInt8]) -> String {
    let before = file[..<max(0, start - 1)]
    let begin = before.lastIndex { "?&\"".utf8.contains($0) }.map { $0 + 1 } ?? 0
    return String(decoding: before[begin...], as: UTF8.self)
  }

  /// Shorter texts under the name of a credential mean that there is none.
  private static let shortest = 6
}

extension LintContext {
  /// The inputs of a called file that are secret.
  func secretInputs(of call: Call) -> Set<String> {
    let inputs = callees[ExactText(call.path.value)]?.workflow?.inputs ?? []
    return Set(inputs.filter(\.isSecret).map(\.name))
  }
}
