extension JSONNode {
  /// Where UTF-8 offsets of the decoded string are in the document, through escapes: an offset
  /// inside what an escape stands for covers the whole escape. Offsets past the end are its end.
  ///
  /// For any other kind of value it is the whole value.
  ///
  /// - Parameter decoded: Offsets in the UTF-8 bytes of the decoded string.
  /// - Returns: Offsets in the document's text.
  public func sourceRange(ofDecoded decoded: Range<Int>) -> Range<Int> {
    guard document.element(at: index).isString else { return range }
    return document.sourceRange(at: index, ofDecoded: decoded)
  }

  /// The same value alone in a separate document.
  /// - Complexity: O(bytes and elements of the value), without parsing.
  public func detached() -> JSONNode {
    let range = range
    let first = document.element(at: index)
    // A name precedes its value, so a string's range begins at its quote.
    let last = document.endIndex(of: index)
    let words = document.tape[index...last].map { word in
      let element = TapeElement(word: word)
      let points = element.isContainer || element.isEnd
      return TapeElement(
        element.kind, offset: element.offset - range.lowerBound,
        span: points ? element.span - index : element.span
      ).word
    }
    assert(first.isContainer || words.count == 1)
    return JSONDocument(bytes: Array(document.bytes[range]), tape: words).root
  }
}
