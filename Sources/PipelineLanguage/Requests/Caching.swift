import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// How long the answers to a request are fresh.
package enum Caching: Sendable, Hashable {
  /// For as long as each of them says.
  case asAnswered
  /// For a time after they came, whatever they say.
  case fresh(for: Duration)
}

/// The value of `cache`; `nil`, without a report: `false`.
struct CachingType: ValueType {
  var description: LanguageType { .either([.boolean, .duration]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Caching? {
    if let isCached = node.boolean { return isCached ? .asAnswered : nil }
    let wanted = "true, false or a duration such as \"1h\""
    guard let text = node.string else {
      let time = node.members.first { Quantities.duration($0.value.string ?? "") != nil }
      decoder.mistyped(
        node, name, wanted,
        hint: (time?.value.text ?? node.number?.int.map { "\"\($0)s\"" })
          .map { .write($0, for: node.range) } ?? .none)
      return nil
    }
    if text == "true" || text == "false" {
      return decoder.boolean(node, name).map { _ in .asAnswered }
    }
    let times = ["hourly": "\"1h\"", "daily": "\"1d\"", "weekly": "\"7d\""]
    let isMeant = LanguageAliases.boolean(meantBy: text)
    if let meant = times[text.lowercased()] ?? isMeant.map({ "\($0)" }) {
      decoder.mistyped(node, name, wanted, hint: .write(meant, for: node.range))
      return nil
    }
    return decoder.duration(node, name, wanted: wanted).map { .fresh(for: $0) }
  }
}
