internal import PipelineJSONPaths
internal import PipelineJSONText

/// Lists one after the other.
struct ConcatForm: DeclaredForm {
  static let title = FormTitle(
    "$concat", "the lists, one after the other",
    example: #"{"$concat": ["{{a.rows}}", "{{b.rows}}"]}"#,
    takes: takes,
    synonyms: "concatenate append concatarrays", isAlwaysAlone: true)

  private static let takes = {
    var type = FormType("a list of lists", [.array], elements: [.array])
    type.wayOut = "'$join' puts texts together, as in {\"$join\": [[\"a\", \"{{b.text}}\"], \"\"]}"
    return type
  }()

  private let lists: FormPart

  init?(_ keys: inout FormKeys) { lists = keys.checkedValue() }

  var parts: [FormPart] { [lists] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.elements(of: lists) else { return .absent }
    var elements: [JSONNode] = []
    for (number, list) in found.enumerated() {
      guard list.kind == .array else {
        throw lists.refusal(of: list, number, "write it as a list of one: [\"{{…}}\"]")
      }
      elements += list.elements
    }
    return .list(elements)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = lists.value.shape(read)
    guard case .list(let inside) = given.element.content else {
      return .list(.present).absent(given.maybeAbsent)
    }
    return .list(inside).absent(given.maybeAbsent)
  }
}
