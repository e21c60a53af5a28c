import PipelineHTTPServers
import PipelineJSONText
import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@testable import PipelineCommand
@testable import PipelineEngine
@testable import PipelineTesting

/// OpenTelemetry as a user meets it: spans that a collector receives.
@Suite(.ownThreads) struct TracingTests {
  private static let endpoint = "http://collector.test:4318"
  private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  private struct Traced {
    var outcome: Outcome
    /// The bodies that the collector received.
    var bodies: [[UInt8]]
    var collected: [TransportRequest]
    /// What the API received.
    var requests: [TransportRequest]

    var spans: [JSONNode] {
      bodies.flatMap { body -> [JSONNode] in
        guard let root = try? JSONDocument.parse(body).root,
          let scope = root["resourceSpans"]?.element(0)?["scopeSpans"]?.element(0)
        else { return [] }
        return scope["spans"].map { Array($0.elements) } ?? []
      }
    }

    func span(_ name: String) -> JSONNode? { spans.first { $0["name"]?.string == name } }
    func spans(_ name: String) -> [JSONNode] { spans.filter { $0["name"]?.string == name } }
  }

  /// Runs a workflow whose API, and whose collector, are scripts.
  private func run(
    _ workflow: String, _ variables: [String: String] = [:], arguments: [String] = [],
    collector: @escaping @Sendable (TransportRequest) async -> ScriptedTransport.Answer = { _ in
      .json([:])
    },
    api: @escaping @Sendable (TransportRequest) -> ScriptedTransport.Answer = { _ in
      .json(["id": 7])
    }
  ) async -> Traced {
    let folder = TemporaryFolder()
    let path = folder.write(workflow, to: "w.json")
    let transport = ScriptedTransport(clock: SystemClock()) { request in
      request.url.hasPrefix(Self.endpoint) ? await collector(request) : api(request)
    }
    let (output, error) = (CapturedStream(), CapturedStream())
    var environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": Self.endpoint, "TRACEPARENT": Self.caller]
    environment.merge(variables) { $1 }
    let console = Console(output: output, error: error, environment: environment)
    let program = Program(console: console, clock: SystemClock(), transport: { transport })
    let status = await program.main(["run", path] + arguments)
    let collected = transport.requests.filter { $0.url.hasPrefix(Self.endpoint) }
    return Traced(
      outcome: Outcome(status: status, output: output.text, error: error.text),
      bodies: collected.map { request in
        if case .bytes(let bytes) = request.body { bytes } else { [] }
      }, collected: collected,
      requests: transport.requests.filter { !$0.url.hasPrefix(Self.endpoint) })
  }

  private static let workflow = """
    {"name": "users", "inputs": {"key": {"type": "string", "secret": true, "default": "s3cret-key"}},
     "steps": [
      {"id": "list", "endpoint": "GET https://api.test/users?key={{inputs.key}}",
       "retry": {"attempts": 2, "delay": "1ms"}},
      {"id": "each", "forEach": [1, 2, 3], "dependsOn": ["list"], "steps": [
        {"id": "get", "endpoint": "GET https://api.test/users/{{item}}", "onError": "recover",
         "otherwise": {}, "retry": {"attempts": 1}}]}]}
    """

  private static let api: @Sendable (TransportRequest) -> ScriptedTransport.Answer = { request in
    request.url.hasSuffix("/2") ? .status(404) : .json(["id": 7])
  }

  private func attribute(_ name: String, of span: JSONNode?) -> JSONNode? {
    span?["attributes"]?.elements.first { $0["key"]?.string == name }?["value"]
  }

  @Test func aRunIsATreeOfSpans() async throws {
    let isFirst = Mutex(true)
    let traced = await run(
      Self.workflow,
      api: { request in
        let fails = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        return fails ? .status(503) : Self.api(request)
      })
    #expect(traced.outcome.status == .success, "\(traced.outcome.error)")
    #expect(!traced.outcome.error.contains("note:"))
    let spans = traced.spans
    #expect(Set(spans.compactMap { $0["traceId"]?.string }) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
    let ids = spans.compactMap { $0["spanId"]?.string }
    #expect(Set(ids).count == spans.count)
    // The run, 2 steps, 3 items, 3 steps in them, and 5 requests.
    #expect(spans.count == 14)
    let run = try #require(traced.span("RUN users"))
    #expect(run["parentSpanId"]?.string == "00f067aa0ba902b7")
    #expect(run["kind"]?.number?.int == 2 && run["status"] == nil)
    #expect(attribute("cicd.pipeline.result", of: run)?["stringValue"]?.string == "success")
    // All others have a parent that was sent.
    for span in spans where span["name"]?.string != "RUN users" {
      #expect(ids.contains(span["parentSpanId"]?.string ?? ""), "\(span.text)")
      let start = try #require(span["startTimeUnixNano"]?.string.flatMap(UInt64.init))
      let end = try #require(span["endTimeUnixNano"]?.string.flatMap(UInt64.init))
      #expect(start <= end && start > 1_700_000_000_000_000_000)
    }
    let parents = Dictionary(
      uniqueKeysWithValues: spans.map { ($0["spanId"]?.string ?? "", $0["name"]?.string ?? "") })
    func parent(_ span: JSONNode) -> String? { parents[span["parentSpanId"]?.string ?? ""] }
    #expect(traced.span("list").map(parent) == "RUN users")
    #expect(traced.spans("item of each").allSatisfy { parent($0) == "each" })
    #expect(traced.spans("each.get").allSatisfy { parent($0) == "item of each" })
    let requests = traced.spans("GET")
    #expect(Set(requests.map(parent)) == ["list", "each.get"])
    #expect(requests.allSatisfy { $0["kind"]?.number?.int == 3 })
    let retried = requests.filter { attribute("http.request.resend_count", of: $0) != nil }
    #expect(
      retried.map { attribute("http.request.resend_count", of: $0)?["intValue"]?.string } == ["1"])
    let failed = requests.filter { $0["status"]?["code"]?.number?.int == 2 }
    #expect(
      Set(failed.map { attribute("error.type", of: $0)?["stringValue"]?.string }) == ["503", "404"])
    #expect(
      attribute("http.response.status_code", of: failed.first)?["intValue"]?.string == "503")
    #expect(attribute("server.address", of: failed.first)?["stringValue"]?.string == "api.test")
    #expect(attribute("server.port", of: failed.first)?["intValue"]?.string == "443")
  }

  @Test func noSecretAndNoIdIsInASpan() async throws {
    let traced = await run(Self.workflow, api: Self.api)
    for body in traced.bodies {
      #expect(!String(decoding: body, as: UTF8.self).contains("s3cret"))
    }
    for span in traced.spans {
      let name = span["name"]?.string ?? ""
      #expect(!name.contains { $0.isNumber } && !name.contains("/"), "\(name)")
    }
  }

  @Test func ofManyItemsSomeAreSent() async throws {
    let traced = await run(
      """
      {"steps": [{"id": "each", "forEach": {"from": 1, "to": 1000}, "onError": "recover",
        "otherwise": {}, "retry": {"attempts": 1}, "endpoint": "GET https://api.test/{{item}}"}]}
      """,
      api: { request in
        request.url.hasSuffix("/777") || request.url.hasSuffix("/888")
          ? .failure(TransportError(.connection, "no connection")) : .json([:])
      })
    #expect(traced.outcome.status == .success, "\(traced.outcome.error)")
    let items = traced.spans("item of each").compactMap {
      attribute("pipeline.item", of: $0)?["intValue"]?.string.flatMap(Int.init)
    }
    #expect(Set(0..<20).union([776, 887]).isSubset(of: items))
    #expect(items.count == 20 + 2 + 10)
    #expect(traced.spans("GET").count == items.count)
    #expect(attribute("pipeline.items", of: traced.span("each"))?["intValue"]?.string == "1000")
    let failed = traced.spans("GET").filter { $0["status"] != nil }
    #expect(
      failed.map { attribute("error.type", of: $0)?["stringValue"]?.string }
        == ["connection", "connection"])
  }

  @Test func aRunThatFailsSaysWhy() async throws {
    let traced = await run(Self.workflow, api: { _ in .status(400) })
    #expect(traced.outcome.status == .failure)
    let run = try #require(traced.span("RUN users"))
    #expect(run["status"]?["code"]?.number?.int == 2)
    #expect(run["status"]?["message"]?.string?.contains("400") == true)
    #expect(attribute("cicd.pipeline.result", of: run)?["stringValue"]?.string == "failure")
    #expect(
      attribute("cicd.pipeline.task.run.result", of: traced.span("list"))?["stringValue"]?.string
        == "failure")
    #expect(
      attribute("cicd.pipeline.task.run.result", of: traced.span("each"))?["stringValue"]?.string
        == "cancellation"
        || attribute("cicd.pipeline.task.run.result", of: traced.span("each"))?["stringValue"]?
          .string == "skip"
        || traced.span("each") == nil)
  }

  @Test func requestsAreMarkedForOriginsOfTheAuthor() async throws {
    let traced = await run(
      """
      {"steps": [
        {"id": "list", "endpoint": "GET https://api.test/list", "extract": {"next": "$.next"}},
        {"id": "get", "endpoint": "GET {{list.next}}"},
        {"id": "own", "endpoint": "GET https://api.test/own",
         "headers": {"traceparent": "00-00000000000000000000000000000001-0000000000000002-01"}},
        {"id": "each", "forEach": {"from": 1, "to": 30},
         "endpoint": "GET https://api.test/{{item}}"}]}
      """,
      ["TRACESTATE": "vendor=1"], api: { _ in .json(["next": "https://other.test/x"]) })
    #expect(traced.outcome.status == .success, "\(traced.outcome.error)")
    func fields(_ path: String) -> [String: String] {
      let request = traced.requests.first { $0.url.hasSuffix(path) }
      return Dictionary(
        uniqueKeysWithValues: (request?.headers ?? []).map { ($0.name, $0.value) })
    }
    let spans = Dictionary(
      traced.spans("GET").map { span in
        (attribute("url.full", of: span)?["stringValue"]?.string ?? "", span)
      }, uniquingKeysWith: { first, _ in first })
    let context = try #require(fields("/list")["traceparent"].flatMap(TraceContext.init))
    #expect(TraceContext.hexadecimal(context.traceID) == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(
      TraceContext.hexadecimal(context.spanID)
        == spans["https://api.test/list"]?["spanId"]?.string)
    #expect(context.isSampled && fields("/list")["tracestate"] == "vendor=1")
    #expect(fields("other.test/x").isEmpty)
    #expect(spans["https://other.test/x"] != nil)
    #expect(
      fields("/own") == ["traceparent": "00-00000000000000000000000000000001-0000000000000002-01"])
    #expect(fields("/20")["traceparent"]?.hasSuffix("-01") == true)
    #expect(fields("/21")["traceparent"]?.hasSuffix("-00") == true)
  }

  @Test func aReportHasTheSameTree() async throws {
    let folder = TemporaryFolder()
    let file = folder.path + "/run.json"
    let traced = await run(
      Self.workflow, ["OTEL_EXPORTER_OTLP_ENDPOINT": ""], arguments: ["--report", "otlp=\(file)"],
      api: Self.api)
    #expect(traced.outcome.status == .success, "\(traced.outcome.error)")
    let text = try #require(folder.read("run.json"))
    #expect(text.hasSuffix("\n") && !text.contains("s3cret"))
    var report = traced
    report.bodies = [Array(text.utf8)]
    #expect(report.spans("GET").count == 4)
    let ids = report.spans.compactMap { $0["spanId"]?.string }
    #expect(Set(ids).count == ids.count)
    for span in report.spans where span["name"]?.string != "RUN users" {
      #expect(ids.contains(span["parentSpanId"]?.string ?? ""), "\(span.text)")
    }
    #expect(report.span("RUN users") != nil && report.span("each.get") != nil)
  }

  // MARK: The collector

  @Test(arguments: [
    (ScriptedTransport.Answer.status(503), "it answered 503"),
    (.status(401), "it answered 401"),
    (.failure(TransportError(.connection, "nobody listens")), "nobody listens"),
    (
      .json(["partialSuccess": ["rejectedSpans": "14", "errorMessage": "too old"]]), "too old"
    ),
  ])
  func whatCannotBeSentIsOneNoteAndNoFailure(
    _ answer: ScriptedTransport.Answer, _ reason: String
  ) async throws {
    let traced = await run(Self.workflow, collector: { _ in answer }, api: Self.api)
    #expect(traced.outcome.status == .success)
    #expect(
      traced.outcome.error.hasSuffix(
        "note: 13 of 13 spans could not be sent to http://collector.test:4318: \(reason)\n"),
      "\(traced.outcome.error)")
    let quiet = await run(
      Self.workflow, arguments: ["-q"], collector: { _ in answer }, api: Self.api)
    #expect(quiet.outcome.error.isEmpty)
  }

  @Test func aCollectorThatDoesNotAnswerIsGivenUp() async {
    let traced = await run(
      Self.workflow, ["OTEL_EXPORTER_OTLP_TIMEOUT": "50"],
      collector: { _ in
        // Until the time for it is over, which cancels this.
        try? await Task.sleep(for: .seconds(600))
        return .status(200)
      }, api: Self.api)
    #expect(traced.outcome.status == .success)
    #expect(
      traced.outcome.error.contains("note: 13 of 13 spans could not be sent"),
      "\(traced.outcome.error)")
  }

  /// What a collector does over a real socket, by the path of the sandbox that stands for it.
  private static let collectors = [
    "/echo", "/slow?ms=60000", "/faults/reset", "/faults/late-reset", "/faults/stall",
    "/faults/truncated", "/faults/not-http", "/flaky/c?fail=1000000&status=429&retryAfter=1",
    "/flaky/d?fail=1000000&status=503&retryAfter=3600", "/flaky/e?fail=1", "/status/500",
  ]

  private func live(_ collector: String?, _ server: SandboxServer) async -> Outcome {
    let folder = TemporaryFolder()
    let path = folder.write(
      """
      {"name": "users", "inputs": {"key": {"secret": true, "default": "s3cret-key"}},
       "defaults": {"baseURL": "\(server.origin)"}, "steps": [
        {"id": "list", "endpoint": "GET /reqres/users?key={{inputs.key}}",
         "extract": {"ids": "$.data[*].id"}},
        {"id": "user", "forEach": "$.list.ids", "endpoint": "GET /reqres/users/{{item}}",
         "extract": {"name": "$.data.first_name"}},
        {"id": "bad", "endpoint": "GET /flaky/\(collector == nil ? "x" : "y")?fail=1",
         "retry": {"attempts": 2, "delay": "1ms"}}],
       "outputs": {"names": "$.user[*].name"}}
      """, to: "w.json")
    return await pipeline(
      ["run", path, "--no-store", "--color", "never"],
      environment: [
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": collector.map { server.origin + $0 } ?? "",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "300", "TRACEPARENT": Self.caller,
      ])
  }

  @Test(arguments: collectors) func noCollectorDelaysOrFailsARun(_ collector: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let expected = await live(nil, server)
    let outcome = await live(collector, server)
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(outcome.output == expected.output)
    let notes = outcome.error.split(separator: "\n").filter { $0.hasPrefix("note: ") }
    let isWell = ["/echo", "/flaky/e?fail=1"].contains(collector)
    // One that fails once is asked again with the next group of spans, or was asked with the last.
    #expect(collector == "/flaky/e?fail=1" || notes.count == (isWell ? 0 : 1), "\(notes)")
    #expect(notes.allSatisfy { $0.contains("could not be sent to \(server.origin): ") })
  }

  /// What arrived at a collector over a real socket.
  @Test func aCollectorOnLoopbackReceivesTheTree() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let outcome = await live("/echo", server)
    #expect(outcome.status == .success && !outcome.error.contains("note:"), "\(outcome.error)")
    let arrived = server.records.requests.filter { $0.target == "/echo" }
    let traced = Traced(outcome: outcome, bodies: arrived.map(\.body), collected: [], requests: [])
    #expect(arrived.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("s3cret") })
    let spans = traced.spans
    // The run, 3 steps, 6 items, and 9 requests.
    #expect(spans.count == 19)
    let ids = spans.compactMap { $0["spanId"]?.string }
    #expect(Set(ids).count == spans.count && ids.allSatisfy { $0.utf8.count == 16 })
    #expect(Set(spans.compactMap { $0["traceId"]?.string }) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
    let kinds = Dictionary(grouping: spans) { $0["kind"]?.number?.int }.mapValues(\.count)
    #expect(kinds == [1: 9, 2: 1, 3: 9])
    for span in spans {
      let isRun = span["name"]?.string == "RUN users"
      let parent = try #require(span["parentSpanId"]?.string)
      #expect(isRun ? parent == "00f067aa0ba902b7" : ids.contains(parent))
      for name in ["startTimeUnixNano", "endTimeUnixNano"] {
        #expect(span[name]?.string.flatMap(UInt64.init) != nil, "\(span.text)")
      }
      for attribute in try #require(span["attributes"]).elements {
        guard let number = attribute["value"]?["intValue"] else { continue }
        #expect(number.string.flatMap(Int.init) != nil, "\(attribute.text)")
      }
    }
    // A server finds the request that it got in the trace.
    let sent = server.records.requests.filter { $0.target != "/echo" }
    let requests = Set(traced.spans("GET").compactMap { $0["spanId"]?.string })
    let marks = sent.compactMap { request in
      request.header("traceparent").flatMap(TraceContext.init).map {
        TraceContext.hexadecimal($0.spanID)
      }
    }
    #expect(marks.count == 9 && Set(marks) == requests)
  }

  @Test func theVariablesOfOpenTelemetryCount() async throws {
    let traced = await run(
      Self.workflow,
      [
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": Self.endpoint + "/custom",
        "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x=y", "OTEL_SERVICE_NAME": "nightly",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=prod,service.name=other",
        "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json", "OTEL_EXPORTER_OTLP_TIMEOUT": "1500",
      ], api: Self.api)
    let request = try #require(traced.collected.first)
    #expect(request.url == Self.endpoint + "/custom" && request.method == "POST")
    #expect(request.headers.contains(HeaderField("api-key", "a b")))
    #expect(request.headers.contains(HeaderField("x", "y")))
    #expect(request.headers.contains(HeaderField("Content-Type", "application/json")))
    #expect(request.timeout.map { $0 <= .milliseconds(1500) } == true)
    let resource = try JSONDocument.parse(#require(traced.bodies.first)).root["resourceSpans"]?
      .element(0)?[
        "resource"]
    #expect(attribute("service.name", of: resource)?["stringValue"]?.string == "nightly")
    #expect(
      attribute("deployment.environment.name", of: resource)?["stringValue"]?.string == "prod")
    #expect(attribute("telemetry.sdk.name", of: resource)?["stringValue"]?.string == "pipeline")
  }

  @Test(arguments: [
    ["OTEL_SDK_DISABLED": "true"], ["OTEL_TRACES_EXPORTER": "none"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT": ""],
  ])
  func tracingIsOff(_ variables: [String: String]) async {
    let traced = await run(Self.workflow, variables, api: Self.api)
    #expect(traced.outcome.status == .success)
    #expect(traced.collected.isEmpty && !traced.outcome.error.contains("note:"))
    #expect(traced.requests.allSatisfy { $0.headers.isEmpty })
  }

  @Test(arguments: [
    (
      ["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"],
      "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc', and pipeline speaks only http/json"
    ),
    (
      ["OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4317"],
      "OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL"
    ),
  ])
  func whatCannotBeDoneIsANote(_ variables: [String: String], _ reason: String) async {
    let traced = await run(Self.workflow, variables, api: Self.api)
    #expect(traced.outcome.status == .success)
    #expect(traced.collected.isEmpty)
    #expect(traced.outcome.error.contains("note: no spans are sent: \(reason)\n"))
  }

  @Test func spansAreSentAsJSONWhereProtobufIsAskedFor() async throws {
    let traced = await run(
      Self.workflow, ["OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"], api: Self.api)
    #expect(traced.outcome.status == .success && !traced.spans.isEmpty)
    #expect(
      traced.outcome.error.ranges(of: "spans are sent as JSON to the same URL").count == 1,
      "\(traced.outcome.error)")
  }

  /// All processes that carry a run out send spans of one trace, unless somebody waits for them.
  @Test func theTraceIsThatOfTheRun() throws {
    func settings(_ caller: String?) throws -> TracingSettings {
      var variables = ["OTEL_EXPORTER_OTLP_ENDPOINT": Self.endpoint]
      variables["TRACEPARENT"] = caller
      guard case .on(let settings) = TracingSettings.wish(variables, version: "1") else {
        throw TransportError(.unusable, "tracing is off")
      }
      return settings
    }
    let first = try settings(nil).ofRun("k3f9")
    #expect(first.traceID.count == 16)
    #expect(try settings(nil).ofRun("k3f9").traceID == first.traceID)
    #expect(try settings(nil).ofRun("k3fa").traceID != first.traceID)
    #expect(
      try settings(Self.caller).ofRun("k3f9").traceID == settings(Self.caller).traceID)
  }

  @Test func samplersDecide() {
    func isSampled(_ sampler: String, _ argument: String? = nil, parent: String? = nil) -> Bool? {
      var variables = [
        "OTEL_EXPORTER_OTLP_ENDPOINT": Self.endpoint, "OTEL_TRACES_SAMPLER": sampler,
      ]
      variables["OTEL_TRACES_SAMPLER_ARG"] = argument
      variables["TRACEPARENT"] = parent
      guard case .on(let settings) = TracingSettings.wish(variables, version: "1") else {
        return nil
      }
      return settings.isSampled
    }
    let unsampled = String(Self.caller.dropLast()) + "0"
    #expect(isSampled("always_on") == true && isSampled("always_off") == false)
    #expect(isSampled("always_on", parent: unsampled) == true)
    #expect(isSampled("parentbased_always_on", parent: unsampled) == false)
    #expect(isSampled("parentbased_always_off", parent: Self.caller) == true)
    #expect(isSampled("parentbased_always_off") == false)
    #expect(isSampled("traceidratio", "0") == false && isSampled("traceidratio", "1") == true)
    // The low half of the id is 0xa3ce929d0e0e4736, 0.64 of the way.
    #expect(isSampled("traceidratio", "0.63", parent: Self.caller) == false)
    #expect(isSampled("traceidratio", "0.65", parent: Self.caller) == true)
    #expect(isSampled("no_such", parent: unsampled) == false)
  }

  @Test(arguments: [
    "", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x", "nonsense",
  ])
  func aTraceparentThatIsNotValidDoesNotCount(_ text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }

  @Test func aTraceparentIsWrittenAsItIsRead() {
    #expect(TraceContext(traceparent: Self.caller)?.traceparent == Self.caller)
    #expect(TraceContext(traceparent: Self.caller.replacing("00-", with: "01-") + "-x") != nil)
  }

  // MARK: Other readers

  /// What a collector of another make reads: Protobuf's own messages.
  @Test(
    .enabled(
      if: Tool.hasModule("opentelemetry.proto.collector.trace.v1.trace_service_pb2"),
      "opentelemetry-proto is not installed"))
  func protobufReadsWhatIsSent() async throws {
    let traced = await run(Self.workflow, api: Self.api)
    let folder = TemporaryFolder()
    for (number, body) in traced.bodies.enumerated() { folder.write(body, to: "\(number).json") }
    folder.write(
      """
      import base64, glob, json
      from google.protobuf import json_format
      from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

      spans = []
      for path in sorted(glob.glob('*.json')):
          body = json.load(open(path))
          # The JSON of Protobuf has bytes in base64, that of OTLP ids in hexadecimal digits.
          for resource in body['resourceSpans']:
              for scope in resource['scopeSpans']:
                  for span in scope['spans']:
                      for name in ('traceId', 'spanId', 'parentSpanId'):
                          if name in span:
                              span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
                      assert isinstance(span['startTimeUnixNano'], str)
          message = json_format.Parse(json.dumps(body), ExportTraceServiceRequest())
          for resource in message.resource_spans:
              for scope in resource.scope_spans:
                  spans += scope.spans
      ids = {span.span_id for span in spans}
      assert len(ids) == len(spans) and all(len(id) == 8 for id in ids)
      assert {span.trace_id.hex() for span in spans} == {'4bf92f3577b34da6a3ce929d0e0e4736'}
      roots = [span for span in spans if span.parent_span_id not in ids]
      assert [span.name for span in roots] == ['RUN users'], roots
      assert {span.kind for span in spans if span.name == 'GET'} == {3}
      print(len(spans), 'spans')
      """, to: "read.py")
    let read = Tool.run(["python3", "read.py"], in: folder)
    #expect(read.status == 0, "\(read.error)")
    #expect(read.output == "13 spans\n")
  }
}
