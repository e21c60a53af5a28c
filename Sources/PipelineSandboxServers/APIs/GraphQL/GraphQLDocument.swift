internal import PipelineHTTPServers

/// The part of GraphQL that the sandbox reads: operations with variables, fields with arguments and
/// aliases. Fragments and directives are refused.
struct GraphQLDocument {
  enum Value: Equatable {
    case variable(String)
    case text(String)
    case number(String)
    case boolean(Bool)
    case null
  }

  struct Field {
    /// The name in the answer: the alias, if there is one.
    let key: String
    let name: String
    let arguments: [String: Value]
    let selection: [Field]
  }

  struct Operation {
    /// `query` or `mutation`.
    let kind: String
    let name: String?
    /// The declared variables, each with its default if there is one.
    let variables: [String: Value?]
    let selection: [Field]
  }

  struct Problem: Error, Equatable {
    let message: String
  }

  let operations: [Operation]

  init(parsing text: String) throws(Problem) {
    var parser = GraphQLParser(try GraphQLParser.tokens(of: text))
    operations = try parser.operations()
  }
}

/// Tokens → operations. Nesting is bounded.
struct GraphQLParser {
  typealias Problem = GraphQLDocument.Problem

  enum Token: Equatable {
    case name(String)
    case mark(Character)
    case text(String)
    case number(String)
  }

  private static let depthLimit = 32

  private var tokens: ArraySlice<Token>

  init(_ tokens: [Token]) {
    self.tokens = tokens[...]
  }

  mutating func operations() throws(Problem) -> [GraphQLDocument.Operation] {
    var operations: [GraphQLDocument.Operation] = []
    while let token = tokens.first {
      if token == .mark("{") {
        operations.append(
          GraphQLDocument.Operation(
            kind: "query", name: nil, variables: [:], selection: try selection(0)))
        continue
      }
      let kind = try name()
      guard kind == "query" || kind == "mutation" else {
        throw Problem(message: "'\(kind)' is not known here; write query or mutation")
      }
      var title: String?
      if case .name? = tokens.first { title = try name() }
      let variables = try variables()
      operations.append(
        GraphQLDocument.Operation(
          kind: kind, name: title, variables: variables, selection: try selection(0)))
    }
    guard !operations.isEmpty else { throw Problem(message: "the query is empty") }
    return operations
  }

  /// `($id: ID!, $first: Int = 3)`
  private mutating func variables() throws(Problem) -> [String: GraphQLDocument.Value?] {
    var variables: [String: GraphQLDocument.Value?] = [:]
    guard take("(") else { return variables }
    while !take(")") {
      try expect("$")
      let variable = try name()
      try expect(":")
      while take("[") {}
      _ = try name()
      while take("!") || take("]") {}
      variables[variable] = .some(take("=") ? try value() : nil)
      _ = take(",")
    }
    return variables
  }

  private mutating func selection(_ depth: Int) throws(Problem) -> [GraphQLDocument.Field] {
    guard depth < Self.depthLimit else { throw Problem(message: "the query is nested too deep") }
    try expect("{")
    var fields: [GraphQLDocument.Field] = []
    while !take("}") {
      let first = try name()
      let name = take(":") ? try self.name() : first
      let arguments = try arguments()
      let inner = tokens.first == .mark("{") ? try selection(depth + 1) : []
      fields.append(
        GraphQLDocument.Field(key: first, name: name, arguments: arguments, selection: inner))
      _ = take(",")
    }
    guard !fields.isEmpty else { throw Problem(message: "a selection is empty") }
    return fields
  }

  private mutating func arguments() throws(Problem) -> [String: GraphQLDocument.Value] {
    var arguments: [String: GraphQLDocument.Value] = [:]
    guard take("(") else { return arguments }
    while !take(")") {
      let name = try name()
      try expect(":")
      arguments[name] = try value()
      _ = take(",")
    }
    return arguments
  }

  private mutating func value() throws(Problem) -> GraphQLDocument.Value {
    if take("$") { return .variable(try name()) }
    switch tokens.popFirst() {
    case .text(let text): return .text(text)
    case .number(let number): return .number(number)
    case .name("true"): return .boolean(true)
    case .name("false"): return .boolean(false)
    case .name("null"): return .null
    default: throw Problem(message: "a value is expected")
    }
  }

  private mutating func name() throws(Problem) -> String {
    guard case .name(let name)? = tokens.popFirst() else {
      throw Problem(message: "a name is expected")
    }
    return name
  }

  private mutating func take(_ mark: Character) -> Bool {
    guard tokens.first == .mark(mark) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ mark: Character) throws(Problem) {
    guard take(mark) else { throw Problem(message: "'\(mark)' is expected") }
  }

  // MARK: Tokens

  static func tokens(of text: String) throws(Problem) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first.isWhitespace || first == "\u{FEFF}" {
        rest.removeFirst()
      } else if first == "#" {
        rest = rest.drop { !$0.isNewline }
      } else if first.isLetter || first == "_" {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        tokens.append(.name(String(name)))
        rest = rest[name.endIndex...]
      } else if first.isNumber || first == "-" {
        let number = rest.prefix { $0.isNumber || "+-.eE".contains($0) }
        tokens.append(.number(String(number)))
        rest = rest[number.endIndex...]
      } else if first == "\"" {
        tokens.append(.text(try quoted(&rest)))
      } else if "{}()[]:,$!=".contains(first) {
        tokens.append(.mark(first))
        rest.removeFirst()
      } else {
        throw Problem(message: "'\(first)' is not known here")
      }
    }
    return tokens
  }

  private static func quoted(_ rest: inout Substring) throws(Problem) -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\": text.append(rest.popFirst() ?? "\\")
      default: text.append(character)
      }
    }
    throw Problem(message: "a string has no end")
  }
}
