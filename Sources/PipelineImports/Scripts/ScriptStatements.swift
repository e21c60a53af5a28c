internal import PipelineByteText

/// The statements of a script for tests, without the functions around them.
///
/// Scripts are never executed. Whether the body of `if`, of a loop or of an unknown function is
/// carried out cannot be known, so such a block is one statement: its head, marked as uncertain.
struct ScriptStatements {
  struct Statement {
    let text: String
    /// Lines after the first line of the script.
    let line: Int
    /// Whether it is always carried out.
    let isCertain: Bool

    /// Whether it writes into the log of the tool.
    var isLog: Bool {
      text.hasPrefix(bytes: "console.") || text.hasPrefix(bytes: "client.log(")
    }
  }

  private(set) var statements: [Statement] = []
  private var text = ""
  private var start = 0
  private var line = 0
  /// For each open brace, whether what is in it is always carried out.
  private var open: [Bool] = []

  init(_ script: String) {
    var rest = Substring(script)
    while let scalar = rest.unicodeScalars.first {
      switch scalar {
      case "\"", "'", "`": takeString(&rest, scalar)
      case "/" where rest.hasPrefix(bytes: "//"):
        rest = rest[(rest.firstIndex(ascii: "\n") ?? rest.endIndex)...]
      case "/" where rest.hasPrefix(bytes: "/*"):
        let end = rest.firstRange(bytes: "*/")?.upperBound ?? rest.endIndex
        line += rest[..<end].utf8.count { $0 == UInt8(ascii: "\n") }
        rest = rest[end...]
      case "\n":
        rest = rest.dropFirst(bytes: 1)
        if !continues(rest) { end() }
        line += 1
      case ";":
        rest = rest.dropFirst(bytes: 1)
        end()
      case "{":
        rest = rest.dropFirst(bytes: 1)
        beginBlock()
      case "}":
        rest = rest.dropFirst(bytes: 1)
        end()
        _ = open.popLast()
      default:
        append(scalar)
        rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
      }
    }
    end()
  }

  /// Whether a script only writes into the log of the tool, or does nothing.
  static func onlyLog(_ script: String) -> Bool {
    ScriptStatements(script).statements.allSatisfy(\.isLog)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if text.isEmpty {
      if scalar.properties.isWhitespace { return }
      start = line
    }
    text.unicodeScalars.append(scalar)
  }

  private mutating func takeString(_ rest: inout Substring, _ quote: Unicode.Scalar) {
    append(quote)
    rest = rest.dropFirst(bytes: 1)
    while let scalar = rest.unicodeScalars.first {
      rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
      text.unicodeScalars.append(scalar)
      if scalar == "\n" { line += 1 }
      if scalar == quote { return }
      if scalar == "\\", let escaped = rest.unicodeScalars.first {
        text.unicodeScalars.append(escaped)
        rest = rest[rest.unicodeScalars.index(after: rest.startIndex)...]
      }
    }
  }

  /// Whether the next line belongs to this statement: it begins with a dot.
  private func continues(_ rest: Substring) -> Bool {
    rest.unicodeScalars.first { !$0.properties.isWhitespace } == "."
  }

  /// The functions that run what is in them: those of tests.
  private static let wrappers = ["pm.test(", "insomnia.test(", "client.test(", "test("]

  private mutating func beginBlock() {
    let head = text.trimmed
    let isWrapper =
      Self.wrappers.contains { head.hasPrefix(bytes: $0) }
      && (head.contains(bytes: "function") || head.hasSuffix(bytes: "=>"))
    let isCertain = (open.last ?? true) && (isWrapper || head.isEmpty)
    if !isWrapper, !head.isEmpty, open.last ?? true {
      statements.append(.init(text: head, line: start, isCertain: false))
    }
    text = ""
    open.append(isCertain)
  }

  private mutating func end() {
    let statement = text.trimmed
    text = ""
    let isNothing = statement.utf8.allSatisfy { ")],;".utf8.contains($0) }
    if isNothing || statement.equals(bytes: "'use strict'") || open.last == false { return }
    statements.append(
      .init(text: Self.inside(statement) ?? statement, line: start, isCertain: true))
  }

  /// The expression of `pm.test("…", () => …)`; `nil` if the statement is another.
  private static func inside(_ statement: String) -> String? {
    var cursor = ScriptCursor(statement)
    guard cursor.takeAny(wrappers) != nil, cursor.takeString() != nil, cursor.take(",") else {
      return nil
    }
    _ = cursor.take("async ")
    guard cursor.take("()") || cursor.takeName() != nil, cursor.take("=>") else { return nil }
    let rest = String(cursor.rest).trimmed
    return rest.hasSuffix(bytes: ")") ? String(rest.dropLast(bytes: 1)) : nil
  }
}
