// The names of each key in other tools, by the place of the key. The tools are curl, Postman,
// Insomnia, Bruno, Hurl, runn, Step CI, Arazzo, OpenAPI, GitHub Actions, Step Functions, Kestra,
// dlt, Airbyte, axios and Python's requests.

import PipelineByteText

extension LanguageAliases {
  /// Names as `folded` gives them.
  static let byPlace: [LanguageObject.Kind: [String: Advice]] = {
    Keys.table.merging(Keys.declared) { $0 + $1 }.mapValues { rows in
      var advice: [String: Advice] = [:]
      for row in rows {
        for word in row.words.split(ascii: " ", omittingEmptySubsequences: true) {
          advice[folded(String(word))] = row.advice
        }
      }
      return advice
    }
  }()

  /// The names of keys in other tools, by the place of the key.
  enum Keys {}
}

extension LanguageAliases.Keys {
  /// Words of other tools that mean the same here, with blanks between them.
  struct Row {
    let words: String
    let advice: LanguageAliases.Advice

    /// - Parameters:
    ///   - text: Further advice, if writing the key is not enough.
    ///   - shape: How its value is written, with `…` for the given one and `@` for the given name.
    init(_ words: String, _ key: String, _ text: String? = nil, as shape: String? = nil) {
      self.words = words
      advice = .key(key, text, as: shape)
    }

    /// Words that mean no key here.
    init(_ words: String, do text: String) {
      self.words = words
      advice = .advice(text)
    }
  }

  fileprivate static let table: [LanguageObject.Kind: [Row]] = [
    .file: file, .base: base, .step: step, .branch: branch,
  ]

  /// The words that objects declare beside their keys.
  fileprivate static let declared: [LanguageObject.Kind: [Row]] = {
    let kinds = LanguageObject.Kind.allCases + LanguageObject.Kind.testCases
    return Dictionary(
      kinds.map { ($0, $0.object.foreignWords) }, uniquingKeysWith: { first, _ in first })
  }()

  static let file = [
    Row("env", "inputs", "write 'inputs', or 'environments' for sets of them"),
    Row("vars variables parameters params variable args arguments on", "inputs"),
    Row("secrets", "inputs", "write 'inputs' with \"secret\": true and 'env' in each"),
    Row(
      "jobs job stages tasks task operations requests request pipeline item items states resources"
        + " streams collection tests testcases workflows runners triggers flow",
      "steps", "write 'steps', a list"),
    Row("version arazzo openapi swagger", "format", "write 'format': 1", as: "1"),
    Row("title", "name"),
    Row("info", "name", "write 'name' and 'description'"),
    Row("returns return result results output", "outputs"),
    Row(
      "baseURL url host server servers endpoint target", "defaults", baseURL,
      as: "{\"baseURL\": \"…\"}"),
    Row("client", "defaults", "write 'defaults': {\"baseURL\": …, \"headers\": …}"),
    Row(
      "headers auth", "defaults", "write it into 'defaults', which every step inherits",
      as: "{\"@\": …}"),
    Row(
      "authorization config options settings", "defaults",
      "write it into 'defaults', which every step inherits"),
    Row(
      "timeout deadline", "limits", "write 'limits': {\"deadline\": \"10m\"}",
      as: "{\"deadline\": …}"),
    Row("concurrency rate", "limits", "write it into 'limits'", as: "{\"@\": …}"),
    Row(
      "parallel maxParallel", "limits", "write it into 'limits' as 'concurrency'",
      as: "{\"concurrency\": …}"),
    Row("retry retries", "defaults", "write 'defaults': {\"retry\": 3}", as: "{\"retry\": …}"),
    Row("imports import include from base", "extends"),
    Row("teardown cleanup after always", "finally"),
    Row("schedule cron trigger", do: "leave it out; cron, CI or an orchestrator starts a run"),
    Row("startAt", do: "steps start when what they read is there; leave it out"),
    Row("namespace id type kind", do: "leave it out; the file's name names the workflow"),
    Row("sourceDescriptions", do: "write addresses as 'defaults': {\"baseURL\": …}"),
  ]

  private static let baseURL = "write 'defaults': {\"baseURL\": \"https://api.example.com\"}"

  static let base = [
    Row("steps", do: "a base file has none; run it as a step with 'workflow'"),
    Row("finally", do: "a base file has no steps"),
    Row("outputs", do: "a base file has none"),
    Row("state", do: "a base file cannot have state; declare it in the file that is run"),
    Row("extends", do: "a base file cannot extend another file"),
  ]

  static let branch = [
    Row(
      "else default otherwise",
      do: "the last branch has no 'when'; write its action here, or 'otherwise' in the step"),
    Row("case test is", "when"),
    Row("then do", do: "write the action itself: 'endpoint', 'values', 'steps', …"),
  ]
}
