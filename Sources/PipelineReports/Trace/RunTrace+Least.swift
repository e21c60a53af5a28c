internal import PipelineByteText

extension RunTrace {
  /// How long the run would take at least under other limits, if each request takes as long as it
  /// did and no server asks for a pause.
  package struct Least: Decodable, Sendable {
    /// The longest chain of steps without any limit: what is in it needs what comes before.
    package var path = 0
    /// The time of all requests.
    package var work = 0
    /// The requests that `limits.rate` counts, and the maximum to one origin.
    package var requests = 0
    package var originRequests = 0
    /// `nil` if an earlier version of this program wrote the trace.
    var limited: Limited?

    struct Limited: Decodable, Sendable {
      /// The longest chain under the limits on the items that are carried out at once.
      var path = 0
      /// With `limits.concurrency` doubled.
      var doubledRun = 0
      /// With the own `concurrency` of one step doubled.
      var doubledSteps: [Doubled] = []
      /// The maximum time of the requests to one origin.
      var originWork = 0
      /// The shortest request.
      var shortest: Int?

      struct Doubled: Decodable, Sendable {
        var step: Int
        var path: Int
      }

      func path(doubling step: Int) -> Int {
        doubledSteps.first { $0.step == step }?.path ?? path
      }
    }

    /// A request has ended.
    ///
    /// - Parameter origin: All requests to its server so far, and their time.
    mutating func add(_ time: Int, _ origin: (requests: Int, work: Int)?) {
      work = FileNumber.sum(work, time)
      requests += 1
      var limited = self.limited ?? Limited()
      limited.shortest = min(limited.shortest ?? time, time)
      if let origin {
        originRequests = max(originRequests, origin.requests)
        limited.originWork = max(limited.originWork, origin.work)
      }
      self.limited = limited
    }

    mutating func set(_ times: LimitTimes, _ lanes: [Int: Int]) {
      path = times[LimitTimes.unlimited]
      var limited = self.limited ?? Limited()
      limited.path = times[LimitTimes.asTheyAre]
      limited.doubledRun = times[LimitTimes.doubledRun]
      limited.doubledSteps = lanes.sorted { $0.value < $1.value }.map {
        Limited.Doubled(step: $0.key, path: times[$0.value])
      }
      self.limited = limited
    }

    /// Adds what an earlier process did. It may have carried out anything at the same time, if
    /// nothing had ended it.
    mutating func add(_ earlier: Least, numbers: [Int]) {
      path = max(path, earlier.path)
      work += earlier.work
      requests += earlier.requests
      originRequests = max(originRequests, earlier.originRequests)
      guard let new = limited, let old = earlier.limited else { return limited = nil }
      var before = old
      for index in before.doubledSteps.indices {
        before.doubledSteps[index].step = numbers[before.doubledSteps[index].step]
      }
      let steps = Set((new.doubledSteps + before.doubledSteps).map(\.step)).sorted()
      limited = Limited(
        path: max(new.path, old.path), doubledRun: max(new.doubledRun, old.doubledRun),
        doubledSteps: steps.map { step in
          Limited.Doubled(
            step: step, path: max(new.path(doubling: step), before.path(doubling: step)))
        }, originWork: max(new.originWork, old.originWork),
        shortest: [new.shortest, old.shortest].compactMap { $0 }.min())
    }
  }

  /// A limit that may hold a run back.
  package enum Limit {
    case concurrency, perOrigin, rate, ratePerOrigin
    /// The own `concurrency` of a step.
    case step(Int)
  }

  /// The minimum time of the run under its limits, or with one of them doubled, if each request
  /// takes as long as it did and no server asks for a pause.
  package func leastTime(doubling limit: Limit? = nil) -> Int {
    var time = pathTime(doubling: limit)
    let shortest = least.limited?.shortest ?? 0
    func atOnce(_ count: Int?, _ isDoubled: Bool, _ work: Int, _ requests: Int) {
      guard let count, count > 0 else { return }
      let width = isDoubled ? count * 2 : count
      time = max(time, work / width, FileNumber.product((requests + width - 1) / width, shortest))
    }
    func inTime(_ rate: Limits.Rate?, _ isDoubled: Bool, _ requests: Int) {
      guard let rate, requests > 0 else { return }
      time = max(time, rate.time(of: requests, faster: isDoubled ? 2 : 1) + shortest)
    }
    var doubled = (concurrency: false, perOrigin: false, rate: false, ratePerOrigin: false)
    switch limit {
    case .concurrency: doubled.concurrency = true
    case .perOrigin: doubled.perOrigin = true
    case .rate: doubled.rate = true
    case .ratePerOrigin: doubled.ratePerOrigin = true
    case .step, nil: break
    }
    atOnce(limits.concurrency, doubled.concurrency, least.work, least.requests)
    atOnce(
      limits.perOrigin, doubled.perOrigin, least.limited?.originWork ?? 0, least.originRequests)
    inTime(limits.rate, doubled.rate, least.requests)
    inTime(limits.ratePerOrigin, doubled.ratePerOrigin, least.originRequests)
    return min(time, duration)
  }

  /// The minimum time without any limit.
  package var unlimitedTime: Int { min(least.path, duration) }

  private func pathTime(doubling limit: Limit?) -> Int {
    guard let limited = least.limited else { return least.path }
    switch limit {
    case .concurrency: return limited.doubledRun
    case .step(let step): return limited.path(doubling: step)
    case .perOrigin, .rate, .ratePerOrigin, nil: return limited.path
    }
  }
}

extension RunTrace.Limits.Rate {
  /// The minimum time between the first and the last of `requests` requests at `times` times this
  /// rate. The requests after the first burst keep an even distance.
  fileprivate func time(of requests: Int, faster times: Int) -> Int {
    let count = max(1, count) * times
    guard requests > count else { return 0 }
    return Int(min(Double(requests - 1) * Double(per) / Double(count), 4e15))
  }
}
