package import PipelineJSONText

/// Data forms that make a text of files.
package enum FileText {
  /// The content of a file as text.
  package static func content(of path: JSONValue) -> JSONValue { ["$file": path, "as": "text"] }

  /// The content of a file without its line ends.
  package static func contentWithoutLineEnds(of path: JSONValue) -> JSONValue {
    ["$replace": ["of": content(of: path), "regex": "[\r\n]", "with": ""]]
  }

  /// Texts one after another.
  package static func joined(_ texts: [JSONValue]) -> JSONValue {
    texts.count == 1 ? texts[0] : ["$join": [.array(texts), ""]]
  }
}
