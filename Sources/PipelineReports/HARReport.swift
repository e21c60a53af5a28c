internal import PipelineByteText
internal import PipelineJSONText

/// The requests of a run as HAR 1.2, with their times and without headers and bodies. `run
/// --record` writes the others, too.
package enum HARReport {
  package static func text(of trace: RunTrace) -> String {
    var writer = JSONWriter(style: .pretty)
    writer.object {
      $0.name("log")
      $0.object {
        $0.member("version", "1.2")
        $0.name("creator")
        $0.object {
          $0.member("name", "pipeline")
          $0.member("version", "0.2.0")
        }
        let count = trace.steps.reduce(0) { $0 + $1.requests }
        let isWhole = trace.requests.count >= count
        $0.member(
          "comment",
          isWhole
            ? "run \(trace.run) of \(trace.workflow)"
            : "run \(trace.run) of \(trace.workflow): \(trace.requests.count) of \(count) requests")
        $0.name("entries")
        $0.beginArray()
        for request in trace.requests { $0.entry(request, trace) }
        $0.endArray()
      }
    }
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONWriter {
  fileprivate mutating func empty(_ names: String...) {
    for name in names {
      self.name(name)
      beginArray()
      endArray()
    }
  }

  /// Microseconds as milliseconds; `nil` if it does not apply.
  fileprivate mutating func time(_ name: String, _ time: Int?) {
    self.name(name)
    guard let time else { return integer(-1) }
    let fraction = String(decoding: String(1_000 + time % 1_000).utf8.dropFirst(), as: UTF8.self)
    number("\(time / 1_000).\(fraction)")
  }

  fileprivate mutating func entry(_ request: RunTrace.Request, _ trace: RunTrace) {
    let waited = request.waits.reduce(0) { $0 + $1.time }
    let begin = Double(trace.wallTime(of: request.sent) - waited) / 1_000_000
    let milliseconds = Int((begin * 1000).rounded(.down)) % 1000
    let fraction = String(
      decoding: String(1_000 + max(0, milliseconds)).utf8.dropFirst(), as: UTF8.self)
    let item = request.item.map { "[\($0)]" } ?? ""
    let place = request.placeText
    object {
      $0.member("startedDateTime", begin.dateTimeText + "." + fraction + "Z")
      $0.time("time", waited + request.connecting + request.server + request.receiving)
      $0.name("request")
      $0.object {
        $0.member("method", request.method)
        $0.member("url", request.url)
        $0.member("httpVersion", "HTTP/1.1")
        $0.empty("cookies", "headers", "queryString")
        $0.member("headersSize", -1)
        $0.member("bodySize", -1)
      }
      $0.name("response")
      $0.object {
        $0.member("status", request.status ?? 0)
        $0.member("statusText", request.error ?? "")
        $0.member("httpVersion", "HTTP/1.1")
        $0.empty("cookies", "headers")
        $0.name("content")
        $0.object {
          $0.member("size", request.bytes)
          $0.member("mimeType", "")
        }
        $0.member("redirectURL", "")
        $0.member("headersSize", -1)
        $0.member("bodySize", request.cache == nil ? request.bytes : 0)
      }
      $0.name("cache")
      $0.object { _ in }
      $0.name("timings")
      $0.object {
        $0.time("blocked", waited)
        $0.time("dns", nil)
        $0.time("connect", request.isReused ? nil : request.connecting)
        $0.time("ssl", nil)
        $0.time("send", 0)
        $0.time("wait", request.server)
        $0.time("receive", request.receiving)
      }
      $0.member(
        "comment",
        trace.steps[request.step].id + item
          + (place.isEmpty ? "" : ", " + place))
    }
  }
}
