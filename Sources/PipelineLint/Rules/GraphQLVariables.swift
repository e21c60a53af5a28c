import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// Variables of a GraphQL operation that do not fit it.
enum GraphQLVariables: LintRule {
  static let explanation = Explanation(
    "graphql-variables", .warning, PackageResources.graphql_variables_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, let body = request.body, !body.isInherited else { return }
    switch body.content {
    case .graphQL(let graphQL):
      let query = graphQL.query
      guard let first = query.lines.first, let last = query.lines.last else { return }
      let text = query.lines.map(\.value.text).joined(separator: "\n")
      let range = first.range.lowerBound..<last.range.upperBound
      var operation = GraphQLOutline(text)
      if operation.isOpen {
        found.append(
          finding(
            "a '{' of the operation is not closed; write '}' at its end", at: range,
            fix: .inserting(" }", at: last.range.upperBound - 1, "write '}'")))
      }
      guard operation.isWhole else { return }
      if let paginate = request.paginate, paginate.place == .body,
        let name = paginate.form.parameter
      {
        operation.given.insert(name)
        judge(name, sentBy: step.step.node["paginate"], operation, &found)
      }
      // Variables beside 'graphql' are reported as such.
      if body.node["variables"] == nil, let graphql = body.node["graphql"] {
        let written = WrittenOperation(node: graphql, lines: query.lines) { name in
          context.path(ofValueCalled: name, for: step)
        }
        judge(operation, graphQL.variables, written, at: range, &found)
      }
      if let name = graphQL.operationName, let wanted = name.value.literal,
        !operation.names.contains(wanted)
      {
        let near =
          operation.names.count == 1
          ? operation.names.first : Spelling.nearest(to: wanted, among: operation.names.sorted())
        let proposal = Proposal.didYouMean(near, at: name.range, as: near.map { "\"\($0)\"" })
        found.append(
          finding(
            "'query' holds no operation '\(wanted)'" + proposal.text, at: name.range,
            fix: proposal.fix))
      }
    case .json(let data):
      guard let query = data.node["query"], isGraphQL(data.node, sentTo: request) else { return }
      found.append(
        finding(
          "this is a GraphQL operation; write \"graphql\" instead of \"json\", so that its errors fail the"
            + " step", at: query.range,
          fix: body.node.members.first { $0.name == "json" }.map {
            .replacing($0.nameRange, with: "\"graphql\"", isSafe: false)
          }))
    case .form, .multipart, .text, .madeText, .file: return
    }
  }

  /// Whether a body of JSON is a GraphQL request. Other servers take a `query`, too: of a search, or
  /// of a database.
  private static func isGraphQL(_ body: JSONNode, sentTo request: Request) -> Bool {
    guard body.kind == .object, let text = body["query"]?.string, text.contains(bytes: "}"),
      body.members.allSatisfy({ ["query", "variables", "operationName"].contains($0.name) })
    else { return false }
    var rest = text.drop { $0.isWhitespace }
    let word = rest.prefix { $0.isLetter }
    if ["query", "mutation", "subscription"].contains(where: { word.equals(bytes: $0) }) {
      // `query {`, `query Name {` and `query Name ($id: ID!) {`
      for _ in 0..<2 {
        rest = rest.drop { $0.isLetter || $0.isNumber || $0 == "_" }.drop { $0.isWhitespace }
      }
      return isOpened(rest) || rest.hasPrefix(bytes: "(") || rest.hasPrefix(bytes: "@")
    }
    return isOpened(rest)
      && (body.count > 1
        || request.endpoint.value.url.text.lowercasedASCII.contains(bytes: "graphql"))
  }

  /// Whether a text begins with `{` that is not one of a template's.
  private static func isOpened(_ text: Substring) -> Bool {
    text.hasPrefix(bytes: "{") && !text.hasPrefix(bytes: "{{")
  }

  /// Judges the variable that each page sets.
  private static func judge(
    _ name: String, sentBy paginate: JSONNode?, _ operation: GraphQLOutline,
    _ found: inout [Diagnostic]
  ) {
    guard operation.declared[name] == nil, !operation.used.contains(name),
      let node = paginate?.members.first(where: { $0.value.string == name })?.value
    else { return }
    let proposal = Proposal.nearest(
      to: name, among: operation.declared.keys.sorted(), inQuotesAt: node.range)
    found.append(
      finding(
        "'paginate' sends the variable '$\(name)', which the operation does not declare"
          + (proposal.text.isEmpty ? "; write \"query ($\(name): …) { … }\"" : proposal.text),
        at: node.range, fix: proposal.fix))
  }

  private static func judge(
    _ operation: GraphQLOutline, _ variables: DataTemplate?, _ written: WrittenOperation,
    at range: Range<Int>, _ found: inout [Diagnostic]
  ) {
    let declared = operation.declared
    var given = operation.given
    var unknown: [JSONMember] = []
    if let variables {
      if !variables.mayBeObject, !variables.node.isNull {
        let words =
          variables.node.kind == .string ? "a text" : WorkflowDecoder.words(for: variables.node)
        found.append(
          finding(
            "'variables' is an object, such as {\"id\": 7}, and this is \(words)",
            at: variables.node.range))
      }
      guard variables.node.kind == .object, variables.wholeReference == nil else { return }
      for member in variables.node.members {
        guard !member.name.hasPrefix(bytes: "$") else { return }
        given.insert(member.name)
        if declared[member.name] == nil, !operation.used.contains(member.name) {
          unknown.append(member)
        }
      }
    }
    var missing = declared.filter { $0.value && !given.contains($0.key) }.keys.sorted()
    for name in operation.used.sorted() where declared[name] == nil {
      let near = Spelling.nearest(
        to: name, among: declared.keys.filter { !operation.used.contains($0) }.sorted())
      // A misspelt declaration is not a variable that is needed, too.
      missing.removeAll { $0 == near }
      found.append(
        finding(
          "the operation uses '$\(name)', which it does not declare; "
            + (near.map { "it declares '$\($0)'" } ?? "write \"query ($\(name): …) { … }\""),
          at: range,
          fix: near.flatMap { written.renaming(name, $0, given: given) }
            ?? written.declaring(name)))
    }
    for member in unknown {
      let near =
        Spelling.nearest(to: member.name, among: missing)
        ?? (unknown.count == 1 && missing.count == 1 ? missing.first : nil)
      // The variable that is meant here is not missing, too.
      missing.removeAll { $0 == near }
      found.append(
        finding(
          "the operation declares no variable '$\(member.name)'"
            + (near.map { "; write '\($0)', which it needs" }
              ?? Spelling.didYouMean(member.name, among: declared.keys.sorted())),
          at: member.nameRange,
          fix: (near ?? Spelling.nearest(to: member.name, among: declared.keys.sorted())).map {
            .replacing(member.nameRange, with: "\"\($0)\"", isSafe: false)
          } ?? .suggesting("remove it", [variables?.node.removing(member)])))
    }
    for name in missing {
      found.append(
        finding(
          "the operation needs '$\(name)'; write \"variables\": {\"\(name)\": …}", at: range,
          fix: written.giving(name)))
    }
  }
}

/// A GraphQL operation as it is in the file.
private struct WrittenOperation {
  /// The value of `graphql`.
  let node: JSONNode
  let lines: [Written<Template>]
  /// The path of a value that the step can read under a name.
  let path: (String) -> String?

  /// The edit that gives a variable the value that has its name.
  func giving(_ name: String) -> DiagnosticFix? {
    guard let path = path(name) else { return nil }
    let value = "\"{{\(path)}}\""
    if let variables = node["variables"] { return variables.suggesting(name, value) }
    return .suggesting(
      "write \"variables\": {\"\(name)\": \(value)}",
      [node.setting("variables", to: "{ \"\(name)\": \(value) }")])
  }

  /// The edit that writes one name for another: in the declaration if `variables` has the one that
  /// is used, and where it is used if not.
  func renaming(_ used: String, _ declared: String, given: Set<String>) -> DiagnosticFix? {
    let isDeclarationWrong = given.contains(used) && !given.contains(declared)
    let (wrong, right) = isDeclarationWrong ? (declared, used) : (used, declared)
    let edits = lines.flatMap { line in
      places(of: "$" + wrong, in: line).map { place in
        DiagnosticFix.Edit(range: line.range(of: place), replacement: "$" + right)
      }
    }
    return edits.isEmpty ? nil : .suggesting("write $\(right)", edits)
  }

  /// The edit that declares an identifier, whose type is certain by its name.
  func declaring(_ name: String) -> DiagnosticFix? {
    guard name == "id" || name.hasSuffix(bytes: "Id") || name.hasSuffix(bytes: "ID"),
      lines.count == 1, let line = lines.first
    else { return nil }
    let text = line.value.text
    let declaration = "$\(name): ID!"
    let open = text.firstRange(bytes: "{").map {
      text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
    }
    guard let open else { return nil }
    let head = Array(text.utf8)[..<open]
    if let close = head.lastIndex(of: UInt8(ascii: ")")) {
      return WorkflowDecoder.fix(
        ", " + declaration, for: close..<close, in: line.node, isSafe: false)
    }
    let end = (head.lastIndex { $0 != 0x20 }).map { $0 + 1 } ?? 0
    // A document that begins with its brace is a query.
    let parameters = end == 0 ? "query (\(declaration)) " : "(\(declaration))"
    return WorkflowDecoder.fix(parameters, for: end..<end, in: line.node, isSafe: false)
  }

  /// Where a variable is in a line, given as offsets in its text.
  private func places(of name: String, in line: Written<Template>) -> [Range<Int>] {
    let bytes = Array(line.value.text.utf8)
    return bytes.indices.filter { bytes[$0...].starts(with: name.utf8) }
      .map { $0..<$0 + name.utf8.count }
      .filter { place in
        place.upperBound == bytes.count || !bytes[place.upperBound].isWordByte
      }
  }
}

/// The declarations and uses of names in a GraphQL document.
private struct GraphQLOutline {
  /// The variables, and whether each must be given.
  private(set) var declared: [String: Bool] = [:]
  private(set) var used: Set<String> = []
  /// The names of operations.
  private(set) var names: Set<String> = []
  /// Variables that something else than `variables` gives.
  var given: Set<String> = []
  /// Whether all of it was understood.
  private(set) var isWhole = true
  /// Whether a brace is not closed.
  private(set) var isOpen = false

  init(_ text: String) {
    let tokens = Self.tokens(of: text)
    var depth = 0
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      switch token {
      case "{": depth += 1
      case "}": depth -= 1
      case "query", "mutation", "subscription":
        guard depth == 0 else { break }
        if index + 1 < tokens.count, Self.isName(tokens[index + 1]) {
          names.insert(tokens[index + 1])
          index += 1
        }
        if index + 1 < tokens.count, tokens[index + 1] == "(" {
          index = declare(tokens, from: index + 2)
        }
      default:
        if token.hasPrefix(bytes: "$") { used.insert(String(token.dropFirst(bytes: 1))) }
      }
      index += 1
    }
    isWhole = depth == 0 && text.contains(bytes: "{")
    isOpen = depth > 0
  }

  /// Reads `$id: ID!, $n: Int = 10)`. Returns the place of the closing parenthesis.
  private mutating func declare(_ tokens: [String], from start: Int) -> Int {
    var index = start
    var name: String?
    var isRequired = false
    func ended() -> (String, Bool)? { name.map { ($0, isRequired) } }
    while index < tokens.count, tokens[index] != ")" {
      let token = tokens[index]
      if token.hasPrefix(bytes: "$") {
        if let (name, isRequired) = ended() { declared[name] = isRequired }
        name = String(token.dropFirst(bytes: 1))
        isRequired = false
      } else if token == "!" {
        // The last one, after the type, counts.
        isRequired = true
      } else if token == "=" {
        if let name { declared[name] = false }
        name = nil
        isRequired = false
      } else if token != ":" {
        isRequired = false
      }
      index += 1
    }
    if let (name, isRequired) = ended() { declared[name] = isRequired }
    return index
  }

  private static func isName(_ token: String) -> Bool {
    token.utf8.first.map { $0 == UInt8(ascii: "_") || (0x41...0x5A).contains($0 & 0xDF) } ?? false
  }

  /// Names, variables and marks, without texts and remarks.
  private static func tokens(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    var tokens: [String] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "#") {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      } else if byte == UInt8(ascii: "\"") {
        let isBlock = bytes[index...].starts(with: [byte, byte, byte])
        index += isBlock ? 3 : 1
        while index < bytes.count {
          if isBlock ? bytes[index...].starts(with: [byte, byte, byte]) : bytes[index] == byte {
            break
          }
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += isBlock ? 3 : 1
      } else if byte == UInt8(ascii: "{"), index + 1 < bytes.count, bytes[index + 1] == byte,
        let close = bytes.indices[index...].dropLast().first(where: {
          bytes[$0] == UInt8(ascii: "}") && bytes[$0 + 1] == UInt8(ascii: "}")
        })
      {
        // A template is a value.
        index = close + 2
      } else if byte == UInt8(ascii: "$") || byte.isWordByte {
        var end = index + 1
        while end < bytes.count, bytes[end].isWordByte { end += 1 }
        tokens.append(String(decoding: bytes[index..<end], as: UTF8.self))
        index = end
      } else {
        if "{}()!:=".utf8.contains(byte) { tokens.append(String(UnicodeScalar(byte))) }
        index += 1
      }
    }
    return tokens
  }
}
