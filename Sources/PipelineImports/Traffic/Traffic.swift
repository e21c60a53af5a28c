internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineRecordings
internal import PipelineURIs

/// One request of the workflow that is made of a recording, with what a browser or a waiting client
/// sent for it.
struct TrafficExchange: Sendable {
  /// The entries in their order: those of redirects that were followed, or of polling.
  var entries: [TrafficEntry]
  let slotted: SlottedRequest
  /// The condition that ended the polling; `nil` if the request was sent once.
  var poll: (until: String, every: Double)?

  init(_ entry: TrafficEntry) {
    entries = [entry]
    slotted = SlottedRequest(entry.request)
  }

  var first: TrafficEntry { entries[0] }
  /// The entry whose response the step reads.
  var last: TrafficEntry { entries[entries.count - 1] }
  var isSafe: Bool { first.isSafe }
  var duration: Double { entries.reduce(0) { $0 + $1.duration } }
}

/// What a recording holds of an API's requests, without the rest that a browser sent.
struct Traffic: Sendable {
  let source: any RecordingSource
  private(set) var exchanges: [TrafficExchange] = []
  /// How many entries were left out, by reason.
  private(set) var leftOut: [TrafficNoise: Int] = [:]
  /// What the user should know of the whole recording.
  private(set) var notes: [(line: Int, message: String)] = []
  private(set) var keys = RecordingKeys()
  /// The requests that no step can send.
  private(set) var refused: [(line: Int, message: String)] = []

  /// Reads a recording.
  ///
  /// - Complexity: Linear in the size of the file. Holds the requests and one response.
  init(_ source: any RecordingSource) throws(RecordingProblem) {
    self.source = source
    var entries: [TrafficEntry] = []
    var bodies: [Int: Int] = [:]
    var hasSetCookie = false
    var hasCredentials = false
    var keys = RecordingKeys()
    var isOwn = false
    try TrafficReader.readEach(source) { entry, node in
      entries.append(entry)
      isOwn = isOwn || node["_pipeline"] != nil
      keys.read(node, line: entry.line)
      bodies[entry.number] = node["response"]?["content"]?["text"].map { $0.utf8.hashValue }
      hasSetCookie =
        hasSetCookie
        || node["response"]?["headers"]?.elements.contains {
          $0["name"]?.string?.equalsIgnoringASCIICase("set-cookie") == true
        } == true
      hasCredentials =
        hasCredentials
        || entry.request.headers.contains {
          $0.name.equalsIgnoringASCIICase("cookie")
            || $0.name.equalsIgnoringASCIICase("authorization")
        }
    }
    guard !isOwn else {
      throw RecordingProblem(
        "is a recording of 'pipeline run': its entries are sorted by step and have no times, so what"
          + " came first is not known; the workflow that ran is its source, and 'pipeline new --test'"
          + " makes a test of it")
    }
    self.keys = keys
    let isBrowser = entries.contains { !$0.resourceType.isEmpty }
    if isBrowser, !hasSetCookie, !hasCredentials {
      notes.append(
        (
          1,
          "the recording has no cookies and no 'Authorization': browsers leave them out unless you"
            + " export with sensitive data, so a login is not seen"
        ))
    }
    keep(entries)
    removeRepeated(bodies)
    foldRedirects()
    let lacking = exchanges.filter(\.last.lacksJSON)
    if let first = lacking.first {
      let what = lacking.count == 1 ? "a response is" : "\(lacking.count) responses are"
      notes.append(
        (
          first.last.line,
          "\(what) recorded without a body, so values that come from there stay as they were sent"
        ))
    }
  }

  private mutating func keep(_ entries: [TrafficEntry]) {
    let hasResponses = entries.contains { $0.status > 0 }
    var kept: [TrafficEntry] = []
    for entry in entries {
      if let noise = TrafficNoise(entry, hasResponses: hasResponses) {
        leftOut[noise, default: 0] += 1
      } else if !HTTPMethod.isKnown(entry.request.method) {
        refused.append(
          (entry.line, ImportedRequest.refusal(ofMethod: entry.request.method)))
      } else {
        kept.append(entry)
      }
    }
    // A recording of files alone is about these files.
    if kept.isEmpty {
      kept = entries.filter {
        $0.request.url.hasPrefix(bytes: "http") && $0.status > 0
          && HTTPMethod.isKnown($0.request.method)
      }
      leftOut[.staticFile] = nil
    }
    if kept.allSatisfy({ $0.start != nil }) {
      kept = kept.enumerated().sorted {
        ($0.element.start ?? 0, $0.offset) < ($1.element.start ?? 0, $1.offset)
      }.map(\.element)
    }
    exchanges = kept.map { TrafficExchange($0) }
  }

  /// Leaves out attempts that were repeated and requests whose response was the same, and makes
  /// polling one exchange.
  private mutating func removeRepeated(_ bodies: [Int: Int]) {
    var kept: [TrafficExchange] = []
    var start = 0
    while start < exchanges.count {
      var end = start + 1
      while end < exchanges.count, exchanges[end].first.request == exchanges[start].first.request {
        end += 1
      }
      var run = Array(exchanges[start..<end])
      let attempts = run.dropLast().filter { $0.last.status >= 500 || $0.last.status == 429 }
      leftOut[.retried, default: 0] += attempts.count
      run = run.enumerated().filter { number, exchange in
        number == run.count - 1 || exchange.last.status < 500 && exchange.last.status != 429
      }.map(\.element)
      let isNotModified = run.count > 1 && run[1...].allSatisfy { $0.last.status == 304 }
      if run.count > 1, run[0].isSafe {
        let first = bodies[run[0].last.number]
        if isNotModified || run.allSatisfy({ bodies[$0.last.number] == first }) {
          leftOut[isNotModified ? .notModified : .repeated, default: 0] += run.count - 1
          run = [run[0]]
        } else if let poll = polling(run) {
          var one = run[0]
          one.entries = run.flatMap(\.entries)
          one.poll = poll
          run = [one]
        }
      }
      kept += run
      start = end
    }
    for noise in TrafficNoise.allCases where leftOut[noise] == 0 { leftOut[noise] = nil }
    exchanges = kept
  }

  private func polling(_ run: [TrafficExchange]) -> (until: String, every: Double)? {
    guard let last = run.last, run.allSatisfy(\.last.isGood), let end = root(of: last) else {
      return nil
    }
    var condition = PollCondition(end)
    for exchange in run.dropLast() {
      guard let root = root(of: exchange) else { return nil }
      condition.exclude(root)
    }
    guard let until = condition.text else { return nil }
    let gap = (run[1].first.start ?? 0) - (run[0].first.start ?? 0)
    return (until, gap)
  }

  /// The JSON body of an exchange's response; `nil` if it has none.
  func root(of exchange: TrafficExchange) -> JSONNode? {
    let response = TrafficReader.exchange(source, at: exchange.last.place)?.response
    return (try? JSONDocument.parse(response?.body ?? []))?.root
  }

  // MARK: Redirects

  /// Makes a request and its redirects one exchange, unless a later request sends what only the
  /// redirect gave.
  private mutating func foldRedirects() {
    var lastUse: [ExactText: Int] = [:]
    for (number, exchange) in exchanges.enumerated() {
      for slot in exchange.slotted.slots {
        for text in SlotPieces.texts(of: slot.text) { lastUse[ExactText(text)] = number }
      }
    }
    var kept: [TrafficExchange] = []
    var number = 0
    while number < exchanges.count {
      var exchange = exchanges[number]
      while number + 1 < exchanges.count, exchange.poll == nil,
        isRedirect(exchange.last, to: exchanges[number + 1].first),
        !isUsed(exchange.last, after: number + 1, lastUse)
      {
        exchange.entries += exchanges[number + 1].entries
        number += 1
      }
      kept.append(exchange)
      number += 1
    }
    exchanges = kept
  }

  private func isRedirect(_ entry: TrafficEntry, to next: TrafficEntry) -> Bool {
    guard (301...308).contains(entry.status), entry.status != 304, let location = entry.location,
      let target = URI.parse(entry.request.url)?.resolving(location)
    else { return false }
    let url = String(target.description.prefix(before: "#"))
    let keepsMethod = entry.status >= 307 || entry.isSafe
    return url.equals(bytes: String(next.request.url.prefix(before: "#")))
      && next.request.method.equals(bytes: keepsMethod ? entry.request.method : "GET")
  }

  private func isUsed(
    _ entry: TrafficEntry, after number: Int, _ lastUse: [ExactText: Int]
  ) -> Bool {
    guard let response = TrafficReader.exchange(source, at: entry.place)?.response else {
      return false
    }
    return response.headers.contains { field in
      SlotPieces.texts(of: String(field.value.prefix(before: ";"))).contains { text in
        ValueStrength.bits(of: text) >= ValueStrength.strongBits
          && (lastUse[ExactText(text)] ?? 0) > number
      }
    }
  }

  // MARK: Pages

  /// Leaves out the pages of a browser that no request uses.
  ///
  /// - Returns: The new position of each exchange; `nil` if all stay.
  mutating func removePages(unless isUsed: (Int) -> Bool) -> [Int?]? {
    func isPage(_ exchange: TrafficExchange) -> Bool {
      exchange.isSafe && exchange.last.mediaType.hasSuffix(bytes: "html")
        || exchange.first.resourceType.equals(bytes: "document") && exchange.isSafe
    }
    guard exchanges.contains(where: { !isPage($0) }) else { return nil }
    let kept = exchanges.enumerated().filter { !isPage($0.element) || isUsed($0.offset) }
    guard kept.count < exchanges.count else { return nil }
    var positions = [Int?](repeating: nil, count: exchanges.count)
    for (position, exchange) in kept.enumerated() { positions[exchange.offset] = position }
    leftOut[.page, default: 0] += exchanges.count - kept.count
    exchanges = kept.map(\.element)
    return positions
  }
}

/// The texts in a slot that may be values of responses.
enum SlotPieces {
  private static let first = ASCIISet(" \t,;\"'()<>")
  private static let second = ASCIISet(" \t,;\"'()<>/?&=:.@|+%~!*#[]{}$")

  /// The whole text, and the strong pieces of it.
  static func texts(of text: String) -> [String] { [text] + pieces(of: text).map { String($0) } }

  /// The strong pieces of a text, longer ones first.
  static func pieces(of text: String) -> [Substring] {
    var found: [Substring] = []
    for set in [first, second] {
      for piece in text.utf8.split(whereSeparator: set.contains).map({ Substring($0) })
      where piece.utf8.count < text.utf8.count && !found.contains(piece) {
        if ValueStrength.bits(of: String(piece)) >= ValueStrength.strongBits { found.append(piece) }
      }
    }
    return found
  }
}
