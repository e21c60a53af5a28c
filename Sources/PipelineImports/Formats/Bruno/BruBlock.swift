internal import PipelineByteText

/// A block of a `.bru` file.
struct BruBlock {
  /// A line `name: value` of a block.
  struct Entry {
    let name: String
    let value: String
    /// Whether it is written with `~`.
    let isOff: Bool
    let line: Int
  }

  /// `body:json`.
  let name: String
  /// The line on which it begins, from 1.
  let line: Int
  /// What is in it, without its indentation.
  let lines: [String]

  var text: String { lines.joined(separator: "\n") }

  /// The blocks of a file. A block ends with a bracket at the beginning of a line.
  static func blocks(of text: String) -> [BruBlock] {
    var blocks: [BruBlock] = []
    var open: (name: String, line: Int, lines: [String])?
    let lines = text.split(ascii: "\n", omittingEmptySubsequences: false)
    for (number, raw) in lines.enumerated() {
      let line = String(raw.hasSuffix(bytes: "\r") ? raw.dropLast(bytes: 1) : raw)
      if let (name, start, content) = open {
        if line.hasPrefix(bytes: "}") || line.hasPrefix(bytes: "]") {
          blocks.append(BruBlock(name: name, line: start, lines: content))
          open = nil
        } else {
          open?.lines.append(line.hasPrefix(bytes: "  ") ? String(line.dropFirst(bytes: 2)) : line)
        }
      } else if line.hasSuffix(bytes: "{") || line.hasSuffix(bytes: "[") {
        open = (String(line.dropLast(bytes: 1)).trimmed, number + 1, [])
      } else if line.trimmed.hasSuffix(bytes: "{}") {
        blocks.append(
          BruBlock(
            name: String(line.trimmed.dropLast(bytes: 2)).trimmed, line: number + 1, lines: []))
      }
    }
    if let (name, start, content) = open {
      blocks.append(BruBlock(name: name, line: start, lines: content))
    }
    return blocks
  }

  /// The entries of a block of names and values, or the names of a list.
  var entries: [Entry] {
    var entries: [Entry] = []
    var number = 0
    while number < lines.count {
      let start = number
      var text = lines[number].trimmed
      number += 1
      if text.isEmpty || text.hasPrefix(bytes: "#") || Self.isAnnotation(text) { continue }
      let isOff = text.hasPrefix(bytes: "~")
      if isOff { text = String(text.dropFirst(bytes: 1)) }
      guard let (name, rest) = Self.pair(text) else {
        let name = text.hasSuffix(bytes: ",") ? String(text.dropLast(bytes: 1)) : text
        entries.append(Entry(name: name.trimmed, value: "", isOff: isOff, line: line + start + 1))
        continue
      }
      var value = rest
      if value.hasPrefix(bytes: "'''") {
        var content = [String(value.dropFirst(bytes: 3))]
        while number < lines.count, !content[content.count - 1].contains(bytes: "'''") {
          content.append(
            lines[number].hasPrefix(bytes: "  ")
              ? String(lines[number].dropFirst(bytes: 2)) : lines[number])
          number += 1
        }
        let joined = content.joined(separator: "\n")
        value =
          (joined.firstRange(bytes: "'''").map { String(joined[..<$0.lowerBound]) } ?? joined)
          .trimmed
      } else if value.equals(bytes: "[") {
        while number < lines.count, !lines[number].trimmed.equals(bytes: "]") { number += 1 }
        number += 1
        value = ""
      }
      entries.append(Entry(name: name, value: value, isOff: isOff, line: line + start + 1))
    }
    return entries
  }

  /// `@description("…")`, which belongs to the next line.
  private static func isAnnotation(_ text: String) -> Bool {
    guard text.hasPrefix(bytes: "@") else { return false }
    let name = text.dropFirst(bytes: 1).prefix { $0.isLetter }
    return text.dropFirst(bytes: 1).dropFirst(bytes: name.utf8.count).hasPrefix(bytes: "(")
  }

  /// `name: value` or `"name": value`.
  private static func pair(_ text: String) -> (name: String, value: String)? {
    var cursor = ScriptCursor(text)
    if text.hasPrefix(bytes: "\""), let name = cursor.takeString(), cursor.take(":") {
      return (name, String(cursor.rest).trimmed)
    }
    guard let colon = text.firstIndex(ascii: ":") else { return nil }
    return (String(text[..<colon]).trimmed, String(text[colon...].dropFirst(bytes: 1)).trimmed)
  }
}
