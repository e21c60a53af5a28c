extension Array {
  /// The index of the first element for which `isLater` holds; `endIndex` if there is none.
  ///
  /// - Parameter isLater: A condition that holds for all elements after the first one for which it
  ///   holds.
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
