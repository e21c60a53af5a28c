internal import PipelineByteText
package import PipelineJSONPaths
package import PipelineJSONText

/// A JSON value of a workflow file in which strings are templates, at any depth: a body, values,
/// outputs.
///
/// Parsed once, written any number of times. A string that is one reference keeps its value's JSON
/// type and digits. As a member or item it is left out if the reference is absent.
///
/// A class, because it is large, never changes, and is handed on whenever a field is.
package final class DataTemplate: Sendable {
  /// The value in the workflow file.
  package let node: JSONNode
  package let root: Node
  /// Everything that the value reads from the scope, in the order of the text.
  package let uses: [Use]
  /// The strings that are queries, in the order of the text.
  package let queries: [(query: Query, node: JSONNode)]
  /// Texts that are rarely meant literally: templates of other tools, `{{…}}` in a key, a query if
  /// none is read.
  package let warnings: [DataProblem]
  /// Whether a form in it takes values of one type only.
  package let hasTypedForms: Bool
  /// What it reads of the final request: in `auth` only.
  package let requestParts: Set<RequestPart>
  /// Whether a form in it takes a key, so that its value proves that its sender has the key.
  package let isKeyed: Bool

  init(
    node: JSONNode, root: Node, uses: [Use], queries: [(query: Query, node: JSONNode)],
    warnings: [DataProblem], hasTypedForms: Bool, requestParts: Set<RequestPart> = [],
    isKeyed: Bool = false
  ) {
    self.hasTypedForms = hasTypedForms
    self.requestParts = requestParts
    self.isKeyed = isKeyed
    self.node = node
    self.root = root
    self.uses = uses
    self.queries = queries
    self.warnings = warnings
  }

  /// One reading of the scope.
  package struct Use: Sendable {
    /// The query, rooted at the scope.
    package let query: Query
    /// Its bytes in the file, including a template's braces.
    package let range: Range<Int>
    /// Whether it is a query, or a part of one, and not a `{{…}}`.
    package let isQuery: Bool
    /// Whether it is the whole string.
    package let isWhole: Bool
    /// Whether something else is taken if it is missing: in `$first`.
    package let mayBeMissing: Bool
  }

  /// The structure of a value.
  package indirect enum Node: Sendable {
    /// A value without templates. `isVerbatim` if its text in the file means itself.
    case literal(JSONNode, isVerbatim: Bool)
    case reference(Template.Reference, JSONNode)
    case query(Query, JSONNode)
    case text(Template, JSONNode)
    case object([Member])
    case array([Node])
    case form(any DataForm)
  }

  package struct Member: Sendable {
    package let name: String
    package var value: Node
  }

  /// The path of the file, or the name of the form, if the value is one form.
  package var shortForm: String? {
    guard case .form = root,
      let member = node.members.first(where: { $0.name.hasPrefix(bytes: "$") })
    else { return nil }
    return (member.name == FormTitle.fileName ? member.value.string : nil) ?? member.name
  }

  /// The query, if the value is one `{{reference}}`, or one query, and nothing else.
  package var wholeReference: Query? {
    switch root {
    case .reference(let reference, _): reference.query
    case .query(let query, _): query
    default: nil
    }
  }

  /// The query, if the value is one and nothing else.
  package var query: Query? {
    if case .query(let query, _) = root { query } else { nil }
  }

  /// Whether the value may be an object, as far as its text shows.
  package var mayBeObject: Bool {
    switch root {
    case .literal(let node, _): node.kind == .object
    case .text, .array: false
    case .object, .reference, .query, .form: true
    }
  }

  /// The constant value, if it reads nothing.
  package var literal: JSONNode? {
    if case .literal(let node, _) = root { node } else { nil }
  }
}

/// A problem in a JSON value with templates, and the way out.
package struct DataProblem: Error, Sendable, Hashable {
  package let code: TemplateProblem.Code
  /// One phrase without a period.
  package let message: String
  /// The bytes in the file.
  package let range: Range<Int>
  /// The JSON text that `range` should be instead, if that is known.
  package let fix: String?
  /// Whether `fix` is only one of the things that can be meant.
  package let isGuess: Bool
  /// The shell's variable that is meant.
  package let variable: TemplateProblem.Variable?

  init(
    _ code: TemplateProblem.Code, _ message: String, at range: Range<Int>, fix: String? = nil,
    isGuess: Bool = false, variable: TemplateProblem.Variable? = nil
  ) {
    self.variable = variable
    self.isGuess = isGuess
    self.code = code
    self.message = message
    self.range = range
    self.fix = fix
  }

  /// A problem of the string at `node`.
  init(_ problem: TemplateProblem, in node: JSONNode) {
    if let data = problem.data, problem.range == 0..<(node.string ?? "").utf8.count {
      self.init(problem.code, problem.message, at: node.range, fix: data, isGuess: true)
      return
    }
    self.init(
      problem.code, problem.message, at: node.sourceRange(ofDecoded: problem.range),
      fix: problem.fix.map(DataProblem.escaped), isGuess: problem.isGuess,
      variable: problem.variable)
  }

  /// `text` as the content of a JSON string.
  private static func escaped(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }
}

/// The source of data.
package protocol DataSource {
  /// Evaluates references and queries.
  var queries: QueryContext { get }
  /// The content of a file that `{"$file": path}` names.
  func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode
  /// The paths of the files that `{"$files": pattern}` names, sorted by their bytes.
  func files(_ pattern: String) throws(DataSourceError) -> [String]
  /// Receives queries for many values that selected none.
  func selectedNothing(_ query: Query)
  /// The step and the item that the data is for. Another one has another place.
  var place: String { get }
  /// Receives texts and numbers that a form has made.
  func made(_ text: String, by form: any DataForm)
}

extension DataSource {
  package func selectedNothing(_ query: Query) {}
  package var place: String { "" }
  package func made(_ text: String, by form: any DataForm) {}
}

/// Why a file cannot be had.
package struct DataSourceError: Error, Sendable, Hashable {
  /// One phrase that names the file and its problem.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}

/// Why data cannot be written. It is found before any request is made.
package struct DataError: Error, Sendable, Hashable {
  package let reason: ExpansionError.Reason
  /// Whether a file cannot be had.
  package let isOfFile: Bool
  /// One phrase that names what was read and the way out. It never shows a value.
  package let message: String
  /// The bytes in the workflow file.
  package let range: Range<Int>

  init(_ reason: ExpansionError.Reason, _ message: String, at range: Range<Int>) {
    self.reason = reason
    isOfFile = false
    self.message = message
    self.range = range
  }

  /// The problem with the file that `node` names.
  init(_ error: DataSourceError, in node: JSONNode) {
    reason = .dataForm
    isOfFile = true
    message = error.message
    range = node.range
  }

  /// An error of the template at `node`.
  init(_ error: ExpansionError, in node: JSONNode) {
    self.init(
      error.reason, error.message,
      at: error.reference.map { node.sourceRange(ofDecoded: $0.range) } ?? node.range)
  }
}
