internal import PipelineJSONText
internal import Synchronization

/// `error` of a collection: its first failure, and each one with its item (language.md §9).
///
/// Few workflows read it, so it is written when it is first read.
final class CollectedError: Sendable {
  private let failed: FailedItems
  private let written = Mutex<JSONNode?>(nil)

  init(_ failed: FailedItems) { self.failed = failed }

  var node: JSONNode {
    written.withLock { written in
      if let written { return written }
      let items = failed.firsts
      var writer = JSONWriter(style: .compact)
      items.first?.failure.write(to: &writer, items: items)
      let node =
        items.isEmpty ? JSONDocument.written(Array("null".utf8)).root : writer.document().root
      written = node
      return node
    }
  }
}
