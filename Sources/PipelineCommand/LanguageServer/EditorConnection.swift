internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRPC
internal import SQLiteJournals
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The streams between an editor and its server, and the runs that its user ordered.
///
/// One thread reads, and has the server to itself. Runs are tasks, which only write.
final class EditorConnection: Sendable {
  private let program: Program
  private let begin: @Sendable (RunOrder) -> Void
  private let framing = MessageFraming(.contentLength)
  /// Held while a message is written, so that two are not mixed.
  private let output = Mutex(())
  /// The runs that were ordered and have not ended.
  private let runs = Mutex<[RPCIdentifier: Interrupts]>([:])
  private let ended = Mutex(ExitStatus.success)
  private let lastRuns: LastRuns

  /// What stops a run, from the moment at which it is ordered.
  private struct Interrupts: Sendable {
    let stream: AsyncStream<Interrupt>
    let continuation: AsyncStream<Interrupt>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }
  }

  /// How long runs have to stop after the editor went away.
  private static let graceMilliseconds: Int32 = 1500
  /// The time between checks that the editor's process still exists.
  private static let pauseMilliseconds: Int32 = 1000

  init(_ program: Program, begin: @escaping @Sendable (RunOrder) -> Void) {
    self.program = program
    self.begin = begin
    let (console, clock) = (program.console, program.clock)
    let store = try? RunStore.of(.standard, console)
    lastRuns = LastRuns(
      now: { clock.wallTime },
      readValues: { store?.lastValues(ofStep: $0, run: $1) },
      read: { store?.summaries ?? [] })
  }

  var status: ExitStatus { ended.withLock { $0 } }

  private func send(_ message: [UInt8]) {
    let bytes = framing.framed(message)
    output.withLock { _ in program.console.data.write(bytes) }
  }

  // MARK: Serving

  /// Serves until the editor says that it is done, or goes away.
  func serve() {
    var server = LanguageServer(
      version: program.table.version, files: program.console.files, lastRuns: lastRuns)
    var framing = framing
    var queue: [RPCMessage] = []
    var next = 0
    while true {
      if case .ended(let status) = server.state {
        end(status)
        return
      }
      // What has come may cancel what waits.
      let waits = next == queue.count
      if waits { perform(server.settle()) }
      guard read(into: &framing, &queue, waits: waits, client: server.client) else {
        end(server.state == .stopped ? .success : .failure)
        return
      }
      guard next < queue.count else {
        queue = []
        next = 0
        continue
      }
      let message = queue[next]
      next += 1
      if case .request(let identifier, _, _) = message,
        queue[next...].contains(where: { $0.cancels(identifier) })
      {
        perform(server.cancel(identifier))
      } else {
        perform(server.receive(message))
      }
    }
  }

  /// Reads what has come, or waits for more. Returns `false` at the end of the input.
  private func read(
    into framing: inout MessageFraming, _ queue: inout [RPCMessage], waits: Bool, client: Int32?
  ) -> Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let ready = poll(&descriptor, 1, waits ? Self.pauseMilliseconds : 0)
    guard ready > 0 else {
      // An editor that was killed may leave a child that holds the pipe open.
      if let client, client > 0, kill(client, 0) != 0, errno == ESRCH { return false }
      return true
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = buffer.withUnsafeMutableBytes {
      readBytes(STDIN_FILENO, $0.baseAddress, $0.count)
    }
    guard count > 0 else { return count < 0 && errno == EINTR }
    framing.append(buffer[..<count])
    do throws(MessageFraming.Problem) {
      while let bytes = try framing.next() {
        do throws(RPCError) {
          queue.append(try RPCMessage(parsing: bytes))
        } catch {
          send(RPCMessage.response(nil, .failure(error)))
        }
      }
      return true
    } catch {
      program.console.complain(error.message)
      return false
    }
  }

  private func perform(_ effects: [LanguageServer.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message): send(message)
      case .start(let order):
        runs.withLock { $0[order.request] = Interrupts() }
        begin(order)
      case .stop(let name): _ = runs.withLock { $0[name] }?.continuation.yield(.interrupt)
      }
    }
  }

  private func end(_ status: ExitStatus) {
    ended.withLock { $0 = status }
    for run in runs.withLock({ Array($0.values) }) { run.continuation.yield(.interrupt) }
  }

  /// Ends the process even if a run does not stop. Its journal knows what it did.
  func endSoon() {
    guard !runs.withLock({ $0.isEmpty }) else { return }
    _ = poll(nil, 0, Self.graceMilliseconds)
    _exit(status.rawValue)
  }

  // MARK: Runs

  /// Carries out a command line of the editor's user, and answers its request.
  func carryOut(_ order: RunOrder) async {
    let interrupts = runs.withLock { $0[order.request] ?? Interrupts() }.stream
    let (output, error) = (RunText(), RunText())
    var console = Console(
      output: output, error: error, files: program.console.files,
      environment: program.console.environment, interrupts: { interrupts })
    console.unreadableVariables = program.console.unreadableVariables
    let part = Program(console: console, clock: program.clock, transport: program.transport)
    let status = await part.main(order.arguments)
    runs.withLock { $0[order.request] = nil }
    lastRuns.forget()
    if order.showsProgress {
      send(
        RPCMessage.notification(
          "$/progress", ["token": order.request.value, "value": ["kind": "end"]]))
    }
    send(
      RPCMessage.notification(
        "window/logMessage",
        ["type": 3, "message": .string("\(order.title)\n\(error.text)\(output.text)")]))
    send(
      RPCMessage.response(
        order.request,
        .success([
          "status": JSONValue(Int(status.rawValue)), "output": .string(output.text),
          "error": .string(error.text),
        ])))
    if order.refreshesLenses {
      let name = RPCIdentifier.string("lenses-" + order.request.value.node.text)
      send(RPCMessage.request(name, "workspace/codeLens/refresh", .null))
    }
  }
}

/// `read` of the system, which a method of the connection has the name of.
private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, bytes, count)
}

extension RPCMessage {
  fileprivate func cancels(_ identifier: RPCIdentifier) -> Bool {
    guard case .notification("$/cancelRequest", let parameters) = self else { return false }
    return parameters?["id"].flatMap { RPCIdentifier($0) } == identifier
  }
}
