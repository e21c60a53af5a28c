extension TraceBuilder {
  /// The uses of a request's time, piece after piece.
  struct Pieces {
    struct Piece {
      let use: TimeUse
      let end: Int
      let length: Int
    }

    private(set) var all: [Piece] = []

    init(_ request: TraceEvent.Request, sent: Int, end: Int) {
      all.reserveCapacity(8)
      let waits = request.waits
      var time = sent - waits.total
      add(.engine, until: time, from: time)
      for (use, length) in [
        (TimeUse.retry, waits.retry), (.poll, waits.poll), (.pause, waits.pause),
        (.rate, waits.rate), (.place, waits.place),
      ] where length > 0 {
        add(use, until: time + length, from: time)
        time += length
      }
      guard request.sent != nil else {
        add(.engine, until: end, from: time)
        return
      }
      // A transport that measures nothing: all of it was the server's.
      let total = request.total > 0 ? min(request.total, end - sent) : end - sent
      let connected = min(request.connected, total)
      let firstByte = request.total > 0 ? min(max(request.firstByte, connected), total) : total
      add(.connecting, until: sent + connected, from: sent)
      add(.server, until: sent + firstByte, from: sent + connected)
      add(.receiving, until: sent + total, from: sent + firstByte)
      add(.engine, until: end, from: sent + total)
    }

    /// The time before the first piece is work of the engine, however long.
    private mutating func add(_ use: TimeUse, until end: Int, from start: Int) {
      if end > start || all.isEmpty {
        all.append(Piece(use: use, end: end, length: all.isEmpty ? 1 : end - start))
      }
    }

    func length(_ use: TimeUse) -> Int {
      all.reduce(0) { $0 + ($1.use == use && $1.use != .engine ? $1.length : 0) }
    }
  }
}
