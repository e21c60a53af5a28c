internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineEngine

// Events out of a file of events.

extension TraceEvent {
  /// The event of one line; `nil` if it is none that this version knows.
  init?(_ line: JSONNode) {
    guard let name = line["event"]?.string, let time = line.microseconds("time") else { return nil }
    self.time = time
    let step = line["step"]?.string ?? ""
    let path = line.positions("path")
    switch name {
    case "runStarted": kind = .runStarted(RunStarted(line))
    case "stepStarted":
      kind = .stepStarted(
        StepStarted(
          step: step, path: path, items: line.int("items"), concurrency: line.int("concurrency"),
          isSequential: line["sequential"]?.boolean ?? false,
          release: line.release ?? Release(.start)))
    case "itemStarted":
      kind = .itemStarted(
        step: step, path: path, item: line.int("item"), line.release ?? Release(.step))
    case "requestFinished": kind = .requestFinished(Request(line, step, path))
    case "itemFinished":
      kind = .itemFinished(step: step, path: path, item: line.int("item") ?? 0, Ending(line))
    case "stepFinished":
      kind = .stepFinished(
        StepFinished(
          step: step, path: path, ending: Ending(line),
          duration: line.microseconds("duration") ?? 0, items: line.int("items"),
          failedItems: line.int("failedItems") ?? 0, release: line.release))
    case "note":
      kind = .note(step: line["step"]?.string, message: line["message"]?.string ?? "")
    case "said": kind = .note(step: step, message: "says: " + (line["text"]?.string ?? ""))
    case "asked": kind = .note(step: step, message: "asks: " + (line["text"]?.string ?? ""))
    case "runFinished": kind = .runFinished(RunFinished(line))
    default: return nil
    }
  }
}

extension TraceEvent.RunStarted {
  fileprivate init(_ line: JSONNode) {
    func rate(_ name: String) -> RunTrace.Limits.Rate? {
      guard let node = line[name], let count = node.int("count"),
        let per = node.microseconds("per")
      else { return nil }
      return RunTrace.Limits.Rate(count: count, per: per)
    }
    self.init(
      run: line["run"]?.string ?? "", workflow: line["workflow"]?.string ?? "",
      file: line["file"]?.string ?? "", startedAt: line.moment("startedAt") ?? 0,
      resumedAt: line.moment("resumedAt"),
      limits: RunTrace.Limits(
        concurrency: line.int("concurrency") ?? 0, perOrigin: line.int("perOrigin"),
        rate: rate("rate"), ratePerOrigin: rate("ratePerOrigin")),
      steps: TraceEvent.Step.steps(line["steps"]), rowStep: line["rowStep"]?.string)
  }
}

extension TraceEvent.Step {
  /// The steps, as deep as they nest: the parser limits the depth of a line.
  fileprivate static func steps(_ node: JSONNode?) -> [Self] {
    guard let node else { return [] }
    return node.elements.map { step in
      Self(
        id: step["id"]?.string ?? "", action: step["action"]?.string ?? "",
        isCollection: step["collection"]?.boolean ?? false,
        hasRounds: step["rounds"]?.boolean ?? false,
        isFinally: step["finally"]?.boolean ?? false,
        after: step["after"].map { $0.elements.compactMap(\.string) } ?? [],
        file: step["file"]?.string, line: step.int("line"),
        steps: steps(step["steps"]))
    }
  }
}

extension TraceEvent.Ending {
  fileprivate init(_ line: JSONNode) {
    let recoveredBy = line["recoveredBy"]?.string
    let outcome = line["outcome"]?.string.flatMap(RunTrace.Outcome.init) ?? .succeeded
    self.init(
      outcome: outcome, reason: line["reason"]?.string,
      failure: line["failure"].map {
        RunTrace.Failed($0, isRecovered: outcome == .recovered || recoveredBy != nil)
      }, recoveredBy: recoveredBy)
  }
}

extension TraceEvent.Request {
  fileprivate init(_ line: JSONNode, _ step: String, _ path: [Int]) {
    let timings = line["timings"]
    let waits = line["waits"]
    func timing(_ name: String) -> Int { timings?.microseconds(name) ?? 0 }
    func wait(_ name: String) -> Int { waits?.microseconds(name) ?? 0 }
    self.init(
      step: step, path: path, item: line.int("item"), attempt: line.int("attempt") ?? 1,
      method: line["method"]?.string ?? "", url: line["url"]?.string ?? "",
      status: line.int("status"), error: line["error"]?["message"]?.string,
      bytes: line.int("bytes") ?? 0, sent: line.microseconds("sent"),
      waits: TraceEvent.Waits(
        place: wait("place"), rate: wait("rate"), pause: wait("pause"),
        announced: wait("announced"), retry: wait("retry"), poll: wait("poll")),
      connected: max(timing("tls"), timing("connect"), timing("nameLookup")),
      firstByte: timing("firstByte"), total: timing("total"),
      isReused: timings?["reusedConnection"]?.boolean ?? false,
      isRetried: line["retryAfter"] != nil, cache: line["cache"]?.string,
      cause: line["cause"]?.string.flatMap(RequestCause.init) ?? .first, page: line.int("page"),
      poll: line.int("poll"), isForToken: line["token"]?.boolean ?? false)
  }
}

extension TraceEvent.RunFinished {
  fileprivate init(_ line: JSONNode) {
    let steps = line["steps"]
    func count(_ name: String) -> Int { steps?.int(name) ?? 0 }
    let failures = line["failures"]
    self.init(
      status: line["status"]?.string ?? "", duration: line.microseconds("duration") ?? 0,
      stopReason: line["stopReason"]?["message"]?.string,
      counts: RunTrace.Counts(
        succeeded: count("succeeded"), recovered: count("recovered"), skipped: count("skipped"),
        failed: count("failed"), cancelled: count("cancelled"),
        requests: line.int("requests") ?? 0, items: line.int("items") ?? 0,
        bytes: line.int("bytes") ?? 0, cached: line.int("cached") ?? 0,
        validated: line.int("validated") ?? 0, taken: line.int("taken") ?? 0),
      failures: failures?.elements.prefix(RunTrace.Most.failures).map {
        RunTrace.Failed($0, isRecovered: false)
      } ?? [], failureCount: line.int("failureCount") ?? failures?.count ?? 0)
  }
}

extension RunTrace.Failed {
  fileprivate init(_ node: JSONNode, isRecovered: Bool) {
    self.init(
      step: node["step"]?.string ?? "", path: node.positions("path"), item: node.int("item"),
      kind: node["kind"]?.string ?? "", message: node["message"]?.string ?? "",
      method: node["method"]?.string, url: node["url"]?.string, attempts: node.int("attempts"),
      status: node.int("status"),
      body: node["body"]?.string.map { $0.cut(to: RunTrace.Most.excerpt) },
      details: node["details"]?.text, file: node["file"]?.string, line: node.int("line"),
      column: node.int("column"), time: nil, isRecovered: isRecovered)
  }
}

extension JSONNode {
  fileprivate func int(_ name: String) -> Int? { (self[name]?.number?.int).map(FileNumber.count) }

  fileprivate func moment(_ name: String) -> Double? {
    (self[name]?.number?.double).map(FileNumber.seconds)
  }

  fileprivate func microseconds(_ name: String) -> Int? {
    guard let seconds = (self[name]?.number?.double).map(FileNumber.seconds) else { return nil }
    return FileNumber.count(Int((seconds * 1_000_000).rounded()))
  }

  fileprivate func positions(_ name: String) -> [Int] {
    self[name].map { $0.elements.compactMap { ($0.number?.int).map(FileNumber.count) } } ?? []
  }

  fileprivate var release: Release? {
    guard let node = self["releasedBy"],
      let kind = node["kind"]?.string.flatMap(Release.Kind.init)
    else { return nil }
    return Release(
      kind, step: node["step"]?.string, path: node.positions("path"), item: node.int("item"))
  }
}
