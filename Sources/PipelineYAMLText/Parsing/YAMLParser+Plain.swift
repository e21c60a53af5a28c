// Plain scalars (YAML 1.2.2 §7.3.3).

extension YAMLParser {
  mutating func plain(
    _ properties: YAMLProperties, parent: Int, inFlow: Bool
  ) throws(YAMLProblem) {
    try checkPlainStart(inFlow: inFlow)
    let start = position
    skipPlainLine(inFlow: inFlow)
    var event = YAMLEvent(.scalar, .plain, start..<position)
    event.properties = properties
    event.content = start..<position
    let made = text.count
    while let breaks = nextPlainLine(parent: parent, inFlow: inFlow) {
      if !event.isContentMade {
        event.isContentMade = true
        text.append(contentsOf: input[event.content])
      }
      fold(breaks)
      let line = position
      skipPlainLine(inFlow: inFlow)
      text.append(contentsOf: input[line..<position])
    }
    if event.isContentMade { event.content = made..<text.count }
    event.end = UInt32(truncatingIfNeeded: position)
    events.append(event)
  }

  /// Appends what a number of line breaks between two lines stands for.
  mutating func fold(_ breaks: Int) {
    if breaks == 1 {
      text.append(0x20)
    } else {
      text.append(contentsOf: repeatElement(0x0A, count: breaks - 1))
    }
  }

  private func checkPlainStart(inFlow: Bool) throws(YAMLProblem) {
    let byte = at(position)
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      guard !isPlainSafe(at(position + 1), inFlow) else { return }
      throw problem("a text cannot be '\(Character(UnicodeScalar(byte)))' alone; put it in quotes")
    case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"), UInt8(ascii: "|"),
      UInt8(ascii: ">"), UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "]"),
      UInt8(ascii: "}"), UInt8(ascii: "&"), UInt8(ascii: "!"):
      let name = Character(UnicodeScalar(byte))
      throw problem("a text cannot begin with '\(name)'; put it in quotes")
    case 0:
      throw problem("a value is missing at the end of the text")
    default: return
    }
  }

  @inline(__always)
  private func isPlainSafe(_ byte: UInt8, _ inFlow: Bool) -> Bool {
    !isSpaceOrEnd(byte) && !(inFlow && isFlowIndicator(byte))
  }

  /// Skips to the end of the scalar's part on this line, without the blanks after it.
  private mutating func skipPlainLine(inFlow: Bool) {
    var offset = position
    var end = offset
    while true {
      let byte = at(offset)
      if byte > UInt8(ascii: ":"), !inFlow || !isFlowIndicator(byte) {
        offset += 1
        end = offset
        continue
      }
      if isBlank(byte) {
        offset += 1
        continue
      }
      if isBreakOrEnd(byte) || inFlow && isFlowIndicator(byte) { break }
      if byte == UInt8(ascii: ":"), !isPlainSafe(at(offset + 1), inFlow) { break }
      if byte == UInt8(ascii: "#"), end < offset { break }
      offset += 1
      end = offset
    }
    position = end
  }

  /// Goes to the next line if it continues the scalar. Returns the number of line breaks before it.
  private mutating func nextPlainLine(parent: Int, inFlow: Bool) -> Int? {
    let saved = (position, lineStart)
    skipBlanks()
    guard isBreak(at(position)) else {
      (position, lineStart) = saved
      return nil
    }
    var breaks = 0
    while isBreak(at(position)) {
      skipBreak()
      breaks += 1
      if isAtAnyMarker { break }
      skipBlanks()
    }
    let byte = at(position)
    let isKeyEnd = byte == UInt8(ascii: ":") && !isPlainSafe(at(position + 1), inFlow)
    if isAtEnd || isAtAnyMarker || indentation <= parent || byte == UInt8(ascii: "#")
      || inFlow && (isFlowIndicator(byte) || isKeyEnd)
    {
      (position, lineStart) = saved
      return nil
    }
    return breaks
  }
}
