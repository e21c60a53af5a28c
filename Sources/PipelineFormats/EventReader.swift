internal import PipelineJSONText

/// Reads server-sent events that arrive in pieces, by the rules of the HTML Standard §9.2.6.
///
/// A row is `{"event", "data", "id"}`. `data` is JSON if it is an object or a list, otherwise a
/// text. `id` is the last one that was given, and is left out until then. An event that the stream
/// ends in is dropped, as the standard demands.
package struct EventReader: Sendable {
  private let limit: Int
  /// The line that was not ended yet.
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

  /// Reads the next piece. The rows of the events that end in it are complete.
  package mutating func read(
    _ piece: some Collection<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) {
    for byte in piece {
      if byte == Byte.lineFeed, followsReturn {
        followsReturn = false
        continue
      }
      followsReturn = byte == Byte.carriageReturn
      if Byte.isLineEnd(byte) {
        endLine(to: &rows)
      } else {
        line.append(byte)
        if line.count + data.count > limit {
          throw FormatProblem(
            "the event is larger than the \(limit) bytes allowed", line: number, column: 1)
        }
      }
    }
  }

  private mutating func endLine(to rows: inout RowText) {
    defer {
      line.removeAll(keepingCapacity: true)
      number += 1
    }
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else { return dispatch(to: &rows) }
    let colon = line.firstIndex(of: Byte.colon)
    let name = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == Byte.space { value = value.dropFirst() }
    // A line that begins with a colon is a comment: its name is empty.
    if name.elementsEqual("event".utf8) {
      event = Array(value)
    } else if name.elementsEqual("data".utf8) {
      if hasData { data.append(Byte.lineFeed) }
      hasData = true
      data += value
    } else if name.elementsEqual("id".utf8), !value.contains(0) {
      id = Array(value)
    }
  }

  private mutating func dispatch(to rows: inout RowText) {
    defer {
      event.removeAll(keepingCapacity: true)
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else { return }
    var writer = JSONWriter(style: .compact, capacity: data.count + 64)
    writer.beginObject()
    writer.member("event", event.isEmpty ? "message" : String(decoding: event, as: UTF8.self))
    writer.name("data")
    if let value = structure {
      writer.value(value)
    } else {
      writer.string(String(decoding: data, as: UTF8.self))
    }
    if !id.isEmpty { writer.member("id", String(decoding: id, as: UTF8.self)) }
    writer.endObject()
    rows.beginRow()
    rows.append(writer.bytes)
    rows.endRow()
  }

  /// The data as an object or a list.
  private var structure: JSONNode? {
    let first = data.first { !Byte.isBlank($0) && !Byte.isLineEnd($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    return try? JSONDocument.parse(data, depthLimit: 500).root
  }
}
