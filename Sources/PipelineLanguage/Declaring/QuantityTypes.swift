import PipelineJSONText
import PipelineSourceText

/// A number of bytes.
struct SizeType: ValueType {
  var description: LanguageType { .size }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Int? {
    let wanted = "a size such as \"64MB\""
    guard let text = node.string else {
      decoder.mistyped(
        node, name, wanted,
        hint: node.number?.int.map { .write("\"\($0)B\"", for: node.range) } ?? .none)
      return nil
    }
    guard let size = Quantities.size(text), size > 0 else {
      decoder.report(
        .invalidValue,
        "'\(name)' must be \(wanted), not \"\(text)\"",
        Quantities.likelySize(text).map { .write("\"\($0)\"", for: node.range) }
          ?? "; the units are B, KB, MB and GB", at: node.range)
      return nil
    }
    return size
  }

  func text(of value: Int) -> String? {
    let units = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"), (1, "B")]
    return units.first { value % $0.0 == 0 }.map { "\"\(value / $0.0)\($0.1)\"" }
  }
}

/// A count in a span of time.
struct RateType: ValueType {
  var description: LanguageType { .rate }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> RequestRate? {
    let wanted = "a rate such as \"100/1m\""
    guard let text = node.string else {
      decoder.mistyped(
        node, name, wanted,
        hint: node.number?.int.map { .write("\"\($0)/1s\"", for: node.range) } ?? .none)
      return nil
    }
    guard let rate = Quantities.rate(text) else {
      decoder.report(
        .invalidValue, "'\(name)' must be \(wanted), not \"\(text)\"",
        Quantities.likelyRate(text).map { .write("\"\($0)\"", for: node.range) }
          ?? "; write a count, '/' and a duration", at: node.range)
      return nil
    }
    return rate
  }
}

/// A count in a span of time that is too long to wait for.
struct QuotaType: ValueType {
  private static let shortest = Duration.seconds(60)

  var description: LanguageType { .rate }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> RequestRate? {
    guard let quota = RateType().read(node, name, &decoder) else { return nil }
    guard quota.per >= Self.shortest else {
      decoder.report(
        .invalidValue,
        "a quota ends the run; a span this short is 'ratePerOrigin', which waits", .none,
        at: node.range)
      return nil
    }
    return quota
  }
}
