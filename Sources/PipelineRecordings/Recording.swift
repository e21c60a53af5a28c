internal import PipelineByteText
internal import PipelineJSONText

/// Where a recording's bytes are: a file, or memory.
public protocol RecordingSource: Sendable {
  /// The number of bytes.
  var size: Int { get }
  /// The bytes in a range of the file, or fewer at its end.
  func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8]
}

/// Why a recording cannot be read or written.
public struct RecordingProblem: Error, Sendable, CustomStringConvertible {
  /// The problem, as one phrase that follows the file's name.
  public let message: String

  /// A problem, as one phrase.
  public init(_ message: String) { self.message = message }

  /// The reason alone, for a message that says itself what cannot be done with the file.
  package var reason: String {
    for start in ["cannot be written: ", "cannot be read: "] where message.hasPrefix(bytes: start) {
      return String(message.dropFirst(bytes: start.utf8.count))
    }
    return message
  }

  /// The phrase.
  public var description: String { message }
}

/// A recording in memory.
public struct MemoryRecording: RecordingSource {
  private let bytes: [UInt8]

  /// Bytes that are read if they are.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  public var size: Int { bytes.count }

  /// Some of the bytes.
  public func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
    Array(bytes[range.clamped(to: 0..<bytes.count)])
  }
}

/// The entries of a recording by the asking step, or by method and URL if another tool recorded
/// them.
///
/// The entries stay in the file. Each is read when it is asked for.
public final class Recording: Sendable {
  /// The place of an entry.
  public struct Place: Sendable, Hashable {
    package let offset: Int
    package let length: Int

    package init(offset: Int, length: Int) {
      self.offset = offset
      self.length = length
    }
  }

  /// A method and a URL.
  private struct Target: Hashable {
    let method: String
    let url: ExactText

    init(_ method: String, _ url: String) {
      self.method = method
      // The text after '#' is not sent.
      self.url = ExactText(url.prefix(before: "#"))
    }
  }

  private let source: any RecordingSource
  /// The entries with keys. Those under the same key were sent one after the other.
  package let index: KeyIndex
  private let foreign: [Target: [Place]]
  /// The methods and URLs of entries without keys, in the order of the file.
  public let targets: [(method: String, url: String)]
  /// The shapes of secrets by name.
  public let shapes: [String: String]
  /// The values that the recorded run began with, if its requests depend on them.
  public let run: RecordedRun?

  /// The number of entries.
  public var count: Int { index.count + targets.count }

  /// The keys, sorted.
  ///
  /// - Complexity: O(entries), each time.
  public var keys: [RecordingKey] { (0..<index.count).map(index.key) }

  /// Indexes a recording, piece by piece.
  ///
  /// - Parameter source: The bytes of a HAR file.
  /// - Throws: `RecordingProblem` if they are not one.
  /// - Complexity: O(bytes). Holds one entry at a time.
  public init(_ source: any RecordingSource) throws(RecordingProblem) {
    self.source = source
    var index = KeyIndex()
    var foreign: [Target: [Place]] = [:]
    var targets: [(method: String, url: String)] = []
    let frame: [UInt8]
    do {
      frame = try Self.scan(source) { entry, exchange in
        let place = Place(offset: entry.offset, length: entry.text.count)
        guard let exchange else { return }
        if let key = exchange.key {
          index.add(key, at: place)
        } else {
          let request = exchange.request
          foreign[Target(request.method, request.url), default: []].append(place)
          targets.append((request.method, request.url))
        }
      }
    } catch {
      throw RecordingProblem("\(error)")
    }
    index.sort()
    self.index = index
    self.foreign = foreign
    self.targets = targets
    guard let document = try? JSONDocument.parse(frame) else {
      throw RecordingProblem("is not JSON")
    }
    let own = (document.root["log"] ?? document.root)["_pipeline"]
    var shapes: [String: String] = [:]
    if let secrets = own?["secrets"] {
      for member in secrets.members { shapes[member.name] = member.value.string }
    }
    self.shapes = shapes
    run = own?["run"].map { run in
      RecordedRun(
        id: run["id"]?.string,
        startedAt: (run["startedAt"]?.number?.double).map(FileNumber.seconds), state: run["state"],
        answers: run["answers"])
    }
  }

  /// Reads one entry after the other, holding one at a time.
  ///
  /// - Parameter body: Called with each entry, in the order of the file.
  /// - Throws: What `body` throws, or `RecordingProblem` if an entry cannot be read.
  public func readEach(_ body: (RecordedExchange) throws -> Void) throws {
    _ = try Self.scan(source) { _, exchange in
      if let exchange { try body(exchange) }
    }
  }

  /// The entries under a key, in the order sent.
  ///
  /// - Parameter key: The step, item, page and attempt of a request.
  public func places(for key: RecordingKey) -> [Place] { index.places(for: key) }

  /// Another tool's entries for a method and URL, in order.
  public func places(method: String, url: String) -> [Place] { foreign[Target(method, url)] ?? [] }

  /// The exchange at a place.
  ///
  /// - Parameter place: A place that this recording gave.
  /// - Throws: `RecordingProblem` if it can no longer be read.
  public func exchange(at place: Place) throws(RecordingProblem) -> RecordedExchange {
    let text = try source.read(place.offset..<place.offset + place.length)
    guard let document = try? JSONDocument.parse(text),
      let exchange = RecordedExchange(document.root)
    else { throw RecordingProblem("has changed since it was opened") }
    return exchange
  }

  /// - Returns: The file without its entries.
  private static func scan(
    _ source: any RecordingSource,
    _ body: (EntryScanner.Entry, RecordedExchange?) throws -> Void
  ) throws -> [UInt8] {
    var scanner = EntryScanner()
    var offset = 0
    while offset < source.size {
      let piece = try source.read(offset..<min(source.size, offset + pieceSize))
      guard !piece.isEmpty else { break }
      if offset == 0, piece.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
        throw RecordingProblem("is a zip file; name the .har file that is in it")
      }
      do {
        try scanner.read(piece) { entry in
          let document: JSONDocument
          do throws(JSONSyntaxError) {
            document = try JSONDocument.parse(entry.text)
          } catch {
            throw RecordingProblem(
              "is not JSON at byte \(entry.offset + error.range.lowerBound): \(error.message)")
          }
          try body(entry, RecordedExchange(document.root))
        }
      } catch let problem as EntryScanner.Problem {
        throw RecordingProblem(problem.message)
      }
      offset += piece.count
    }
    do throws(EntryScanner.Problem) {
      try scanner.finish()
    } catch {
      throw RecordingProblem(error.message)
    }
    return scanner.frame
  }

  private static let pieceSize = 256 << 10
}
