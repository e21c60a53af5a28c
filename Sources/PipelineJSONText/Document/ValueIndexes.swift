internal import Synchronization

/// The indexes over the collections of one document, which live as long as it does.
///
/// Each is built when the same is looked up a second time: the first time costs what a walk over the
/// children costs.
final class ValueIndexes: Sendable {
  /// The key of an index: the children of a container, by the value under a path in each.
  struct Key: Hashable {
    let container: Int
    let path: String

    // By bytes: Swift compares strings by canonical equivalence.
    static func == (left: Key, right: Key) -> Bool {
      left.container == right.container && left.path.utf8.elementsEqual(right.path.utf8)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(container)
      hasher.combine(path)
    }
  }

  private enum Entry {
    case seenOnce
    /// Someone builds it, or it would hold too much: the children are walked over.
    case walked
    case built(ValueIndex)
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytesLeft: Int
  }

  private let state: Mutex<State>

  /// - Parameter byteLimit: The maximum size of all indexes together.
  init(byteLimit: Int) {
    state = Mutex(State(bytesLeft: byteLimit))
  }

  /// The index of that key; `nil` if there is none yet, and perhaps never will be.
  ///
  /// - Parameter build: Asked at most once for each key, without a lock being held.
  func index(_ key: Key, childCount: () -> Int, build: () -> ValueIndex) -> ValueIndex? {
    let entry = state.withLock { state -> Entry? in
      guard let entry = state.entries[key] else {
        let cost = Self.entrySize + key.path.utf8.count
        guard state.bytesLeft >= cost else { return .walked }
        state.bytesLeft -= cost
        state.entries[key] = .seenOnce
        return .walked
      }
      guard case .seenOnce = entry else { return entry }
      state.entries[key] = .walked
      let cost = ValueIndex.byteCount(ofChildren: childCount())
      guard state.bytesLeft >= cost else { return .walked }
      state.bytesLeft -= cost
      return nil
    }
    switch entry {
    case .built(let index): return index
    case .walked, .seenOnce: return nil
    case nil: break
    }
    let index = build()
    state.withLock { $0.entries[key] = .built(index) }
    return index
  }

  /// The room that is left.
  var bytesLeft: Int { state.withLock { $0.bytesLeft } }

  /// The approximate size of an entry without its index.
  private static let entrySize = 96
}

extension JSONDocument {
  /// Candidates among the children of the container at `index`, in the order of the text: all in
  /// which a path leads to a value of that content hash, and perhaps others. `nil` if each child
  /// must be looked at.
  ///
  /// - Parameters:
  ///   - path: Names the way from a child to the value. Equal texts mean the same way.
  ///   - hash: The content hash of the value under the path in the child at an index.
  /// - Complexity: O(1) from the third time on, and then O(what is given). The indexes of a document
  ///   hold at most twice the bytes of its tape.
  package func children(
    of index: Int, by path: String, hash: Int, hashOfChild: (Int) -> Int
  ) -> ArraySlice<UInt32>? {
    let key = ValueIndexes.Key(container: index, path: path)
    let found = valueIndexes.index(key) {
      childCount(of: index)
    } build: {
      ValueIndex(of: index, in: self, hash: hashOfChild)
    }
    return found?.children(ofHash: hash)
  }

  /// The size of the document's indexes, in bytes.
  package var bytesOfIndexes: Int { 16 * tape.count - valueIndexes.bytesLeft }
}
