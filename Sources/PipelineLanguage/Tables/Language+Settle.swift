extension LanguageObject {
  /// `settle`.
  static let settle = LanguageObject(
    .settle, "look-up", place: "in 'settle'",
    keys: [
      LanguageKey(
        "endpoint", "What is asked: a GET or HEAD.", .endpoint,
        example: #""GET https://api.example.com/orders/{{inputs.id}}""#, isRequired: true)
    ] + requestSettings.filter { ["query", "headers", "auth", "read"].contains($0.name) }
      + step.keys.filter { ["timeout", "expect"].contains($0.name) }.map { key in
        LanguageKey(key.name, key.meaning, key.type, example: key.example)
      } + [
        LanguageKey(
          "done", "The request was carried out if this holds; `@` is the response.", .condition,
          example: #""@.body.count > 0""#, isRequired: true),
        LanguageKey(
          "extract", "The step's values, if the request was carried out.",
          .map(.either([.bodyQuery, .object(.extractor)])),
          example: #"{"id": "$.orders[0].id"}"#, names: .value),
        LanguageKey(
          "within", "How long after it was sent the request may still take effect.", .duration,
          default: #""1m""#, example: #""5m""#),
      ])
}
