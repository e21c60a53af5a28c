internal import PipelineJSONPaths
internal import PipelineJSONText

/// The elements' texts, with a text between any two.
struct JoinForm: DeclaredForm {
  static let title = FormTitle(
    "$join",
    "the texts, numbers and booleans as one text, with the second text between them",
    example: #"{"$join": ["$.list.names[*]", ", "]}"#,
    takes: takes, isAlwaysAlone: true)

  private static let takes = {
    var type = FormType(
      "a list of a list and a text, as in [\"$.list.names[*]\", \", \"]", [.array],
      elements: [.string, .number, .boolean])
    type.wayOut = "texts are put together as in {\"$join\": [[\"a\", \"{{b.text}}\"], \"\"]}"
    return type
  }()

  private let list: FormPart
  private let separator: FormPart

  init?(_ keys: inout FormKeys) {
    let node = keys.node
    guard node.kind == .array, node.count == 2, let first = node[0], let second = node[1],
      second.kind == .string
    else {
      Self.refuse(node, areTexts: node.count > 1 && node[0]?.kind != .array, &keys)
      return nil
    }
    let known = keys.parser.problems.count
    list = keys.part(first, Self.title.takes, placed: node)
    separator = keys.part(second, .text).needed
    if keys.parser.problems.count == known, let kind = list.value.writtenKind, kind != .array {
      Self.refuse(node, areTexts: kind == .string, &keys)
    }
  }

  /// - Parameter areTexts: Whether the elements are meant as texts that are put together.
  private static func refuse(_ node: JSONNode, areTexts: Bool, _ keys: inout FormKeys) {
    guard areTexts, node.kind == .array else { return keys.refuseValue() }
    let fix = "[\(node.text), \"\"]"
    keys.problem(
      "'$join' takes a list of texts and the text between them; write {\"$join\": \(fix)}",
      at: node,
      fix: fix)
  }

  var parts: [FormPart] { [list, separator] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let elements = try writing.elements(of: list) else { return .absent }
    guard let between = try writing.value(of: separator.value) else {
      throw list.failure(
        .absent, "the text between the elements is absent, but '$join' needs one")
    }
    let separator = try writing.scalar(between, list)
    var text: [UInt8] = []
    for (number, element) in elements.enumerated() {
      if number > 0 { text += separator }
      switch element.kind {
      case .string: text += element.decodedUTF8
      case .number, .boolean: text += element.utf8
      case .null, .array, .object:
        throw list.refusal(of: element, number, "select texts or numbers")
      }
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(list.value.shape(read).maybeAbsent)
  }
}
