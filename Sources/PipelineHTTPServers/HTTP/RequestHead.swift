internal import PipelineByteText
internal import PipelineHTTPTerms

/// A request's first line and header fields, checked (RFC 9112 §§3, 5, 6).
struct RequestHead {
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  let method: String
  let target: String
  let minorVersion: Int
  let headers: [ServerRequest.Field]
  let framing: Framing
  let expectsContinue: Bool

  typealias Refusal = RequestParser.Refusal

  /// Reads a head that ends with an empty line.
  init(parsing bytes: ArraySlice<UInt8>) throws(Refusal) {
    var lines = Lines(rest: bytes)
    guard let first = try lines.next() else { throw Self.bad("the request line is missing") }
    (method, target, minorVersion) = try Self.requestLine(first)
    var headers: [ServerRequest.Field] = []
    headers.reserveCapacity(8)
    var body = BodyFields()
    while let line = try lines.next(), !line.isEmpty {
      let field = try Self.field(line)
      try body.note(field)
      headers.append(field)
    }
    guard body.hosts == 1 || (minorVersion == 0 && body.hosts == 0) else {
      throw Self.bad("a request has exactly one Host field")
    }
    self.headers = headers
    framing = try body.framing
    expectsContinue = body.expectsContinue && minorVersion >= 1
  }

  /// `GET /path HTTP/1.1`, parted by single spaces.
  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(Refusal) -> (String, String, Int) {
    let space = UInt8(ascii: " ")
    guard let first = line.firstIndex(of: space), let last = line.lastIndex(of: space),
      first < last
    else { throw bad("the request line is not 'method target version'") }
    let (method, target, version) = (
      line[..<first], line[(first + 1)..<last], line[(last + 1)...]
    )
    guard !method.isEmpty, method.allSatisfy(\.isTokenCharacter) else {
      throw bad("the method is not a token")
    }
    guard !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw bad("the request target holds spaces or control characters")
    }
    guard target.count <= 16 << 10 else {
      throw Refusal(status: 414, message: "the request target is longer than 16384 bytes")
    }
    let minor: Int
    if version.elementsEqual("HTTP/1.1".utf8) {
      minor = 1
    } else if version.elementsEqual("HTTP/1.0".utf8) {
      minor = 0
    } else if version.starts(with: "HTTP/".utf8) {
      throw Refusal(status: 505, message: "only HTTP/1.0 and HTTP/1.1 are spoken here")
    } else {
      throw bad("the request line does not end with a version")
    }
    return (
      String(decoding: method, as: UTF8.self), String(decoding: target, as: UTF8.self), minor
    )
  }

  /// `Name: value` without space before the colon and without folding.
  private static func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> ServerRequest.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(\.isTokenCharacter)
    else { throw bad("a header line is not 'name: value'") }
    var value = line[(colon + 1)...]
    while let byte = value.first, byte == 0x20 || byte == 0x09 { value.removeFirst() }
    while let byte = value.last, byte == 0x20 || byte == 0x09 { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw bad("a header value holds control characters")
    }
    return ServerRequest.Field(
      String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  fileprivate static func bad(_ message: String) -> Refusal {
    Refusal(status: 400, message: message)
  }
}

/// Lines that end with CR LF. A bare LF or CR is refused, so that no two readers split differently.
private struct Lines {
  var rest: ArraySlice<UInt8>

  mutating func next() throws(RequestParser.Refusal) -> ArraySlice<UInt8>? {
    guard let feed = rest.firstIndex(of: .lineFeed) else { return nil }
    guard feed > rest.startIndex, rest[feed - 1] == .carriageReturn else {
      throw RequestHead.bad("a line ends without CR LF")
    }
    let line = rest[rest.startIndex..<(feed - 1)]
    rest = rest[(feed + 1)...]
    return line
  }
}

/// The fields that decide the end of the body.
private struct BodyFields {
  var hosts = 0
  var expectsContinue = false
  private var length: Int?
  private var transferEncoding: String?

  mutating func note(_ field: ServerRequest.Field) throws(RequestParser.Refusal) {
    switch field.name.utf8.count {
    case 4 where field.name.equalsIgnoringASCIICase("Host"):
      hosts += 1
    case 6 where field.name.equalsIgnoringASCIICase("Expect"):
      expectsContinue = field.value.equalsIgnoringASCIICase("100-continue")
    case 14 where field.name.equalsIgnoringASCIICase("Content-Length"):
      guard !field.value.isEmpty, field.value.utf8.allSatisfy({ (48...57).contains($0) }),
        let value = Int(field.value), length == nil || length == value
      else { throw RequestHead.bad("Content-Length is not one whole number") }
      length = value
    case 17 where field.name.equalsIgnoringASCIICase("Transfer-Encoding"):
      transferEncoding = (transferEncoding.map { $0 + "," } ?? "") + field.value.lowercased()
    default: break
    }
  }

  var framing: RequestHead.Framing {
    get throws(RequestParser.Refusal) {
      guard let transferEncoding else { return length.map { .length($0) } ?? .none }
      guard length == nil else {
        throw RequestHead.bad("Content-Length and Transfer-Encoding exclude each other")
      }
      guard transferEncoding == "chunked" else {
        throw RequestParser.Refusal(
          status: 501, message: "the only transfer encoding known here is 'chunked'")
      }
      return .chunked
    }
  }
}
