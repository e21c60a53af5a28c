import PipelineJSONText
import PipelineRecordings
import PipelineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// HAR files that browsers, proxies and other tools wrote: those below `$HAR_DIR`, which are never
/// committed. CONTRIBUTING.md says where they come from.
@Suite struct ForeignRecordingTests {
  private static let folder = getenv("HAR_DIR").map { String(cString: $0) }

  private static let files: [String] = {
    guard let folder, let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".har") { names.append(name) }
    }
    return names.sorted()
  }()

  @Test(.enabled(if: folder != nil, "set HAR_DIR to a folder of HAR files"))
  func thereAreEnough() {
    #expect(Self.files.count >= 20)
  }

  /// Every exchange of a file is found, and read as a parser of the whole file sees it.
  @Test(.enabled(if: folder != nil, "set HAR_DIR to a folder of HAR files"), arguments: files)
  func everyExchangeIsRead(_ name: String) throws {
    let bytes = try #require(readFile((Self.folder ?? "") + "/" + name))
    guard let whole = try? JSONDocument.parse(bytes) else {
      #expect(throws: RecordingProblem.self) { try Recording(MemoryRecording(bytes)) }
      return
    }
    let log = whole.root["log"] ?? whole.root
    let exchanges = (log["entries"].map { Array($0.elements) } ?? []).compactMap {
      RecordedExchange($0)
    }
    guard log["entries"]?.kind == .array else {
      #expect(throws: RecordingProblem.self) { try Recording(MemoryRecording(bytes)) }
      return
    }
    let recording = try Recording(MemoryRecording(bytes))
    #expect(recording.count == exchanges.count)
    for exchange in exchanges {
      let request = exchange.request
      let places = recording.places(method: request.method, url: request.url)
      let found = try places.map { try recording.exchange(at: $0) }
      #expect(found.contains { $0.request == request }, "\(request.url)")
      // What is written of it is read as the same.
      var writer = JSONWriter()
      exchange.write(to: &writer)
      let again = try #require(RecordedExchange(writer.document().root))
      #expect(again.request == request)
      #expect(again.response?.status == exchange.response?.status)
      #expect(again.response?.body == exchange.response?.body)
    }
  }
}
