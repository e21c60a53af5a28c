internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/jobs`: work that clients poll until it is done. Its progress depends on the count of polls.
enum JobsAPI {
  struct Job {
    let id: Int
    /// The poll that finds the job ended.
    let polls: Int
    let fails: Bool
    var polled = 0
  }

  struct State {
    /// The last thousand jobs.
    var jobs: [Int: Job] = [:]
    var nextID = 1
  }

  static let routes = [
    Route("POST", "/jobs", "starts a job: 202 with Location; ?polls=3&outcome=done|failed") {
      state, request, _ in
      start(request, &state.jobs)
    },
    Route("GET", "/jobs/{id}", "queued, running, then done or failed") { state, request, values in
      poll(request, values[0], &state.jobs)
    },
    Route("GET", "/jobs/{id}/result", "the result once the job is done, else 409") {
      state, _, values in
      guard let job = Int(values[0]).flatMap({ state.jobs.jobs[$0] }) else { return unknown }
      guard job.polled >= job.polls, !job.fails else {
        return .failure(409, "the job is not done")
      }
      return .object { result(of: job, &$0) }
    },
    Route("DELETE", "/jobs/{id}", "cancels or removes a job: 204") { state, _, values in
      guard let id = Int(values[0]), state.jobs.jobs.removeValue(forKey: id) != nil else {
        return unknown
      }
      return .empty(204)
    },
  ]

  private static var unknown: ServerResponse { ServerResponse.failure(404, "no such job") }

  private static func start(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    let body = request.json
    let outcome = request.query("outcome") ?? body?["outcome"]?.string ?? "done"
    guard outcome == "done" || outcome == "failed" else {
      return .failure(400, "outcome is 'done' or 'failed'")
    }
    let asked = body?["polls"]?.number?.int ?? 3
    let polls = request.integer("polls", in: 1...10_000, otherwise: min(max(asked, 1), 10_000))
    let job = Job(id: state.nextID, polls: polls, fails: outcome == "failed")
    state.jobs[job.id] = job
    state.jobs[job.id - 1000] = nil
    state.nextID += 1
    return .object(202, [ServerResponse.Field("Location", "/jobs/\(job.id)")]) { writer in
      writer.member("id", job.id)
      writer.member("status", "queued")
    }
  }

  private static func poll(
    _ request: ServerRequest, _ id: String, _ state: inout State
  ) -> ServerResponse {
    guard let id = Int(id), var job = state.jobs[id] else { return unknown }
    job.polled += 1
    state.jobs[id] = job
    let ended = job.polled >= job.polls
    let status = ended ? (job.fails ? "failed" : "done") : job.polled == 1 ? "queued" : "running"
    return .object { writer in
      writer.member("id", id)
      writer.member("status", status)
      writer.member("progress", ended ? 100 : (job.polled - 1) * 100 / job.polls)
      guard ended else { return }
      if job.fails {
        writer.object("error") { writer in
          writer.member("code", "render-failed")
          writer.member("message", "page 3 could not be rendered")
        }
      } else {
        writer.object("result") { result(of: job, &$0) }
      }
    }
  }

  private static func result(of job: Job, _ writer: inout JSONWriter) {
    writer.member("pages", 12)
    writer.member("url", "/jobs/\(job.id)/result")
  }
}
