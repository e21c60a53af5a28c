internal import SandboxServers

/// `pipeline sandbox`: the sample APIs, until a signal ends them.
struct SandboxCommand: Sendable {
  let console: Console

  func run(_ invocation: Invocation) async -> ExitStatus {
    // Those out of range are refused with the arguments.
    let port = invocation.number("port").flatMap(UInt16.init(exactly:)) ?? 0
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
