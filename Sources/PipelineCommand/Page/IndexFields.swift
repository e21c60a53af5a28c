internal import PipelineRecordings

/// The lines of an index of answers, one field after the other.
struct IndexFields {
  private let bytes: [UInt8]
  private var place: Int
  private let end: Int
  // Most lines have the texts of the one before.
  private var step = ""
  private var method = ""

  init(_ bytes: [UInt8], from place: Int, to end: Int) {
    self.bytes = bytes
    self.place = place
    self.end = end
  }

  var isAtEnd: Bool { place >= end }

  /// The next line; `nil` if it is not one.
  mutating func row() -> RecordedRow? {
    guard let step = text(like: step), let path = field(), let item = field(),
      let page = number(), let poll = number(), let attempt = number(), let redirect = number(),
      let start = number(), let length = number(), let method = text(like: method),
      let status = field(), let size = number(), let url = field(until: 0x0A)
    else { return nil }
    (self.step, self.method) = (step, method)
    var positions: [Int] = []
    for part in bytes[path].split(separator: UInt8(ascii: ",")) {
      guard let position = Self.number(part) else { return nil }
      positions.append(position)
    }
    let key = RecordingKey(
      step: step, path: positions, item: Self.number(bytes[item]), page: page, poll: poll,
      attempt: attempt, redirect: redirect)
    return RecordedRow(
      RecordedExchange.Summary(
        key: key, method: method, url: String(decoding: bytes[url], as: UTF8.self),
        status: Self.number(bytes[status]), size: size),
      number: redirect, bytes: start..<start + length)
  }

  /// The next field without what ends it; `nil` if the line ends before, or does not end.
  private mutating func field(until mark: UInt8 = 0x09) -> Range<Int>? {
    let start = place
    while place < end, bytes[place] != mark, bytes[place] != 0x0A { place += 1 }
    guard place < end, bytes[place] == mark else { return nil }
    place += 1
    return start..<place - 1
  }

  private mutating func number() -> Int? { field().flatMap { Self.number(bytes[$0]) } }

  private mutating func text(like last: String) -> String? {
    field().map { range in
      last.utf8.elementsEqual(bytes[range]) ? last : String(decoding: bytes[range], as: UTF8.self)
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
