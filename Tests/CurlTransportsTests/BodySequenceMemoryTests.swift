import CurlTransports
import Foundation
import PipelineKit
import PipelineTestSupport
import Synchronization
import Testing
import URLSessionTransports

/// A body of 200 MB that a sequence gives.
@Suite struct BodySequenceMemoryTests {
  private static let pieceCount = 200
  private static let pieceSize = 1 << 20

  /// Counts the pieces that are in memory.
  private final class Pieces: AsyncSequence, Sendable {
    typealias Element = Data

    let living = Mutex((now: 0, most: 0))

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

    struct Iterator: AsyncIteratorProtocol {
      let pieces: Pieces
      var count = 0

      mutating func next() async -> Data? {
        guard count < BodySequenceMemoryTests.pieceCount else { return nil }
        count += 1
        return pieces.piece(UInt8(count))
      }
    }

    private func piece(_ byte: UInt8) -> Data {
      let size = BodySequenceMemoryTests.pieceSize
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      bytes.initializeMemory(as: UInt8.self, repeating: byte, count: size)
      living.withLock { $0 = ($0.now + 1, Swift.max($0.most, $0.now + 1)) }
      return Data(
        bytesNoCopy: bytes, count: size,
        deallocator: .custom { [self] bytes, _ in
          bytes.deallocate()
          living.withLock { $0.now -= 1 }
        })
    }
  }

  /// The bytes that the process has in memory; `nil`: not to be had here.
  private var residentBytes: Int? {
    guard let text = readFile("/proc/self/statm") else { return nil }
    let pages = String(decoding: text, as: UTF8.self).split(separator: " ").dropFirst().first
    return pages.flatMap { Int($0) }.map { $0 * 4096 }
  }

  @Test(arguments: [true, false]) func memoryStaysFlat(_ isCurl: Bool) async throws {
    let server = try RawServer { connection in
      while let head = connection.readHead() {
        let length = head.lowercased().range(of: "content-length: ")
          .map { head[$0.upperBound...].prefix { $0.isNumber } }
        guard connection.read(count: length.flatMap { Int($0) } ?? 0) else { return }
        let body = "\(length ?? "")"
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
    let folder = TemporaryFolder()
    let transport: any Transport = isCurl ? CurlTransport() : URLSessionTransport()
    var growth = Int.max
    // Other tests take memory, too, so that one quiet try is enough.
    for _ in 0..<3 where growth > 150 << 20 {
      let pieces = Pieces()
      let files = MemoryFiles(temporaryFolder: URL(fileURLWithPath: folder.path))
      files.add("film.mp4", contentsOf: pieces)
      let peak = Mutex(0)
      var options = RunOptions()
      options.files = files
      options.transferObserver = { _ in
        let now = self.residentBytes ?? 0
        peak.withLock { $0 = max($0, now) }
      }
      let before = residentBytes ?? 0
      let length = try await Pipeline(
        """
        {"inputs": {"url": {"type": "string"}},
         "steps": [{"id": "a", "endpoint": "PUT {{inputs.url}}", "body": {"file": "film.mp4"},
           "extract": {"length": "$"}}],
         "outputs": {"length": "{{a.length}}"}}
        """, transport: transport, options: options
      ).run(inputs: ["url": .string(server.url())]).result.output("length", as: Int.self)
      #expect(length == Self.pieceCount * Self.pieceSize)
      #expect(pieces.living.withLock { $0 } <= (0, 3))
      growth = peak.withLock { $0 } - before
    }
    #expect(growth < 150 << 20)
    #expect(folder.names.isEmpty)
  }
}
