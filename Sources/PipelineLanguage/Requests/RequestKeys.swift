import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The keys of a step that belong beside `endpoint`.
struct RequestKeys: DeclaredObject {
  let extract: [Extractor]
  let save: Written<Template>?
  let lookUp: LookUp?
  let timeout: TimeLimits?
  let poll: Poll?
  let paginate: Pagination?
  let settings: RequestSettings

  init(_ keys: inout Keys) {
    extract = keys.extractors()
    save = keys.optional(
      "save", SavePathType(), "Writes the body to this path below the output directory.",
      example: #""images/{{inputs.id}}.png""#,
      foreign: [
        .says(
          "dest", "write 'save': \"path/below/the/output/folder\"", as: "…")
      ])
    lookUp = keys.optional(
      "settle", .object(.settle, LookUp.self),
      "The look-up that says whether a request that must not be sent twice was carried out.",
      example:
        #"{"endpoint": "GET https://api.example.com/orders/7", "done": "@.status == 200"}"#)
    timeout = keys.timeLimits()
    poll = keys.optional(
      "poll", .object(.poll, Poll.self), "Sends the request again until a condition holds.",
      example: #"{"until": "@.body.state == 'done'"}"#, foreign: ["polling waitUntil"])
    paginate = keys.optional(
      "paginate", .object(.paginate, Pagination.self),
      "Fetches page after page and joins what the extractors find.",
      example: #"{"link": "next"}"#, foreign: ["paginator pagination paging pages cursor"])
    settings = RequestSettings(&keys)
    keys.conflict(
      "paginate", with: "poll",
      "'paginate' and 'poll' cannot be in one step; poll in an earlier step")
    keys.conflict(
      "save", with: "paginate",
      "'save' names one file, but 'paginate' fetches many pages; fetch each page with 'forEach'")
  }

  /// The keys that a step in Swift cannot have.
  static let forServers: [String] =
    [LanguageKey](RequestSettings.self).map(\.name).filter { $0 != "body" } + [
      "paginate", "settle",
    ]
}

/// Where a body is written.
private struct SavePathType: ValueType {
  var description: LanguageType { .template }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
    if node.kind == .string { return PathTemplateType().read(node, name, &decoder) }
    decoder.mistyped(
      node, name, "a path such as \"images/7.png\"",
      hint: node.kind == .object ? "; values of the response are taken by 'extract'" : "")
    return nil
  }
}
