internal import PipelineByteText
package import PipelineJSONPaths
internal import PipelineJSONText

/// The object that a list of pairs describes.
package struct ObjectForm: DeclaredForm {
  package static let title = FormTitle(
    "$object",
    "the object of a list such as `[{\"key\": \"a\", \"value\": 1}]`. Of equal keys the last counts",
    example: #"{"$object": "$.row[*]"}"#,
    takes: FormType("a list of objects with 'key' and 'value'", [.array], elements: [.object]),
    synonyms: "fromentries todict arraytoobject", isAlwaysAlone: true)

  private let entries: FormPart

  package init?(_ keys: inout FormKeys) { entries = keys.checkedValue() }

  package var parts: [FormPart] { [entries] }

  /// If several pairs have the same key, the last one counts, in the place of the first. A pair
  /// without a value is left out.
  package func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let elements = try writing.elements(of: entries) else { return .absent }
    var members: [(name: String, value: JSONNode)] = []
    var places: [ExactText: Int] = [:]
    for (number, entry) in elements.enumerated() {
      guard entry.kind == .object else { throw entries.refusal(of: entry, number) }
      guard let key = entry["key"] else {
        throw entries.failure(.dataForm, "element \(number + 1) of '$object' has no 'key'")
      }
      let name = String(decoding: try writing.scalar(key, entries), as: UTF8.self)
      guard let value = entry["value"] else { continue }
      if let place = places[ExactText(name)] {
        members[place].value = value
      } else {
        places[ExactText(name)] = members.count
        members.append((name, value))
      }
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for member in members {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.endObject()
    return .node(writer.document().root)
  }

  package func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    .object([:], isOpen: true).absent(entries.value.shape(read).maybeAbsent)
  }
}
