/// Where the children of one container are, by the content hash of one value in each of them.
///
/// It holds 8 to 12 bytes a child. Children of equal hashes are adjacent, in the order of the text.
final class ValueIndex: Sendable {
  /// Where the children of each bucket begin, and one more entry for the end of the last.
  private let starts: [UInt32]
  /// Tape indexes of children, bucket by bucket.
  private let children: [UInt32]
  private let mask: Int

  /// - Parameter hash: The content hash of the value under the index's path in the child at an
  ///   index.
  /// - Complexity: O(children), each asked once for its hash.
  init(of container: Int, in document: JSONDocument, hash: (Int) -> Int) {
    let count = document.childCount(of: container)
    var size = 1
    while size < count { size *= 2 }
    mask = size - 1
    var found: [(child: UInt32, bucket: UInt32)] = []
    found.reserveCapacity(count)
    var starts = [UInt32](repeating: 0, count: size + 1)
    let nameWidth = document.element(at: container).isObject ? 1 : 0
    var child = container + 1
    while found.count < count {
      child += nameWidth
      let bucket = hash(child) & mask
      found.append((UInt32(child), UInt32(bucket)))
      starts[bucket + 1] += 1
      child = document.next(after: child)
    }
    for bucket in 0..<size { starts[bucket + 1] += starts[bucket] }
    var next = starts
    var children = [UInt32](repeating: 0, count: count)
    for (child, bucket) in found {
      children[Int(next[Int(bucket)])] = child
      next[Int(bucket)] += 1
    }
    self.starts = starts
    self.children = children
  }

  /// All children of that hash, in the order of the text, and perhaps others.
  func children(ofHash hash: Int) -> ArraySlice<UInt32> {
    let bucket = hash & mask
    return children[Int(starts[bucket])..<Int(starts[bucket + 1])]
  }

  /// The maximum size of an index of `count` children, in bytes.
  static func byteCount(ofChildren count: Int) -> Int { 12 * count + 128 }
}
