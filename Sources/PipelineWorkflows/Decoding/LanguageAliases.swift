import PipelineByteText

/// Keys of other tools for something that this language says otherwise.
enum LanguageAliases {
  /// The replacement of a key.
  struct Advice {
    /// The key that is meant, if it is in the same object.
    let key: String?
    /// A phrase: `write 'when'`.
    let text: String
    /// Whether it is only a remark, so that whatever else is missing is missing.
    var isComment = false

    static func key(_ name: String, _ text: String? = nil) -> Advice {
      Advice(key: name, text: text ?? "write '\(name)'")
    }

    static func advice(_ text: String) -> Advice { Advice(key: nil, text: text) }

    /// A remark for readers, which stands for no key.
    static let comment = Advice(
      key: nil, text: "write '$comment', or a key that begins with 'x-'", isComment: true)
  }

  /// The meaning of an unknown key in an object of this kind.
  static func advice(on name: String, in kind: LanguageObject.Kind) -> Advice? {
    let word = folded(name)
    if let advice = byPlace[kind]?[word] { return advice }
    // A branch is a step without a name, and `defaults` hold what steps inherit.
    if kind == .branch || kind == .defaults, let advice = byPlace[.step]?[word],
      advice.key.map({ kind.object[$0] != nil }) ?? (kind == .branch)
    {
      return advice
    }
    return comments.contains(word) ? .comment : nil
  }

  /// A name in the form in which it is looked up. Tools differ in case, and in the characters that
  /// join words.
  static func folded(_ name: String) -> String {
    let bytes = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    return String(decoding: bytes, as: UTF8.self).lowercasedASCII
  }

  /// Whether a member of a body says how another tool sends it, and is not data.
  static func isBodyOfOtherTool(_ name: String) -> Bool {
    [
      "mode", "raw", "urlencoded", "formdata", "formurlencoded", "multipartform", "payload",
      "mimetype", "binary",
    ]
    .contains(folded(name))
  }

  /// The keys for a remark in other tools and formats.
  private static let comments: Set<String> = [
    "comment", "comments", "//", "#", "note", "notes", "remark", "remarks", "doc", "docs", "$id",
  ]

  /// The names in other tools of a value of an enumeration.
  static func value(for name: String) -> String? { values[name.lowercased()] }

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

  private static let values = [
    "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "str": "string", "text": "string",
    "list": "array", "map": "object", "dict": "object", "timestamp": "datetime",
    "date-time": "datetime", "uri": "url", "sequential": "listed", "parallel": "graph",
    "abort": "fail", "stop": "fail", "ignore": "continue", "skip": "continue",
    "exit": "fail", "proceed": "continue",
    "success": "succeeded", "passed": "succeeded", "ok": "succeeded", "failure": "failed",
    "error": "failed", "only": "one", "continue": "collect", "recover": "collect",
  ]
}
