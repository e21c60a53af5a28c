import PipelineByteText

/// The pairs of names with a dot between them anywhere in a text of any kind: `list.id` in
/// `"{{list.id"`.
struct WrittenPaths: Sendable {
  private struct Path: Hashable {
    let first: String
    /// Empty if no name follows the dot.
    let second: String
  }

  private var paths: Set<Path> = []
  private var owners: Set<String> = []

  /// Whether the text says `first.second`.
  func contains(_ first: String, _ second: String) -> Bool {
    paths.contains(Path(first: first, second: second))
  }

  /// Whether the text says `first.`, whatever follows.
  func contains(_ first: String) -> Bool { owners.contains(first) }

  /// - Complexity: O(length of the text).
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var nameStart = bytes.startIndex
    var owner: String?
    for index in bytes.indices where !bytes[index].isWordByte {
      let name = bytes[nameStart..<index]
      take(name, &owner)
      if bytes[index] == UInt8(ascii: "."), !name.isEmpty {
        owner = String(decoding: name, as: UTF8.self)
        if let owner { owners.insert(owner) }
      }
      nameStart = index + 1
    }
    take(bytes[nameStart...], &owner)
  }

  private mutating func take(_ name: ArraySlice<UInt8>, _ owner: inout String?) {
    guard let first = owner else { return }
    paths.insert(Path(first: first, second: String(decoding: name, as: UTF8.self)))
    owner = nil
  }
}
