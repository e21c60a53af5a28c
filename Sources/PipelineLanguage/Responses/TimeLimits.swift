import PipelineJSONText

/// How long one attempt of a request may take (`timeout`).
///
/// By reference: few requests write it.
package final class TimeLimits: Sendable, DeclaredObject {
  /// The longest for all of it, redirects included.
  package let total: Written<Duration>?
  /// The maximum time to connect, TLS handshake included.
  package let connect: Written<Duration>?
  /// The longest without a byte sent or received.
  package let silence: Written<Duration>?

  /// The limits if a file gives none.
  package static let defaultConnect = Duration.seconds(10)
  package static let defaultSilence = Duration.seconds(60)

  /// What a duration alone says.
  init(total: Written<Duration>) {
    self.total = total
    connect = nil
    silence = nil
  }

  init?(_ keys: inout Keys) {
    total = keys.optional(
      "total", .written(.duration), "The longest that one attempt may take, redirects included.",
      example: #""10s""#, foreign: ["max request"])
    connect = keys.optional(
      "connect", .written(.duration), "The maximum time to connect, TLS handshake included.",
      standard: DurationType.inSeconds(Self.defaultConnect), example: #""3s""#,
      foreign: ["connectTimeout"])
    silence = keys.optional(
      "silence", .written(.duration), "The longest without a byte sent or received.",
      standard: DurationType.inSeconds(Self.defaultSilence), example: #""5m""#,
      foreign: ["idle read readTimeout socket write response"])
  }
}

/// The value of `timeout`: a duration, or an object.
struct TimeLimitsType: ValueType {
  var description: LanguageType { .either([.duration, .object(.timeout)]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> TimeLimits? {
    switch node.kind {
    case .string, .number:
      return decoder.duration(node, name).map { TimeLimits(total: Written($0, at: node)) }
    case .object: return ObjectType<TimeLimits>(kind: .timeout).read(node, name, &decoder)
    default:
      decoder.mistyped(node, name, "a duration such as \"10s\", or an object")
      return nil
    }
  }
}
