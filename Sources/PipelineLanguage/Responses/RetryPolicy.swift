package import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// When, and how many times, a request is sent again, or a block or a called file begins again.
package struct RetryPolicy: Sendable {
  /// The failures that are worth another attempt.
  package enum Cause: Sendable, Hashable {
    /// No complete response: the name, the connection, TLS, an interruption.
    case network
    case timeout
    case status(StatusPattern)
    /// A failure of another kind, of a block or a called file.
    case kind(String)
  }

  /// Attempts in all, the first included, at least 1.
  package private(set) var attempts: Int
  package let on: [Cause]
  /// The condition under which a response causes another attempt, whatever its status.
  package let when: Written<Condition>?
  /// The delay before the second attempt. Each later delay is `factor` times the previous one.
  package let delay: Duration
  package let factor: Double
  package let maxDelay: Duration
  /// Draws each delay between half of it and the whole.
  package let jitter: Bool
  /// Also retries methods that are not idempotent (RFC 9110 §9.2.2).
  package let unsafe: Bool

  package init(attempts: Int) {
    self = .none
    self.attempts = attempts
  }

  /// The policy of a request without `retry`: one attempt.
  package static let none = {
    var keys = Keys.absent
    return RetryPolicy(&keys)
  }()
}

extension RetryPolicy: DeclaredObject {
  init(_ keys: inout Keys) { self.init(&keys, ofWhole: false) }

  /// - Parameter isOfWhole: Whether a block or a called file is tried, and no request.
  fileprivate init(_ keys: inout Keys, ofWhole isOfWhole: Bool) {
    attempts =
      keys.required(
        "attempts", .integer(atLeast: 1),
        "The total number of attempts, the first one included.", example: "3",
        foreign: [
          .says(
            "max count times maxAttempts limit stopAfterAttempt tries number",
            "write 'attempts', the first one included"),
          .says(
            "retries maxRetries", "write 'attempts', which counts the first one, too",
            as: "…+1"),
        ]) ?? 1
    on = keys.value(
      "on", CausesType(isOfWhole: isOfWhole),
      default: [.network, .timeout] + [408, 425, 429, 502, 503, 504].map { .status(.code($0)) },
      "The failures that are retried. For a block or a called file it is required, and also takes"
        + " the other kinds of `recover`.", example: #"["network", 429, "5xx"]"#,
      foreign: [
        .says(
          "statusCodes status errorEquals retryOn statusForcelist conditions onStatus",
          "write 'on': [\"network\", 429, \"5xx\"]", as: "…")
      ])
    when = keys.optional(
      "when", .guarding(.answer),
      "A response for which this holds is retried, too; `@` is the response.",
      example: #""@.body.error.code == 'busy'""#, foreign: ["if condition until"])
    delay = keys.value(
      "delay", .pause, default: .milliseconds(200), "The pause before the second attempt.",
      example: #""1s""#,
      foreign: [
        "interval wait pause sleep initialDelay retryInterval minTimeout intervalSeconds every",
        "retryDelay after",
      ])
    factor = keys.value(
      "factor", .number(atLeast: 1), default: 2,
      "Each later pause is this many times the previous one.", example: "1.5",
      foreign: [
        .says(
          "backoff backoffRate multiplier exponential backoffFactor strategy",
          "write 'factor': 2, by which each pause is longer", as: "…")
      ])
    maxDelay = keys.value(
      "maxDelay", .duration, default: .seconds(30), "The maximum pause.", example: #""10s""#,
      foreign: ["maxInterval maxBackoff maxTimeout maxWait maxDuration maxDelaySeconds"])
    jitter = keys.value(
      "jitter", .boolean, default: true,
      "Whether each pause is a random time between half of it and all of it.",
      example: "false", foreign: ["jitterStrategy randomize random"])
    unsafe = keys.value(
      "unsafe", .boolean, default: false,
      "Whether methods that are not idempotent are also sent again, with an `Idempotency-Key`. For a"
        + " block or a called file: whether an attempt may follow one that carried them out.",
      example: "true", foreign: ["methods"])
    keys.advise([.says("timeout", "it belongs beside 'retry', and limits one attempt")])
  }
}

/// The value of `retry`: a number of attempts, or an object.
struct RetryPolicyType: ValueType {
  var description: LanguageType { .either([.integer(minimum: 1), .object(.retry)]) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> RetryPolicy? {
    if node.kind == .number || node.string.flatMap(Int.init) != nil {
      return decoder.integer(node, name, minimum: 1).map { RetryPolicy(attempts: $0) }
    }
    guard node.kind == .object else {
      decoder.mistyped(node, name, "a number of attempts such as 3, or an object")
      return nil
    }
    return ObjectType<RetryPolicy>(kind: .retry).read(node, name, &decoder)
  }
}

/// The policy of a block or a called file.
private struct RetryOfWhole: DeclaredObject {
  let policy: RetryPolicy

  init(_ keys: inout Keys) {
    policy = RetryPolicy(&keys, ofWhole: true)
    if !keys.mayHave("on") {
      keys.missing(
        "'retry' of a block or a called file needs 'on', the failures after which all of it begins"
          + " again; write \"on\": [\"network\", 412]")
    }
    keys.conflict(
      "when",
      "a block or a called file has no response to judge; write 'expect' beside 'steps', and"
        + " \"expect\" in 'on'")
  }
}

extension WorkflowDecoder {
  /// The number of attempts of a block or a called file; `nil` if there is one, or if the step is
  /// neither.
  mutating func retryOfWhole(
    _ fields: ObjectFields, of kind: LanguageAction?
  ) -> RetryPolicy? {
    guard kind == .steps || kind == .workflow, let node = fields["retry"], !node.isNull else {
      return nil
    }
    if let count = node.number?.int ?? node.string.flatMap(Int.init) {
      mistyped(
        node, "retry", "an object that says after which failures all of it begins again",
        hint: .write(
          "{\"attempts\": \(max(count, 1)), \"on\": [\"network\", 412]}", for: node.range))
      return nil
    }
    return ObjectType<RetryOfWhole>(kind: .retry).read(node, "retry", &self)?.policy
  }
}

/// The failures that are retried.
private struct CausesType: ValueType {
  /// Whether a block or a called file is tried, and no request.
  let isOfWhole: Bool

  private static let words: [(name: String, cause: RetryPolicy.Cause)] = [
    ("network", .network), ("timeout", .timeout),
  ]

  var description: LanguageType { .list(.either([.choice(RecoveryCause.kinds), .status])) }

  private var names: [String] {
    isOfWhole ? RecoveryCause.kinds : Self.words.map(\.name)
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RetryPolicy.Cause]? {
    guard node.kind == .array else {
      decoder.mistyped(
        node, name, "a list such as [\"network\", 429, \"5xx\"]",
        hint: [.string, .number].contains(node.kind)
          ? .write("[\(node.text)]", for: node.range, isSafe: true) : .none)
      return nil
    }
    return node.elements.compactMap { element in
      guard let text = element.string, Quantities.statusClass(text.lowercased()) == nil,
        Int(text) == nil
      else { return decoder.status(element, name).map { .status($0) } }
      if let word = Self.words.first(where: { $0.name == text }) { return word.cause }
      if isOfWhole, RecoveryCause.kinds.contains(text) { return .kind(text) }
      let wanted =
        isOfWhole
        ? "a kind of failure such as \"network\" or \"expect\", or a status such as 412 or \"5xx\""
        : "\"network\", \"timeout\", a status such as 429 or \"5xx\""
      decoder.report(
        .invalidValue, "'\(name)' must be \(wanted), not \"\(text)\"",
        WorkflowDecoder.proposal(for: text, among: names, at: element.range), at: element.range)
      return nil
    }
  }

  func text(of value: [RetryPolicy.Cause]) -> String? {
    let texts = value.map { cause in
      switch cause {
      case .network: "\"network\""
      case .timeout: "\"timeout\""
      case .kind(let kind): "\"\(kind)\""
      case .status(.code(let code)): "\(code)"
      case .status(.class(let hundreds)): "\"\(hundreds)xx\""
      }
    }
    return "[" + texts.joined(separator: ", ") + "]"
  }
}
