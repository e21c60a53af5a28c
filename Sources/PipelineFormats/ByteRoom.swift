/// Bytes that are written one after the other, through a pointer. The one who writes makes sure that
/// there is room.
struct ByteRoom: ~Copyable {
  private(set) var base: UnsafeMutablePointer<UInt8>
  /// How many bytes are written. Going back takes back what was written since.
  private(set) var count = 0
  private var capacity: Int

  /// What may be read and written behind a short text that is copied.
  static let slack = 16

  init(capacity: Int) {
    self.capacity = capacity + Self.slack
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  /// Takes back all that was written since there were `count` bytes.
  mutating func goBack(to count: Int) { self.count = count }

  /// Makes room for `more` bytes behind those that are written.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if capacity - count < more + Self.slack { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let capacity = max(2 * self.capacity, count + more + Self.slack)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    self.capacity = capacity
  }

  /// Writes a byte for which there is room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    base[count] = byte
    count &+= 1
  }

  /// Copies bytes for which there is room. Behind them, `slack` bytes can be read.
  @inline(__always)
  mutating func put(_ text: UnsafePointer<UInt8>, _ length: Int) {
    if length <= 16 {
      let from = UnsafeRawPointer(text)
      let to = UnsafeMutableRawPointer(base + count)
      let low = from.loadUnaligned(as: UInt64.self)
      let high = from.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      to.storeBytes(of: low, as: UInt64.self)
      to.storeBytes(of: high, toByteOffset: 8, as: UInt64.self)
    } else {
      (base + count).update(from: text, count: length)
    }
    count &+= length
  }

  /// Adds bytes.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count)
    (base + count).update(from: start, count: text.count)
    count += text.count
  }

  mutating func append(_ text: [UInt8]) { text.withUnsafeBufferPointer { append($0) } }

  /// Adds a text in UTF-8 as a JSON string, with the escapes that RFC 8259 §7 demands.
  mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    reserve(6 * text.count + 2)
    put(Byte.quote)
    for byte in text {
      if byte >= 0x20, byte != Byte.quote, byte != Byte.backslash {
        put(byte)
      } else {
        put(escape: byte)
      }
    }
    put(Byte.quote)
  }

  /// Adds the content of a quoted CSV field as a JSON string. Each doubled quote in it is one quote.
  mutating func append(quotedField text: UnsafeBufferPointer<UInt8>) {
    reserve(6 * text.count + 2)
    put(Byte.quote)
    var index = 0
    while index < text.count {
      let byte = text[index]
      index &+= byte == Byte.quote ? 2 : 1
      if byte >= 0x20, byte != Byte.quote, byte != Byte.backslash {
        put(byte)
      } else {
        put(escape: byte)
      }
    }
    put(Byte.quote)
  }

  private mutating func put(escape byte: UInt8) {
    put(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: put(byte)
    case Byte.lineFeed: put(UInt8(ascii: "n"))
    case Byte.carriageReturn: put(UInt8(ascii: "r"))
    case Byte.tab: put(UInt8(ascii: "t"))
    default:
      for digit in [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")] { put(digit) }
      put(Self.hexadecimal(byte >> 4))
      put(Self.hexadecimal(byte & 15))
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? 0x30 + digit : 0x57 + digit
  }
}
