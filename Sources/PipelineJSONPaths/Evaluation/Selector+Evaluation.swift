internal import PipelineJSONText

extension Evaluation {
  /// Applies one selector to a node, and continues with the segments after `depth` from each child
  /// it picks.
  mutating func select(
    _ selector: Selector.Kind, _ segments: [Segment], after depth: Int,
    in document: JSONDocument, at index: Int, _ selection: inout Selection
  ) {
    let element = document.element(at: index)
    guard element.isContainer else { return }
    switch selector {
    case .name(let name):
      guard let child = document.value(named: name, in: index), !selection.isFull else {
        return
      }
      follow(child, segments, after: depth, in: document, &selection)
    case .index(let position):
      guard let child = document.element(atPosition: position, in: index), !selection.isFull else {
        return
      }
      follow(child, segments, after: depth, in: document, &selection)
    case .key(let binding):
      guard let child = child(of: index, in: document, by: binding), !selection.isFull else {
        return
      }
      follow(child, segments, after: depth, in: document, &selection)
    case .wildcard:
      let nameWidth = element.isObject ? 1 : 0
      var child = index + 1
      while child < element.span, !selection.isFull, goesOn() {
        child += nameWidth
        follow(child, segments, after: depth, in: document, &selection)
        child = document.next(after: child)
      }
    case .slice(let slice):
      guard element.isArray, let bounds = bounds(of: slice) else { return }
      for child in bounds.indexes(in: document, at: index) where !selection.isFull {
        follow(child, segments, after: depth, in: document, &selection)
      }
    case .filter(let expression):
      if element.span - index >= Self.leastIndexedSpan,
        let candidates = candidates(of: expression, in: document, at: index)
      {
        for child in candidates where !selection.isFull {
          if takes(JSONNode(document: document, index: Int(child)), expression) {
            follow(Int(child), segments, after: depth, in: document, &selection)
          }
        }
        return
      }
      let nameWidth = element.isObject ? 1 : 0
      var child = index + 1
      while child < element.span, !selection.isFull, !isInterrupted {
        child += nameWidth
        if takes(JSONNode(document: document, index: child), expression) {
          follow(child, segments, after: depth, in: document, &selection)
        }
        child = document.next(after: child)
      }
    }
  }

  /// The child that a computed key names; `nil` if the key is not a text or a whole number.
  mutating func child(
    of index: Int, in document: JSONDocument, by binding: Binding
  ) -> Int? {
    guard let key = value(of: binding) else { return nil }
    if let name = key.string { return document.value(named: name, in: index) }
    guard let position = key.number?.int else { return nil }
    return document.element(atPosition: position, in: index)
  }

  /// Where a singular query leads from a node.
  mutating func singularIndex(
    of query: Query, in document: JSONDocument, at index: Int
  ) -> Int? {
    guard query.hasKey else { return query.singularIndex(in: document, at: index, from: 0) }
    var selection = Selection(limit: 1)
    select(query.segments, from: 0, in: document, at: index, &selection)
    return selection.indexes.first
  }

  /// The minimum number of words on the tape for which a container gets an index.
  private static var leastIndexedSpan: Int { 64 }
}

extension Evaluation {
  /// The numbers of a slice; `nil` if a template in it gives none.
  private mutating func bounds(of slice: Slice) -> SliceBounds? {
    var numbers: [Int?] = []
    for bound in [slice.start, slice.end, slice.step] {
      switch bound {
      case nil: numbers.append(nil)
      case .number(let number): numbers.append(number)
      case .binding(let binding):
        // As for an index that is written out (RFC 9535 §2.1).
        guard let number = value(of: binding)?.number?.int,
          number.magnitude <= 9_007_199_254_740_991
        else { return nil }
        numbers.append(number)
      }
    }
    return SliceBounds(start: numbers[0], end: numbers[1], step: numbers[2] ?? 1)
  }
}

/// The numbers of a slice.
private struct SliceBounds {
  let start: Int?
  let end: Int?
  let step: Int

  /// The indexes of the elements that the slice picks from an array (RFC 9535 §2.3.4.2.2).
  func indexes(in document: JSONDocument, at array: Int) -> [Int] {
    guard step != 0 else { return [] }
    var elements: [Int] = []
    let close = document.endIndex(of: array)
    var child = document.firstChild(of: array)
    // Elements past a given end are not walked over if nothing is counted from the end.
    let enough = step > 0 && (start ?? 0) >= 0 && (end ?? -1) >= 0 ? end ?? .max : Int.max
    while child < close, elements.count < enough {
      elements.append(child)
      child = document.next(after: child)
    }
    let count = elements.count
    let (lower, upper) = bounds(count: count)
    var picked: [Int] = []
    if step > 0 {
      var position = lower
      while position < upper {
        picked.append(elements[position])
        position += step
      }
    } else {
      var position = upper
      while lower < position {
        picked.append(elements[position])
        position += step
      }
    }
    return picked
  }

  private func bounds(count: Int) -> (lower: Int, upper: Int) {
    func normalized(_ position: Int) -> Int { position >= 0 ? position : count + position }
    if step > 0 {
      let start = normalized(start ?? 0)
      let end = normalized(end ?? count)
      return (min(max(start, 0), count), min(max(end, 0), count))
    }
    let start = start.map(normalized) ?? count - 1
    let end = end.map(normalized) ?? -1
    return (min(max(end, -1), count - 1), min(max(start, -1), count - 1))
  }
}
