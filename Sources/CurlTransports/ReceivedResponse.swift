internal import PipelineByteText
internal import PipelineFormats
import PipelineTransports

/// The response that a transfer has received so far.
struct ReceivedResponse {
  /// The lines of the final response's header.
  private(set) var head: [UInt8] = []
  private(set) var body: [UInt8] = []
  private(set) var droppedCount = 0
  private(set) var isHeadComplete = false
  /// The bytes of trailer fields. They are not kept here, but libcurl keeps them.
  private var trailerCount = 0
  private let bodyLimit: Int
  private let wantsBody: Bool
  private let budget: ResponseBudget?
  private let transfer: TransferProgress?
  private let receiver: (any BodyReceiver)?
  /// Whether the receiver knows about the response, and whether it has seen enough of it.
  private var isReceived = false
  private(set) var isCut = false
  private var status = 0
  /// The body's length, if the header states it and no content coding changes it.
  private var announcedLength: Int?
  private var statedLength: Int?
  /// The content codings of the body, in the order in which they were applied.
  private var codings: [String] = []
  private var decoding: ContentDecoding?

  private static let largestHead = 256 << 10
  private static let largestFirstReserve = 1 << 20

  init() {
    bodyLimit = 0
    wantsBody = false
    budget = nil
    transfer = nil
    receiver = nil
  }

  init(_ request: TransportRequest) {
    bodyLimit = request.responseLimit
    wantsBody = request.wantsBody
    budget = request.budget
    transfer = request.transfer
    receiver = request.receiver
  }

  /// Takes one line of a header with its line end, or a trailer field, which is dropped. Returns
  /// what is wrong with it.
  mutating func takeHeaderLine(_ line: UnsafeRawBufferPointer) -> TransportError? {
    if line.count >= 5, line[4] == UInt8(ascii: "/"), line[0] == UInt8(ascii: "H"),
      line[1] == UInt8(ascii: "T"), line[2] == UInt8(ascii: "T"), line[3] == UInt8(ascii: "P")
    {
      // A status line. Whatever came before was an interim response or an authentication round.
      head.removeAll(keepingCapacity: true)
      if !body.isEmpty { budget?.giveBack(body.count) }
      body.removeAll(keepingCapacity: true)
      droppedCount = 0
      head.reserveCapacity(512)
      isHeadComplete = false
      trailerCount = 0
      isReceived = false
      status = line.status
      announcedLength = nil
      statedLength = nil
      codings.removeAll()
      decoding = nil
      return nil
    }
    guard !isHeadComplete else {
      trailerCount += line.count
      return trailerCount > Self.largestHead ? .headerTooLarge : nil
    }
    if line.count <= 2, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
      isHeadComplete = true
      return nil
    }
    guard line.count <= Self.largestHead - head.count else { return .headerTooLarge }
    head.append(contentsOf: line)
    if line[0] | 0x20 == UInt8(ascii: "c") { return noteLength(line) }
    return nil
  }

  /// Learns the body's length from a field of the header, if it states one. Values that differ are
  /// an error, because the end of the body is then unknown (RFC 9112 §6.3).
  private mutating func noteLength(_ line: UnsafeRawBufferPointer) -> TransportError? {
    if line.startsIgnoringASCIICase("content-length:") {
      var length: Int?
      for byte in line.dropFirst(15) {
        if byte &- 48 < 10 {
          length = min(length ?? 0, Int.max / 100) * 10 + Int(byte &- 48)
        } else if byte == UInt8(ascii: ","), let value = length.take() {
          if let problem = state(value) { return problem }
        }
      }
      if let length, let problem = state(length) { return problem }
      announcedLength = statedLength
    } else if line.startsIgnoringASCIICase("content-encoding:") {
      let value = line.dropFirst(17).filter { $0 != 13 && $0 != 10 }
      let names = String(decoding: value, as: UTF8.self).utf8.split(separator: UInt8(ascii: ","))
      codings += names.map { String(Substring($0)).trimmed }.filter {
        !$0.isEmpty && !$0.equalsIgnoringASCIICase("identity")
      }
    }
    // The limit applies to the decoded length, which no field states.
    if !codings.isEmpty { announcedLength = nil }
    return nil
  }

  private mutating func state(_ length: Int) -> TransportError? {
    defer { statedLength = length }
    guard let statedLength, statedLength != length else { return nil }
    return TransportError(
      .interrupted,
      "the answer has two lengths, Content-Length \(statedLength.grouped) and \(length.grouped)")
  }

  /// The coding within which the body has ended so far; `nil` if it may end here.
  var unfinishedCoding: ContentCoding? { decoding?.unfinished }

  /// Takes a piece of the body; returns why it cannot be taken.
  mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> TransportError? {
    codings.isEmpty ? takeDecoded(bytes) : takeCoded(bytes)
  }

  private mutating func takeCoded(_ bytes: UnsafeRawBufferPointer) -> TransportError? {
    if decoding == nil {
      do throws(TransportError) {
        decoding = try ContentDecoding(codings)
      } catch {
        return error
      }
    }
    guard let decoding else { return nil }
    var problem: TransportError?
    let brokenness = decoding.take(bytes) { piece in
      problem = takeDecoded(piece)
      return problem == nil && !isCut
    }
    return problem ?? brokenness
  }

  private mutating func takeDecoded(_ bytes: UnsafeRawBufferPointer) -> TransportError? {
    guard let receiver else { return keep(bytes) }
    if !isReceived {
      isReceived = true
      receiver.begin(
        TransportResponse(
          status: status, headerBlock: head, body: [], version: "", timings: Timings()))
    }
    switch receiver.take(bytes) {
    case .goesOn: return keep(bytes)
    case .ends(let count):
      isCut = true
      return keep(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    case .taken:
      droppedCount += bytes.count
      transfer?.received(bytes.count)
      return nil
    case .fails(let error): return error
    }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> TransportError? {
    if body.isEmpty, let length = announcedLength {
      guard length <= bodyLimit else { return .tooLarge(bodyLimit) }
      let most = wantsBody ? Self.largestFirstReserve : TransportResponse.excerptSize
      body.reserveCapacity(min(length, most))
      if droppedCount == 0 { transfer?.expects(length) }
    }
    guard bytes.count <= bodyLimit - body.count - droppedCount else { return .tooLarge(bodyLimit) }
    guard wantsBody else {
      let kept = bytes.prefix(max(0, TransportResponse.excerptSize - body.count))
      guard budget?.take(kept.count) != false else { return .noMemoryLeft }
      body.append(contentsOf: kept)
      droppedCount += bytes.count - kept.count
      transfer?.received(bytes.count)
      return nil
    }
    guard budget?.take(bytes.count) != false else { return .noMemoryLeft }
    if body.capacity < body.count + bytes.count, body.count >= Self.largestFirstReserve {
      // The part of a body after which its announced length is believed, and allocated at once.
      if let length = announcedLength { body.reserveCapacity(min(length, bodyLimit)) }
    }
    body.append(contentsOf: bytes)
    transfer?.received(bytes.count)
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// The status of a status line, which has a space and three digits after the version.
  fileprivate var status: Int {
    guard let space = firstIndex(of: UInt8(ascii: " ")) else { return 0 }
    return self[(space + 1)...].prefix(3).reduce(0) { $0 * 10 + Int($1 &- 48) }
  }

  /// `text` is in lower case.
  func startsIgnoringASCIICase(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      let byte = self[index]
      if (byte &- 65 < 26 ? byte | 0x20 : byte) != text.utf8Start[index] { return false }
    }
    return true
  }
}
