internal import PipelineJSONPaths
internal import PipelineJSONText

/// A part of a text, as an extractor takes it.
struct ExtractForm: DeclaredForm {
  static let title = FormTitle(
    "$extract",
    "a part of the text: first `param`, then `regex`, then `decode`. Absent if there is none",
    example: #"{"$extract": {"of": "{{deal.url}}", "regex": "https://([^/]+)"}}"#, takes: .text,
    synonyms: "capture")

  private let text: FormPart
  private let part: TextPart?
  private let fallback: FormPart?

  init?(_ keys: inout FormKeys) {
    text = keys.checkedValue()
    part = TextPart(
      parameter: keys.literalText(
        "param", "A query parameter of a URL, decoded.", example: #""code""#),
      pattern: keys.pattern(
        "regex", "The first group of the first match, or the whole match.",
        example: #""https://([^/]+)""#),
      decoding: keys.choice(
        "decode", TextDecoding.self, "Decodes the text.", example: #""base64url""#))
    fallback = keys.data("default", "The value if there is no such part.", example: #""""#)
    if keys.isRead, ["param", "regex", "decode"].allSatisfy({ keys.option($0) == nil }) {
      keys.problem(
        "'$extract' needs 'param', 'regex' or 'decode'; write \(Self.title.example)", at: keys.node)
      return nil
    }
  }

  var parts: [FormPart] { [text] + (fallback.map { [$0] } ?? []) }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    if let text = try writing.text(of: text) {
      do throws(TextPart.Problem) {
        if case .value(let found)? = try part?.find(in: text) {
          return found.string.map { .text($0) } ?? .node(found)
        }
      } catch {
        throw self.text.failure(.dataForm, "'$extract' " + error.message)
      }
    }
    return try fallback.map { part throws(DataError) in try writing.find(part.value) } ?? .absent
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let found = part?.decoding == .json ? ValueShape.present : .string
    let isSure = part?.undecoded == nil
    let shape = found.absent(!isSure || text.value.shape(read).maybeAbsent)
    guard let fallback, shape.maybeAbsent else { return shape }
    return shape.absentNever.union(fallback.value.shape(read))
  }
}
