package import PipelineByteText

/// The first 128 bits of a SHA-256 hash.
public struct Fingerprint: Hashable, Sendable {
  /// The first 64 bits.
  public let high: UInt64
  /// The other 64 bits.
  public let low: UInt64

  /// A fingerprint of these bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package static let none = Fingerprint(high: 0, low: 0)
  /// The lineage of the run's outermost pass, if there is a journal.
  package static let root = Fingerprint(high: 0, low: 1)

  package init(_ hash: consuming SHA256) {
    (high, low) = hash.finishShort()
  }

  /// Sixteen bytes, the highest first.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }

  /// - Parameter bytes: Sixteen of them; `nil` if there are more or fewer.
  @inlinable public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
    (self.high, self.low) = (high, low)
  }
}

/// The identity of a unit in another process.
public struct UnitKey: Hashable, Sendable {
  /// The step's id after the ids of the blocks and calls around it, joined with dots.
  public let step: String
  /// The positions of the items around it, outermost first, and its own, each from 0.
  public let place: [Int]
  /// The fingerprint of the unit's work: its step as written, defaults included, and every value
  /// that it reads, except secrets. `nil` if a person settled the unit, whatever its work.
  public let digest: Fingerprint?

  /// The key of a unit of a step.
  public init(step: String, place: [Int], digest: Fingerprint?) {
    self.step = step
    self.place = place
    self.digest = digest
  }

  /// Whether it belongs to a pass through the block or the file of a step.
  func isInPass(_ step: String, _ place: [Int]) -> Bool {
    self.step.hasPrefix(bytes: step + ".") && self.place.starts(with: place)
  }

  /// Whether it belongs to a step, or to one inside it.
  func isIn(_ step: String) -> Bool {
    self.step.equals(bytes: step) || self.step.hasPrefix(bytes: step + ".")
  }

  /// A number for step and place. Collisions are very rare.
  public var placeHash: UInt64 { Self.placeHash(step: Self.hash(of: step), place) }

  /// A number for a step and a place.
  ///
  /// - Parameters:
  ///   - step: What `hash(of:)` gives for the step.
  ///   - place: The positions of the items around, and of the item.
  @inlinable public static func placeHash(step: UInt64, _ place: some Sequence<Int>) -> UInt64 {
    place.reduce(step) { mixed($0 ^ UInt64(bitPattern: Int64($1))) }
  }

  /// A number for the id of a step, by FNV-1a.
  public static func hash(of step: String) -> UInt64 {
    step.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// Spreads a number over all bits (splitmix64).
  @usableFromInline package static func mixed(_ number: UInt64) -> UInt64 {
    var x = number &+ 0x9e37_79b9_7f4a_7c15
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }
}
