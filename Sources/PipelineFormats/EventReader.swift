internal import PipelineJSONText

/// Reads server-sent events that arrive in pieces, by the rules of the HTML Standard §9.2.6.
///
/// A row is `{"event", "data", "id"}`. `data` is JSON if it is an object or a list, otherwise a
/// text. `id` is the last one that was given, and is left out until then. An event that the stream
/// ends in is dropped, as the standard demands.
package struct EventReader: Sendable {
  private let limit: Int
  /// The beginning of a line whose end has not come.
  private var line: [UInt8] = []
  private var number = 1
  private var isFirstLine = true
  private var followsReturn = false
  private var event: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var id: [UInt8] = []

  /// - Parameter limit: The greatest size of an event, in bytes.
  package init(limit: Int = .max) { self.limit = limit }

  /// Whether anything was read.
  package private(set) var hasBegun = false

  /// Reads the next piece. The rows of the events that end in it are complete.
  package mutating func read(_ piece: [UInt8], to rows: inout RowText) throws(FormatProblem) {
    let result = piece.withUnsafeBufferPointer { piece in
      Result { () throws(FormatProblem) in
        var position = 0
        while position < piece.count {
          position = try readEvent(of: piece, from: position, to: &rows)
        }
      }
    }
    try result.get()
  }

  /// Reads the next piece up to the end of its next event.
  ///
  /// - Parameter start: Where to begin in the piece.
  /// - Returns: Where reading goes on: behind the event, or the end of the piece.
  package mutating func readEvent(
    of piece: UnsafeBufferPointer<UInt8>, from start: Int, to rows: inout RowText
  ) throws(FormatProblem) -> Int {
    var position = start
    hasBegun = true
    while position < piece.count {
      if followsReturn {
        followsReturn = false
        if piece[position] == Byte.lineFeed {
          position += 1
          continue
        }
      }
      let end = piece.place(of: Byte.lineFeed, or: Byte.carriageReturn, from: position)
      let part = piece[part: position..<end]
      guard line.count + part.count + data.count <= limit else {
        throw FormatProblem(
          "the event is larger than the \(limit) bytes allowed", line: number, column: 1)
      }
      guard end < piece.count else {
        line += part
        return end
      }
      followsReturn = piece[end] == Byte.carriageReturn
      position = end + 1
      number += 1
      if line.isEmpty {
        if try readLine(part, to: &rows) { return position }
      } else {
        line += part
        var whole = line
        line = []
        let isEvent = whole.withUnsafeBufferPointer { text in
          Result { () throws(FormatProblem) in try readLine(text, to: &rows) }
        }
        whole.removeAll(keepingCapacity: true)
        line = whole
        if try isEvent.get() { return position }
      }
    }
    return position
  }

  /// Reads a line; `true`: an event ends with it.
  private mutating func readLine(
    _ text: UnsafeBufferPointer<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) -> Bool {
    var start = 0
    if isFirstLine {
      isFirstLine = false
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }
    guard start < text.count else { return try dispatch(to: &rows) }
    let colon = text.place(of: Byte.colon, or: Byte.colon, from: start)
    let name = text[part: start..<colon]
    var value = text[part: min(colon + 1, text.count)..<text.count]
    if value.first == Byte.space { value = value[part: 1..<value.count] }
    // A line that begins with a colon is a comment: its name is empty.
    if name.equals("data") {
      if hasData { data.append(Byte.lineFeed) }
      hasData = true
      data += value
    } else if name.equals("event") {
      event.removeAll(keepingCapacity: true)
      event += value
    } else if name.equals("id"), !value.contains(0) {
      id.removeAll(keepingCapacity: true)
      id += value
    }
    return false
  }

  private mutating func dispatch(to rows: inout RowText) throws(FormatProblem) -> Bool {
    defer {
      event.removeAll(keepingCapacity: true)
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else { return false }
    rows.beginRow()
    if event.isEmpty {
      rows.append(raw: #"{"event":"message","data":"#)
    } else {
      rows.append(raw: #"{"event":"#)
      rows.append(repaired: event)
      rows.append(raw: #","data":"#)
    }
    appendData(to: &rows)
    if !id.isEmpty {
      rows.append(raw: #","id":"#)
      rows.append(repaired: id)
    }
    rows.append(UInt8(ascii: "}"))
    rows.endRow()
    guard rows.room >= 0 else { throw FormatProblem(RowText.growth, line: number, column: 1) }
    return true
  }

  /// The data as an object or a list if it is one in JSON, otherwise as a text.
  private func appendData(to rows: inout RowText) {
    let first = data.first { !Byte.isBlank($0) && !Byte.isLineEnd($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return rows.append(repaired: data)
    }
    if data.withUnsafeBufferPointer(PlainJSON.recognises), !data.contains(where: Byte.isLineEnd) {
      rows.append(data)
    } else if let value = try? JSONDocument.parse(data, depthLimit: 500).root {
      rows.append(value.onOneLine)
    } else {
      rows.append(repaired: data)
    }
  }
}

extension RowText {
  /// A text as a JSON string. Bytes that are not of UTF-8 become U+FFFD.
  fileprivate mutating func append(repaired text: [UInt8]) {
    text.withUnsafeBufferPointer { bytes in
      if bytes.firstFaultOfUTF8 == nil { return append(quoted: bytes) }
      var repaired = String(decoding: bytes, as: UTF8.self)
      repaired.withUTF8 { append(quoted: $0) }
    }
  }
}
