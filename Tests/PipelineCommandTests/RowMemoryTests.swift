import PipelineHTTPServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tables of a server go through a process in flat memory, whatever their size.
///
/// By default they are small, and only the limits of the file show that nothing holds them as a
/// whole. With `LONG_TESTS=1` they have a gigabyte, or as many megabytes as `TABLE_MEGABYTES` says.
@Suite(.ownThreads, .enabled(if: ChildProcess.executable != nil, "the program is not built"))
struct RowMemoryTests {
  private static let megabytes: Int = {
    if let text = getenv("TABLE_MEGABYTES").map({ String(cString: $0) }), let count = Int(text) {
      return count
    }
    return LongTests.count(2, long: 1_000)
  }()

  /// A row of a kilobyte, as each format writes it.
  private static func row(_ format: String) -> String {
    let note = String(repeating: "x", count: 1_000)
    switch format {
    case "csv": return "7,\(note)\n"
    case "sse": return "data: {\"id\": 7, \"note\": \"\(note)\"}\n\n"
    default: return "{\"id\": 7, \"note\": \"\(note)\"}\n"
    }
  }

  /// A server that has many rows.
  private func server(_ format: String) throws -> (server: HTTPServer, rows: Int) {
    let row = Self.row(format)
    let count = 1_000
    let piece = Array(String(repeating: row, count: count).utf8)
    let pieces = Self.megabytes
    let type = ["csv": "text/csv", "sse": "text/event-stream"][format] ?? "application/x-ndjson"
    let server = try HTTPServer.start(port: 0) { _ in
      HTTPServer.Handler(
        respond: { _, _ in
          var left = pieces
          var hasBegun = format != "csv"
          return .stream(
            PieceSource {
              if !hasBegun {
                hasBegun = true
                return Array("id,note\n".utf8)
              }
              guard left > 0 else { return nil }
              left -= 1
              return piece
            }, type: type)
        },
        refuse: { .empty($0.status) })
    }
    return (server, count * pieces)
  }

  @Test(arguments: ["csv", "ndjson", "sse"])
  func rowsGoThroughInFlatMemory(format: String) async throws {
    let (server, rows) = try server(format)
    defer { server.stop() }
    let folder = TemporaryFolder()
    let file = folder.write(
      """
      {"limits": {"memory": "512KB", "responseSize": "256KB", "items": 100000000},
       "steps": [{"id": "list", "endpoint": "GET http://127.0.0.1:\(server.port)/x",
         "read": "\(format)", "timeout": "1h", "extract": {"rows": "$[*]"}}],
       "outputs": {"rows": "$.list.rows"}}
      """, to: "w.json")
    let target = folder.path + "/out.ndjson"
    let process = try #require(
      ChildProcess(
        ["run", file, "-q", "--no-store", "--sink", "rows=" + target],
        environment: ["TMPDIR": folder.path]))
    // The peak is gone with the process, and nothing tells that it is about to end.
    var peak = 0
    while LongTests.areWanted, !process.hasEnded {
      peak = max(peak, process.peakBytes ?? 0)
      Waiting.moment(20_000)
    }
    let ended = process.wait()
    #expect(ended.status == 0, "\(ended.error)")
    #expect(lineCount(of: target) == rows)
    guard LongTests.areWanted else { return }
    #expect(peak < 100 << 20, "\(peak) bytes")
    print("\(Self.megabytes) MB of \(format): \(peak >> 20) MB")
  }

  /// The lines of a file that is too large to be read as a whole.
  private func lineCount(of path: String) -> Int {
    guard let file = fopen(path, "r") else { return -1 }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    while true {
      let read = fread(&buffer, 1, buffer.count, file)
      if read == 0 { return count }
      count += buffer[..<read].count { $0 == 0x0A }
    }
  }
}
