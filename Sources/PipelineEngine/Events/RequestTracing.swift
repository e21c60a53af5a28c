internal import PipelineByteText

/// How the requests of a run are marked as parts of a trace: with the fields `traceparent` and
/// `tracestate` of W3C Trace Context.
///
/// Only requests to origins that the author wrote are marked, and none to an origin that a response
/// named. A `traceparent` that the author wrote is left as it is.
public struct RequestTracing: Sendable {
  /// The span that a request names as the parent of what the server does.
  public enum Parent: Sendable, Hashable {
    /// The span that the trace came with: the app's own span around the run.
    case caller
    /// A new span for each attempt. `RunEvent.RequestFinished.spanID` is its id, and the app makes
    /// spans out of these events.
    case request
  }

  private let traceID: [UInt8]
  /// Whether the caller records the trace.
  private let isSampled: Bool
  /// The `tracestate` that came with the trace.
  private let state: String?
  /// The number of items of a collection that are all marked as recorded; of later ones only some
  /// are.
  private let sampledItems: Int
  /// The span of all requests; `nil` if each has its own.
  private let span: UInt64?

  package init(traceID: [UInt8], isSampled: Bool, state: String?, sampledItems: Int) {
    self.traceID = traceID
    self.isSampled = isSampled
    self.state = state
    self.sampledItems = sampledItems
    span = nil
  }

  /// The trace of the app's current span; `nil` if `traceparent` is not valid.
  ///
  /// - Parameters:
  ///   - traceparent: The field as the app would send it: `00-`, the trace, the span, and flags.
  ///   - tracestate: The `tracestate` beside it. One that is not printable ASCII is left out.
  ///   - parent: The span that requests name.
  public init?(traceparent: String, tracestate: String? = nil, parent: Parent = .caller) {
    guard let context = TraceContext(traceparent: traceparent) else { return nil }
    traceID = context.traceID
    isSampled = context.isSampled
    state = tracestate.flatMap { text in
      !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
    }
    sampledItems = .max
    span = parent == .caller ? context.spanID : nil
  }

  /// The id of the span of a request that is about to be sent; `nil` if it has none of its own.
  func newSpan() -> UInt64? { span == nil ? TraceContext.randomSpanID() : nil }

  /// The fields that mark a request, unless the author has written some.
  ///
  /// - Parameter ownSpan: The result of `newSpan`.
  func fields(ownSpan: UInt64?, path: [Int], item: Int?, besides headers: [HeaderField])
    -> [HeaderField]
  {
    guard let spanID = ownSpan ?? span,
      !headers.contains(where: { $0.name.equalsIgnoringASCIICase("traceparent") })
    else { return [] }
    let isRecorded =
      isSampled && (item ?? 0) < sampledItems && path.allSatisfy { $0 < sampledItems }
    let context = TraceContext(traceID: traceID, spanID: spanID, isSampled: isRecorded)
    let parent = HeaderField("traceparent", context.traceparent)
    return [parent] + (state.map { [HeaderField("tracestate", $0)] } ?? [])
  }
}
