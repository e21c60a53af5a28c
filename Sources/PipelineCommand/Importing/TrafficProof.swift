internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineTesting
internal import PipelineURIs

/// Proves a workflow that was made of a recording: it is run against the recording itself.
struct TrafficProof {
  /// A recorded request that the run did not send, or sent in another way.
  struct Finding {
    let expected: TrafficReplay.Expected
    let reason: String
  }

  /// How many requests were sent as recorded.
  private(set) var equal = 0
  /// Requests that the run did not send, the first one first.
  private(set) var missing: [Finding] = []
  /// Requests that are equal but for the encoding of their URL or the spacing of their JSON.
  private(set) var similar: [Finding] = []
  /// Values that are sent as recorded, although a response has them.
  private(set) var constants: [Finding] = []

  /// Runs the workflow without a network, in virtual time.
  ///
  /// - Parameter isPerturbed: Whether the responses have fresh values, which the requests must
  ///   follow.
  static func proof(
    of workflow: JSONValue, _ replay: TrafficReplay, isPerturbed: Bool
  ) async -> TrafficProof {
    let desk = ReplayDesk(replay, isPerturbed: isPerturbed, hiding: nil)
    var options = RunOptions()
    options.clock = VirtualClock()
    options.runID = "proof"
    options.files = RecordedFiles(contents: replay.files)
    let transport = ScriptedTransport { await desk.answer($0) }
    var failure: String?
    do {
      let pipeline = try Pipeline(json: workflow, transport: transport, options: options)
      let inputs = Dictionary(
        replay.inputs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      let result = try await pipeline.run(inputs: inputs).result
      failure = result.report.failures.first.map { $0.description }
    } catch let error as WorkflowError {
      failure = error.description.split(ascii: "\n").first.map(String.init)
    } catch {
      failure = "\(error)"
    }
    return await desk.proof(failure: failure)
  }
}

extension TrafficProof {
  /// A transport that answers as the recording did.
  ///
  /// - Parameter secrets: What is taken out of the responses.
  static func transport(
    _ replay: TrafficReplay, hiding secrets: RecordedSecrets
  ) -> some Transport {
    let desk = ReplayDesk(replay, isPerturbed: false, hiding: secrets)
    return ScriptedTransport { await desk.answer($0) }
  }
}

/// The files that a recording sends.
private struct RecordedFiles: FileAccess {
  let contents: [String: [UInt8]]

  func read(_ path: String) throws(FileError) -> [UInt8] {
    guard let content = contents[path] else {
      throw FileError("'\(path)' is not in the recording")
    }
    return content
  }

  func resolve(_ path: String) throws(FileError) -> String {
    throw FileError("'\(path)' is in memory")
  }

  func body(_ path: String) throws(FileError) -> TransportBody { .bytes(try read(path)) }

  func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    throw FileError("a replay writes no file")
  }
}

/// Answers the requests of a run with what the recording answered.
private actor ReplayDesk {
  private let replay: TrafficReplay
  private let isPerturbed: Bool
  private let secrets: RecordedSecrets?
  private var isOpen: [Bool]
  /// The requests by what can be told of a URL at once, in their order.
  private var candidates: [SentRequest.Key: Candidates] = [:]
  private var proof = TrafficProof.Tally()
  /// The last request that was not in the recording.
  private var stranger: String?

  init(_ replay: TrafficReplay, isPerturbed: Bool, hiding secrets: RecordedSecrets?) {
    self.replay = replay
    self.secrets = secrets
    self.isPerturbed = isPerturbed
    isOpen = [Bool](repeating: true, count: replay.expected.count)
    for (index, expected) in replay.expected.enumerated() {
      let request = expected.entry.request
      for key in SentRequest.keys(request.method, String(request.url.prefix(before: "#"))) {
        candidates[key, default: Candidates()].indices.append(index)
      }
    }
  }

  /// Requests that have something in common. The first ones were sent already.
  private struct Candidates {
    var indices: [Int] = []
    var start = 0
  }

  /// The requests with a key that were not sent yet, in their order.
  private func open(_ key: SentRequest.Key) -> some Sequence<Int> {
    while let known = candidates[key], known.start < known.indices.count,
      !isOpen[known.indices[known.start]]
    {
      candidates[key]?.start += 1
    }
    let known = candidates[key]
    return (known?.indices[(known?.start ?? 0)...] ?? []).lazy.filter { self.isOpen[$0] }
  }

  func answer(_ request: TransportRequest) -> ScriptedTransport.Answer {
    let sent = SentRequest(request) { text, encoding in
      isPerturbed ? replay.recorded(text, encoding) : text
    }
    var differences: [String] = []
    for key in sent.keys {
      for index in open(key) {
        let expected = replay.expected[index]
        switch sent.comparison(with: expected) {
        case .equal: break
        case .similar(let how): proof.similar.append((index, how))
        case .different(let how):
          if let how { differences.append(how) }
          continue
        }
        isOpen[index] = false
        if isPerturbed, replay.holdsRecordedValue(sent.text) { proof.constants.append(index) }
        guard let response = replay.response(to: expected) else { return .status(204) }
        let given = isPerturbed ? replay.perturbed(response, to: expected) : response
        return .response(Self.response(secrets?.hiding(given) ?? given))
      }
    }
    let how = differences.first.map { ": " + $0 } ?? ""
    stranger = "the run sends \(sent.method) \(sent.shownURL), which is not recorded\(how)"
    return .failure(TransportError(.unusable, stranger ?? ""))
  }

  private static func response(_ recorded: RecordedExchange.Response) -> TransportResponse {
    TransportResponse(
      status: recorded.status, headers: recorded.headers.map { HeaderField($0.name, $0.value) },
      body: recorded.body)
  }

  func proof(failure: String?) -> TrafficProof {
    TrafficProof(
      replay, proof, open: isOpen.indices.filter { isOpen[$0] },
      reason: stranger ?? failure ?? "the run does not send it")
  }
}

extension TrafficProof {
  /// What was noticed while a run was answered, by the numbers of requests.
  fileprivate struct Tally {
    var similar: [(Int, String)] = []
    var constants: [Int] = []
  }

  fileprivate init(_ replay: TrafficReplay, _ tally: Tally, open: [Int], reason: String) {
    equal = replay.expected.count - open.count
    missing = open.map { Finding(expected: replay.expected[$0], reason: reason) }
    similar = tally.similar.map { Finding(expected: replay.expected[$0], reason: $1) }
    constants = tally.constants.map {
      Finding(expected: replay.expected[$0], reason: "a value is sent as recorded")
    }
  }
}

/// A request of a proving run, in the words of the recording.
private struct SentRequest {
  enum Comparison {
    case equal
    case similar(String)
    /// With the difference if it is the same request otherwise.
    case different(String?)
  }

  let method: String
  private let url: String
  private let headers: [RecordedField]
  private let body: TransportBody
  private let bytes: [UInt8]
  /// The request as it was sent.
  let text: String

  init(
    _ request: TransportRequest, _ recorded: (String, TrafficReplay.Encoding) -> String
  ) {
    method = request.method
    url = recorded(request.url, .url)
    headers = request.headers.map { RecordedField($0.name, recorded($0.value, .plain)) }
    body = request.body
    var text = request.url
    for field in request.headers { text += "\n" + field.value }
    switch request.body {
    case .bytes(let content):
      let plain = String(validating: content, as: UTF8.self)
      let isJSON = (try? JSONDocument.parse(content)) != nil
      bytes = plain.map { Array(recorded($0, isJSON ? .json : .url).utf8) } ?? content
      text += "\n" + (plain ?? "")
    case .multipart(let parts):
      bytes = Array(
        parts.map { part -> String in
          guard part.filename == nil, case .bytes(let content) = part.content else {
            return part.name
          }
          return part.name + "=" + recorded(String(decoding: content, as: UTF8.self), .plain)
        }.joined(separator: "\n").utf8)
    case .none, .file: bytes = []
    }
    self.text = text
  }

  /// What can be told at once of a request that is equal or similar to another.
  enum Key: Hashable {
    case whole(String)
    /// The method and the decoded path.
    case path(String)
  }

  static func keys(_ method: String, _ url: String) -> [Key] {
    let url = complete(url)
    return [
      .whole(method + " " + url), .path(method + " " + decoded(url).prefix(before: "?")),
    ]
  }

  /// The more precise one first.
  var keys: [Key] { Self.keys(method, url) }

  /// The URL without what may be a credential.
  var shownURL: String { String(url.prefix(before: "?")) }

  func comparison(with expected: TrafficReplay.Expected) -> Comparison {
    let request = expected.entry.request
    guard method.equals(bytes: request.method) else { return .different(nil) }
    var notes: [String] = []
    let recordedURL = Self.complete(String(request.url.prefix(before: "#")))
    if !recordedURL.equals(bytes: Self.complete(url)) {
      if Self.decoded(recordedURL).equals(bytes: Self.decoded(Self.complete(url))) {
        notes.append("the URL is encoded in another way")
      } else if Self.sorted(recordedURL) == Self.sorted(Self.complete(url)) {
        notes.append("the parameters are in another order")
      } else {
        let isNear = recordedURL.prefix(before: "?").equals(
          bytes: Self.complete(url).prefix(before: "?"))
        return .different(isNear ? "its query differs" : nil)
      }
    }
    switch compareBody(request.body) {
    case .equal: break
    case .similar(let how): notes.append(how)
    case .different: return .different("its body differs")
    }
    if let header = difference(expected) { return .different(header) }
    return notes.isEmpty ? .equal : .similar(notes.joined(separator: ", "))
  }

  /// A URL has a path (RFC 9110 §4.2.3), and no name of a user in the request.
  private static func complete(_ url: String) -> String {
    guard let start = url.firstRange(bytes: "://")?.upperBound else { return url }
    var rest = url[start...]
    if let at = rest.prefix(before: "/", "?").lastIndex(ascii: "@") {
      rest = rest[at...].dropFirst(bytes: 1)
    }
    let host = rest.prefix(before: "/", "?")
    let path = rest.dropFirst(bytes: host.utf8.count)
    return url[..<start] + host + (path.hasPrefix(bytes: "/") ? "" : "/") + path
  }

  /// A URL and its parameters by name. Those of one name stay in their order.
  private static func sorted(_ url: String) -> [String] {
    let start = url.prefix(before: "?")
    let query = url.dropFirst(bytes: start.utf8.count + 1).split(ascii: "&").map(String.init)
    let sorted = query.enumerated().sorted {
      let (one, other) = ($0.element.prefix(before: "="), $1.element.prefix(before: "="))
      return one.equals(bytes: other) ? $0.offset < $1.offset : one < other
    }
    return [decoded(String(start))] + sorted.map { decoded($0.element) }
  }

  private static func decoded(_ text: String) -> String {
    URI.percentDecode(text.replacing(bytes: "+", with: " ")) ?? text
  }

  private func compareBody(_ recorded: RecordedExchange.Body?) -> Comparison {
    switch recorded {
    case nil: return bytes.isEmpty ? .equal : .different(nil)
    case .file?: return .different(nil)
    case .form(let parts, _)?: return compareParts(parts)
    case .bytes(let content, let type)?:
      if content == bytes { return .equal }
      if type.lowercased().hasPrefix(bytes: "multipart/") {
        return compareParts(MultipartText.parts(of: String(decoding: content, as: UTF8.self)))
      }
      if let one = try? JSONDocument.parse(content), let other = try? JSONDocument.parse(bytes) {
        return one.root.isEqual(to: other.root)
          ? .similar("its JSON is spaced in another way") : .different(nil)
      }
      let (one, other) = (
        String(decoding: content, as: UTF8.self), String(decoding: bytes, as: UTF8.self)
      )
      return Self.decoded(one).equals(bytes: Self.decoded(other))
        ? .similar("its form is encoded in another way") : .different(nil)
    }
  }

  private func compareParts(_ parts: [RecordedExchange.Part]) -> Comparison {
    guard case .multipart(let sent) = body, sent.count == parts.count else {
      return .different(nil)
    }
    let text = parts.map {
      $0.fileName == nil ? $0.name + "=" + ($0.value ?? "") : $0.name
    }.joined(separator: "\n")
    return text.equals(bytes: String(decoding: bytes, as: UTF8.self)) ? .equal : .different(nil)
  }

  private func difference(_ expected: TrafficReplay.Expected) -> String? {
    for field in expected.headers where !Self.isMadeAnew(field) {
      let values = headers.filter { $0.name.equalsIgnoringASCIICase(field.name) }.map(\.value)
      guard values.contains(where: { $0.equals(bytes: field.value) }) else {
        return "its header '\(field.name)' differs"
      }
    }
    guard !expected.cookies.isEmpty else { return nil }
    let cookies = headers.filter { $0.name.equalsIgnoringASCIICase("cookie") }.flatMap {
      $0.value.split(ascii: ";").map { String($0).trimmed }
    }
    for cookie in expected.cookies where !cookies.contains(cookie.name + "=" + cookie.value) {
      return "its cookie '\(cookie.name)' differs"
    }
    return nil
  }

  /// Whether a header holds a signature, which is another one each time.
  private static func isMadeAnew(_ field: RecordedField) -> Bool {
    guard field.name.equalsIgnoringASCIICase("authorization") else { return false }
    let scheme = field.value.prefix(before: " ").lowercased()
    return !["bearer", "basic"].contains(scheme)
  }
}
