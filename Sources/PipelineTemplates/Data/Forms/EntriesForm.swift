internal import PipelineJSONPaths
internal import PipelineJSONText

/// An object's members as a list of objects with `key` and `value`.
struct EntriesForm: DeclaredForm {
  static let title = FormTitle(
    "$entries", "the members as a list: `[{\"key\": \"a\", \"value\": 1}]`",
    example: #"{"$entries": "{{user.all}}"}"#, takes: FormType("an object", [.object]),
    synonyms: "objecttoarray", isAlwaysAlone: true)

  private let object: FormPart

  init?(_ keys: inout FormKeys) { object = keys.checkedValue() }

  var parts: [FormPart] { [object] }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let value = try writing.value(of: object.value) else { return .absent }
    guard value.kind == .object else { throw object.refusal(of: value) }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for member in value.members {
      writer.beginObject()
      writer.name("key")
      writer.string(member.name)
      writer.name("value")
      writer.value(member.value)
      writer.endObject()
    }
    writer.endArray()
    return .node(writer.document().root)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = object.value.shape(read)
    var value = ValueShape.present
    if case .object(let members, false) = given.content { value = .union(of: members.shapes) }
    return .list(.object(["key": .string, "value": value.absentNever])).absent(given.maybeAbsent)
  }
}
