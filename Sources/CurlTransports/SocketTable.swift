internal import CPipelineSockets
import PipelineTransports

/// The sockets that libcurl uses on one thread, and the events that they are watched for.
///
/// A descriptor is watched for exactly the events that libcurl wants of it. Only an idle connection
/// may be watched for more, until something happens on it.
struct SocketTable {
  /// The known facts about a descriptor.
  private struct Socket {
    /// The lane whose transfers use it.
    var lane = 0
    /// The events that libcurl wants, and those that the watcher watches for.
    var wanted: Int32 = 0
    var watched = Watcher.unwatched
    /// Opened by `openSocket`, so its closing is announced by `closeSocket`.
    var isConnection = false
    /// The number of events on it.
    var activity: UInt64 = 0
    /// The port on this side, once it was looked up.
    var localPort: UInt16?
  }

  private let watcher: Watcher
  /// By descriptor.
  private var sockets: [Socket] = []

  init(_ watcher: Watcher) {
    self.watcher = watcher
  }

  /// Counts an event of a watched socket.
  ///
  /// - Returns: The lane that uses it; `nil` for an idle connection, which is watched no longer.
  mutating func noteEvent(_ descriptor: Int32) -> Int? {
    let index = Int(descriptor)
    sockets[index].activity &+= 1
    if sockets[index].wanted != 0 { return sockets[index].lane }
    // An idle connection that the server ended or wrote to: libcurl looks when it needs it.
    // libcurl 7.88 takes a reset, and TLS's closing message, for signs of life.
    if csockets_has_ended(descriptor) != 0 { csockets_drain(descriptor) }
    watch(descriptor, for: 0)
    return nil
  }

  /// The number of events on a socket.
  func activity(_ descriptor: Int32) -> UInt64 { sockets[Int(descriptor)].activity }

  /// libcurl's wish for one socket of `lane`; 0: none.
  mutating func want(_ descriptor: Int32, _ events: Int32, lane: Int) {
    guard let index = slot(descriptor) else { return }
    sockets[index].lane = lane
    sockets[index].wanted = events
    // Between two requests libcurl drops its interest in a connection and takes it up again.
    // Watching on saves two system calls a request; `noteEvent` ends it when something happens.
    if events == 0, sockets[index].isConnection { return }
    watch(descriptor, for: events)
  }

  mutating func didOpen(_ descriptor: Int32) {
    guard let index = slot(descriptor) else { return }
    sockets[index] = Socket(isConnection: true)
  }

  mutating func willClose(_ descriptor: Int32) {
    guard let index = slot(descriptor) else { return }
    watch(descriptor, for: 0)
    sockets[index] = Socket()
  }

  /// The connection that has this port on this side. Connections from two addresses of this machine
  /// may share it, so the caller may name more of the connection.
  mutating func socket(
    localPort: Int32, where fits: (Int32) -> Bool = { _ in true }
  ) -> Int32? {
    for index in sockets.indices where sockets[index].isConnection {
      if sockets[index].localPort == nil {
        sockets[index].localPort = SocketAddress.localPort(of: Int32(index))
      }
      if let port = sockets[index].localPort, Int32(port) == localPort, fits(Int32(index)) {
        return Int32(index)
      }
    }
    return nil
  }

  private mutating func watch(_ descriptor: Int32, for events: Int32) {
    let index = Int(descriptor)
    let known = sockets[index].watched
    if events == 0 {
      // Serving one ready socket may have closed another.
      guard known != Watcher.unwatched else { return }
      watcher.unwatch(descriptor, known: known)
      sockets[index].watched = Watcher.unwatched
    } else if events != known {
      sockets[index].watched = events
      if !watcher.watch(descriptor, for: events, known: known) {
        // A descriptor that was closed unseen has left the watcher: begin again.
        _ = watcher.watch(descriptor, for: events, known: Watcher.unwatched)
      }
    }
  }

  private mutating func slot(_ descriptor: Int32) -> Int? {
    guard descriptor >= 0 else { return nil }
    let index = Int(descriptor)
    while sockets.count <= index { sockets.append(Socket()) }
    return index
  }
}
