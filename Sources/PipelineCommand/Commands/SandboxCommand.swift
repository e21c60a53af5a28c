internal import PipelineHTTPServers
internal import PipelineSandboxServers

/// `pipeline sandbox`: the sample APIs, until a signal ends them.
struct SandboxCommand: WaitingCommand {
  /// 0: any free port.
  private let port: UInt16

  static let page = CommandPage(
    name: "sandbox",
    summary: "Serve the sample APIs on this machine",
    discussion: [
      "Serves on 127.0.0.1 until Ctrl-C. A workflow whose base URL begins with 'sandbox:' does not"
        + " need this server: 'pipeline run' serves the sample APIs itself."
    ],
    examples: [
      Example(line: "pipeline sandbox --port 8080", meaning: "Serve at http://127.0.0.1:8080")
    ])

  init(_ arguments: inout Arguments) {
    port =
      arguments.number(
        "port", letter: "p", in: 0...UInt16.max,
        help: "The port to listen on; a free one by default") ?? 0
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    let server: SandboxServer
    do {
      server = try SandboxServer.start(port: port)
    } catch {
      console.complain(error.description)
      return .failure
    }
    // Before the address is known, so that no signal after it is missed.
    let interrupts = console.interrupts()
    console.output.write(server.origin + "\n")
    console.error.write("Serving the sample APIs until Ctrl-C\n")
    for await _ in interrupts { break }
    server.stop()
    return .interrupted
  }
}
