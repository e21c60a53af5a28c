/// The exchanges on one connection: bytes in, responses out, and the time between.
extension EventLoop {
  // MARK: Input

  func read(_ connection: Connection) {
    switch Socket.receive(connection.descriptor, into: readBuffer) {
    case .moved(let count):
      connection.lastMoved = moment.sinceStart
      if case .draining = connection.phase { return }
      connection.parser.receive(UnsafeRawBufferPointer(rebasing: readBuffer[..<count]))
      pump(connection)
    case .wouldBlock: return
    case .failed: drop(connection)
    case .ended:
      // A client may end its half once its requests are sent. Responses under way are finished. One
      // that is still held back has probably lost its reader.
      guard connection.hasOutput || connection.isStreaming else { return drop(connection) }
      connection.inputEnded = true
      pump(connection)
    }
  }

  // MARK: Output

  /// Does what can be done without waiting: answers, sends, moves on.
  func pump(_ connection: Connection) {
    var turns = 0
    while true {
      turns += 1
      if case .reading = connection.phase, !connection.closesAfterOutput { answer(connection) }
      guard send(connection) else { return }
      switch connection.phase {
      case .reading:
        if connection.closesAfterOutput { return finish(connection) }
        if connection.waitsForInput {
          return connection.inputEnded ? finish(connection) : watch(connection, .readable)
        }
      case .streaming(let source, let length):
        // A quick reader of a long body lets others have their turn.
        guard turns < 16 else { return watchForRoom(connection) }
        stream(source, length, connection)
      case .scripted(let moves, let next):
        guard connection.timer == 0 else { return watchForEnd(connection) }
        guard move(moves, next, connection) else { return }
      case .waiting, .holding, .awaiting, .pushing:
        return watchForEnd(connection)
      case .draining:
        return watch(connection, .readable)
      }
    }
  }

  /// Answers requests until input is missing, one has to wait, or the output is long.
  private func answer(_ connection: Connection) {
    connection.waitsForInput = false
    while connection.output.count < settings.highWater {
      switch connection.parser.next() {
      case .incomplete:
        connection.waitsForInput = true
        return
      case .continueExpected:
        connection.output += "HTTP/1.1 100 Continue\r\n\r\n".utf8
      case .refused(let refusal):
        let answer = Connection.Answer(
          response: handler.refuse(refusal), method: "", keepsAlive: false, minorVersion: 1)
        begin(answer, connection)
        connection.isRefused = true
        return
      case .request(var request):
        request.connection = connection.ordinal
        request.moment = moment
        exchanges += 1
        connection.exchange = exchanges
        let exchange = ServerReply.Exchange(connection: connection.token, serial: exchanges)
        let response = handler.respond(
          request, ServerReply(exchange: exchange, mailbox: mailbox))
        let answer = Connection.Answer(
          response: response, method: request.method, keepsAlive: request.keepsAlive,
          minorVersion: request.minorVersion)
        guard answer.response.delay == .zero else { return hold(answer, connection) }
        begin(answer, connection)
        guard case .reading = connection.phase, !connection.closesAfterOutput else { return }
      }
    }
  }

  private func hold(_ answer: Connection.Answer, _ connection: Connection) {
    connection.phase = .waiting(answer)
    counters.countBegun()
    wake(connection, after: answer.response.delay)
  }

  private func begin(_ answer: Connection.Answer, _ connection: Connection) {
    let response = answer.response
    let hasContent = answer.method != "HEAD" && ResponseEncoder.allowsContent(response.status)
    var persistence: ResponseEncoder.Persistence = answer.keepsAlive ? .keepsAlive : .closes
    switch response.content {
    case .bytes(let bytes):
      ResponseEncoder.appendHead(
        response, length: .known(bytes.count), persistence, date: date.bytes,
        to: &connection.output)
      if hasContent { connection.output += bytes }
      connection.phase = .reading
    case .awaited(let departure):
      connection.phase = .awaiting(answer, departure)
      return
    case .pushed(let pulse, let departure):
      let length: ResponseEncoder.Length = answer.minorVersion >= 1 ? .chunked : .untilClose
      if length == .untilClose { persistence = .closes }
      ResponseEncoder.appendHead(
        response, length: length, persistence, date: date.bytes, to: &connection.output)
      if hasContent {
        connection.phase = .pushing(length, pulse: pulse, departure)
        wake(connection, after: settings.pulse)
      } else {
        connection.phase = .reading
        departure()
      }
    case .stream(let source):
      let unknown: ResponseEncoder.Length = answer.minorVersion >= 1 ? .chunked : .untilClose
      let length = source.length.map { .known($0) } ?? unknown
      if length == .untilClose { persistence = .closes }
      ResponseEncoder.appendHead(
        response, length: length, persistence, date: date.bytes, to: &connection.output)
      connection.phase = hasContent ? .streaming(source, length) : .reading
    case .script(let moves):
      persistence = .closes
      connection.phase = .scripted(moves, next: 0)
    }
    if persistence == .closes { connection.closesAfterOutput = true }
  }

  private func stream(
    _ source: PieceSource, _ length: ResponseEncoder.Length, _ connection: Connection
  ) {
    while connection.output.count < settings.highWater {
      guard let piece = source.next() else {
        if length == .chunked { connection.output += ResponseEncoder.lastChunk }
        connection.phase = .reading
        return
      }
      if length == .chunked {
        ResponseEncoder.appendChunk(piece, to: &connection.output)
      } else {
        connection.output += piece
      }
    }
  }

  // MARK: Answers from other threads

  func deliver(_ message: Mailbox.Message) {
    switch message {
    case .stop: return
    case .finish(let exchange, let status, let fields, let body):
      guard let connection = connection(exchange.connection),
        connection.exchange == exchange.serial,
        case .awaiting(var answer, _) = connection.phase
      else { return }
      answer.response = ServerResponse(status: status, fields: fields, content: .bytes(body))
      connection.lastMoved = moment.sinceStart
      begin(answer, connection)
      pump(connection)
    case .append(let exchange, let piece):
      guard let (connection, length) = pushing(exchange) else { return }
      push(piece, length, connection)
    case .end(let exchange):
      guard let (connection, length) = pushing(exchange) else { return }
      if length == .chunked { connection.output += ResponseEncoder.lastChunk }
      connection.timer = 0
      connection.phase = .reading
      pump(connection)
    }
  }

  private func pushing(
    _ exchange: ServerReply.Exchange
  ) -> (Connection, ResponseEncoder.Length)? {
    guard let connection = connection(exchange.connection),
      connection.exchange == exchange.serial,
      case .pushing(let length, _, _) = connection.phase
    else { return nil }
    return (connection, length)
  }

  private func push(
    _ piece: [UInt8], _ length: ResponseEncoder.Length, _ connection: Connection
  ) {
    if length == .chunked {
      ResponseEncoder.appendChunk(piece, to: &connection.output)
    } else {
      connection.output += piece
    }
    guard connection.output.count - connection.sent <= settings.backlog else {
      return drop(connection)
    }
    wake(connection, after: settings.pulse)
    pump(connection)
  }

  /// Makes the script's next move. False if the connection now waits or is closed.
  private func move(_ moves: [WireMove], _ next: Int, _ connection: Connection) -> Bool {
    guard next < moves.count else {
      finish(connection)
      return false
    }
    connection.phase = .scripted(moves, next: next + 1)
    switch moves[next] {
    case .send(let bytes):
      connection.output += bytes
      return true
    case .pause(let pause):
      wake(connection, after: pause)
      watchForEnd(connection)
      return false
    case .hold:
      connection.phase = .holding
      return true
    case .close:
      finish(connection)
      return false
    case .reset:
      close(connection, .reset)
      return false
    }
  }

  /// Sends pending bytes. Returns false if the socket is full or the client has gone.
  private func send(_ connection: Connection) -> Bool {
    while connection.hasOutput {
      switch Socket.send(connection.descriptor, connection.output, from: connection.sent) {
      case .moved(let count):
        connection.sent += count
        connection.lastMoved = moment.sinceStart
      case .wouldBlock:
        watchForRoom(connection)
        return false
      case .ended, .failed:
        drop(connection)
        return false
      }
    }
    connection.clearOutput()
    return true
  }

  private func watchForRoom(_ connection: Connection) {
    let reads = !connection.inputEnded && connection.parser.buffered < settings.highWater
    watch(connection, reads ? [.readable, .writable] : .writable)
  }

  /// Ends the connection after its last answer. Closing a socket that holds unread bytes resets it
  /// and may cost the client the response. So a client that still sends is read for a while.
  private func finish(_ connection: Connection) {
    guard connection.isRefused || connection.parser.buffered > 0, !connection.inputEnded else {
      return close(connection)
    }
    Socket.finish(connection.descriptor)
    connection.phase = .draining
    wake(connection, after: settings.drain)
    watch(connection, .readable)
  }

  // MARK: Timers

  private func wake(_ connection: Connection, after delay: Duration) {
    connection.timer = timers.add(
      deadline: moment.sinceStart + delay.nanoseconds, token: connection.token)
  }

  func fire(_ timer: Timers.Timer) {
    guard let connection = connection(timer.token), connection.timer == timer.serial else { return }
    connection.timer = 0
    connection.lastMoved = moment.sinceStart
    switch connection.phase {
    case .waiting(let answer):
      counters.countEnded()
      connection.phase = .reading
      begin(answer, connection)
      pump(connection)
    case .scripted: pump(connection)
    case .draining: close(connection)
    case .pushing(let length, let pulse, _):
      push(pulse, length, connection)
    case .reading, .streaming, .holding, .awaiting: return
    }
  }
}
