internal import PipelineByteText

/// A pattern such as `dd.MM.yyyy HH:mm`, by which dates are read and written.
package struct DatePattern: Sendable, Equatable {
  enum Field: String, Sendable, CaseIterable {
    case year = "yyyy"
    case month = "MM"
    case day = "dd"
    case hour = "HH"
    case minute = "mm"
    case second = "ss"
    case milliseconds = "SSS"
    /// `Z`, `+01:00`.
    case offset = "XXX"
  }

  private enum Piece: Sendable, Equatable {
    case field(Field)
    case literal([UInt8])
  }

  private let pieces: [Piece]

  package var hasTime: Bool {
    has(.hour) || has(.minute) || has(.second) || has(.milliseconds) || hasOffset
  }
  package var hasOffset: Bool { has(.offset) }
  package var hasDate: Bool { has(.year) }

  private func has(_ field: Field) -> Bool { pieces.contains(.field(field)) }

  package struct Problem: Error, Sendable {
    package let message: String
    /// The pattern that is meant.
    package let meant: String?

    fileprivate init(message: String, meant: String? = nil) {
      self.message = message
      self.meant = meant
    }
  }

  /// - Throws: What is wrong with the text.
  package init(_ text: String) throws(Problem) {
    do throws(Problem) {
      pieces = try Self.pieces(of: text)
    } catch {
      throw Problem(message: error.message, meant: Self.meant(text))
    }
  }

  private static func pieces(of text: String) throws(Problem) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == quote {
        pieces.append(.literal(try quoted(&rest, in: text)))
      } else if isLetter(byte) {
        let run = rest.prefix { $0 == byte }
        let letters = String(decoding: run, as: UTF8.self)
        guard let field = Field(rawValue: letters) else {
          throw Problem(
            message: "'\(letters)' in '\(text)' is not one of yyyy MM dd HH mm ss SSS XXX; other"
              + " letters are in single quotes")
        }
        pieces.append(.field(field))
        rest = rest[run.endIndex...]
      } else if byte == UInt8(ascii: "%"), let next = rest.dropFirst().first, isLetter(next) {
        throw Problem(message: "'\(text)' is a pattern of strftime")
      } else {
        pieces.append(.literal([byte]))
        rest = rest.dropFirst()
      }
    }
    guard pieces.contains(where: { if case .field = $0 { true } else { false } }) else {
      throw Problem(
        message: "'\(text)' has none of yyyy MM dd HH mm ss SSS XXX, so it writes no date")
    }
    return pieces
  }

  /// What stands between two quotes. Two quotes in a row are one.
  private static func quoted(
    _ rest: inout ArraySlice<UInt8>, in text: String
  ) throws(Problem) -> [UInt8] {
    rest = rest.dropFirst()
    if rest.first == quote {
      rest = rest.dropFirst()
      return [quote]
    }
    guard let end = rest.firstIndex(of: quote) else {
      throw Problem(message: "the quote in '\(text)' does not end")
    }
    defer { rest = rest[(end + 1)...] }
    return Array(rest[..<end])
  }

  private static let quote = UInt8(ascii: "'")

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  // MARK: Writing

  /// - Parameters:
  ///   - clock: What clocks show, in seconds since 1970 as if it were UTC.
  ///   - offset: Seconds east of UTC.
  func text(clock: Int, offset: Int, _ moment: Moment) -> String {
    let date = CalendarDate(unixSeconds: clock)
    // As bytes, because a character between the fields may be several pieces.
    var text: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .literal(let bytes): text += bytes
      case .field(let field):
        switch field {
        case .year: text += date.date.utf8.prefix(4)
        case .month: text += CalendarDate.padded(date.month).utf8
        case .day: text += CalendarDate.padded(date.day).utf8
        case .hour: text += CalendarDate.padded(date.hour).utf8
        case .minute: text += CalendarDate.padded(date.minute).utf8
        case .second: text += CalendarDate.padded(date.second).utf8
        case .milliseconds: text += String(moment.milliseconds + 1000).utf8.dropFirst()
        case .offset: text += DateFormat.text(ofOffset: offset).utf8
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Reading

  /// What a text says; `nil` if it does not fit the pattern, or the calendar has no such day.
  func value(of text: String, in zone: Zone?) -> DateValue? {
    var rest = Array(text.utf8)[...]
    var fields: [Field: Int] = [:]
    for piece in pieces {
      switch piece {
      case .literal(let bytes):
        guard rest.starts(with: bytes) else { return nil }
        rest = rest.dropFirst(bytes.count)
      case .field(let field):
        guard let value = field == .offset ? Self.offset(&rest) : Self.number(field, &rest),
          fields[field, default: value] == value
        else { return nil }
        fields[field] = value
      }
    }
    guard rest.isEmpty, let year = fields[.year],
      let days = CalendarDate.days(
        year: year, month: fields[.month] ?? 1, day: fields[.day] ?? 1)
    else { return nil }
    guard hasTime else { return .day(days) }
    let (hour, minute) = (fields[.hour] ?? 0, fields[.minute] ?? 0)
    let second = fields[.second] ?? 0
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    let clock = days * 86_400 + hour * 3600 + minute * 60 + second
    let nanoseconds = (fields[.milliseconds] ?? 0) * 1_000_000
    if let offset = fields[.offset] {
      return .moment(Moment(seconds: clock - offset, nanoseconds: nanoseconds), .fixed(offset))
    }
    guard let zone else { return nil }
    return .moment(
      Moment(seconds: zone.seconds(ofClock: clock), nanoseconds: nanoseconds), zone)
  }

  private static func number(_ field: Field, _ rest: inout ArraySlice<UInt8>) -> Int? {
    let width = field.rawValue.utf8.count
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let sign = rest.first else { return nil }
    rest = rest.dropFirst()
    if sign == UInt8(ascii: "Z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = number(.hour, &rest), hours < 24, rest.first == UInt8(ascii: ":")
    else { return nil }
    rest = rest.dropFirst()
    guard let minutes = number(.minute, &rest), minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }
}

// MARK: - Patterns of other tools

extension DatePattern {
  /// The pattern that one of strftime, Moment.js or Java means, if it is known.
  private static func meant(_ text: String) -> String? {
    let isStrftime = text.utf8.contains(UInt8(ascii: "%"))
    guard let meant = isStrftime ? ofStrftime(text) : ofLetters(text), meant != text,
      (try? pieces(of: meant)) != nil
    else { return nil }
    return meant
  }

  private static func ofStrftime(_ text: String) -> String? {
    let fields: [UInt8: String] = [
      UInt8(ascii: "Y"): "yyyy", UInt8(ascii: "m"): "MM", UInt8(ascii: "d"): "dd",
      UInt8(ascii: "H"): "HH", UInt8(ascii: "M"): "mm", UInt8(ascii: "S"): "ss",
      UInt8(ascii: "f"): "SSS", UInt8(ascii: "z"): "XXX", UInt8(ascii: "F"): "yyyy-MM-dd",
      UInt8(ascii: "T"): "HH:mm:ss",
    ]
    var meant = ""
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.first {
      bytes = bytes.dropFirst()
      if byte == UInt8(ascii: "%") {
        guard let letter = bytes.first, let field = fields[letter] else { return nil }
        meant += field
        bytes = bytes.dropFirst()
      } else if isLetter(byte) {
        meant += "'\(Character(Unicode.Scalar(byte)))'"
      } else {
        guard byte < 0x80 else { return nil }
        meant.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return meant
  }

  private static func ofLetters(_ text: String) -> String? {
    let words = [
      "YYYY": "yyyy", "uuuu": "yyyy", "DD": "dd", "hh": "HH", "T": "'T'", "Z": "XXX", "ZZ": "XXX",
      "ZZZ": "XXX", "X": "XXX", "XX": "XXX", "GMT": "'GMT'", "UTC": "'UTC'",
    ]
    var meant = ""
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      guard byte < 0x80 else { return nil }
      if byte == UInt8(ascii: "'") {
        let end = rest.dropFirst().firstIndex(of: byte) ?? rest.endIndex - 1
        meant += String(decoding: rest[rest.startIndex...end], as: UTF8.self)
        rest = rest[(end + 1)...]
        continue
      }
      let run = rest.prefix { $0 == byte }
      let letters = String(decoding: run, as: UTF8.self)
      meant += words[letters] ?? letters
      rest = rest[run.endIndex...]
    }
    return meant
  }
}
