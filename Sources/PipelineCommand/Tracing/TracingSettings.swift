internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineKit
internal import PipelineReports
internal import PipelineURIs

/// Where spans go, as the variables of OpenTelemetry say.
struct TracingSettings: Sendable {
  /// Where requests with spans are sent.
  let endpoint: String
  let headers: [HeaderField]
  let timeout: Duration
  let resource: [(name: String, value: String)]
  /// The span that waits for this program.
  let caller: TraceContext?
  let state: String?
  /// Without a caller that of the run, so that each process which carries it out sends spans of one
  /// trace.
  private(set) var traceID: [UInt8]
  private(set) var isSampled: Bool
  private let sampler: (name: String, ratio: Double)
  /// The problem with a variable that then has no effect.
  private(set) var notes: [String]

  /// Whether a run sends spans, and how.
  enum Wish: Sendable {
    /// No spans are made.
    case off
    /// Spans were requested, but are not made for this reason.
    case refused(String)
    case on(TracingSettings)
  }

  /// Reads the variables.
  static func wish(_ environment: [String: String], version: String) -> Wish {
    let variables = Variables(environment)
    if variables["SDK_DISABLED"]?.equalsIgnoringASCIICase("true") == true { return .off }
    if variables["TRACES_EXPORTER"]?.equals(bytes: "none") == true { return .off }
    guard let (name, endpoint) = variables.endpoint else { return .off }
    guard Origin(of: endpoint) != nil else {
      return .refused("\(name) is not an http or https URL")
    }
    var note: String?
    if let (name, value) = variables.ofTraces("PROTOCOL"), !value.equals(bytes: "http/json") {
      // The same collectors take JSON at the same URL.
      guard value.equals(bytes: "http/protobuf") else {
        return .refused("\(name) is '\(value)', and pipeline speaks only http/json")
      }
      note = "\(name) is 'http/protobuf', and spans are sent as JSON to the same URL"
    }
    var settings = TracingSettings(variables, endpoint: endpoint, version: version)
    settings.notes += [note].compactMap { $0 }
    return .on(settings)
  }

  private init(_ variables: Variables, endpoint: String, version: String) {
    var notes: [String] = []
    self.endpoint = endpoint
    headers = (variables.ofTraces("HEADERS").map { Variables.pairs(in: $0.value) } ?? [])
      .map { HeaderField($0.name, $0.value) }
    let timeout = variables.ofTraces("TIMEOUT")
    let milliseconds = timeout.flatMap { Int($0.value) } ?? 10_000
    if let timeout, Int(timeout.value).map({ $0 > 0 }) != true {
      notes.append("\(timeout.name) is not a number of milliseconds")
    }
    self.timeout = .milliseconds(milliseconds > 0 ? milliseconds : 10_000)
    var resource = variables["RESOURCE_ATTRIBUTES"].map(Variables.pairs) ?? []
    if let service = variables["SERVICE_NAME"] {
      resource.removeAll { $0.name.equals(bytes: "service.name") }
      resource.insert(("service.name", service), at: 0)
    } else if !resource.contains(where: { $0.name.equals(bytes: "service.name") }) {
      resource.insert(("service.name", "pipeline"), at: 0)
    }
    resource += [
      ("telemetry.sdk.name", "pipeline"), ("telemetry.sdk.language", "swift"),
      ("telemetry.sdk.version", version),
    ]
    self.resource = resource
    caller = variables.plain("TRACEPARENT").flatMap(TraceContext.init(traceparent:))
    // W3C Trace Context §3.3.1.1: what cannot be read is discarded.
    state = caller.flatMap { _ in
      variables.plain("TRACESTATE").flatMap { FieldValue.problem(in: $0) == nil ? $0 : nil }
    }
    traceID = caller?.traceID ?? (0..<16).map { _ in UInt8.random(in: 1...255) }
    let sampler = variables["TRACES_SAMPLER"] ?? "parentbased_always_on"
    let ratio = variables["TRACES_SAMPLER_ARG"].flatMap { Double($0) } ?? 1
    self.sampler = (sampler, ratio)
    let isSampled = Self.isSampled(sampler, ratio: ratio, traceID, caller)
    if isSampled == nil { notes.append("OTEL_TRACES_SAMPLER has no sampler '\(sampler)'") }
    self.isSampled = isSampled ?? caller?.isSampled ?? true
    self.notes = notes
  }

  /// The settings for a run of this id.
  func ofRun(_ id: String) -> TracingSettings {
    guard caller == nil else { return self }
    var settings = self
    settings.traceID = OTLPReport.traceID(of: id)
    settings.isSampled =
      Self.isSampled(sampler.name, ratio: sampler.ratio, settings.traceID, nil) ?? true
    return settings
  }

  /// Whether a trace is recorded; `nil` if the sampler is unknown.
  private static func isSampled(
    _ sampler: String, ratio: Double, _ traceID: [UInt8], _ caller: TraceContext?
  ) -> Bool? {
    var sampler = sampler
    if sampler.hasPrefix(bytes: "parentbased_") {
      sampler = String(sampler.dropFirst(bytes: "parentbased_".utf8.count))
      if let caller, ["always_on", "always_off", "traceidratio"].contains(bytes: sampler) {
        return caller.isSampled
      }
    }
    switch sampler {
    case "always_on": return true
    case "always_off": return false
    case "traceidratio":
      let low = traceID.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return Double(low >> 1) < min(max(ratio, 0), 1) * 0x1p63
    default: return nil
    }
  }
}

/// The variables of OpenTelemetry. An empty one counts as not set.
private struct Variables {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  func plain(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  subscript(_ name: String) -> String? { plain("OTEL_" + name) }

  /// The value for spans alone, or for all exports.
  func ofTraces(_ name: String) -> (name: String, value: String)? {
    for name in ["OTEL_EXPORTER_OTLP_TRACES_" + name, "OTEL_EXPORTER_OTLP_" + name] {
      if let value = plain(name) { return (name, value.trimmed) }
    }
    return nil
  }

  var endpoint: (name: String, url: String)? {
    if let url = self["EXPORTER_OTLP_TRACES_ENDPOINT"] {
      return ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url)
    }
    guard let base = self["EXPORTER_OTLP_ENDPOINT"] else { return nil }
    let slash = base.hasSuffix(bytes: "/") ? "" : "/"
    return ("OTEL_EXPORTER_OTLP_ENDPOINT", base + slash + "v1/traces")
  }

  /// `name=value` with commas between, values percent-encoded (W3C Baggage).
  static func pairs(in text: String) -> [(name: String, value: String)] {
    text.split(ascii: ",").compactMap { pair in
      let parts = pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let (name, value) = (String(parts[0]).trimmed, String(parts[1]).trimmed)
      return name.isEmpty ? nil : (name, URI.percentDecode(value) ?? value)
    }
  }
}
