/// Which thread of a transport serves which request, and runs which task.
///
/// Few requests stay on the first thread, and so share its connections. The first thread also runs
/// the task that starts all others. So of more tasks it gets a smaller share than each other thread,
/// and of very many none.
struct Placement: Sendable {
  let threadCount: Int

  /// The number of requests that stay on the first thread.
  static let fewRequests = 16
  /// The number of requests over TLS that do: a handshake costs more than a second thread saves,
  /// and with HTTP/2 one connection carries them all.
  static let fewSecureRequests = 64
  /// How many tasks each other thread gets for one more of the first.
  static let share = 5
  /// With this number of tasks, the first thread has time only to start them.
  static let manyTasks = 64

  /// The thread on which a task runs best.
  ///
  /// - Parameter task: How many tasks were there before it.
  func thread(ofTask task: Int) -> Int {
    let others = threadCount - 1
    guard task >= Self.fewRequests, others > 0 else { return 0 }
    guard task < Self.manyTasks else { return 1 + task % others }
    let place = (task - Self.fewRequests) % (Self.share * others + 1)
    // The first thread comes last, when the others have had their tasks.
    return place == Self.share * others ? 0 : 1 + place % others
  }

  /// The thread that serves a request.
  ///
  /// - Parameters:
  ///   - isSecure: Whether it is sent over TLS.
  ///   - caller: The thread that the request comes from, if it is one of the transport's.
  ///   - load: How many requests a thread serves.
  func thread(isSecure: Bool, caller: () -> Int?, load: (Int) -> Int) -> Int {
    if isSecure, load(0) < Self.fewSecureRequests { return 0 }
    if let caller = caller() { return caller }
    guard load(0) >= Self.fewRequests else { return 0 }
    return (0..<threadCount).min { load($0) < load($1) } ?? 0
  }
}
