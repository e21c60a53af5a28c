/// Text → events, by the grammar of YAML 1.2.2.
///
/// A recursive descent that knows, at each node, the indentation of the collection around it, as the
/// productions of the specification do. An implicit key is only known by the `:` after it, so the
/// start of its mapping is inserted before its events.
///
/// Invariants: `lineStart <= position <= count`, and no line break lies between the two.
struct YAMLParser {
  let input: UnsafeBufferPointer<UInt8>
  let limits: YAMLLimits
  var position = 0
  var lineStart = 0
  var events: [YAMLEvent] = []
  /// The contents of scalars that are not in the source as they are meant: folded, or with escapes.
  var text: [UInt8] = []
  /// The tags in use, resolved.
  var tags: [String] = []
  /// The prefixes of the document's tag handles.
  var handles: [String: String] = [:]
  var depth = 0

  init(_ input: UnsafeBufferPointer<UInt8>, limits: YAMLLimits) {
    self.input = input
    self.limits = limits
  }

  /// Parses the whole text.
  /// - Complexity: O(n). Recurses to the limit of the depth.
  mutating func parse() throws(YAMLProblem) {
    if let fault = YAMLEncoding.fault(in: input) { throw fault }
    skipByteOrderMark()
    var permitsDirectives = true
    while true {
      _ = skipGap()
      if isAtEnd { return }
      if isAtMarker(UInt8(ascii: ".")) {
        try skipMarker()
        permitsDirectives = true
        continue
      }
      if permitsDirectives, position == lineStart { skipByteOrderMark() }
      permitsDirectives = try document(permitsDirectives: permitsDirectives)
    }
  }

  /// Parses one document. Returns whether its end is marked, so that directives may follow.
  private mutating func document(permitsDirectives: Bool) throws(YAMLProblem) -> Bool {
    handles = ["!": "!", "!!": "tag:yaml.org,2002:"]
    var hasDirectives = false
    if permitsDirectives { hasDirectives = try directives() }
    let isMarked = isAtMarker(UInt8(ascii: "-"))
    if hasDirectives && !isMarked {
      throw problem("'---' is missing after the directives; add it")
    }
    let start = position
    events.append(YAMLEvent(.documentStart, isMarked ? .marked : .plain, start..<start))
    if isMarked { position += 3 }
    try blockNode(BlockSite(parent: -1, isCompact: !isMarked, permitsSequenceAtParent: false))
    _ = skipGap()
    let isEndMarked = isAtMarker(UInt8(ascii: "."))
    events.append(
      YAMLEvent(.documentEnd, isEndMarked ? .marked : .plain, position..<position))
    if isEndMarked {
      try skipMarker()
      return true
    }
    guard isAtEnd || isAtMarker(UInt8(ascii: "-")) else {
      throw problem("this does not belong to the value above; check its indentation")
    }
    return false
  }

  /// A byte order mark may precede each document (§5.2).
  private mutating func skipByteOrderMark() {
    guard at(position) == 0xEF, at(position + 1) == 0xBB, at(position + 2) == 0xBF else { return }
    position += 3
    lineStart = position
  }

  private mutating func skipMarker() throws(YAMLProblem) {
    position += 3
    try expectLineEnd()
  }

  /// The directives before a document (YAML 1.2.2 §6.8).
  private mutating func directives() throws(YAMLProblem) -> Bool {
    var hasVersion = false
    var found = false
    while at(position) == UInt8(ascii: "%"), position == lineStart {
      found = true
      let start = position
      while !isBreakOrEnd(at(position)) { position += 1 }
      let line = String(decoding: input[start..<position], as: UTF8.self)
      let beforeComment = line.prefixBeforeComment
      let words = beforeComment.split { $0 == " " || $0 == "\t" }
      switch words[0] {
      case "%YAML":
        guard words.count == 2, !hasVersion, Self.isVersion(words[1]) else {
          throw YAMLProblem(
            "write '%YAML 1.2', once; no other version is supported",
            range: start..<position)
        }
        hasVersion = true
      case "%TAG":
        guard words.count == 3, words[1].first == "!", words[1].last == "!" else {
          throw YAMLProblem("write '%TAG !name! prefix'", range: start..<position)
        }
        handles[String(words[1])] = String(words[2])
      default: break  // Reserved directives are ignored (§6.8).
      }
      _ = skipGap()
    }
    return found
  }

  private static func isVersion(_ word: Substring) -> Bool {
    word.utf8.starts(with: "1.".utf8) && word.utf8.count > 2
      && word.utf8.dropFirst(2).allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

extension String {
  /// The text up to a `#` that follows a blank.
  fileprivate var prefixBeforeComment: Substring {
    var previous: UInt8?
    for (index, byte) in zip(utf8.indices, utf8) {
      if byte == UInt8(ascii: "#"), previous == 0x20 || previous == 0x09 { return self[..<index] }
      previous = byte
    }
    return self[...]
  }
}
