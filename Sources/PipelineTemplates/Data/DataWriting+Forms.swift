internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

// What forms ask of the values of their parts.

extension DataWriting {
  /// The elements of a list; `nil` if there is no list. An element that is absent is left out.
  func elements(of part: FormPart) throws(DataError) -> [JSONNode]? {
    switch part.value {
    case .query(let query, _) where !query.isSingular: return nodes(of: query)
    case .array(let items):
      var elements: [JSONNode] = []
      for item in items {
        if let element = try value(of: item) { elements.append(element) }
      }
      return elements
    default:
      guard let list = try value(of: part.value) else { return nil }
      guard list.kind == .array else { throw part.refusal(of: list) }
      return Array(list.elements)
    }
  }

  /// The elements of a list of numbers.
  func numbers(of part: FormPart) throws(DataError) -> [JSONNode]? {
    guard let elements = try elements(of: part) else { return nil }
    for (number, element) in elements.enumerated() where element.kind != .number {
      throw part.refusal(
        of: element, number,
        element.kind == .string
          ? "'type' of its extractor, or 'columns' of its table, makes it a number" : "")
    }
    return elements
  }

  /// The two numbers of a list; `nil` if there is no list, or one of two that are written is absent.
  func twoNumbers(of part: FormPart) throws(DataError) -> (JSONNode, JSONNode)? {
    guard let numbers = try numbers(of: part) else { return nil }
    if case .array(let items) = part.value, numbers.count < items.count { return nil }
    guard numbers.count == 2 else {
      throw part.failure(
        .dataForm,
        "'\(part.form)' takes \(part.takes.words ?? ""), but the list has \(numbers.count) elements"
      )
    }
    return (numbers[0], numbers[1])
  }

  /// The text; `nil` if it is absent.
  func text(of part: FormPart) throws(DataError) -> String? {
    guard let found = try value(of: part.value) else { return nil }
    guard let text = found.string else { throw part.refusal(of: found) }
    return text
  }

  /// The text of an option. A number or a boolean is inserted as into a text.
  func option(_ part: FormPart, _ name: String) throws(DataError) -> String {
    guard let found = try value(of: part.value) else {
      throw part.failure(.absent, "'\(name)' of '\(part.form)' is absent")
    }
    switch found.kind {
    case .string: return found.string ?? ""
    case .number, .boolean: return found.text
    case .null, .array, .object:
      throw part.failure(
        .dataForm, "'\(name)' of '\(part.form)' takes a text, but this is \(found.kind.phrase)")
    }
  }

  /// The text of a text, a number or a boolean.
  func scalar(_ value: JSONNode, _ part: FormPart) throws(DataError) -> ArraySlice<UInt8> {
    switch value.kind {
    case .string: return value.decodedUTF8
    case .number, .boolean: return value.utf8
    case .null, .array, .object: throw part.refusal(of: value)
    }
  }

  /// The path, or the pattern of paths, that a form names.
  func path(_ part: FormPart, isPattern: Bool = false) throws(DataError) -> String {
    guard let path = try value(of: part.value) else {
      throw part.failure(
        .absent, "'\(part.form)' takes \(part.takes.words ?? ""), but this is absent")
    }
    let text = try scalar(path, part)
    try checkSegments(of: part.value, isPattern: isPattern)
    return String(decoding: text, as: UTF8.self)
  }

  /// A value in a path fills one segment, or several if its author says so: it does not lead
  /// elsewhere (language.md §11).
  private func checkSegments(
    of path: DataTemplate.Node, isPattern: Bool
  ) throws(DataError) {
    let references: [(Template.Reference, JSONNode)] =
      switch path {
      case .reference(let reference, let node): [(reference, node)]
      case .text(let template, let node): template.references.map { ($0, node) }
      default: []
      }
    for (reference, node) in references {
      guard let value = reference.query.first(in: queries)?.string else { continue }
      let place = node.sourceRange(ofDecoded: reference.range)
      if isPattern, value.contains(bytes: "*") || value.contains(bytes: "?") {
        throw DataError(
          .dataForm, "'\(reference.text)' is part of a pattern, so it cannot hold '*' or '?'",
          at: place)
      }
      if let problem = PathSegments.problem(with: value, of: reference) {
        throw DataError(.dataForm, problem, at: place)
      }
    }
  }
}
