extension String {
  /// Whether the text is a pattern with something in place of each `*`.
  package func matches(pattern: String) -> Bool {
    let (text, pattern) = (Array(utf8), Array(pattern.utf8))
    var (at, place) = (0, 0)
    var star: (place: Int, at: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == text[at] {
        (at, place) = (at + 1, place + 1)
      } else if let last = star {
        star = (last.place, last.at + 1)
        (at, place) = (last.at + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
