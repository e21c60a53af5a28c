import PipelineJSONPaths
import PipelineJSONText

/// A scope whose values are JSON texts, each a document of its own.
struct ScopeOfTexts: QueryScope {
  private let values: [String: JSONNode]

  init(_ texts: [String: String]) {
    values = texts.compactMapValues { try? JSONDocument.parse(Array($0.utf8)).root }
  }

  func value(named name: String) -> JSONNode? { values[name] }
}
