/// Bytes → requests (RFC 9112), fed in pieces of any size. Pure: it reads no socket and no clock.
///
/// After `.refused` nothing more can be read from the connection. Time is linear in the bytes.
package struct RequestParser {
  package struct Limits: Sendable {
    package var head: Int
    package var body: Int

    /// - Parameters:
    ///   - head: The most bytes of a request's line and fields.
    ///   - body: The most bytes of its content.
    package init(head: Int = 64 << 10, body: Int = 64 << 20) {
      self.head = head
      self.body = body
    }
  }

  enum Event {
    /// More bytes are needed.
    case incomplete
    /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    case continueExpected
    case request(ServerRequest)
    case refused(Refusal)
  }

  /// Why no request can be made of the bytes, and the status that says so.
  package struct Refusal: Error, Equatable {
    package let status: Int
    package let message: String
  }

  private enum Stage {
    case head
    case body(RequestHead, length: Int)
    case chunks(RequestHead, ChunkDecoder)
    case refused(Refusal)
  }

  private let limits: Limits
  private var buffer: [UInt8] = []
  /// Everything before it is consumed.
  private var start = 0
  /// No head ends before it, so that a head sent byte by byte is not searched again each time.
  private var searched = 0
  private var stage = Stage.head

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Bytes received and not yet part of a request.
  var buffered: Int { buffer.count - start }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(contentsOf: bytes)
  }

  mutating func next() -> Event {
    do throws(Refusal) {
      return try advance()
    } catch {
      stage = .refused(error)
      return .refused(error)
    }
  }

  private mutating func advance() throws(Refusal) -> Event {
    switch stage {
    case .head:
      guard let head = try takeHead() else { return .incomplete }
      return try frame(head)
    case .body(let head, let length):
      guard buffered >= length else { return .incomplete }
      let body = Array(buffer[start..<start + length])
      start += length
      return finish(head, body: body)
    case .chunks(let head, var decoder):
      stage = .head  // keeps the decoder's storage unique while it grows
      let done = try decoder.consume(buffer, from: &start, limit: limits.body)
      guard done else {
        stage = .chunks(head, decoder)
        compact()
        return .incomplete
      }
      return finish(head, body: decoder.body)
    case .refused(let refusal):
      return .refused(refusal)
    }
  }

  /// Chooses the body's framing (RFC 9112 §6.3).
  private mutating func frame(_ head: RequestHead) throws(Refusal) -> Event {
    switch head.framing {
    case .none:
      return finish(head, body: [])
    case .length(let length):
      guard length <= limits.body else {
        throw Refusal(status: 413, message: "the body is larger than \(limits.body) bytes")
      }
      stage = .body(head, length: length)
    case .chunked:
      stage = .chunks(head, ChunkDecoder())
    }
    if head.expectsContinue && buffered == 0 { return .continueExpected }
    return try advance()
  }

  private mutating func finish(_ head: RequestHead, body: [UInt8]) -> Event {
    stage = .head
    searched = start
    return .request(
      ServerRequest(
        method: head.method, target: head.target, minorVersion: head.minorVersion,
        headers: head.headers, body: body))
  }

  private mutating func takeHead() throws(Refusal) -> RequestHead? {
    // RFC 9112 §2.2: empty lines before a request are passed over.
    while start < buffer.count, buffer[start] == .carriageReturn || buffer[start] == .lineFeed {
      start += 1
    }
    searched = max(searched, start)
    guard let end = headEnd() else {
      guard buffered <= limits.head else {
        throw Refusal(status: 431, message: "the head is larger than \(limits.head) bytes")
      }
      compact()
      return nil
    }
    guard end - start <= limits.head else {
      throw Refusal(status: 431, message: "the head is larger than \(limits.head) bytes")
    }
    let head = try RequestHead(parsing: buffer[start..<end])
    start = end
    searched = end
    return head
  }

  /// The index after the empty line that ends the head.
  private mutating func headEnd() -> Int? {
    var index = searched
    while index < buffer.count {
      if buffer[index] == .lineFeed, index - start >= 3, buffer[index - 1] == .carriageReturn,
        buffer[index - 2] == .lineFeed, buffer[index - 3] == .carriageReturn
      {
        return index + 1
      }
      index += 1
    }
    searched = index
    return nil
  }

  /// Frees the room of consumed bytes. Called only if the parser has to wait.
  private mutating func compact() {
    guard start > 0 else { return }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
    } else {
      buffer.removeSubrange(..<start)
    }
    searched -= start
    start = 0
  }
}
