// Block scalars (YAML 1.2.2 §8.1).

private struct BlockScalarHeader {
  enum Chomping { case strip, clip, keep }
  var indent: Int?
  var chomping = Chomping.clip
}

extension YAMLParser {
  mutating func blockScalar(
    parent: Int, _ properties: YAMLProperties
  ) throws(YAMLProblem) {
    let start = position
    let isFolded = at(position) == UInt8(ascii: ">")
    let header = try blockScalarHeader()
    let made = text.count
    if !isAtEnd { skipBreak() }
    let indent =
      if let given = header.indent { max(parent, 0) + given } else {
        try detectedIndent(parent: parent)
      }
    let (breaks, end) = blockScalarLines(indent: indent, isFolded: isFolded)
    switch header.chomping {
    case .strip: break
    case .clip: if text.count > made, breaks > 0 { text.append(0x0A) }
    case .keep: text.append(contentsOf: repeatElement(0x0A, count: breaks))
    }
    var event = YAMLEvent(.scalar, isFolded ? .folded : .literal, start..<max(end, start + 1))
    event.isContentMade = true
    event.content = made..<text.count
    event.properties = properties
    events.append(event)
  }

  private mutating func blockScalarHeader() throws(YAMLProblem) -> BlockScalarHeader {
    var header = BlockScalarHeader()
    var hasChomping = false
    position += 1
    while !isSpaceOrEnd(at(position)) {
      let byte = at(position)
      if byte >= 0x31, byte <= 0x39, header.indent == nil {
        header.indent = Int(byte - 0x30)
      } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"), !hasChomping {
        header.chomping = byte == UInt8(ascii: "-") ? .strip : .keep
        hasChomping = true
      } else {
        throw problem("after '|' or '>' come at most a digit from 1 to 9 and '+' or '-'")
      }
      position += 1
    }
    try expectLineEnd()
    return header
  }

  /// The indentation of the first line that is not empty. Lines before it have no more spaces.
  private func detectedIndent(parent: Int) throws(YAMLProblem) -> Int {
    var offset = position
    var greatest = 0
    while offset < input.count {
      let line = offset
      while at(offset) == 0x20 { offset += 1 }
      let spaces = offset - line
      if isBreak(at(offset)) {
        greatest = max(greatest, spaces)
        offset += at(offset) == 0x0D && at(offset + 1) == 0x0A ? 2 : 1
        continue
      }
      if offset >= input.count { greatest = max(greatest, spaces) }
      guard spaces > parent, offset < input.count else {
        if at(offset) == 0x09 {
          throw YAMLProblem("a tab cannot indent; use spaces", range: offset..<offset + 1)
        }
        break
      }
      guard greatest <= spaces else {
        throw YAMLProblem(
          "an empty line above has more spaces than this first line; remove them",
          range: line..<offset)
      }
      return spaces
    }
    return max(greatest, parent + 1)
  }

  /// Appends the lines. Returns the number of line breaks after the last one, and where it ends.
  private mutating func blockScalarLines(indent: Int, isFolded: Bool) -> (Int, Int) {
    var breaks = 0
    var isFirst = true
    var wasMoreIndented = false
    var end = position
    while !isAtEnd {
      var offset = position
      while offset - position < indent, at(offset) == 0x20 { offset += 1 }
      if isBreak(at(offset)) {
        position = offset
        skipBreak()
        breaks += 1
        continue
      }
      if offset >= input.count {
        position = offset
        breaks += 1
        break
      }
      if offset - position < indent || indent == 0 && isAtAnyMarker { break }
      let isMoreIndented = isBlank(at(offset))
      if isFirst || !isFolded || wasMoreIndented || isMoreIndented {
        text.append(contentsOf: repeatElement(0x0A, count: breaks))
      } else {
        fold(breaks)
      }
      let content = offset
      while !isBreakOrEnd(at(offset)) { offset += 1 }
      text.append(contentsOf: input[content..<offset])
      (position, end, breaks, isFirst) = (offset, offset, 0, false)
      wasMoreIndented = isMoreIndented
      // The end of the text ends a line, as a break does.
      breaks = 1
      if !isAtEnd { skipBreak() }
    }
    return (breaks, end)
  }
}
