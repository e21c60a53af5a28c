/// Values under small numbers. The number of a value that was taken out is given to a later one.
struct Arena<Element> {
  private var elements: [Element] = []
  /// The free numbers. The last one is used next.
  private var free: [Int] = []
  /// The content of a free number.
  private let vacant: Element

  init(vacant: Element) {
    self.vacant = vacant
  }

  /// The numbers given out so far, some of which may be free again.
  var numbers: Range<Int> { elements.indices }

  /// The value under a number, in place: nothing is copied to change a part of it. Reading a part
  /// copies that part alone, but only if the compiler sees the whole of it.
  subscript(number: Int) -> Element {
    @inline(__always) get { elements[number] }
    @inline(__always) _modify { yield &elements[number] }
  }

  /// A number for the next value, which is to be set under it.
  mutating func reserve() -> Int {
    if let number = free.popLast() { return number }
    elements.append(vacant)
    return elements.count - 1
  }

  /// Takes a value out, so that its number is free.
  mutating func take(_ number: Int) -> Element {
    var taken = vacant
    swap(&taken, &elements[number])
    free.append(number)
    return taken
  }
}
