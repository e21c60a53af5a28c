extension Array {
  /// The index of the first element of which `isLater` holds; `endIndex` if it holds of none.
  ///
  /// - Parameter isLater: Holds of all elements after one of which it holds.
  /// - Complexity: O(log elements).
  @inlinable
  package func partitioningIndex(where isLater: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isLater(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
