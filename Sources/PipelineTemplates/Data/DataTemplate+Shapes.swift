package import PipelineJSONPaths
internal import PipelineJSONText

extension DataTemplate.Node {
  /// What is known of the value before a run.
  ///
  /// - Parameter read: What is known of a reading of the scope.
  package func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    switch self {
    case .literal(let node, _): ValueShape(literal: node)
    case .reference(let reference, _): read(reference.query)
    case .query(let query, _): read(query)
    case .text: .string
    case .object(let members):
      .object(ShapeMembers(members.map { ($0.name, $0.value.shape(read)) }))
    // An item that is absent is left out.
    case .array(let items): .list(.union(of: items.map { $0.shape(read).absentNever }))
    case .form(let form): form.shape(read)
    }
  }

  /// Whether a text in the value may have an absent part, so that the value cannot be made.
  func mayLackPart(_ read: (Query) -> ValueShape) -> Bool {
    switch self {
    case .literal, .reference, .query: false
    case .text(let template, _): template.references.contains { read($0.query).maybeAbsent }
    case .object(let members): members.contains { $0.value.mayLackPart(read) }
    case .array(let items): items.contains { $0.mayLackPart(read) }
    case .form(let form):
      form.parts.contains { part in
        part.value.mayLackPart(read)
          || (part.isNeeded || part.takes.isPath) && part.value.shape(read).maybeAbsent
      }
    }
  }

  func numberShape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = shape(read)
    let number: ValueShape =
      if case .integer = given.element.content { .integer } else { .number }
    return number.absent(given.maybeAbsent)
  }

  func textShape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(shape(read).maybeAbsent)
  }
}

extension ValueShape {
  /// The shape of the elements of a list.
  var element: ValueShape {
    if case .list(let known) = content { known } else { .present }
  }
}
