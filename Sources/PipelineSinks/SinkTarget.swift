internal import PipelineByteText
package import PipelineFormats

/// Where rows go, and in which form: `users.csv`, `sqlite:out.db#users?key=id`, `singer:-`.
package struct SinkTarget: Sendable, Hashable {
  /// The form of the rows.
  package enum Form: String, Sendable, CaseIterable {
    case csv, tsv, ndjson, sqlite, singer

    /// Whether the target may name a table and a key.
    var hasTable: Bool { self == .sqlite || self == .singer }
  }

  package let form: Form
  /// The file; `-` is stdout.
  package var path: String
  /// The text after `#`: the table, or the stream; `nil` if it has the name of the output.
  package let table: String?
  /// The columns by which a row takes the place of another; empty: all rows are replaced.
  package let key: [String]

  package var isStandardOutput: Bool { path.equals(bytes: "-") }

  /// Reads a target as a command line gives it.
  package init(_ text: String) throws(TableProblem) {
    let prefix = text.prefix(before: ":")
    if let form = Form(rawValue: String(prefix)), prefix.endIndex < text.endIndex {
      self.form = form
      (path, table, key) = try Self.parts(
        of: String(text[prefix.endIndex...].dropFirst(bytes: 1)), form, text)
    } else if let form = Self.form(ofFile: text) {
      self.form = form
      (path, table, key) = (text, nil, [])
    } else if text.firstRange(bytes: "://") != nil {
      throw TableProblem(
        "'\(text)' is no file; rows go to files, to SQLite, and to a target of Singer, as in"
          + " 'singer:-'")
    } else if let mark = text.firstRange(bytes: "?key="),
      Self.form(ofFile: String(text[..<mark.lowerBound])) != nil
    {
      throw Self.needlessKey(text)
    } else {
      throw TableProblem(
        "'\(text)' does not end with .csv, .tsv, .ndjson or .jsonl; say which form it has, as in"
          + " 'csv:\(text)' or 'sqlite:\(text)#TABLE'")
    }
    if path.isEmpty { throw TableProblem("'\(text)' names no file") }
    if form == .sqlite, isStandardOutput {
      throw TableProblem("'\(text)' cannot be written to stdout; name a file")
    }
  }

  private static func needlessKey(_ text: String) -> TableProblem {
    TableProblem(
      "'\(text)' has a key, which only SQLite and Singer take, as in 'sqlite:out.db#TABLE?key=id'; the"
        + " rows of other files are all replaced")
  }

  private static func form(ofFile path: String) -> Form? {
    let name = path.lowercasedASCII
    for form in [Form.csv, .tsv, .ndjson] where name.hasSuffix(bytes: "." + form.rawValue) {
      return form
    }
    return name.hasSuffix(bytes: ".jsonl") ? .ndjson : nil
  }

  /// `PATH`, `PATH#TABLE` or `PATH#TABLE?key=COLUMN,…`.
  private static func parts(
    of text: String, _ form: Form, _ whole: String
  ) throws(TableProblem) -> (path: String, table: String?, key: [String]) {
    guard form.hasTable else {
      if text.firstRange(bytes: "?key=") != nil { throw needlessKey(whole) }
      return (text, nil, [])
    }
    var path = text
    var key: [String] = []
    if let mark = text.lastIndex(ascii: "?") {
      path = String(text[..<mark])
      let option = text[mark...].dropFirst(bytes: 1)
      guard option.hasPrefix(bytes: "key="), option.utf8.count > "key=".utf8.count else {
        throw TableProblem("'\(option)' in '\(whole)' is not an option; 'key=COLUMN' is one")
      }
      key = option.dropFirst(bytes: "key=".utf8.count).split(ascii: ",").map { String($0) }
    }
    guard let sign = path.lastIndex(ascii: "#") else { return (path, nil, key) }
    let table = String(path[sign...].dropFirst(bytes: 1))
    if table.isEmpty { throw TableProblem("'\(whole)' names no table after '#'") }
    return (String(path[..<sign]), table, key)
  }
}
