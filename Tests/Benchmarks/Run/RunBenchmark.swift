import Foundation

/// What a run costs, beside curl, wrk and URLSession: `pipeline-bench run`.
struct RunBenchmark {
  var rounds = 5
  var cases: Set<String> = []
  var pipeline: String?
  var isQuick = false
  var printsJSON = false

  static let letters = "ABCDEFGHIJKLNOPQR".map(String.init)

  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String]) throws(Misuse) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--quick": isQuick = true
      case "--json": printsJSON = true
      case "--rounds":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw Misuse(description: "--rounds needs a number from 1")
        }
        rounds = count
      case "--cases":
        cases = Set((rest.popFirst() ?? "").uppercased().split(separator: ",").map(String.init))
        guard !cases.isEmpty, cases.isSubset(of: Self.letters) else {
          throw Misuse(
            description: "--cases needs letters out of \(Self.letters.joined(separator: ","))")
        }
      case "--pipeline":
        guard let path = rest.popFirst() else {
          throw Misuse(description: "--pipeline needs the path of the program")
        }
        pipeline = path
      default: throw Misuse(description: "'\(option)' is no option here")
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
    if ["A", "G", "H", "I", "J", "R"].contains(where: wants) {
      let whole = WholeProcess(
        program: try program(processes), rounds: rounds, isQuick: isQuick, server: server,
        processes: processes, folder: folder)
      for (letter, work) in whole.cases where wants(letter) {
        note(letter)
        table.cases += try work()
      }
      if wants("R") {
        note("R")
        let cost = KeptRunCost(
          program: whole.program, rounds: rounds, isQuick: isQuick, server: server,
          processes: processes, folder: folder)
        table.cases += try cost.measurements()
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
    if wants("O") {
      note("O")
      let cost = JournalCost(rounds: rounds, isQuick: isQuick, server: server, folder: folder)
      table.cases += try await cost.measurements()
    }
    if wants("P") {
      note("P")
      table.cases += try await TestCost(rounds: rounds).measurements()
    }
    if wants("Q") {
      note("Q")
      let cost = ReportCost(rounds: rounds, isQuick: isQuick, server: server)
      table.cases += try await cost.measurements()
    }
    table.cases.sort { $0.letter < $1.letter }
    print(printsJSON ? try table.json : table.text)
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
