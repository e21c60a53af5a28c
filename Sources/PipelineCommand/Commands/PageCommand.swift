internal import PipelineHTTPServers
internal import SQLiteJournals

/// `pipeline ui`: the files of a folder, in a browser.
struct PageCommand: WaitingCommand {
  private let folder: String
  /// 0: any free port.
  private let port: UInt16
  private let isReadOnly: Bool
  private let storeOptions: StoreOptions

  static let page = CommandPage(
    name: "ui",
    summary: "Write and look at the workflows of a folder in a browser",
    discussion: [
      "Serves a page on this machine alone until Ctrl-C, and prints the link that opens it. The page"
        + " shows the files below the folder with their findings and last runs. It edits their texts,"
        + " runs them, and shows what they received.",
      "Each link lets one browser in. When it was used, the next one is printed.",
    ],
    examples: [
      Example(line: "pipeline ui workflows", meaning: "Show the files of a folder"),
      Example(line: "pipeline ui --read-only", meaning: "Look, and change nothing"),
      Example(line: "pipeline ui --port 8090", meaning: "Serve at a port of your choice"),
    ])

  init(_ arguments: inout Arguments) {
    folder =
      arguments.optionalOperand("FOLDER", .folder, help: "The folder; the current one by default")
      ?? "."
    port =
      arguments.number(
        "port", letter: "p", in: 0...UInt16.max,
        help: "The port to listen on; a free one by default") ?? 0
    isReadOnly = arguments.flag(
      "read-only", help: "Write no file, start no run, and delete nothing")
    storeOptions = StoreOptions(needed: &arguments)
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    var store: RunStore?
    do {
      store = try RunStore.of(storeOptions, console)
    } catch {
      guard storeOptions.folder == nil else { return console.complain(of: error) }
      console.error.write(wrapping: "No runs are shown: \(Self.reason(error))\n")
    }
    let listing: FolderListing
    let server: PageServer
    do {
      listing = try FolderListing(
        folder, files: console.files, clock: program.clock, store: store)
    } catch {
      console.complain("\(error.path): \(error.reason)")
      return .usage
    }
    do {
      server = try PageServer(port: port)
    } catch {
      console.complain(error.description)
      return .failure
    }
    let calls = PageCalls(
      listing, program, store: storeOptions, isReadOnly: isReadOnly, begin: server.begin)
    // Before the link is known, so that no signal after it is missed.
    let interrupts = console.interrupts()
    console.output.write(server.link + "\n")
    console.error.write("Serving this machine's browsers until Ctrl-C; the link lets one in\n")
    await withDiscardingTaskGroup { group in
      group.addTask {
        await server.answer(calls) {
          console.error.write("A browser was let in. For another one:\n")
          console.output.write(server.link + "\n")
        }
      }
      for await _ in interrupts { break }
      calls.runs.stopAll()
      server.stop()
    }
    return .interrupted
  }

  private static func reason(_ error: any Error) -> String {
    (error as? UsageError)?.message ?? "\(error)"
  }
}
