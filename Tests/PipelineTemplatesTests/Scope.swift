import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// The values that a test's templates refer to.
struct Scope {
  let root: JSONNode

  init(_ json: String) throws {
    root = try JSONDocument.parse(Array(json.utf8), depthLimit: 1024).root
  }

  func resolve(_ reference: Template.Reference) -> JSONNode? {
    reference.query.first(in: QueryContext(root))
  }

  /// The values most tests use.
  static func sample() throws -> Scope {
    try Scope(
      #"""
      {"id": 7, "name": "Ada Lovelace", "big": 12345678901234567890, "ratio": 1.50, "yes": true,
       "none": null, "empty": "", "list": [1, "b", null], "nested": [[1]], "user": {"id": 9,
       "first-name": "Ada", "tags": ["x", "y"]}, "escaped": "a\"b\\c\nd\u00e9", "text": "café ☕",
       "dot": ".", "dots": "..", "slash": "a/b", "up": "../x", "crlf": "a\r\nb: c",
       "url": "https://api.example.com/v1?page=2&x=%2F", "host": "api.example.com", "port": 8080,
       "tab": "a\tb", "semicolon": "a;b", "question": "a?b#c&d=e"}
      """#)
  }
}

extension ExpansionError {
  /// What `body` throws, or nil.
  static func caught(_ body: () throws(ExpansionError) -> Void) -> ExpansionError? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
