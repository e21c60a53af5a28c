package import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// Fetches page after page and joins what the extractors find.
package struct Pagination: Sendable {
  /// Where the parameter goes.
  package enum Place: String, Sendable, CaseIterable {
    case query, body
  }

  package let form: any PageForm
  /// In the body of GraphQL: among the variables.
  package private(set) var place: Place
  /// Where the author chose the place; `nil` if nowhere.
  private let placeKey: Range<Int>?
  /// The page's records. An empty page, or a short one if their number is given, is the last.
  package let items: Written<Query>?
  /// Another page follows only while it holds of an answer.
  package let `while`: Written<Condition>?
  /// Reaching it is an error.
  package let maxPages: Int

  /// All forms, in the order of their keys.
  static let forms: [any PageForm.Type] = [
    LinkPages.self, NextPages.self, CursorPages.self, HeaderCursorPages.self, NumberedPages.self,
    OffsetPages.self, CarryPages.self,
  ]
  private static let leads = forms.map { $0.lead }
}

/// A query of the body that leads from page to page, or counts them.
package struct PageQuery: Sendable {
  /// The key that holds it, or the name of a carried value.
  package let name: String
  package let query: Written<Query>
  /// Whether the last page may lack what it finds.
  package let endsPages: Bool
}

extension Pagination {
  /// The queries of its form, and of `items`.
  package var queries: [PageQuery] {
    let own = form.sources.compactMap { source in
      source.query.map {
        PageQuery(
          name: source.extractor.name, query: $0,
          endsPages: form.numbering == nil || source.extractor.defaultValue != nil)
      }
    }
    return own + (items.map { [PageQuery(name: "items", query: $0, endsPages: false)] } ?? [])
  }
}

extension Pagination: DeclaredObject {
  init?(_ keys: inout Keys) {
    let form = keys.one(
      of: Self.forms.map { form in (form.lead, { keys in form.init(&keys) as (any PageForm)? }) })
    place = keys.value(
      "in", .choice(Place.self), default: .query, "The place of the parameter.",
      example: #""body""#, foreign: ["location where place"])
    items = keys.optional(
      "items", .bodyQuery,
      "The page's records: the last page is an empty one or, with `by`, a short one.",
      example: #""$.data""#, foreign: ["data records results selector dataSelector"])
    `while` = keys.optional(
      "while", .condition(of: .answer),
      "A page follows only while this holds; `@` is the response.",
      example: #""@.body.more == true""#,
      beside: Self.forms.filter { $0.setsParameter }.map { $0.lead },
      foreign: [
        .says(
          "until stop hasMore condition stopCondition hasNext",
          "write 'while', which holds as long as a page follows")
      ])
    maxPages = keys.value(
      "maxPages", .integer(atLeast: 1), default: 1000,
      "The maximum number of pages; more pages are an error.", example: "50",
      foreign: ["max maximumPage maxIterations"])
    keys.advise([
      .says(
        "type strategy mode kind style", "the kind is the key: \(WorkflowDecoder.list(Self.leads))"),
      .says("limitParam perPageParam", "send the page's size in 'query'"),
      .says(
        "path",
        "write 'next' or 'cursor' for where the next page is named, 'items' for the rows"),
    ])
    placeKey = keys.range(of: "in")
    guard let form else { return nil }
    self.form = form
    if form.parameter == nil {
      keys.conflict(
        "in",
        form.carried.isEmpty
          ? "'in' sets the place of a parameter, and a page's own URL needs none"
          : "'in' sets the place of a parameter, and carried values go where a template reads them")
    }
    if let count = form.numbering?.countKey {
      keys.conflict(
        "while", with: count,
        "'\(count)' says how many pages there are, so 'while' decides nothing; keep one")
    }
  }

  /// Puts the parameter into a GraphQL body, unless the author chose a place, and reports a body
  /// that cannot hold it.
  mutating func settlePlace(in body: Body?, _ decoder: inout WorkflowDecoder) {
    if case .graphQL? = body?.content, placeKey == nil { place = .body }
    guard place == .body, let placeKey else { return }
    guard body?.isJSON == true else {
      decoder.report(
        .missingKey,
        "'in' puts the parameter into a body of JSON, but the step has none; write 'body'",
        at: placeKey)
      return
    }
    if case .json(let data)? = body?.content, !data.mayBeObject {
      decoder.report(
        .wrongType,
        "'in' puts the parameter into a body that is an object, but this is"
          + " \(WorkflowDecoder.words(for: data.node))", at: data.node.range)
    }
  }
}
