/// Lists of numbers, one for each number from 0, in one array: thousands of small ones are made and
/// walked without an allocation for each.
@usableFromInline package struct NumberLists: Sendable {
  /// All numbers, list after list.
  @usableFromInline let numbers: [Int]
  /// Where each list begins, and the end of the last.
  @usableFromInline let starts: [Int]

  /// - Parameter pairs: Numbers and the lists that they belong to. A list keeps their order.
  init(count: Int, _ pairs: some Collection<(list: Int, number: Int)>) {
    var starts = [Int](repeating: 0, count: count + 1)
    for pair in pairs { starts[pair.list + 1] += 1 }
    for list in 0..<count { starts[list + 1] += starts[list] }
    var next = starts
    var numbers = [Int](repeating: 0, count: starts[count])
    for pair in pairs {
      numbers[next[pair.list]] = pair.number
      next[pair.list] += 1
    }
    self.numbers = numbers
    self.starts = starts
  }

  /// The number of lists.
  @inlinable package var count: Int { starts.count - 1 }

  @inlinable package subscript(_ list: Int) -> ArraySlice<Int> {
    numbers[starts[list]..<starts[list + 1]]
  }
}
