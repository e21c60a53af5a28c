import PipelineByteText

/// Keys of other tools for something that has another form in this language.
package enum LanguageAliases {
  /// The replacement of a key.
  package struct Advice {
    /// The key that is meant, if it is in the same object.
    package let key: String?
    /// A phrase: `write 'when'`.
    let text: String
    /// Whether it is only a remark, so that whatever else is missing is missing.
    var isComment = false
    /// The value of `key` as JSON, with `…` for the value that was given and `@` for the name; `nil`
    /// if more has to be written.
    var shape: String?
    /// Whether the key is to be left out.
    var isRemoval: Bool { key == nil && text.hasPrefix(bytes: "leave it out") }

    /// - Parameter shape: Computed from the text if it shows the value, or shows none.
    static func key(_ name: String, _ text: String?, as shape: String?) -> Advice {
      let text = text ?? "write '\(name)'"
      let start = "write '\(name)'"
      var shown: String?
      if text.hasPrefix(bytes: start) {
        let rest = text.dropFirst(bytes: start.utf8.count)
        if rest.isEmpty || rest.hasPrefix(bytes: ",") { shown = "…" }
        if rest.hasPrefix(bytes: ": "), rest.unicodeScalars.count(where: { $0 == "…" }) == 1 {
          shown = String(rest.dropFirst(bytes: 2))
        }
      }
      return Advice(key: name, text: text, shape: shape ?? shown)
    }

    static func advice(_ text: String) -> Advice { Advice(key: nil, text: text) }

    /// A remark for readers, which stands for no key.
    static let comment = Advice(
      key: nil, text: "write '$comment', or a key that begins with 'x-'", isComment: true,
      shape: "…")
  }

  /// The meaning of an unknown key in an object of this kind.
  package static func advice(on name: String, in kind: LanguageObject.Kind) -> Advice? {
    let word = folded(name)
    if let advice = byPlace[kind]?[word] { return advice }
    // A branch is a step without a name.
    if kind == .branch, let advice = byPlace[.step]?[word],
      advice.key.map({ kind.object[$0] != nil }) ?? true
    {
      return advice
    }
    if marks.contains(word) {
      return Advice(
        key: nil, text: "write 'x-\(name)'; it is a remark, which the run does not read",
        isComment: true, shape: nil)
    }
    return comments.contains(word) ? .comment : nil
  }

  /// The keys that the beginning of another tool's name may mean, each with the name that begins so
  /// and comes first.
  package static func keys(
    for beginning: String, in kind: LanguageObject.Kind
  ) -> [(key: String, name: String)] {
    let start = folded(beginning)
    var found: [(key: String, name: String)] = []
    let words = byPlace[kind]?.filter { $0.key.hasPrefix(bytes: start) } ?? [:]
    for (word, advice) in words.sorted(by: { $0.key < $1.key }) {
      guard let key = advice.key, !found.contains(where: { $0.key == key }) else { continue }
      found.append((key, beginning + word.dropFirst(bytes: start.utf8.count)))
    }
    return found
  }

  /// A name in the form in which it is looked up. Tools differ in case, and in the characters that
  /// join words.
  static func folded(_ name: String) -> String {
    let bytes = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return String(decoding: bytes, as: UTF8.self).lowercasedASCII
  }

  /// Whether a member of a body describes how another tool sends it, and is not data.
  static func isBodyOfOtherTool(_ name: String) -> Bool {
    [
      "mode", "raw", "urlencoded", "formdata", "formurlencoded", "multipartform", "payload",
      "mimetype", "binary",
    ]
    .contains(folded(name))
  }

  /// The keys of other tools by which people find and own files.
  private static let marks: Set<String> = [
    "tags", "tag", "labels", "metadata", "meta", "annotations", "author", "authors", "owner",
    "owners", "team", "contact", "license", "category", "createdat", "updatedat", "lastmodified",
  ]

  /// The keys for a remark in other tools and formats.
  private static let comments: Set<String> = [
    "comment", "comments", "//", "#", "note", "notes", "remark", "remarks", "doc", "docs", "$id",
  ]

  /// The value of an enumeration that has this name in other tools: `datetime` for `date-time`.
  package static func value(for name: String) -> String? { values[name.lowercased()] }

  /// The names in other tools of a style of parameters, with `explode` if it differs from the
  /// style's own.
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

  /// A value that is only similar to the proposed one. An author who wants to ignore an error may
  /// mean `recover`.
  private static let lookalikes: Set<String> = [
    "ignore", "skip", "timestamp", "continue", "recover",
  ]

  /// The value of a word for true or false in other tools.
  static func boolean(meantBy text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1", "y": true
    case "false", "no", "off", "0", "n": false
    default: nil
    }
  }

  /// Whether a word has a meaning in other tools, so that it is not a misspelling of a similar
  /// word.
  static func isForeign(_ value: String) -> Bool { foreignValues.contains(value.lowercased()) }

  private static let foreignValues: Set<String> = [
    "base16", "base32", "base58", "hex", "none", "any", "all", "gzip", "html", "xml", "csv", "yaml",
    "toml", "ndjson", "jsonl", "null", "path", "matrix", "label", "body", "always", "never",
    "async",
    "binary", "bytes", "uuid", "time",
  ]

  private static let values = [
    "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "str": "string", "text": "string",
    "list": "array", "map": "object", "dict": "object", "timestamp": "datetime",
    "date-time": "datetime", "uri": "url", "sequential": "listed", "parallel": "graph",
    "abort": "fail", "stop": "fail", "ignore": "continue", "skip": "continue",
    "exit": "fail", "proceed": "continue",
    "success": "succeeded", "passed": "succeeded", "ok": "succeeded", "failure": "failed",
    "error": "failed", "only": "one", "continue": "collect", "recover": "collect",
    "jsonl": "ndjson", "jsonlines": "ndjson", "expectation": "expect", "assertion": "expect",
  ]
}
