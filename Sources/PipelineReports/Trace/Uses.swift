internal import PipelineByteText
internal import PipelineEngine

/// Times by use.
struct Uses {
  private(set) var all: [CausalPath.Use] = []

  mutating func add(_ time: Int, _ use: TimeUse, _ origin: Int?) {
    if let index = all.firstIndex(where: { $0.use == use && $0.origin == origin }) {
      all[index].time = FileNumber.sum(all[index].time, time)
    } else {
      all.append(CausalPath.Use(use: use, origin: origin, time: time))
    }
  }

  func named(_ origins: Origins) -> [RunTrace.Use] {
    all.map {
      RunTrace.Use(use: $0.use, origin: $0.origin.map(origins.name), time: $0.time)
    }
  }
}

/// The servers that requests went to, by number.
struct Origins {
  private var names: [String] = []
  private var counts: [Int] = []
  private var times: [Int] = []
  private var numbers: [String: Int] = [:]
  /// The beginning of the last URL, which is usually that of the next.
  private var lastPrefix = ""
  private var lastNumber = 0

  /// Servers beyond these share a number: a page of links may name very many.
  private static let most = 60

  /// The number of a URL's server.
  mutating func number(of url: String) -> Int {
    if !lastPrefix.isEmpty, url.hasPrefix(bytes: lastPrefix) { return lastNumber }
    let start = url.firstRange(bytes: "://")?.upperBound ?? url.startIndex
    let end = url.utf8[start...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }
    var name = String(url[start..<(end ?? url.endIndex)]).cut(to: 100)
    if numbers[name] == nil, names.count >= Self.most { name = "other servers" }
    let number = numbers[name] ?? names.count
    if number == names.count {
      names.append(name)
      counts.append(0)
      times.append(0)
      numbers[name] = number
    }
    // With its slash: `http://a.example` begins `http://a.example.org`, too.
    lastPrefix = end.map { String(url[...$0]) } ?? ""
    lastNumber = number
    return number
  }

  func name(_ number: Int) -> String { names[number] }

  /// Counts a request that was sent. Returns what there is for this server; `nil` if it stands for
  /// several.
  mutating func add(_ time: Int, _ number: Int) -> (requests: Int, work: Int)? {
    guard number < Self.most else { return nil }
    counts[number] += 1
    times[number] += time
    return (counts[number], times[number])
  }
}

/// The first requests of a run, the slowest, and the first that failed.
struct RequestSamples {
  private var first: [RunTrace.Request] = []
  private var slow: [RunTrace.Request] = []
  private var failed: [RunTrace.Request] = []
  /// The shortest time of the slow ones.
  private var floor = 0

  mutating func add(
    _ request: TraceEvent.Request, _ step: Int, _ pieces: TraceBuilder.Pieces, _ isGood: Bool,
    _ time: Int
  ) {
    if first.count < RunTrace.Most.requests {
      first.append(Self.sample(request, step, pieces, time))
    } else if !isGood, failed.count < RunTrace.Most.failedRequests {
      failed.append(Self.sample(request, step, pieces, time))
    } else if let sent = request.sent {
      let length = time - sent
      guard length > floor else { return }
      slow.append(Self.sample(request, step, pieces, time))
      guard slow.count >= 2 * RunTrace.Most.slowRequests else { return }
      slow.sort { $0.length > $1.length }
      slow.removeLast(RunTrace.Most.slowRequests)
      floor = slow.last?.length ?? 0
    }
  }

  /// As many of these as a trace keeps.
  static func chosen(of requests: [RunTrace.Request]) -> [RunTrace.Request] {
    let isGood = { (request: RunTrace.Request) in
      request.error == nil && (request.status ?? 0) < 400
    }
    let others = requests.dropFirst(RunTrace.Most.requests)
    let failed = others.filter { !isGood($0) }.prefix(RunTrace.Most.failedRequests)
    let slow = others.filter(isGood).sorted { $0.length > $1.length }
      .prefix(RunTrace.Most.slowRequests)
    return (requests.prefix(RunTrace.Most.requests) + failed + slow)
      .sorted { ($0.sent, $0.end) < ($1.sent, $1.end) }
  }

  private static func sample(
    _ request: TraceEvent.Request, _ step: Int, _ pieces: TraceBuilder.Pieces, _ time: Int
  ) -> RunTrace.Request {
    RunTrace.Request(
      step: step, path: request.path, item: request.item, attempt: request.attempt,
      method: request.method, url: request.url.cut(to: RunTrace.Most.url), status: request.status,
      error: request.error?.cut(to: RunTrace.Most.url), bytes: request.bytes,
      sent: request.sent ?? time, end: time,
      waits: [TimeUse.retry, .poll, .pause, .announced, .rate, .place].compactMap { use in
        let length = pieces.length(use)
        return length > 0 ? RunTrace.Use(use: use, origin: nil, time: length) : nil
      }, connecting: pieces.length(.connecting), server: pieces.length(.server),
      receiving: pieces.length(.receiving), isReused: request.isReused,
      isRetried: request.isRetried, cache: request.cache,
      cause: request.cause == .first ? nil : request.cause.rawValue, page: request.page,
      poll: request.poll, isForToken: request.isForToken ? true : nil)
  }

  var all: [RunTrace.Request] {
    let slowest = slow.sorted { $0.length > $1.length }.prefix(RunTrace.Most.slowRequests)
    return (first + failed + slowest).sorted { ($0.sent, $0.end) < ($1.sent, $1.end) }
  }
}

extension RunTrace.Request {
  /// From when it was sent to its end.
  package var length: Int { end - sent }
}
