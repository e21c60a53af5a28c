public import PipelineJSONText
internal import PipelinePlanning

extension Outputs {
  /// One value that a run returns.
  public struct Output: Sendable {
    /// The name of the output.
    public let name: String
    private var content: Content
    /// Whether texts in it may be masks of secrets.
    package private(set) var hidesSecrets: Bool

    private enum Content: Sendable {
      case value(JSONNode)
      case rows(HiddenRows)
    }

    /// An output that the run has written.
    init(name: String, value: JSONNode, hidesSecrets: Bool = false) {
      self.name = name
      self.hidesSecrets = hidesSecrets
      content = .value(value)
    }

    /// An output that is the rows of a collection. `taint` says what is secret in it.
    init(name: String, rows: Rows, taint: Taint) {
      self.name = name
      hidesSecrets = !taint.isNone
      content = .rows(HiddenRows(rows: rows, taint: taint))
    }

    /// Whether its value is an array.
    public var isList: Bool {
      switch content {
      case .value(let node): node.kind == .array
      case .rows: true
      }
    }

    /// The value.
    ///
    /// - Complexity: O(1). For a collection's rows O(bytes), each time.
    public var value: JSONNode {
      switch content {
      case .value(let node): return node
      case .rows(let rows):
        var writer = JSONWriter(style: .compact)
        writer.beginArray()
        for row in Elements(rows) { writer.value(row) }
        writer.endArray()
        return writer.document().root
      }
    }

    /// The elements of a list, made one after the other; none if the value is not a list.
    public var elements: Elements {
      switch content {
      case .value(let node): Elements(node)
      case .rows(let rows): Elements(rows)
      }
    }

    /// Writes the value piece by piece, without a text of all of it.
    public func write(to writer: inout JSONWriter, handingOnTo sink: ([UInt8]) -> Void) {
      switch content {
      case .value(let node): writer.value(node, handingOnTo: sink)
      case .rows(let rows):
        writer.beginArray()
        for row in Elements(rows) { writer.value(row, handingOnTo: sink) }
        writer.endArray()
      }
    }

    /// The output with no secret in its texts.
    func redacted(by redactor: Redactor) -> Output {
      var output = self
      output.hidesSecrets = true
      switch content {
      case .value(let node): output.content = .value(redactor.redact(node))
      case .rows(var rows):
        rows.redactor = redactor
        output.content = .rows(rows)
      }
      return output
    }
  }

  /// The elements of an output that is a list.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var current: JSONNode.Elements
    private var following: Rows.Lists?
    private let rows: HiddenRows?

    fileprivate init(_ node: JSONNode) {
      current = node.elements
      rows = nil
    }

    fileprivate init(_ rows: HiddenRows) {
      current = JSONValue.null.node.elements
      following = rows.rows.lists
      self.rows = rows
    }

    /// The next element; `nil` after the last one.
    public mutating func next() -> JSONNode? {
      while true {
        if let element = current.next() { return element }
        guard let list = following?.next(), let rows else { return nil }
        current = rows.hidden(list).elements
      }
    }
  }
}

/// Rows with their secrets hidden. They are hidden piece by piece. Each row is completely in one
/// piece.
private struct HiddenRows: Sendable {
  let rows: Rows
  let taint: Taint
  var redactor: Redactor?

  init(rows: Rows, taint: Taint) {
    self.rows = rows
    self.taint = taint
  }

  /// Some of the rows, secrets hidden.
  func hidden(_ list: JSONNode) -> JSONNode {
    let masked = taint.isNone ? list : list.masked(taint)
    return redactor?.redact(masked) ?? masked
  }
}
