internal import PipelineRPC

/// `pipeline lsp`: what editors ask, over stdin and stdout.
struct LanguageServerCommand: WaitingCommand {
  static let page = CommandPage(
    name: "lsp",
    summary: "Serve editors with the Language Server Protocol",
    discussion: [
      "An editor starts this command and talks to it over stdin and stdout. It gives findings,"
        + " completion, renaming and more while a workflow is written. It sends nothing and writes"
        + " no file unless the editor's user runs a workflow. It ends with its editor."
        + " docs/editors.md shows how to set it up."
    ],
    examples: [
      Example(line: "pipeline lsp", meaning: "Serve until the editor goes away")
    ])

  init(_ arguments: inout Arguments) {}

  func run(in program: Program) async -> ExitStatus {
    let (orders, continuation) = AsyncStream.makeStream(of: RunOrder.self)
    let connection = EditorConnection(program) { continuation.yield($0) }
    startThread {
      connection.serve()
      continuation.finish()
      connection.endSoon()
    }
    await withDiscardingTaskGroup { group in
      for await order in orders {
        group.addTask { await connection.carryOut(order) }
      }
    }
    return connection.status
  }
}
