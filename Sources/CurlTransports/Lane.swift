internal import CPipelineCurl
internal import PipelineByteText
import PipelineTransports

/// One of libcurl's multi handles: some requests and the connections that they share.
///
/// Lives on the reactor's thread.
final class Lane {
  /// What requests must have in common to share connections. libcurl separates most of it itself.
  /// But it lends a tunnel that one user of a proxy opened to another user.
  struct Key: Equatable {
    /// The lane of requests without special needs, which are the majority.
    static let ordinary = Key(ConnectionSettings())

    private let caFile: String?
    private let certificateFile: String?
    private let keyFile: String?
    private let proxy: String?

    init(_ settings: ConnectionSettings) {
      caFile = settings.caFile
      certificateFile = settings.certificateFile
      keyFile = settings.keyFile
      proxy = settings.proxy
    }

    static func == (left: Key, right: Key) -> Bool {
      left.caFile.equals(bytes: right.caFile)
        && left.certificateFile.equals(bytes: right.certificateFile)
        && left.keyFile.equals(bytes: right.keyFile) && left.proxy.equals(bytes: right.proxy)
    }
  }

  let key: Key
  // libcurl calls back from within no access to it.
  @exclusivity(unchecked) private(set) var active: [EasyHandle] = []
  /// When libcurl wants to be called next, in the reactor's clock; `.max`: not at all.
  var deadline = UInt64.max

  private let index: Int
  private unowned let reactor: Reactor
  // Set once in `init`. It is optional only because its callbacks need `self` first.
  private var multi: UnsafeMutableRawPointer?

  /// As many connections may idle as ever are in use, and some more for a second origin.
  private static let idleConnections = 128

  init?(_ index: Int, _ key: Key, reactor: Reactor) {
    self.key = key
    self.index = index
    self.reactor = reactor
    // Unretained: the reactor closes a lane before it drops it, so no callback outlives this object.
    multi = ccurl_multi_init(
      Lane.idleConnections, onSocket, onTimer, Unmanaged.passUnretained(self).toOpaque())
    if multi == nil { return nil }
  }

  /// Closes every connection. The lane is of no use afterwards.
  func close() {
    if let multi { ccurl_multi_cleanup(multi) }
    multi = nil
  }

  func add(_ easy: EasyHandle) -> Bool {
    easy.lane = self
    easy.slot = active.count
    active.append(easy)
    if ccurl_multi_add(multi, easy.handle) == 0 { return true }
    forget(easy)
    return false
  }

  func remove(_ easy: EasyHandle) {
    _ = ccurl_multi_remove(multi, easy.handle)
    forget(easy)
  }

  func act(_ descriptor: Int, events: Int32) {
    _ = ccurl_multi_act(multi, Int32(descriptor), events)
  }

  /// A transfer that has ended, with libcurl's code. The caller removes it.
  func nextEnded() -> (easy: EasyHandle, code: Int32)? {
    var handle: UnsafeMutableRawPointer?
    var code: Int32 = 0
    guard let context = ccurl_multi_next_ended(multi, &handle, &code) else { return nil }
    return (Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue(), code)
  }

  private func forget(_ easy: EasyHandle) {
    let last = active.removeLast()
    if last !== easy {
      last.slot = easy.slot
      active[easy.slot] = last
    }
    easy.lane = nil
  }

  fileprivate func schedule(_ milliseconds: Int) {
    deadline =
      milliseconds < 0
      ? .max : milliseconds == 0 ? 0 : Reactor.now() + UInt64(milliseconds) * 1_000_000
  }

  fileprivate func want(_ descriptor: Int32, _ what: Int32) {
    reactor.want(descriptor, what == Int32(CCURL_POLL_REMOVE) ? 0 : what & 3, lane: index)
  }
}

private let onSocket: ccurl_socket_function = { _, descriptor, what, context, _ in
  if let context {
    Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue().want(descriptor, what)
  }
  return 0
}

private let onTimer: ccurl_timer_function = { _, milliseconds, context in
  if let context {
    Unmanaged<Lane>.fromOpaque(context).takeUnretainedValue().schedule(milliseconds)
  }
  return 0
}
