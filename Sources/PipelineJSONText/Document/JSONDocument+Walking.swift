// Walking the tape by index: what an evaluator needs without a reference count a node. Indexes come
// from the document they are used with. A name's index is not a value's.

extension JSONDocument {
  @inlinable package func element(at index: Int) -> TapeElement {
    TapeElement(word: tape[index])
  }

  /// The kind of the value at `index`.
  @inlinable package func kind(at index: Int) -> JSONKind {
    let element = element(at: index)
    // By bits: to make the element's own kind of them is a call.
    if element.isString { return .string }
    if element.isObject { return .object }
    if element.isArray { return .array }
    if element.isNumber { return .number }
    return element.isBoolean ? .boolean : .null
  }

  /// The index after the value at `index`: its next sibling (in an object that sibling's name), or
  /// the closing of the container around it.
  @inlinable package func next(after index: Int) -> Int {
    let element = element(at: index)
    return element.isContainer ? element.span + 1 : index + 1
  }

  /// The tape index of the closing of the container at `index`, or of a scalar its own index. Every
  /// index between the two is inside the container.
  @inlinable package func endIndex(of index: Int) -> Int {
    let element = element(at: index)
    return element.isContainer ? element.span : index
  }

  /// The first element of the array at `index`, or the first name of the object there. Equal to
  /// `endIndex(of:)` if it is empty.
  @inlinable package func firstChild(of index: Int) -> Int { index + 1 }

  /// The last value in the container at `index`, in one step; `nil` if it is empty or a scalar.
  @inlinable package func lastChild(of index: Int) -> Int? {
    let element = element(at: index)
    guard element.isContainer else { return nil }
    return valueIndex(endingBefore: element.span, from: index)
  }

  /// The value in the container at `container` that precedes the one at `index`.
  @inlinable package func previousChild(before index: Int, in container: Int) -> Int? {
    let isMember = element(at: container).isObject
    return valueIndex(endingBefore: isMember ? index - 1 : index, from: container)
  }

  @inlinable package func valueIndex(endingBefore index: Int, from container: Int) -> Int? {
    guard index - 1 > container else { return nil }
    let element = element(at: index - 1)
    return element.isEnd ? element.span : index - 1
  }

  /// The number of members or elements of the container at `index`; 0 for a scalar.
  /// - Complexity: O(that number).
  @inlinable package func childCount(of index: Int) -> Int {
    let element = element(at: index)
    guard element.isContainer else { return 0 }
    let end = element.span
    var count = 0
    var child = index + 1
    let nameWidth = element.isObject ? 1 : 0
    while child < end {
      child = next(after: child + nameWidth)
      count += 1
    }
    return count
  }

  /// The value of the first member of that name in the object at `index`; `nil` if there is none or
  /// no object. The index of the name is one less than the value's.
  /// - Complexity: O(members).
  @inlinable package func value(named name: String, in index: Int) -> Int? {
    let found = name.utf8.withContiguousStorageIfAvailable { value(named: $0, in: index) }
    // Only a text of Foundation's on macOS has its bytes elsewhere.
    return found ?? value(named: Array(name.utf8), in: index)
  }

  /// The same for a name in UTF-8.
  @inlinable package func value(named name: [UInt8], in index: Int) -> Int? {
    name.withUnsafeBufferPointer { value(named: $0, in: index) }
  }

  @inlinable package func value(
    named name: UnsafeBufferPointer<UInt8>, in index: Int
  ) -> Int? {
    let element = element(at: index)
    guard element.isObject else { return nil }
    let end = element.span
    var child = index + 1
    while child < end {
      if stringEquals(at: child, name) { return child + 1 }
      child = next(after: child + 1)
    }
    return nil
  }

  /// The element at a position counted from 0, or from the end if it is negative (−1 is the last).
  /// `nil` out of bounds or if `index` is not an array.
  /// - Complexity: O(distance from that end).
  @inlinable package func element(atPosition position: Int, in index: Int) -> Int? {
    let element = element(at: index)
    guard element.isArray else { return nil }
    if position < 0 {
      var child = lastChild(of: index)
      var left = position
      while left < -1, let found = child {
        child = previousChild(before: found, in: index)
        left += 1
      }
      return child
    }
    let end = element.span
    var child = index + 1
    var left = position
    while child < end {
      if left == 0 { return child }
      child = next(after: child)
      left -= 1
    }
    return nil
  }

  /// The bytes of the value or name at `index`, quotes and brackets included.
  @inlinable package func range(at index: Int) -> Range<Int> {
    let element = element(at: index)
    if element.isQuoted { return element.offset - 1..<element.offset + element.span + 1 }
    if element.isContainer {
      let end = self.element(at: element.span)
      return element.offset..<end.offset + (end.kind == .end ? 1 : 0)
    }
    return element.offset..<element.offset + element.span
  }

  /// The bytes between the quotes of the string at `index`, escapes as written.
  @inlinable package func contentRange(at index: Int) -> Range<Int> {
    let element = element(at: index)
    return element.offset..<element.offset + element.span
  }

  /// Whether the string or name at `index`, decoded, is exactly these UTF-8 bytes. Compares in
  /// place and allocates nothing.
  @inlinable package func stringEquals(
    at index: Int, _ utf8: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let element = element(at: index)
    guard element.isPlainString else { return decodedStringEquals(element, utf8) }
    guard element.span == utf8.count else { return false }
    return bytesEqual(bytes, from: element.offset, utf8)
  }
}
