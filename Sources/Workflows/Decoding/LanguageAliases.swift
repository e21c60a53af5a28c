/// Keys that other tools have for what this language says otherwise.
enum LanguageAliases {
  /// What to write instead of a key.
  struct Advice {
    /// The key that is meant, where it stands in the same object.
    let key: String?
    /// A phrase: `write 'when'`.
    let text: String

    static func key(_ name: String, _ text: String? = nil) -> Advice {
      Advice(key: name, text: text ?? "write '\(name)'")
    }

    static func advice(_ text: String) -> Advice { Advice(key: nil, text: text) }
  }

  static func advice(on name: String, in kind: LanguageObject.Kind) -> Advice? {
    aliases[kind]?[name]
  }

  /// What other tools call a value of an enumeration.
  static func value(for name: String) -> String? { values[name.lowercased()] }

  /// What other tools call a style of parameters; `explode` where the style's own is another.
  static func style(for name: String) -> (name: String, explode: Bool?)? {
    switch name.lowercased() {
    case "comma", "commas", "csv", "simple": ("form", false)
    case "multi", "repeat": ("form", nil)
    case "ssv", "space": ("spaceDelimited", nil)
    case "pipes", "pipe": ("pipeDelimited", nil)
    default: nil
    }
  }

  /// Whether what `value(for:)` proposes says the same, so that it may be written without asking.
  static func isSynonym(_ name: String) -> Bool { !lookalikes.contains(name.lowercased()) }

  /// What is only near to the value that is proposed: whoever ignores an error may mean `recover`.
  private static let lookalikes: Set<String> = ["ignore", "skip", "timestamp"]

  private static let values = [
    "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "str": "string", "text": "string",
    "list": "array", "map": "object", "dict": "object", "timestamp": "datetime",
    "date-time": "datetime", "uri": "url", "sequential": "listed", "parallel": "graph",
    "abort": "fail", "stop": "fail", "ignore": "continue", "skip": "continue",
    "only": "one",
  ]

  private static let aliases: [LanguageObject.Kind: [String: Advice]] = [
    .file: [
      "env": .key("inputs", "write 'inputs', or 'environments' for sets of them"),
      "vars": .key("inputs"), "variables": .key("inputs"), "parameters": .key("inputs"),
      "jobs": .key("steps", "write 'steps', a list"),
      "stages": .key("steps", "write 'steps', a list"),
      "tasks": .key("steps", "write 'steps', a list"),
      "operations": .key("steps", "write 'steps', a list"),
      "requests": .key("steps", "write 'steps', a list"),
      "pipeline": .key("steps", "write 'steps', a list"),
      "version": .key("format", "write 'format': 1"), "title": .key("name"),
      "returns": .key("outputs"), "return": .key("outputs"), "result": .key("outputs"),
    ],
    .base: [
      "steps": .advice("a base file has none; run it as a step with 'workflow'"),
      "finally": .advice("a base file has no steps"),
      "outputs": .advice("a base file has none"),
      "state": .advice("a base file cannot have state; declare it in the file that is run"),
      "extends": .advice("a base file cannot extend another file"),
    ],
    .step: [
      "name": .key("id", "write 'id', or 'description' for a sentence"),
      "url": .key("endpoint", "write 'endpoint': \"GET https://…\""),
      "request": .key("endpoint", "write 'endpoint': \"GET https://…\""),
      "uri": .key("endpoint", "write 'endpoint': \"GET https://…\""),
      "path": .key("endpoint", "write 'endpoint': \"GET /path\""),
      "method": .key("endpoint", "write it before the URL: 'endpoint': \"POST /users\""),
      "if": .key("when"), "condition": .key("when"),
      "unless": .key("when", "write 'when': \"!(…)\""),
      "needs": .key("dependsOn"), "after": .key("dependsOn"), "depends": .key("dependsOn"),
      "params": .key("query"), "parameters": .key("query"),
      "json": .key("body", "write 'body': {\"json\": …}"),
      "data": .key("body", "write 'body': {\"json\": …}"),
      "form": .key("body", "write 'body': {\"form\": …}"),
      "payload": .key("body", "write 'body': {\"json\": …}"),
      "for": .key("forEach"), "foreach": .key("forEach"), "loop": .key("forEach"),
      "items": .key("forEach"), "with_items": .key("forEach"), "each": .key("forEach"),
      "parallel": .key(
        "steps", "write 'steps' for steps of its own, which run at once, or 'concurrency'"),
      "retries": .key("retry"),
      "assert": .key("expect"), "asserts": .key("expect"), "test": .key("expect"),
      "tests": .key("expect"), "validate": .key("expect"),
      "capture": .key("extract"), "captures": .key("extract"), "save_as": .key("extract"),
      "set": .key("values"), "vars": .key("values"), "let": .key("values"),
      "sleep": .key("wait", "write 'wait': \"2s\""),
      "delay": .key("wait", "write 'wait': \"2s\" in a step of its own"),
      "call": .key("workflow"), "uses": .key("workflow"), "include": .key("workflow"),
      "connectTimeout": .key("timeout", "write 'timeout': {\"connect\": \"5s\"}"),
      "readTimeout": .key("timeout", "write 'timeout': {\"silence\": \"60s\"}"),
      "token": .key("auth", "write 'auth': {\"bearer\": …}"),
      "bearer": .key("auth", "write 'auth': {\"bearer\": …}"),
    ],
    .auth: [
      "type": .advice("the scheme is the key: {\"bearer\": …} or {\"basic\": …}"),
      "scheme": .advice("the scheme is the key: {\"bearer\": …} or {\"basic\": …}"),
      "token": .key("bearer"),
      "username": .key("basic", "write 'basic': {\"user\": …, \"password\": …}"),
      "user": .key("basic", "write 'basic': {\"user\": …, \"password\": …}"),
      "password": .key("basic", "write 'basic': {\"user\": …, \"password\": …}"),
      "apiKey": .advice("write it into 'headers' or 'query'"),
      "apikey": .advice("write it into 'headers' or 'query'"),
    ],
    .credentials: ["username": .key("user")],
    .extractor: [
      "path": .key("body"), "jsonpath": .key("body"), "query": .key("body"),
      "json": .key("body"), "required": .advice("it is, unless 'optional' is true"),
    ],
    .input: [
      "required": .advice("an input is, unless it has 'default' or 'optional'"),
      "values": .key("enum"), "options": .key("enum"),
    ],
    .state: [
      "secret": .advice("state is written to a file, so it cannot contain secrets"),
      "value": .key("next"), "set": .key("next"), "initial": .key("default"),
      "optional": .advice("without 'default' the value is absent until a run leaves one"),
    ],
    .expect: [
      "code": .key("status"), "json": .key("where", "write 'where': [\"@.body…\"]"),
      "body": .key("where", "write 'where': [\"@.body…\"]"),
      "headers": .key("where", "write 'where': [\"@.headers…\"]"),
    ],
    .timeout: [
      "connectTimeout": .key("connect"), "connection": .key("connect"), "idle": .key("silence"),
      "read": .key("silence"), "inactivity": .key("silence"), "max": .key("total"),
      "request": .key("total"), "overall": .key("total"),
    ],
    .retry: ["max": .key("attempts"), "count": .key("attempts"), "times": .key("attempts")],
  ]
}
