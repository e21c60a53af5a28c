package import PipelineJSONPaths
import PipelineJSONText

/// The part of a response that leads to the next page, or counts the pages: a query of the body, or
/// an extractor.
package struct PageSource: Sendable {
  package let extractor: Extractor

  /// The query, if the part is in the body.
  package var query: Written<Query>? {
    if case .body(let query) = extractor.source { query } else { nil }
  }

  /// As plans and messages name it: `$.meta.next`, `the header 'X-Next-Cursor'`.
  package var text: String {
    switch extractor.source {
    case .body(let query): query.value.text
    case .header(let name): "the header '\(name.value)'"
    case .cookie(let name): "the cookie '\(name.value)'"
    case .headers: "the headers"
    case .status: "the status"
    case .url: "the URL"
    case .text: "the body's text"
    case .value: "the value"
    }
  }
}

/// A query of the body, or an extractor.
struct PageSourceType: ValueType {
  /// What the value is for.
  enum Purpose {
    /// It leads to the next page. Without it there is none.
    case next
    /// It is a value of the next page, under a name.
    case carried
    /// It counts pages or records. Without it the step fails.
    case count
  }

  let purpose: Purpose

  var description: LanguageType { .either([.bodyQuery, .object(.extractor)]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> PageSource? {
    guard node.kind == .object else {
      return decoder.bodyQuery(node, name).map { PageSource($0, name) }
    }
    guard let fields = decoder.fields(of: node, .extractor, .key(name)),
      let options = decoder.object(ExtractorOptions.self, fields)
    else { return nil }
    for entry in fields.entries {
      guard let problem = problem(with: entry.name, name) else { continue }
      decoder.report(.misplacedKey, problem, at: entry.member.nameRange)
    }
    guard let source = options.source else { return nil }
    return PageSource(
      extractor: Extractor(name: name, nameRange: node.range, source, options, node: node))
  }

  /// Why a key of an extractor decides nothing here.
  private func problem(with key: String, _ name: String) -> String? {
    switch (key, purpose) {
    case ("optional", .next):
      "'optional' decides nothing: if '\(name)' finds nothing, there is no next page"
    case ("optional", .carried):
      "'optional' decides nothing: what '\(name)' does not find is absent on the next page"
    case ("optional", .count):
      "'\(name)' needs a number; write \"default\" for a response without one"
    case ("default", .next):
      "'default' would lead to the same page each time; if '\(name)' finds nothing, there is no next"
        + " page"
    case ("default", .carried):
      "'default' would be carried on from the last page; for the first page write {\"default\": …,"
        + " \"next\": {…}}"
    case ("secret", _):
      "'\(name)' cannot be secret, because a run keeps it to go on later"
    default: nil
    }
  }
}

extension PageSource {
  /// A query of the body.
  init(_ query: Written<Query>, _ name: String) {
    extractor = Extractor(
      name: name, nameRange: query.range, .body(query), .none, node: query.node)
  }

  /// A header.
  init(header: Written<String>, _ name: String) {
    extractor = Extractor(
      name: name, nameRange: header.range, .header(header), .none, node: header.node)
  }
}

extension ValueType where Self == PageSourceType {
  static func pageSource(_ purpose: PageSourceType.Purpose) -> PageSourceType {
    PageSourceType(purpose: purpose)
  }
}
