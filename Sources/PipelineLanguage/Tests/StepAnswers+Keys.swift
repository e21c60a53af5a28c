import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// The value of `respond`.
struct RespondType: ValueType {
  var description: LanguageType {
    .map(.either([.object(.answer), .list(.object(.answer)), .object(.itemAnswers)]))
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [StepAnswers]? {
    JSONObjectType().read(node, name, &decoder)?.members.compactMap { member in
      Self.form(member, &decoder).map { form in
        let steps = member.name.split(ascii: ",").map {
          String(decoding: Array($0.utf8).trimmingSpaces, as: UTF8.self)
        }
        return StepAnswers(steps: steps, range: member.nameRange, form: form)
      }
    }
  }

  private static func form(
    _ member: JSONMember, _ decoder: inout WorkflowDecoder
  ) -> StepAnswers.Form? {
    let (value, step) = (member.value, member.name)
    if value.kind == .array {
      if value.count == 0 {
        decoder.report(
          .invalidValue, "the list of answers of '\(step)' is empty", at: value.range)
      }
      return .listed(value.elements.compactMap { decoder.answer($0, step) })
    }
    let isOfItems = value.members.contains { member in
      LanguageObject.answer[member.name] == nil
        && Spelling.nearest(to: member.name, among: ["items"]) != nil
    }
    guard value.kind == .object, isOfItems else {
      return decoder.answer(value, step).map { .all($0) }
    }
    guard
      let fields = decoder.fields(of: value, .itemAnswers, .named("the answers of", step)),
      let items = decoder.reading(fields, { $0.items(of: step) })
    else { return nil }
    return .items(items.map(\.answers), areLists: items.map(\.isList))
  }
}

extension Keys {
  /// - Parameter step: The step that is answered.
  fileprivate mutating func items(of step: String) -> [ItemsType.Item]? {
    required(
      "items", ItemsType(step: step),
      "For each item its answer, or a list of answers, one after the other.",
      example: #"[{"json": {"id": 7}}, [{"status": 503}, {"json": {"id": 8}}]]"#)
  }
}

private struct ItemsType: ValueType {
  struct Item {
    let answers: [TestAnswer]
    let isList: Bool
  }

  let step: String

  var description: LanguageType { .list(.either([.object(.answer), .list(.object(.answer))])) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Item]? {
    decoder.elements(of: node, name, "a list with an answer for each item")?.map { node in
      let isList = node.kind == .array
      let nodes = isList ? Array(node.elements) : [node]
      return Item(answers: nodes.compactMap { decoder.answer($0, step) }, isList: isList)
    }
  }
}

extension WorkflowDecoder {
  fileprivate mutating func answer(_ node: JSONNode, _ step: String) -> TestAnswer? {
    fields(of: node, .answer, .named("the answer of", step)).map { fields in
      reading(fields) { TestAnswer(&$0, at: node.range) }
    }
  }
}

extension TestAnswer {
  fileprivate init(_ keys: inout Keys, at range: Range<Int>) {
    self.init(range: range)
    content =
      keys.one(of: Self.contents, isRequired: false) ?? .none
    let status = keys.value(
      "status", .integer(atLeast: 100), default: 200, "The status code.", example: "503",
      foreign: ["statusCode code"])
    if status > 599, let node = keys.node(of: "status") {
      keys.decoder.report(.invalidValue, "'status' must be at most 599", at: node.range)
    }
    self.status = status
    headers =
      keys.optional(
        "headers", HeadersType(), "Header fields of the answer.",
        example: #"{"Retry-After": "120"}"#, foreign: ["header"]) ?? []
    delay = keys.value(
      "after", .pause, default: .zero, "How long the answer takes, in virtual time.",
      example: #""90s""#, foreign: ["delay wait latency sleep responseTime"])
    // Settings of a response that has none.
    for content in ["fault", "values"] where keys.has(content) {
      for key in ["status", "headers"] {
        keys.conflict(key, "'\(key)' has no effect beside '\(content)'; remove one of them")
      }
    }
  }

  private static var contents: [(lead: String, read: (inout Keys) -> Content?)] {
    [
      ("json", { $0.json() }), ("text", { $0.text() }), ("file", { $0.file() }),
      ("fault", { $0.fault() }), ("values", { $0.stepValues() }),
    ]
  }
}

extension Keys {
  fileprivate mutating func json() -> TestAnswer.Content? {
    optional(
      "json", .json, "A body of JSON.", example: #"{"id": 7}"#,
      foreign: [
        .says(
          "body data payload response content",
          "write 'json' for a body of JSON, or 'text' or 'file'")
      ]
    ).map { .json($0) }
  }

  fileprivate mutating func text() -> TestAnswer.Content? {
    optional("text", BodyTextType(), "A body of text.", example: #""ok""#).map { .text($0) }
  }

  fileprivate mutating func file() -> TestAnswer.Content? {
    optional(
      "file", .written(.path), "A file whose content is the body, relative to this file.",
      example: #""./page.html""#, foreign: ["path bodyFile"]
    ).map { .file($0) }
  }

  fileprivate mutating func fault() -> TestAnswer.Content? {
    optional(
      "fault", .choice(TestAnswer.Fault.self), "No answer, but a failure of this kind.",
      example: #""refused""#, foreign: ["error failure networkError"]
    ).map { .fault($0) }
  }

  fileprivate mutating func stepValues() -> TestAnswer.Content? {
    optional(
      "values", JSONObjectType(wanted: "an object of values"),
      "The step's values; no request is sent.", example: #"{"id": 7}"#,
      foreign: ["extract outputs value"]
    ).map { .values($0) }
  }
}

/// A text that may be empty.
private struct BodyTextType: ValueType {
  var description: LanguageType { .content }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    decoder.text(node, name, allowsEmpty: true)
  }
}

private struct HeadersType: ValueType {
  var description: LanguageType { .map(.text) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [(name: String, value: String)]? {
    JSONObjectType().read(node, name, &decoder)?.members.compactMap { member in
      decoder.text(member.value, member.name, allowsEmpty: true).map { (member.name, $0) }
    }
  }
}

extension LanguageObject {
  /// The response to a step's request.
  static let answer = LanguageObject(.answer, "answer", place: "in an answer") { keys in
    _ = TestAnswer(&keys, at: 0..<0)
  }

  /// Answers by item.
  static let itemAnswers = LanguageObject(
    .itemAnswers, "answers by item", place: "in 'respond'"
  ) { _ = $0.items(of: "") }
}

extension [UInt8] {
  /// Without spaces at both ends.
  fileprivate var trimmingSpaces: ArraySlice<UInt8> {
    let start = firstIndex { $0 != 0x20 } ?? endIndex
    let end = lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
