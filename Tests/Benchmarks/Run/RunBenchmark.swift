import Foundation

/// What a run costs, beside curl, wrk and URLSession: `pipeline-bench run`.
struct RunBenchmark {
  var rounds = 5
  var cases: Set<String> = []
  var pipeline: String?
  var isQuick = false
  var printsJSON = false

  /// `nil` where an argument is not understood.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--quick": isQuick = true
      case "--json": printsJSON = true
      case "--rounds":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else { return nil }
        rounds = count
      case "--cases":
        guard let names = rest.popFirst() else { return nil }
        cases = Set(names.uppercased().split(separator: ",").map(String.init))
      case "--pipeline":
        guard let path = rest.popFirst() else { return nil }
        pipeline = path
      default: return nil
      }
    }
  }

  func run() async throws {
    let cleanup = Cleanup()
    cleanup.runsOnSignals()
    defer { cleanup.run() }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pipeline-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    cleanup.add { try? FileManager.default.removeItem(at: folder) }
    let processes = Subprocess(folder: folder, cleanup: cleanup)
    let server = try BenchmarkServer.start(in: folder, processes)
    var table = MeasurementTable(server: server.description, rounds: rounds)
    // Processes first: what this program holds later would count as their memory.
    if ["A", "G", "H", "I", "J"].contains(where: wants) {
      let whole = WholeProcess(
        program: try program(processes), rounds: rounds, isQuick: isQuick, server: server,
        processes: processes, folder: folder)
      for (letter, work) in whole.cases where wants(letter) {
        note(letter)
        table.cases += try work()
      }
    }
    let inside = InProcess(rounds: rounds, server: server, processes: processes)
    for (letter, work) in inside.cases where wants(letter) {
      note(letter)
      table.cases += try await work()
    }
    if wants("K") {
      note("K")
      let secure = SecureRequests(rounds: rounds, server: server, processes: processes)
      table.cases += try await secure.measurements()
    }
    table.cases.sort { $0.letter < $1.letter }
    print(printsJSON ? table.json : table.text)
  }

  private func wants(_ letter: String) -> Bool { cases.isEmpty || cases.contains(letter) }

  private func note(_ text: String) {
    FileHandle.standardError.write(Data("case \(text)\n".utf8))
  }

  private func program(_ processes: Subprocess) throws -> String {
    if let pipeline { return pipeline }
    let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let scratch = root.appendingPathComponent(".build/static").path
    guard let swift = Tool.path("swift") else {
      throw Subprocess.Failed(description: "there is no swift here to build with; use --pipeline")
    }
    note("(building the static release binary in \(scratch))")
    _ = try processes.run(
      [
        swift, "build", "-c", "release", "--product", "pipeline", "--static-swift-stdlib",
        "--scratch-path", scratch,
      ], output: .shown)
    return "\(scratch)/release/pipeline"
  }
}
