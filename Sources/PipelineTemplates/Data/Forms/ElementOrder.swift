internal import PipelineByteText
internal import PipelineJSONText

/// The order of values of one kind: numbers, moments, or texts by their scalars.
struct ElementOrder {
  private enum Values {
    case numbers([JSONNode])
    case moments([RFC3339.DateTime])
    case texts([String])
  }

  private let values: Values

  /// - Throws: If they are not all numbers, or all texts.
  init(_ elements: [JSONNode], of part: FormPart) throws(DataError) {
    guard let first = elements.first else {
      values = .texts([])
      return
    }
    for (number, element) in elements.enumerated()
    where element.kind != first.kind || element.kind != .number && element.kind != .string {
      throw part.refusal(
        of: element, number,
        element.kind == .number || element.kind == .string ? "numbers and texts have no order" : "")
    }
    guard first.kind == .string else {
      values = .numbers(elements)
      return
    }
    let texts = elements.map { $0.string ?? "" }
    values = Self.moments(texts).map(Values.moments) ?? .texts(texts)
  }

  /// Whether one element, by its place, comes before another.
  func isLess(_ one: Int, _ other: Int) -> Bool {
    switch values {
    case .numbers(let nodes):
      nodes[one].document.compareNumbers(
        at: nodes[one].index, in: nodes[other].document, at: nodes[other].index) < 0
    case .moments(let moments): moments[one] < moments[other]
    // In UTF-8 texts are in the order of their scalars.
    case .texts(let texts): texts[one].utf8.lexicographicallyPrecedes(texts[other].utf8)
    }
  }

  /// The moments that texts name, if each of them names one.
  private static func moments(_ texts: [String]) -> [RFC3339.DateTime]? {
    var moments: [RFC3339.DateTime] = []
    for text in texts {
      guard let moment = RFC3339.DateTime(text) else { return nil }
      moments.append(moment)
    }
    return moments
  }
}
