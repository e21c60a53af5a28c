import PipelineJSONText
import PipelineTemplates

/// The settings that the steps of a file inherit.
struct Defaults {
  var baseURL: Written<BaseURL>?
  /// Whether the file says something of `baseURL`, be it wrong.
  var namesBaseURL = false
  var request = RequestSettings()
  var expect: Expectation?
  var retry: RetryPolicy?
  var timeout: TimeLimits?
  var recovery: Recovery?
  var concurrency: Amount?
}

extension Defaults: DeclaredObject {
  /// Over those of the base file, which the decoder has.
  init(_ keys: inout Keys) {
    let inherited = keys.decoder.defaults
    namesBaseURL = inherited.namesBaseURL || keys.mayHave("baseURL")
    baseURL = inherited.baseURL
    if keys.isNull("baseURL") {
      baseURL = nil
    } else if let own = keys.optional(
      "baseURL", BaseURLType(), "The address that relative endpoints are appended to.",
      example: #""https://api.example.com""#)
    {
      baseURL = own
    }
    request = RequestSettings(&keys).markedInherited()
    expect = keys.expectation()
    retry = keys.retryPolicy()
    timeout = keys.timeLimits()
    recovery = keys.recovery()
    concurrency = keys.concurrency()
  }
}

extension WorkflowDecoder {
  /// `defaults`, on top of those of the base file.
  mutating func readDefaults(_ node: JSONNode?, over base: Defaults?) {
    defaults = base ?? Defaults()
    guard let node else { return }
    guard let fields = fields(of: node, .defaults, .key("defaults")) else {
      defaults.namesBaseURL = true
      return
    }
    if base == nil {
      for member in fields.entries.lazy.map(\.member) where member.value.isNull {
        report(
          .invalidValue, "null removes a default, and this key has no default; leave the key out",
          at: member.value.range)
      }
    }
    if let own = object(Defaults.self, fields) { defaults = own }
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
