internal import PipelineByteText
internal import PipelineJSONPaths

/// Finds what other tools write for a value: `$name`, `$(a.b)`, `{a.b}`, `<a.b>`, `%a.b%`,
/// `%(a)s`, `<%= a %>`.
package struct PlaceholderScanner {
  package struct Place {
    package let range: Range<Int>
    package let names: [String]
    /// Whether one name alone is enough for it.
    package let isCertain: Bool
    /// The replacement if nothing has this name; `nil` if it may be an ordinary text.
    package var unknown: String?
  }

  package private(set) var places: [Place] = []
  private let bytes: [UInt8]

  /// - Parameter isURL: There, braces, angles and percent signs are found when the URL is read.
  package init(_ bytes: [UInt8], isURL: Bool) {
    self.bytes = bytes
    var index = 0
    while index < bytes.count {
      let place: Place?
      switch bytes[index] {
      case UInt8(ascii: "$"): place = dollar(at: index, isURL: isURL)
      case UInt8(ascii: "{"), UInt8(ascii: "<"), UInt8(ascii: "%"):
        place = isURL ? escaped(at: index) : closed(at: index)
      default: place = nil
      }
      if let place { places.append(place) }
      index = place?.range.upperBound ?? index + 1
    }
  }

  /// A call such as `sum($.list.prices)`, which is the whole text.
  ///
  /// - Returns: The text, and the data form with the same meaning.
  package static func call(_ bytes: [UInt8]) -> (text: String, written: String)? {
    guard bytes.last == UInt8(ascii: ")"), let open = bytes.firstIndex(of: UInt8(ascii: "(")),
      open > 1,
      bytes[..<open].allSatisfy({ $0.isWordByte || $0 == UInt8(ascii: ".") })
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let inside = String(decoding: bytes[(open + 1)...].dropLast(), as: UTF8.self)
    guard inside.hasPrefix(bytes: "$."), case .success = Query.parse(inside),
      let form = ForeignFunctions.form(of: String(decoding: bytes[..<open], as: UTF8.self))
    else { return nil }
    return (text, "{\"\(form)\": \"\(inside)\"}")
  }

  private func dollar(at start: Int, isURL: Bool) -> Place? {
    if start > 0, bytes[start - 1].isWordByte || bytes[start - 1] == UInt8(ascii: "$") {
      return nil
    }
    var index = start + 1
    guard index < bytes.count else { return nil }
    let isSegment = start > 0 && bytes[start - 1] == UInt8(ascii: "/")
    if bytes[index] == UInt8(ascii: "(") {
      let (names, end) = path(from: index + 1)
      guard !names.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: ")") else { return nil }
      let isWhole = start == 0 && end + 1 == bytes.count
      return Place(range: start..<end + 1, names: names, isCertain: isURL ? isSegment : isWhole)
    }
    // `${…}` is found when the text is read, and so is a query alone in data.
    if !isURL, bytes[index] == UInt8(ascii: ".") { return nil }
    if bytes[index] == UInt8(ascii: ".") { index += 1 }
    let (names, end) = path(from: index)
    guard !names.isEmpty else { return nil }
    let isWhole = start == 0 && end == bytes.count
    return Place(range: start..<end, names: names, isCertain: isURL ? isSegment : isWhole)
  }

  private func closed(at start: Int) -> Place? {
    guard let found = ForeignPlaceholder(bytes, at: start, in: 0..<bytes.count) else { return nil }
    let (names, end) = path(from: found.inside.lowerBound)
    guard !names.isEmpty, end == found.inside.upperBound else { return nil }
    if found.isMarked { return Place(range: found.range, names: names, isCertain: true) }
    let (before, after) = (bytes[..<start].last, bytes[found.range.upperBound...].first)
    guard after != bytes[end], before != bytes[start], before != UInt8(ascii: "$"),
      before != UInt8(ascii: "#")
    else { return nil }
    let isWhole = before == nil && after == nil
    return Place(
      range: found.range, names: names, isCertain: isWhole && names.count == 1,
      unknown: isWhole && bytes[end] == UInt8(ascii: "}") && names.count > 1 ? "step.value" : nil)
  }

  /// `%7B%7Binputs.id%7D%7D`: a template that was encoded.
  private func escaped(at start: Int) -> Place? {
    let text = String(decoding: bytes[start..<min(bytes.count, start + 6)], as: UTF8.self)
      .lowercased()
    guard text == "%7b%7b" else { return nil }
    let (names, end) = path(from: start + 6)
    guard !names.isEmpty, end + 6 <= bytes.count,
      String(decoding: bytes[end..<end + 6], as: UTF8.self).lowercased() == "%7d%7d"
    else { return nil }
    return Place(range: start..<end + 6, names: names, isCertain: true)
  }

  /// Names with dots between them, and their end.
  private func path(from start: Int) -> (names: [String], end: Int) {
    var names: [String] = []
    var index = start
    while true {
      var end = index
      while end < bytes.count, bytes[end].isWordByte { end += 1 }
      guard end > index, !(0x30...0x39).contains(bytes[index]) else { break }
      names.append(String(decoding: bytes[index..<end], as: UTF8.self))
      index = end
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."),
        bytes[index + 1].isWordByte
      else { break }
      index += 1
    }
    return (names, index)
  }
}
