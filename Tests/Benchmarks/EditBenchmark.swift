import Foundation
import PipelineJSONText
import PipelineRPC

/// How long an editor waits for `pipeline lsp` in a large file, as a process: until the findings of a
/// keystroke are there, and for a completion after that.
struct EditBenchmark {
  let stepCount: Int
  let editCount: Int
  let program: String

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let findingsGoal = 100.0
  private static let completionGoal = 20.0

  func run() throws {
    let text = GeneratedWorkflow.json(stepCount: stepCount)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The places of names that are read. Each is misspelt, and then put right.
    let places = lines.enumerated().compactMap { number, line in
      line.firstRange(of: "{{").map {
        (line: number, character: line.utf8.distance(from: line.startIndex, to: $0.upperBound))
      }
    }
    guard !places.isEmpty else { throw Failure(description: "the workflow reads nothing") }
    let server = try Server(program)
    defer { server.stop() }
    _ = try server.ask(
      0, "initialize", ["processId": .null, "rootUri": .null, "capabilities": [:]])
    let uri = JSONValue.string("file:///pipeline-bench/generated.json")
    try server.tell(
      "textDocument/didOpen",
      ["textDocument": ["uri": uri, "version": 0, "text": .string(text)]])
    try server.awaitFindings(version: 0)
    var findings: [Double] = []
    var completions: [Double] = []
    for edit in 0..<editCount {
      let place = places[edit / 2 * 37 % places.count]
      let start: JSONValue = [
        "line": JSONValue(place.line), "character": JSONValue(place.character),
      ]
      let end: JSONValue = [
        "line": JSONValue(place.line), "character": JSONValue(place.character + edit % 2),
      ]
      findings.append(
        try milliseconds {
          try server.tell(
            "textDocument/didChange",
            [
              "textDocument": ["uri": uri, "version": JSONValue(edit + 1)],
              "contentChanges": [
                ["range": ["start": start, "end": end], "text": edit % 2 == 0 ? "z" : ""]
              ],
            ])
          try server.awaitFindings(version: edit + 1)
        })
      completions.append(
        try milliseconds {
          let answer = try server.ask(
            edit + 1, "textDocument/completion", ["textDocument": ["uri": uri], "position": start])
          guard answer["result"]?.count ?? 0 > 0 else {
            throw Failure(description: "nothing is completed")
          }
        })
    }
    print("\(stepCount) steps, \(text.utf8.count / 1024) KB, \(editCount) edits; 95 of 100 took")
    let results = [
      ("findings", findings, Self.findingsGoal), ("completion", completions, Self.completionGoal),
    ]
    for (name, times, goal) in results {
      let high = times.sorted()[min(times.count - 1, times.count * 95 / 100)]
      let isMet = high <= goal
      print(
        "  \(name.padding(toLength: 12, withPad: " ", startingAt: 0))"
          + String(format: "%7.1f ms  goal %.0f ms  ", high, goal) + (isMet ? "met" : "NOT MET"))
    }
  }

  private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start).inSeconds * 1000
  }

  /// A language server as an editor sees it.
  private final class Server {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var framing = MessageFraming(.contentLength)

    init(_ program: String) throws {
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = ["lsp"]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func stop() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    func tell(_ method: String, _ parameters: JSONValue) throws {
      try write(RPCMessage.notification(method, parameters))
    }

    func ask(_ number: Int, _ method: String, _ parameters: JSONValue) throws -> JSONNode {
      try write(RPCMessage.request(RPCIdentifier(number), method, parameters))
      while true {
        let message = try read()
        if message["id"]?.text == "\(number)" { return message }
      }
    }

    /// The pushed findings of a state of the text. A state without a change of its findings has
    /// none, so each edit must make one.
    func awaitFindings(version: Int) throws {
      while try read()["params"]?["version"]?.text != "\(version)" {}
    }

    private func write(_ message: [UInt8]) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(framing.framed(message)))
    }

    private func read() throws -> JSONNode {
      while true {
        if let bytes = try framing.next() { return try JSONDocument.parse(bytes).root }
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw Failure(description: "the server went away") }
        framing.append(data)
      }
    }
  }
}
