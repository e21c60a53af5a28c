internal import PipelineJSONText

/// A comparison that does not hold because one side is a text and the other a number, or one is
/// `'true'` and the other a boolean.
package struct MixedComparison: Sendable, Hashable {
  /// A sentence for the author.
  package let message: String

  /// The kinds of the two sides.
  fileprivate struct Kinds {
    let isTextLeft: Bool
    let isOfBoolean: Bool
  }

  /// - Parameter result: What follows, as the message begins: `a filter selected nothing`.
  fileprivate init(_ result: String, _ comparison: Comparison, _ kinds: Kinds, in written: Slice) {
    let (left, right) = (comparison.left, comparison.right)
    let (textSide, otherSide) = kinds.isTextLeft ? (left, right) : (right, left)
    let (text, other) = (written.text(of: textSide), written.text(of: otherSide))
    let way: String
    if case .literal = textSide {
      way = "write \(text.dropFirst().dropLast()) without quotes"
    } else if case .literal = otherSide {
      way = "write \(other.dropFirst().dropLast()) in quotes"
    } else {
      way = "'$text' makes a text of a number, '$number' a number of a text"
    }
    message =
      "\(result), because \(text) is a text and \(other) a"
      + " \(kinds.isOfBoolean ? "boolean" : "number"); \(way)"
  }

  /// A part of a text, and where it begins in that.
  fileprivate struct Slice {
    let text: String
    let start: Int

    func text(of operand: Operand) -> String {
      let bytes = text.utf8.dropFirst(operand.range.lowerBound - start)
      let written = String(decoding: bytes.prefix(operand.range.count), as: UTF8.self)
      return written.utf8.first == UInt8(ascii: "'") ? written : "'\(written)'"
    }
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
        if let kinds = comparison.mixedKinds(at: judged, in: context) {
          return MixedComparison(
            "a filter selected nothing", comparison, kinds,
            in: MixedComparison.Slice(text: text, start: range.lowerBound))
        }
      }
      return nil
    }
    return nil
  }

  /// The nodes that the first segments select.
  private func first(_ count: Int, in context: QueryContext, limit: Int) -> [JSONNode] {
    var evaluation = Evaluation(context)
    let part = Query(
      text: text, range: range, anchor: anchor, segments: Array(segments.prefix(count)), slot: nil)
    return evaluation.nodes(of: part, limit: limit)
  }
}

extension Condition {
  /// Why the condition does not hold, if it compares a number with a text that is one in quotes, or
  /// with a text of another place.
  package func mixedComparison(in context: QueryContext) -> MixedComparison? {
    for comparison in expression.comparisons {
      if let kinds = comparison.mixedKinds(at: [context.current], in: context),
        kinds.isOfBoolean || !comparison.isOfWord
      {
        return MixedComparison(
          "the condition does not hold", comparison, kinds,
          in: MixedComparison.Slice(text: text, start: 0))
      }
    }
    return nil
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
  /// Whether a side is a literal text that is not a number. A value of another type is then a
  /// special value, as in `@.code == 'done'`.
  fileprivate var isOfWord: Bool { literalTexts.contains { JSONNumber($0) == nil } }

  private var literalTexts: [String] {
    [left, right].compactMap { side in
      if case .literal(let literal) = side, case .string(let text) = literal.value {
        text
      } else {
        nil
      }
    }
  }

  /// The kinds of the sides, if they are mixed wherever both are present.
  fileprivate func mixedKinds(
    at nodes: [JSONNode?], in context: QueryContext
  ) -> MixedComparison.Kinds? {
    let isOfFlag = literalTexts.contains { $0 == "true" || $0 == "false" }
    var evaluation = Evaluation(context)
    var kinds: MixedComparison.Kinds?
    for node in nodes {
      let left = evaluation.value(of: left, at: node).kind
      let right = evaluation.value(of: right, at: node).kind
      switch (left, right) {
      case (nil, _), (_, nil): continue
      case (.string, .number): kinds = .init(isTextLeft: true, isOfBoolean: false)
      case (.number, .string): kinds = .init(isTextLeft: false, isOfBoolean: false)
      case (.string, .boolean) where isOfFlag: kinds = .init(isTextLeft: true, isOfBoolean: true)
      case (.boolean, .string) where isOfFlag: kinds = .init(isTextLeft: false, isOfBoolean: true)
      default: return nil
      }
    }
    return kinds
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
