extension TraceBuilder {
  /// The uses of a request's time, piece after piece. It is not a list, because one is made for
  /// each request.
  struct Pieces {
    struct Piece {
      let use: TimeUse
      let end: Int
      let length: Int
    }

    private let waits: TraceEvent.Waits
    private let sent: Int
    /// Since it was sent; `nil` if it was not.
    private var times: (connected: Int, firstByte: Int, total: Int)?
    /// The end of the last piece.
    let end: Int

    init(_ request: TraceEvent.Request, sent: Int, end: Int) {
      waits = request.waits
      self.sent = sent
      self.end = end
      guard request.sent != nil else { return }
      // A transport that measures nothing: all of it was the server's.
      let total = request.total > 0 ? min(request.total, end - sent) : end - sent
      let connected = min(request.connected, total)
      let firstByte = request.total > 0 ? min(max(request.firstByte, connected), total) : total
      times = (connected, firstByte, total)
    }

    /// Calls `body` with each piece that takes time.
    @inline(__always)
    func forEach(_ body: (Piece) -> Void) {
      var time = sent - waits.total
      // The time before the first piece is work of the engine, however long.
      body(Piece(use: .engine, end: time, length: 1))
      func add(_ use: TimeUse, until end: Int) {
        guard end > time else { return }
        body(Piece(use: use, end: end, length: end - time))
        time = end
      }
      add(.retry, until: time + waits.retry)
      add(.poll, until: time + waits.poll)
      add(.pause, until: time + waits.pause)
      add(.announced, until: time + waits.announced)
      add(.rate, until: time + waits.rate)
      add(.place, until: time + waits.place)
      if let times {
        add(.connecting, until: sent + times.connected)
        add(.server, until: sent + times.firstByte)
        add(.receiving, until: sent + times.total)
      }
      add(.engine, until: end)
    }

    func length(_ use: TimeUse) -> Int {
      var length = 0
      forEach { if $0.use == use, use != .engine { length += $0.length } }
      return length
    }
  }
}
