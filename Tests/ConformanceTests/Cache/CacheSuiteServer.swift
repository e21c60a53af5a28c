import PipelineJSONText
import PipelineKit
import PipelineTesting
import Synchronization

/// The suite's server: answers the requests of one test as it says, and remembers them.
final class CacheSuiteServer: Sendable {
  /// A request that arrived, and the headers that its answer had on purpose.
  struct Seen: Sendable {
    let number: Int
    let method: String
    let headers: [HeaderField]
    let answered: [HeaderField]

    func value(_ name: String) -> String? { headers.value(name) }
  }

  private let requests: [JSONNode]
  private let clock: ManualClock
  private let state = Mutex<[Seen]>([])

  init(_ requests: [JSONNode], clock: ManualClock) {
    self.requests = requests
    self.clock = clock
  }

  var seen: [Seen] { state.withLock { $0 } }

  func answer(_ request: TransportRequest, body: String) -> ScriptedTransport.Answer {
    let count = seen.count + 1
    let number = request.headers.value("Req-Num").flatMap { Int($0) } ?? count
    let test = requests[number - 1]
    if let pause = test["response_pause"]?.number?.int { clock.advance(by: .seconds(pause)) }
    let status = status(of: test, number, request)
    let path = String(request.url.dropFirst("https://cache.test".count))
    let now = clock.wallTime
    var headers = [
      HeaderField("Server-Base-Url", path), HeaderField("Server-Request-Count", "\(count)"),
      HeaderField("Client-Request-Count", "\(number)"),
      HeaderField("Server-Now", "\(Int(now * 1000))"),
    ]
    var answered: [HeaderField] = []
    for pair in test["response_headers"]?.elements ?? JSONValue.null.node.elements {
      let field = CacheSuite.header(pair, in: test, now: now, base: path)
      headers.append(field)
      if pair.count < 3 || pair.element(2)?.boolean == true { answered.append(field) }
    }
    if headers.value("Content-Type") == nil {
      headers.append(HeaderField("Content-Type", "text/plain"))
    }
    if headers.value("Date") == nil { headers.append(HeaderField("Date", HTTPDateText.text(now))) }
    state.withLock {
      $0.append(
        Seen(
          number: number, method: request.method, headers: request.headers, answered: answered))
    }
    headers.append(
      HeaderField("Request-Numbers", seen.map { "\($0.number)" }.joined(separator: " ")))
    if test["disconnect"]?.boolean == true { return .reset }
    let hasBody = ![204, 304].contains(status) && request.method != "HEAD"
    let text = test["response_body"]?.string ?? body
    return .response(
      TransportResponse(status: status, headers: headers, body: hasBody ? Array(text.utf8) : []))
  }

  /// What the test says, or 304 if a conditional request is expected and came; 999 if it did not.
  private func status(of test: JSONNode, _ number: Int, _ request: TransportRequest) -> Int {
    let stated = test["response_status"]?.element(0)?.number?.int ?? 200
    guard number > 1, test["expected_type"]?.string?.hasSuffix("validated") == true else {
      return stated
    }
    for (field, condition) in [
      ("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match"),
    ] {
      // If the cache gave the answer before, the server has only stated it.
      let stated = requests[number - 2]["response_headers"]?.elements.first {
        $0.element(0)?.string?.lowercased() == field.lowercased()
      }
      let before =
        seen.last { $0.number == number - 1 }?.answered.value(field)
        ?? stated?.element(1)?.string
      if let before, request.headers.value(condition) == before { return 304 }
    }
    return 999
  }
}

extension [HeaderField] {
  /// The values of all fields of a name, joined; `nil`: there is none.
  func value(_ name: String) -> String? {
    let values = filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
