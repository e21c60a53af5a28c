internal import PipelineJSONText

/// A comparison of a filter that never holds, because one side is a text and the other a number.
package struct MixedComparison: Sendable, Hashable {
  /// The side that is a text, as it is written, in quotes.
  package let text: String
  /// The side that is a number.
  package let number: String

  /// A sentence for the author.
  package var message: String {
    "a filter selected nothing, because \(text) is a text and \(number) a number; '$text' makes a"
      + " text of a number, '$number' a number of a text"
  }

  /// How many nodes of a list are looked at.
  fileprivate static let sample = 100
}

extension Query {
  /// Why a filter of the query selects nothing, if it compares a text with a number on each node
  /// that it judges. RFC 9535 finds them unequal, and without an order.
  ///
  /// - Complexity: The one of the query. It is asked after the query has selected nothing.
  package func mixedComparison(in context: QueryContext) -> MixedComparison? {
    for (depth, segment) in zip(0..., segments) {
      let filters = segment.selectors.compactMap { selector in
        if case .filter(let expression) = selector.kind { expression } else { nil }
      }
      guard !filters.isEmpty, first(depth + 1, in: context, limit: 1).isEmpty else { continue }
      let judged = first(depth, in: context, limit: MixedComparison.sample)
        .flatMap { $0.children(atMost: MixedComparison.sample) }
      for comparison in filters.flatMap(\.comparisons) {
        if let isTextLeft = comparison.isTextLeft(at: judged, in: context) {
          let (left, right) = (text(of: comparison.left), text(of: comparison.right))
          return isTextLeft
            ? MixedComparison(text: left, number: right)
            : MixedComparison(text: right, number: left)
        }
      }
      return nil
    }
    return nil
  }

  private func text(of operand: Operand) -> String {
    let bytes = text.utf8.dropFirst(operand.range.lowerBound - range.lowerBound)
    let written = String(decoding: bytes.prefix(operand.range.count), as: UTF8.self)
    return written.utf8.first == UInt8(ascii: "'") ? written : "'\(written)'"
  }

  /// The nodes that the first segments select.
  private func first(_ count: Int, in context: QueryContext, limit: Int) -> [JSONNode] {
    var evaluation = Evaluation(context)
    let part = Query(
      text: text, range: range, anchor: anchor, segments: Array(segments.prefix(count)), slot: nil)
    return evaluation.nodes(of: part, limit: limit)
  }
}

extension LogicalExpression {
  /// Its comparisons that a value of another kind makes false.
  fileprivate var comparisons: [Comparison] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap(\.comparisons)
    case .comparison(let comparison): comparison.comparator == .notEqual ? [] : [comparison]
    case .not, .test: []
    }
  }
}

extension Comparison {
  /// Whether the left side is the text, if one side is a text and the other a number wherever both
  /// are present.
  fileprivate func isTextLeft(at nodes: [JSONNode], in context: QueryContext) -> Bool? {
    var evaluation = Evaluation(context)
    var isTextLeft: Bool?
    for node in nodes {
      let left = evaluation.value(of: left, at: node).kind
      let right = evaluation.value(of: right, at: node).kind
      switch (left, right) {
      case (nil, _), (_, nil): continue
      case (.string, .number): isTextLeft = true
      case (.number, .string): isTextLeft = false
      default: return nil
      }
    }
    return isTextLeft
  }
}

extension OperandValue {
  fileprivate var kind: JSONKind? {
    switch self {
    case .node(let node): node.kind
    case .number: .number
    case .nothing: nil
    }
  }
}

extension JSONNode {
  fileprivate func children(atMost count: Int) -> [JSONNode] {
    kind == .array ? Array(elements.prefix(count)) : members.prefix(count).map(\.value)
  }
}
