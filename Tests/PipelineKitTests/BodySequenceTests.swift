import Foundation
import PipelineTestSupport
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelineKit
@testable import PipelineTesting

/// Bodies that an `AsyncSequence` gives.
@Suite struct BodySequenceTests {
  private let folder = TemporaryFolder()

  private struct Broken: Error, CustomStringConvertible {
    let description = "the camera was closed"
  }

  private var files: MemoryFiles {
    MemoryFiles(temporaryFolder: URL(fileURLWithPath: folder.path))
  }

  private func pieces(_ bytes: ClosedRange<UInt8>) -> AsyncStream<Data> {
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    for byte in bytes { continuation.yield(Data([byte])) }
    continuation.finish()
    return stream
  }

  private func pipeline(
    _ step: String, _ files: any FileAccess, _ transport: any Transport,
    clock: any RunClock = VirtualClock()
  ) throws -> Pipeline {
    var options = RunOptions()
    options.files = files
    options.clock = clock
    return try Pipeline(
      "{\"steps\": [{\"id\": \"a\", \"endpoint\": \"PUT https://api.example/a\", \(step)}]}",
      transport: transport, options: options)
  }

  /// What the file of a request held when the request came.
  private func content(of body: TransportBody) -> [UInt8] {
    switch body {
    case .file(let path): return readFile(path) ?? []
    case .multipart(let parts):
      return parts.flatMap { part -> [UInt8] in
        guard case .file(let path) = part.content else { return [] }
        return readFile(path) ?? []
      }
    case .none, .bytes: return []
    }
  }

  @Test func eachAttemptSendsTheSameBytes() async throws {
    let bodies = Mutex<[[UInt8]]>([])
    let transport = ScriptedTransport { request in
      let count = bodies.withLock { bodies in
        bodies.append(self.content(of: request.body))
        return bodies.count
      }
      switch count {
      case 1: return .refused
      case 2: return .status(503)
      case 3: return .status(307, headers: [HeaderField("Location", "https://api.example/b")])
      default: return .json([:])
      }
    }
    let files = files
    files.add("films/live.mp4", contentsOf: pieces(1...9))
    let pipeline = try pipeline(
      #""body": {"file": "films/live.mp4"}, "retry": {"attempts": 3, "delay": "1s"}"#, files,
      transport)
    try await pipeline.run().result.get()
    #expect(bodies.withLock { $0 } == Array(repeating: Array(1...9), count: 4))
    // Another run has them, too.
    try await pipeline.run().result.get()
    #expect(bodies.withLock { $0.last } == Array(1...9))
    let paths = Set(transport.requests.map { "\($0.body)" })
    #expect(paths.count == 1)
    #expect(paths.first?.hasSuffix("/live.mp4\")") == true)
    files["films/live.mp4"] = nil
    #expect(folder.names.isEmpty)
  }

  @Test func severalRequestsReadTheSequenceOnce() async throws {
    let bodies = Mutex<[[UInt8]]>([])
    let transport = ScriptedTransport { request in
      bodies.withLock { $0.append(self.content(of: request.body)) }
      return .json([:])
    }
    let files = files
    files.add("live", contentsOf: pieces(1...200))
    let pipeline = try pipeline(
      #""forEach": {"from": 1, "to": 20}, "body": {"multipart": [{"name": "f", "file": "live"}]}"#,
      files, transport)
    try await pipeline.run().result.get()
    #expect(bodies.withLock { $0 } == Array(repeating: Array(1...200), count: 20))
  }

  /// A look through all files for each request would take many minutes.
  @Test(.timeLimit(.minutes(5))) func aSequenceIsFoundAmongManyFiles() async throws {
    let files = files
    for number in 0..<100_000 { files["\(number)"] = Data() }
    files.add("old", contentsOf: pieces(1...2))
    let old = try #require(try files.body("old").files.first)
    files.add("old", contentsOf: pieces(3...4))
    for _ in 0..<20_000 { try await files.prepare(old, on: globalConcurrentExecutor) }
    #expect(folder.names.isEmpty, "the first sequence is read, though it was replaced")
    let new = try #require(try files.body("old").files.first)
    for _ in 0..<20_000 { try await files.prepare(new, on: globalConcurrentExecutor) }
    #expect(readFile(new) == [3, 4])
  }

  /// Files of an app that adds something to those in memory.
  private struct WrappedFiles: FileAccess {
    let files: MemoryFiles

    func read(_ path: String) throws(FileError) -> [UInt8] { try files.read(path) }
    func resolve(_ path: String) throws(FileError) -> String { try files.resolve(path) }
    func save(_ bytes: [UInt8], to path: String) throws(FileError) {
      try files.save(bytes, to: "saved/" + path)
    }
    func body(_ path: String) throws(FileError) -> TransportBody { try files.body(path) }
    func prepare(_ path: String, on executor: any TaskExecutor) async throws(FileError) {
      try await files.prepare(path, on: executor)
    }
  }

  @Test func aSequenceIsReadBehindFilesOfAnApp() async throws {
    let bodies = Mutex<[[UInt8]]>([])
    let transport = ScriptedTransport { request in
      bodies.withLock { $0.append(self.content(of: request.body)) }
      return .json([:])
    }
    let files = files
    files.add("live", contentsOf: pieces(1...9))
    try await pipeline(
      #""body": {"multipart": [{"name": "f", "file": "live"}]}"#, WrappedFiles(files: files),
      transport
    ).run().result.get()
    #expect(bodies.withLock { $0 } == [Array(1...9)])
  }

  @Test func bytesAreTakenOneByOne() async throws {
    let (bytes, continuation) = AsyncThrowingStream.makeStream(of: UInt8.self)
    for number in 0..<200_000 { continuation.yield(UInt8(truncatingIfNeeded: number)) }
    continuation.finish()
    let found = Mutex<[UInt8]>([])
    let transport = ScriptedTransport { request in
      found.withLock { $0 = self.content(of: request.body) }
      return .json([:])
    }
    let files = files
    files.add("live", contentsOf: bytes)
    try await pipeline(#""body": {"file": "live"}"#, files, transport).run().result.get()
    #expect(found.withLock { $0 } == (0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test func aSequenceThatThrowsFailsTheRequestBeforeItIsSent() async throws {
    let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    continuation.yield(Data([1, 2]))
    continuation.finish(throwing: Broken())
    let transport = ScriptedTransport { _ in .json([:]) }
    let files = files
    files.add("live", contentsOf: pieces)
    let pipeline = try pipeline(
      #""body": {"file": "live"}, "retry": {"attempts": 3, "delay": "1s"}"#, files, transport)
    for _ in 0..<2 {
      let failure = try #require(try await pipeline.run().result.report.failures.first?.failure)
      #expect(failure.kind == .file)
      #expect(
        failure.message == "'live' cannot be read: its sequence threw: the camera was closed")
    }
    #expect(transport.requests.isEmpty)
    #expect(folder.names.isEmpty)
    // A new sequence takes its place.
    files.add("live", contentsOf: self.pieces(1...2))
    try await pipeline.run().result.get()
  }

  @Test(.timeLimit(.minutes(5))) func aRunThatIsCancelledLeavesNoFile() async throws {
    let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    continuation.yield(Data([1, 2]))
    let transport = ScriptedTransport { _ in .json([:]) }
    let files = files
    files.add(
      "live",
      contentsOf: pieces.map { piece in
        start.yield()
        return piece
      })
    let pipeline = try pipeline(
      #""body": {"file": "live"}"#, files, transport, clock: SystemClock())
    let run = pipeline.run().start()
    for await _ in started { break }
    // A stream ends, and throws nothing, when its task is cancelled.
    run.cancel()
    #expect(try await run.result.status == .cancelled)
    #expect(transport.requests.isEmpty)
    #expect(folder.names.isEmpty)
    let failure = try #require(try await pipeline.run().result.report.failures.first?.failure)
    #expect(failure.kind == .file)
    #expect(
      failure.message
        == "'live' cannot be read: the steps that needed it were cancelled while its sequence was"
        + " read; add it again")
    #expect(transport.requests.isEmpty)
  }

  @Test func aSequenceIsReadOnForThoseThatStillWait() async throws {
    let (pieces, feed) = AsyncStream.makeStream(of: [UInt8].self)
    let spool = BodySpool("live", in: folder.path) { write in
      for await piece in pieces { try write(piece) }
    }
    let tasks = (0..<2).map { _ in
      Task { try await spool.fill(on: globalConcurrentExecutor) }
    }
    while spool.waiterCount < 2 { await Task.yield() }
    tasks[0].cancel()
    let ending = await tasks[0].result
    #expect(throws: FileError.self) { try ending.get() }
    _ = feed.yield([1, 2])
    feed.finish()
    try await tasks[1].value
    #expect(readFile(spool.path) == [1, 2])
  }

  @Test func aSequenceIsNoValue() async throws {
    let files = files
    files.add("live", contentsOf: pieces(1...2))
    #expect(files.paths == ["live"])
    #expect(files.exists("live"))
    #expect(files["live"] == nil)
    #expect(
      throws: FileError(
        "'live' cannot be read as a value: a sequence gives it, and it is only sent")
    ) { try files.read("live") }
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() async throws {
    let files = MemoryFiles(temporaryFolder: URL(fileURLWithPath: "/none"))
    files.add("live", contentsOf: pieces(1...2))
    let transport = ScriptedTransport { _ in .json([:]) }
    let failure = try #require(
      try await pipeline(#""body": {"file": "live"}"#, files, transport).run().result.report
        .failures.first?.failure)
    #expect(failure.message.hasPrefix("'live' cannot be kept in '/none/pipeline-body-"))
    #expect(failure.message.hasSuffix(": no such file or folder"))
  }
}
