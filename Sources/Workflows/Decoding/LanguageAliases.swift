/// Keys that other tools have for what this language says otherwise.
enum LanguageAliases {
  /// What to write instead of `name`.
  static func key(for name: String, in kind: LanguageObject.Kind) -> String? {
    aliases[kind]?[name]
  }

  /// What other tools call a value of an enumeration.
  static func value(for name: String) -> String? { values[name.lowercased()] }

  private static let values = [
    "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "str": "string", "text": "string",
    "list": "array", "map": "object", "dict": "object", "timestamp": "datetime",
    "date-time": "datetime", "uri": "url", "sequential": "listed", "parallel": "graph",
    "abort": "fail", "stop": "fail", "ignore": "continue", "skip": "continue",
    "comma": "form", "only": "one",
  ]

  private static let aliases: [LanguageObject.Kind: [String: String]] = [
    .file: [
      "env": "write 'inputs', or 'environments' for sets of them",
      "vars": "write 'inputs'", "variables": "write 'inputs'", "parameters": "write 'inputs'",
      "jobs": "write 'steps', a list", "stages": "write 'steps', a list",
      "tasks": "write 'steps', a list", "operations": "write 'steps', a list",
      "requests": "write 'steps', a list", "pipeline": "write 'steps', a list",
      "version": "write 'format': 1", "title": "write 'name'",
      "returns": "write 'outputs'", "return": "write 'outputs'", "result": "write 'outputs'",
    ],
    .base: [
      "steps": "a file to build on has none; run it as a step with 'workflow'",
      "finally": "a file to build on has no steps", "outputs": "a file to build on has none",
      "extends": "a file that is built on builds on no other",
    ],
    .step: [
      "name": "write 'id', or 'description' for a sentence",
      "url": "write 'endpoint': \"GET https://…\"",
      "request": "write 'endpoint': \"GET https://…\"",
      "uri": "write 'endpoint': \"GET https://…\"",
      "path": "write 'endpoint': \"GET /path\"",
      "method": "write it before the URL: 'endpoint': \"POST /users\"",
      "if": "write 'when'", "condition": "write 'when'", "unless": "write 'when': \"!(…)\"",
      "needs": "write 'dependsOn'", "after": "write 'dependsOn'", "depends": "write 'dependsOn'",
      "params": "write 'query'", "parameters": "write 'query'",
      "json": "write 'body': {\"json\": …}", "data": "write 'body': {\"json\": …}",
      "form": "write 'body': {\"form\": …}", "payload": "write 'body': {\"json\": …}",
      "for": "write 'forEach'", "foreach": "write 'forEach'", "loop": "write 'forEach'",
      "items": "write 'forEach'", "with_items": "write 'forEach'", "each": "write 'forEach'",
      "parallel": "write 'steps' for steps of its own, which run at once, or 'concurrency'",
      "retries": "write 'retry'",
      "assert": "write 'expect'", "asserts": "write 'expect'", "test": "write 'expect'",
      "tests": "write 'expect'", "validate": "write 'expect'",
      "capture": "write 'extract'", "captures": "write 'extract'", "save_as": "write 'extract'",
      "set": "write 'values'", "vars": "write 'values'", "let": "write 'values'",
      "sleep": "write 'wait': \"2s\"", "delay": "write 'wait': \"2s\" in a step of its own",
      "call": "write 'workflow'", "uses": "write 'workflow'", "include": "write 'workflow'",
      "token": "write 'auth': {\"bearer\": …}", "bearer": "write 'auth': {\"bearer\": …}",
    ],
    .auth: [
      "type": "the scheme is the key: {\"bearer\": …} or {\"basic\": …}",
      "scheme": "the scheme is the key: {\"bearer\": …} or {\"basic\": …}",
      "token": "write 'bearer'", "username": "write 'basic': {\"user\": …, \"password\": …}",
      "user": "write 'basic': {\"user\": …, \"password\": …}",
      "password": "write 'basic': {\"user\": …, \"password\": …}",
      "apiKey": "write it into 'headers' or 'query'",
      "apikey": "write it into 'headers' or 'query'",
    ],
    .credentials: ["username": "write 'user'"],
    .extractor: [
      "path": "write 'body'", "jsonpath": "write 'body'", "query": "write 'body'",
      "json": "write 'body'", "required": "it is, unless 'optional' is true",
    ],
    .input: [
      "required": "an input is, unless it has 'default' or 'optional'",
      "values": "write 'enum'", "options": "write 'enum'",
    ],
    .expect: [
      "code": "write 'status'", "json": "write 'where': [\"@.body…\"]",
      "body": "write 'where': [\"@.body…\"]", "headers": "write 'where': [\"@.headers…\"]",
    ],
    .retry: ["max": "write 'attempts'", "count": "write 'attempts'", "times": "write 'attempts'"],
  ]
}
