import CurlTransports
import Foundation
import PipelineJSONText
import PipelineKit
import PipelineSourceText
import PipelineTestSupport
import Synchronization
import Testing

@testable import PipelineCommand

/// Random faults for minutes. Afterwards display, report, events and `limits.requests` say of each run
/// what the server's own log says.
///
/// `LONG_TESTS=1 SOAK_SECONDS=600 swift test --filter SoakTests`
@Suite struct SoakTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static let isWanted = variables["LONG_TESTS"] == "1"
  private static let duration = Duration.seconds(Int(variables["SOAK_SECONDS"] ?? "") ?? 600)
  private static let seed = UInt64(variables["SOAK_SEED"] ?? "") ?? 17

  @Test(.enabled(if: isWanted, "LONG_TESTS=1 is not set"))
  func allCountsAgreeWithTheServersLog() async throws {
    var random = SeededGenerator(seed: Self.seed)
    var total = Figures()
    let end = ContinuousClock.now + Self.duration
    while ContinuousClock.now < end {
      let figures = try await Self.run(&random)
      let run = "run \(total.runs), seed \(Self.seed)"
      #expect(figures.reported == figures.logged, "\(run): the report and the server's log")
      #expect(figures.inEvents == figures.logged, "\(run): the events and the server's log")
      #expect(figures.displayed == figures.logged, "\(run): the display and the server's log")
      #expect(figures.logged <= figures.limit, "\(run): limits.requests and the server's log")
      #expect(figures.repeatedPOSTs == 0, "\(run): POSTs that arrived twice")
      total.add(figures)
      if total.hasDifference { break }
    }
    #expect(total.runs > 0)
    #expect(total.logged > 0)
    print("soak: \(total.words)")
  }

  // MARK: One run

  private struct Figures {
    var runs = 0
    var reported = 0
    var inEvents = 0
    var displayed = 0
    var logged = 0
    var limit = 0
    var repeatedPOSTs = 0
    var cancelled = 0
    var ended = 0
    var limited = 0
    var failures = 0

    var hasDifference: Bool {
      reported != logged || inEvents != logged || displayed != logged || repeatedPOSTs > 0
    }

    mutating func add(_ other: Figures) {
      runs += 1
      reported += other.reported
      inEvents += other.inEvents
      displayed += other.displayed
      logged += other.logged
      repeatedPOSTs += other.repeatedPOSTs
      cancelled += other.cancelled
      ended += other.ended
      limited += other.limited
      failures += other.failures
    }

    var words: String {
      "\(runs) runs, of which \(cancelled) were cancelled and \(ended) met their deadline; "
        + "\(limited) met limits.requests; \(failures) failures; requests in the server's log "
        + "\(logged), in reports \(reported), in events \(inEvents), on the display \(displayed); "
        + "\(repeatedPOSTs) POSTs twice"
    }
  }

  private static func run(_ random: inout SeededGenerator) async throws -> Figures {
    let log = FaultLog(seed: random.next())
    let server = try RawServer { connection in
      log.serve(connection)
      log.noteEnd()
    }
    let transport = CurlTransport()
    let ending = Int.random(in: 0..<4, using: &random)
    let time = Int.random(in: 5..<250, using: &random)
    let isLimited = Int.random(in: 0..<4, using: &random) == 0
    let limit = isLimited ? Int.random(in: 1..<200, using: &random) : 1_000_000
    let rate = Int.random(in: 0..<4, using: &random) == 0 ? #""rate": "400/1s", "# : ""
    let pipeline = try Pipeline(
      workflow(
        server,
        limits: rate + (ending == 1 ? #""deadline": "\#(time)ms", "# : "")
          + #""requests": \#(limit)"#), transport: transport)
    let run = pipeline.run(inputs: ["large": .string(String(repeating: "x", count: 300_000))])
    let screen = Screen()
    let printer = RunPrinter(
      stream: TextStream(screen, environment: [:]), detail: .steps, isLive: false,
      renderer: DiagnosticRenderer(), clock: RunOptions().clock)
    let canceller = Task {
      guard ending == 0 else { return }
      try await Task.sleep(for: .milliseconds(time))
      run.cancel()
    }
    var figures = Figures(limit: limit)
    for await event in run.events() {
      printer.receive(event)
      if case .requestFinished(let request) = event.kind { figures.inEvents += request.requests }
    }
    let report = try await run.result.report
    canceller.cancel()
    printer.finish(report)
    transport.shutdown()
    try await log.waitForEnd(of: server)
    figures.reported = report.counts.requests
    figures.displayed = screen.requests
    figures.logged = log.count
    figures.repeatedPOSTs = log.repeatedPOSTs
    figures.cancelled = ending == 0 && report.status == .cancelled ? 1 : 0
    figures.ended = ending == 1 && report.stopReason != nil ? 1 : 0
    figures.limited = isLimited && report.counts.requests == limit ? 1 : 0
    figures.failures = report.failures.count
    return figures
  }

  private static func workflow(_ server: RawServer, limits: String) -> String {
    let each = #""forEach": {"from": 1, "to": 60}, "as": "n", "onItemError": "collect""#
    return #"""
      {
        "inputs": {"large": {"type": "string"}, "p": {"type": "string", "default": "x"}},
        "limits": {"concurrency": 24, \#(limits)},
        "defaults": {
          "baseURL": "\#(server.url(""))", "onError": "continue",
          "timeout": {"total": "400ms", "silence": "120ms"}
        },
        "steps": [
          {"id": "get", \#(each), "endpoint": "GET /get/{{n}}",
            "retry": {"attempts": 2, "delay": "1ms"}},
          {"id": "post", \#(each), "endpoint": "POST /post/{{n}}", "body": {"text": "{{n}}"}},
          {"id": "large", \#(each), "endpoint": "POST /large/{{n}}",
            "body": {"text": "{{inputs.large}}"}},
          {"id": "put", \#(each), "endpoint": "PUT /put/{{n}}", "body": {"text": "{{n}}"},
            "retry": 3},
          {"id": "digest", \#(each), "endpoint": "POST /digest/{{n}}", "body": {"text": "{{n}}"},
            "auth": {"digest": {"user": "u", "password": "{{inputs.p}}"}}}
        ]
      }
      """#
  }

  /// Keeps the number of requests that the last line says.
  private final class Screen: PipelineCommand.Stream {
    private let last = Mutex<[UInt8]>([])
    let terminal: TerminalSize? = nil
    let failure: String? = nil

    func write(_ bytes: [UInt8]) { last.withLock { $0 = bytes } }

    var requests: Int {
      let text = last.withLock { String(decoding: $0, as: UTF8.self) }
      let fact = text.split(separator: " · ").first { $0.contains(" request") } ?? ""
      return Int(fact.filter(\.isNumber)) ?? -1
    }
  }
}

/// What a server saw, request by request, which it treats badly at random.
private final class FaultLog: Sendable {
  private enum Fault: CaseIterable {
    case answerAndEnd, answerThatEnds, firstByte, afterHead, withinBody, afterBody
    case withinStatusLine, withinHeader, withinAnswer, silence, busy, redirect
  }

  private struct State {
    var random: SeededGenerator
    var count = 0
    var posts: [String: Int] = [:]
    var endedConnections = 0
  }

  private let state: Mutex<State>

  init(seed: UInt64) {
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  /// The requests of which at least a byte arrived.
  var count: Int { state.withLock { $0.count } }

  /// POSTs that arrived more than once, beyond what authentication asks for.
  var repeatedPOSTs: Int { state.withLock { $0.posts.values.count { $0 > 1 } } }

  func noteEnd() { state.withLock { $0.endedConnections += 1 } }

  /// Returns when all that was sent has been read: no client is left.
  func waitForEnd(of server: RawServer) async throws {
    // Connections are taken in their order, so all that were made before this one are then known.
    let last = CurlTransport()
    defer { last.shutdown() }
    while await (try? last.send(TransportRequest(url: server.url("/end")))) == nil {
      // Its first byte was treated as that of any other.
      state.withLock { $0.count -= 1 }
    }
    let start = ContinuousClock.now
    while state.withLock({ $0.endedConnections }) < server.connectionCount {
      try #require(start.duration(to: .now) < .seconds(60), "a connection does not end")
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  func serve(_ connection: RawConnection) {
    while connection.fill() {
      let (fault, resets) = begin()
      if fault == .firstByte { return connection.end(reset: resets) }
      guard let head = connection.readHead() else { return }
      if head.hasPrefix("GET /end") {
        state.withLock { $0.count -= 1 }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return
      }
      note(head)
      guard answer(head, connection, fault, resets) else { return }
    }
  }

  /// Counts a request whose first byte is there, and draws what happens to it.
  private func begin() -> (fault: Fault?, resets: Bool) {
    state.withLock { state in
      state.count += 1
      let isBad = Int.random(in: 0..<10, using: &state.random) < 3
      return (
        isBad ? Fault.allCases.randomElement(using: &state.random) : nil,
        Bool.random(using: &state.random)
      )
    }
  }

  private func note(_ head: String) {
    let isPOST = head.hasPrefix("POST /post") || head.hasPrefix("POST /large")
    let isProof = head.lowercased().contains("authorization: digest")
    guard isPOST || isProof else { return }
    let line = String(head.prefix { $0 != "\r\n" })
    state.withLock { $0.posts[line, default: 0] += 1 }
  }

  /// `false`: the connection is over.
  private func answer(
    _ head: String, _ connection: RawConnection, _ fault: Fault?, _ resets: Bool
  ) -> Bool {
    let size = Self.bodySize(head)
    func readAndWrite(_ text: String) {
      connection.read(count: size)
      connection.write(text)
    }
    let isBare =
      head.hasPrefix("POST /digest") && !head.lowercased().contains("authorization: digest")
    let good =
      isBare
      ? "HTTP/1.1 401 No\r\nContent-Length: 0\r\n"
        + "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\n\r\n"
      : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    switch fault {
    case nil:
      readAndWrite(good)
      return true
    case .busy:
      readAndWrite("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
      return true
    case .redirect where head.hasPrefix("GET"):
      readAndWrite("HTTP/1.1 302 Found\r\nLocation: /moved\r\nContent-Length: 0\r\n\r\n")
      return true
    case .answerAndEnd, .redirect:
      // What the client sends before it knows is read, too.
      readAndWrite(good)
      connection.endWriting()
      while connection.fill() {
        _ = begin()
        guard let head = connection.readHead() else { break }
        note(head)
        connection.read(count: Self.bodySize(head))
      }
      return false
    case .answerThatEnds:
      readAndWrite("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
      connection.endWriting()
      connection.waitForClose()
      return false
    case .silence:
      connection.waitForClose()
      return false
    case .firstByte, .afterHead: break
    case .withinBody: connection.read(count: size / 2)
    case .afterBody: connection.read(count: size)
    case .withinStatusLine: readAndWrite("HTTP/1.1 20")
    case .withinHeader: readAndWrite("HTTP/1.1 200 OK\r\nContent-Len")
    case .withinAnswer: readAndWrite("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
    }
    connection.end(reset: resets)
    return false
  }

  private static func bodySize(_ head: String) -> Int {
    let field = head.lowercased().split(separator: "content-length: ").dropFirst().first
    return field.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
  }
}
