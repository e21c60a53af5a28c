import PipelineJSONText
import PipelineTemplates

/// The settings that the steps of a file inherit.
///
/// By reference: each decoder, and there is one on the stack for each block around a step, has them.
final class Defaults: DeclaredObject, InheritedSettings {
  let baseURL: Written<BaseURL>?
  let request: RequestSettings
  let expect: Expectation?
  let retry: RetryPolicy?
  let timeout: TimeLimits?
  let recovery: Recovery?
  let concurrency: Amount?

  /// The defaults of a file that declares none.
  static let none = Defaults()

  private init() {
    baseURL = nil
    request = RequestSettings()
    expect = nil
    retry = nil
    timeout = nil
    recovery = nil
    concurrency = nil
  }

  /// Over those of the base file, which the decoder has.
  init(_ keys: inout Keys) {
    if keys.mayHave("baseURL") { keys.decoder.namesBaseURL = true }
    let own =
      keys.isNull("baseURL")
      ? nil
      : keys.optional(
        "baseURL", BaseURLType(), "The address that relative endpoints are appended to.",
        example: #""https://api.example.com""#)
    baseURL = own ?? (keys.isNull("baseURL") ? nil : keys.decoder.defaults.baseURL)
    request = RequestSettings(&keys).markedInherited()
    expect = keys.expectation()
    retry = keys.retryPolicy()
    timeout = keys.timeLimits()
    recovery = keys.recovery()
    concurrency = keys.concurrency()
  }
}

extension WorkflowDecoder {
  /// The defaults of the file.
  var defaults: Defaults {
    get { inherited as? Defaults ?? .none }
    set { inherited = newValue }
  }
}

/// The value of `defaults`, over what the decoder has of the base file.
struct DefaultsType: ValueType {
  /// Whether there is a base file, whose defaults `null` drops.
  let isInherited: Bool

  var description: LanguageType { .object(.defaults) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Defaults? {
    guard let fields = decoder.fields(of: node, .defaults, .key(name)) else {
      decoder.namesBaseURL = true
      return nil
    }
    if !isInherited {
      for member in fields.entries.lazy.map(\.member) where member.value.isNull {
        decoder.report(
          .invalidValue, "null removes a default, and this key has no default; leave the key out",
          at: member.value.range)
      }
    }
    return decoder.object(Defaults.self, fields)
  }
}

/// The address that endpoints are appended to.
private struct BaseURLType: ValueType {
  var description: LanguageType { .url }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<BaseURL>? {
    guard let text = decoder.text(node, name, example: "https://api.example.com") else {
      return nil
    }
    let (base, problems) = BaseURL.parse(text)
    decoder.report(problems, in: node)
    return Written(base, at: node)
  }
}
