internal import PipelineJSONPaths
internal import PipelineJSONText

/// Objects merged from first to last, RFC 7396.
struct MergeForm: DeclaredForm {
  static let title = FormTitle(
    "$merge", "the objects merged as in RFC 7396",
    example: #"{"$merge": ["{{user.all}}", {"active": true}]}"#,
    takes: FormType("a list of objects", [.array], elements: [.object]),
    synonyms: "assign extend deepmerge spread combine", isAlwaysAlone: true)

  /// By RFC 7396 anything but an object replaces the value that it is merged into. A run does so, and
  /// lint warns of it.
  private static let element = FormType("a list of objects", [.object], isLeftToLint: true)

  let parts: [FormPart]

  init?(_ keys: inout FormKeys) {
    let node = keys.node
    parts = node.elements.map { keys.part($0, Self.element, .data) }
    if node.kind != .array {
      keys.refuseValue()
    } else if node.count < 2 {
      keys.problem("'$merge' takes two objects or more", at: node)
    }
  }

  /// Absent parts are left out.
  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    var values: [JSONNode] = []
    for part in parts {
      if let value = try writing.value(of: part.value) { values.append(value) }
    }
    return MergePatch.merged(values).map(DataWriting.Found.node) ?? .absent
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.present.absent(parts.allSatisfy { $0.value.shape(read).maybeAbsent })
  }
}
