import CurlTransports
import Foundation
import PipelineHTTPServers
import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing
import URLSessionTransports

/// libcurl and URLSession, over every sample and every fault: the same outputs, failures and
/// requests. What differs is in `exceptions`, by name, and in the table of docs/embedding.md.
@Suite(.ownThreads) struct TransportConformanceTests {
  /// What URLSession does otherwise on Linux, and the words of docs/embedding.md that say so.
  private static let exceptions: [String: (outcome: String, words: String)] = [
    "two lengths": ("200 3 [] after 1 × 1", "two different `Content-Length` fields"),
    "a header of a megabyte": ("interrupted after 1 × 1", "headers of a megabyte"),
    "bytes that are not UTF-8 in a header": (
      "interrupted after 1 × 1", "header fields that are not UTF-8"
    ),
    "gzip that ends early": ("200 3 [] after 1 × 1", "a gzip body that ends early"),
    "GET with a body": ("unusable after 0 × 0", "URLSession sends no body with GET"),
  ]

  #if canImport(FoundationNetworking)
    /// On Linux Foundation ends the process.
    private static let deadly: Set<String> = ["half of a header"]
    private static let isLinux = true
  #else
    private static let deadly: Set<String> = []
    private static let isLinux = false
  #endif

  // MARK: Samples

  private static let folder = Conformance.packageRoot + "/workflows"

  static let samples: [String] = ["", "parts/"].flatMap { part in
    ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + part)) ?? [])
      .filter { name in
        name.hasSuffix(".json") && !name.hasSuffix(".test.json")
          // URLSession does not sign as AWS wants it, and a person logs in before one.
          && !["parts/bank.json", "storage.json", "login.json"].contains(part + name)
      }.map { part + $0 }
  }.sorted()

  /// What a sample comes to, and what it asks of the server.
  private struct SampleOutcome: Equatable, CustomStringConvertible {
    let status: RunReport.Status
    let outputs: String
    let failures: [String]
    let files: [String]
    let requests: [String]

    var description: String {
      (["\(status)", outputs] + failures + files + requests).joined(separator: "\n")
    }
  }

  private func outcome(
    of sample: String, over transport: any Transport
  ) async throws -> SampleOutcome {
    let sandbox = try SandboxServer.start()
    defer { sandbox.stop() }
    let output = TemporaryFolder()
    let path = Self.folder + "/" + sample
    var options = RunOptions()
    options.sandboxOrigin = sandbox.origin
    options.files = try FolderFiles(workflow: path, output: output.path)
    options.runID = "0123456789abcdef"
    options.random = { 0 }
    let inputs: [String: JSONValue] = sample == "parts/account.json" ? ["user": 7] : [:]
    let result = try await Pipeline(contentsOf: path, transport: transport, options: options)
      .run(inputs: inputs).result
    return SampleOutcome(
      status: result.status,
      outputs: result.outputs.node.text.replacing(sandbox.origin, with: "SANDBOX"),
      failures: result.report.failures.map { "\($0.step) \($0.failure.kind)" }.sorted(),
      files: output.names, requests: sandbox.records.requests.map(Self.shown).sorted())
  }

  /// A request without what a transport adds.
  private static func shown(_ request: ServerRequest) -> String {
    let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    var body = String(decoding: request.body, as: UTF8.self)
    var headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }
      // A token that is signed says when, and so does a signature.
      .filter { field in
        !ownHeaders.contains(field.name)
          && !["Bearer eyJ", "AWS4-HMAC"].contains { field.value.hasPrefix($0) }
      }.map { "\($0.name): \($0.value)" }
    if let boundary = type.range(of: "boundary=").map({ String(type[$0.upperBound...]) }) {
      body = body.replacing(boundary, with: "BOUNDARY")
      headers = headers.map { $0.replacing(boundary, with: "BOUNDARY") }
    }
    let target = request.target.split(separator: "&").filter { parameter in
      !["timestamp=", "signature="].contains { parameter.hasPrefix($0) }
    }.joined(separator: "&")
    return "\(request.method) \(target) \(headers.sorted()) \(body)"
  }

  /// What each transport adds in its own way, and what differs with the moment of sending.
  private static let ownHeaders: Set<String> = [
    "host", "user-agent", "accept", "accept-encoding", "accept-language", "connection",
    "content-length", "transfer-encoding", "expect", "x-timestamp", "x-signature",
    "x-amz-date",
  ]

  @Test(arguments: samples) func aSampleIsTheSame(_ sample: String) async throws {
    async let curl = outcome(of: sample, over: CurlTransport.shared)
    async let session = outcome(of: sample, over: URLSessionTransport.shared)
    let (first, second) = (try await curl, try await session)
    #expect(first == second)
    #expect(!first.requests.isEmpty || ["compute.json", "signatures.json"].contains(sample))
  }

  // MARK: Faults

  /// One exchange with a server of its own.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    var request = TransportRequest(url: "")
    let serve: @Sendable (RawConnection, RequestLog) -> Void

    var testDescription: String { name }

    init(
      _ name: String, _ request: TransportRequest = TransportRequest(url: ""),
      serve: @escaping @Sendable (RawConnection, RequestLog) -> Void
    ) {
      self.name = name
      self.request = request
      self.serve = serve
    }

    /// Each request is answered with the same bytes, and the connection then closed.
    init(
      _ name: String, _ request: TransportRequest = TransportRequest(url: ""), answer: String,
      resets: Bool = false
    ) {
      self.init(name, request, answer: Array(answer.utf8), resets: resets)
    }

    init(
      _ name: String, _ request: TransportRequest = TransportRequest(url: ""), answer: [UInt8],
      resets: Bool = false
    ) {
      self.init(name, request) { connection, log in
        guard let request = connection.readRequest() else { return }
        _ = log.note(request)
        connection.write(answer)
        connection.end(reset: resets)
      }
    }
  }

  private static func post(_ count: Int) -> TransportRequest {
    TransportRequest(
      method: "POST", url: "", body: .bytes([UInt8](repeating: 65, count: count)))
  }

  private static func request(_ method: String) -> TransportRequest {
    TransportRequest(method: method, url: "")
  }

  private static var hasty: TransportRequest {
    TransportRequest(url: "", timeout: .milliseconds(300))
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"

  static let faults: [Fault] = [
    Fault("whole", answer: ok + "Content-Length: 2\r\n\r\nok"),
    Fault("until closed", answer: ok + "Connection: close\r\n\r\nuntil the end"),
    Fault("nothing", answer: ""),
    Fault("a reset before the answer", answer: "", resets: true),
    Fault(
      "a reset in the body",
      serve: { connection, log in
        guard let request = connection.readRequest() else { return }
        _ = log.note(request)
        connection.write(ok + "Content-Length: 10\r\n\r\n12345")
        // A reset throws away what the client has not read yet.
        usleep(50_000)
        connection.end(reset: true)
      }),
    Fault("half of a header", answer: "HTTP/1.1 200 OK\r\nContent-Le"),
    Fault("half of a body", answer: ok + "Content-Length: 10\r\n\r\n12345"),
    Fault("half of a chunk", answer: ok + "Transfer-Encoding: chunked\r\n\r\n20\r\nhello"),
    Fault(
      "chunks without an end", answer: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
    Fault(
      "a chunk size that is no number",
      answer: ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n"),
    Fault("a length that is too short", answer: ok + "Content-Length: 3\r\n\r\n12345"),
    Fault("a length that is no number", answer: ok + "Content-Length: ten\r\n\r\n12345"),
    Fault("a length below zero", answer: ok + "Content-Length: -1\r\n\r\n12345"),
    Fault(
      "two lengths", answer: ok + "Content-Length: 5\r\nContent-Length: 3\r\n\r\n12345"),
    Fault("not HTTP", answer: "SSH-2.0-OpenSSH_9.6\r\n"),
    Fault("a status that is no number", answer: "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
    Fault(
      "gzip that is not", answer: ok + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\n12345"),
    Fault(
      "gzip that ends early",
      answer: Array((ok + "Content-Encoding: gzip\r\nContent-Length: 14\r\n\r\n").utf8)
        + gzipped.prefix(14)),
    Fault(
      "gzip",
      answer: Array(
        (ok + "Content-Encoding: gzip\r\nContent-Length: \(gzipped.count)\r\n\r\n").utf8)
        + gzipped),
    Fault(
      "a coding that nobody knows",
      answer: ok + "Content-Encoding: rot13\r\nContent-Length: 5\r\n\r\n12345"),
    Fault(
      "a header of a megabyte",
      answer: ok + "X-Long: " + String(repeating: "x", count: 1 << 20)
        + "\r\nContent-Length: 2\r\n\r\nok"),
    Fault(
      "a hundred long fields",
      answer: ok
        + (0..<100).map { "X-\($0): " + String(repeating: "x", count: 500) + "\r\n" }
        .joined() + "Content-Length: 2\r\n\r\nok"),
    Fault(
      "a stall before the answer", hasty,
      serve: { connection, log in
        guard let request = connection.readRequest() else { return }
        _ = log.note(request)
        connection.waitForClose()
      }),
    Fault(
      "a stall in the body", hasty,
      serve: { connection, log in
        guard let request = connection.readRequest() else { return }
        _ = log.note(request)
        connection.write(ok + "Content-Length: 10\r\n\r\n12345")
        connection.waitForClose()
      }),
    Fault(
      "a body that trickles", hasty,
      serve: { connection, log in
        guard let request = connection.readRequest() else { return }
        _ = log.note(request)
        connection.write(ok + "Content-Length: 100\r\n\r\n")
        for _ in 0..<100 {
          connection.write("x")
          // The limits of a transport are those of the system's clock.
          usleep(20_000)
        }
      }),
    Fault(
      "a body larger than the limit", TransportRequest(url: "", responseLimit: 5),
      answer: ok + "Content-Length: 6\r\n\r\n123456"),
    Fault(
      "a body that grows over the limit", TransportRequest(url: "", responseLimit: 5),
      answer: ok + "Connection: close\r\n\r\n123456"),
    Fault(
      "several cookies",
      answer: ok + "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\n"
        + "Set-Cookie: b=2; Path=/\r\nContent-Length: 0\r\n\r\n"),
    Fault(
      "a redirect", answer: "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"),
    Fault(
      "a redirect of a POST", post(3),
      answer: "HTTP/1.1 307 Temporary\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"),
    Fault(
      "a challenge",
      answer:
        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nno"),
    Fault(
      "a challenge to a POST", post(3),
      answer: "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"1\"\r\n"
        + "Content-Length: 2\r\n\r\nno"),
    Fault(
      "100 before the answer", post(10),
      answer: "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nok"),
    Fault(
      "103 before the answer",
      answer: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nok"),
    Fault("HEAD", request("HEAD"), answer: ok + "Content-Length: 5\r\n\r\n"),
    Fault("HEAD with a body", request("HEAD"), answer: ok + "Content-Length: 5\r\n\r\n12345"),
    Fault("204", answer: "HTTP/1.1 204 No Content\r\n\r\n"),
    Fault("204 with a body", answer: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n12345"),
    Fault("304", answer: "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"),
    Fault(
      "304 with a body",
      answer: "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 5\r\n\r\n12345"),
    Fault("DELETE with an answer", request("DELETE"), answer: ok + "Content-Length: 2\r\n\r\nok"),
    Fault(
      "GET with a body", TransportRequest(url: "", body: .bytes([65])),
      answer: ok + "Content-Length: 2\r\n\r\nok"),
    Fault(
      "PATCH", TransportRequest(method: "PATCH", url: "", body: .bytes([65])),
      answer: ok + "Content-Length: 2\r\n\r\nok"),
    Fault(
      "an answer to half of an upload", post(4 << 20),
      serve: { connection, log in
        guard let head = connection.readHead() else { return }
        _ = log.note(head)
        connection.read(count: 1000)
        connection.write(
          "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno")
        // All of it is taken, so that nothing is reset.
        connection.waitForClose()
      }),
    Fault("HTTP/1.0", answer: "HTTP/1.0 200 OK\r\n\r\nold"),
    Fault("a status of its own", answer: "HTTP/1.1 599 Odd\r\nContent-Length: 2\r\n\r\nok"),
    Fault(
      "bytes that are not UTF-8 in a header",
      answer: Array((ok + "X-Name: ").utf8) + [0xE9] + Array("\r\nContent-Length: 0\r\n\r\n".utf8)),
  ]

  private static let gzipped: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
  ]

  private static func outcome(of fault: Fault, over transport: any Transport) async throws -> String
  {
    let log = RequestLog()
    let server = try RawServer { fault.serve($0, log) }
    defer { server.stop() }
    var request = fault.request
    request.url = server.url("/a")
    if request.timeout == nil { request.timeout = .seconds(20) }
    let asked = { "\(log.count(of: "")) × \(log.count(of: request.method))" }
    do throws(TransportError) {
      let response = try await transport.send(request)
      let cookies = response.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
      let name = response.header("x-name") ?? ""
      return "\(response.status) \(response.body.count) \(cookies)\(name) after \(asked())"
    } catch {
      return "\(error.kind) after \(asked())"
    }
  }

  @Test(arguments: faults.filter { !deadly.contains($0.name) }) func aFaultIsTheSame(_ fault: Fault)
    async throws
  {
    async let curl = Self.outcome(of: fault, over: CurlTransport.shared)
    async let session = Self.outcome(of: fault, over: URLSessionTransport.shared)
    let (first, second) = (try await curl, try await session)
    if let exception = Self.exceptions[fault.name] {
      // What Apple's platforms do there is not promised.
      #expect(second == exception.outcome || !Self.isLinux)
      #expect(first != second || !Self.isLinux)
    } else {
      #expect(first == second)
    }
  }

  /// What the engine makes of a server that never answers well.
  @Test(arguments: [
    "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n", "",
    ok + "Content-Length: 9\r\n\r\n{}", ok + "Content-Length: 1\r\n\r\n{",
  ]) func theEngineGoesOnInTheSameWay(_ answer: String) async throws {
    var outcomes: [String] = []
    let errors = Mutex<[String]>([])
    for transport in [CurlTransport.shared, URLSessionTransport.shared] as [any Transport] {
      let log = RequestLog()
      let server = try RawServer { connection in
        while let request = connection.readRequest() {
          _ = log.note(request)
          connection.write(answer)
          if !answer.hasSuffix("\r\n\r\n") { return }
        }
      }
      // An idle machine needs milliseconds; a busy one may take long to come to this test.
      var pipeline = try Pipeline(
        """
        {"steps": [{"id": "a", "endpoint": "GET \(server.url("/a"))", "redirects": 4,
          "retry": {"attempts": 3, "delay": "1ms"}, "timeout": "10m",
          "extract": {"x": "$.x"}}]}
        """, transport: transport)
      pipeline.options.observer = { event in
        if case .requestFinished(let request) = event.kind, let error = request.error {
          errors.withLock { $0.append("\(error)") }
        }
      }
      let report = try await pipeline.run().result.report
      let kinds = report.failures.map(\.failure.kind)
      outcomes.append("\(kinds) after \(log.count(of: "")) of \(report.counts.requests)")
    }
    #expect(outcomes[0] == outcomes[1], "\(errors.withLock { $0 })")
    #expect(!outcomes[0].hasPrefix("[] "))
  }

  @Test func whatDiffersIsDocumented() throws {
    let page = try String(
      contentsOfFile: Conformance.packageRoot + "/docs/embedding.md", encoding: .utf8)
    #expect(page.contains("ends the process if a header breaks off"))
    for (name, exception) in Self.exceptions {
      #expect(Self.faults.contains { $0.name == name }, "\(name)")
      #expect(page.contains(exception.words), "\(name)")
    }
  }
}
