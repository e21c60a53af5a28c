public import JSONText
internal import Synchronization

/// A value of the scope: JSON, laid out on a tape when it is first read.
public struct ScopeValue: Sendable {
  private enum Storage: Sendable {
    case node(JSONNode)
    case text(LazyText)
  }

  private let storage: Storage
  /// What failed in the items of a collection (language.md §9), which is no member of its rows.
  private(set) var error: LazyText?

  public init(_ node: JSONNode) {
    storage = .node(node)
  }

  /// A value given as JSON text that our own writer made.
  public init(text: [UInt8]) {
    storage = .text(LazyText(text))
  }

  /// The rows of a collection of which some items failed.
  init(text: [UInt8], error: [UInt8]) {
    self.init(text: text)
    self.error = LazyText(error)
  }

  public var node: JSONNode {
    switch storage {
    case .node(let node): node
    case .text(let text): text.node
    }
  }

  /// The value's JSON text.
  public var utf8: ArraySlice<UInt8> {
    switch storage {
    case .node(let node): node.utf8
    case .text(let text): text.bytes[...]
    }
  }
}

/// JSON text whose tape is made once, by whoever reads it first.
final class LazyText: Sendable {
  let bytes: [UInt8]
  private let document = Mutex<JSONDocument?>(nil)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var node: JSONNode {
    document.withLock { document in
      if let document { return document.root }
      let parsed = JSONDocument.written(bytes)
      document = parsed
      return parsed.root
    }
  }
}
