import Foundation

/// `pipeline lint --against` with a large description, from the start of the program to its end.
struct APIBenchmark {
  let rounds: Int
  /// The program.
  let program: String

  private static let size = 13_000_000
  private static let goal = (seconds: 1.0, bytes: 150e6)
  private static let stepCount = 200

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pipeline-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let cleanup = Cleanup()
    cleanup.add { try? FileManager.default.removeItem(at: folder) }
    cleanup.runsOnSignals()
    defer { cleanup.run() }
    let processes = Subprocess(folder: folder, cleanup: cleanup)
    let workflow = folder.appendingPathComponent("w.json").path
    try Self.workflow.write(toFile: workflow, atomically: true, encoding: .utf8)
    print("medians of \(rounds) rounds; a workflow of \(Self.stepCount) requests")
    for (name, bytes) in [
      ("api.json", Self.description(atLeast: Self.size)),
      ("api.yaml", YAMLBenchmark.description(atLeast: Self.size)),
    ] {
      let path = folder.appendingPathComponent(name).path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var seconds = Figures(name: name, unit: .seconds)
      var peak = Figures(name: name, unit: .seconds)
      for round in 0...rounds {
        let ending = try processes.run([program, "lint", "--against", path, workflow])
        guard round > 0 else { continue }
        seconds.values.append(ending.seconds)
        peak.values.append(ending.peakBytes)
      }
      let isGood =
        seconds.median <= Self.goal.seconds && peak.median <= Self.goal.bytes
      print(
        "  \(name), \(bytes.count) bytes: \(String(format: "%.2f", seconds.median)) s,"
          + " \(Int(peak.median / 1e6)) MB  goal 1 s, 150 MB  \(isGood ? "met" : "NOT MET")")
    }
  }

  private static var workflow: String {
    let steps = (1...stepCount).map {
      #"{"id": "s\#($0)", "endpoint": "GET /v1/accounts/a\#($0)/items\#($0)", "extract": {"v": "$[*]"}}"#
    }
    let outputs = (1...stepCount).map { #""o\#($0)": "{{s\#($0).v}}""# }
    return """
      {"defaults": {"baseURL": "https://api.example.com"},
       "steps": [\(steps.joined(separator: ",\n"))],
       "outputs": {\(outputs.joined(separator: ", "))}}
      """
  }

  /// Operations and schemas that refer to each other in circles.
  private static func description(atLeast count: Int) -> [UInt8] {
    var paths: [UInt8] = []
    var schemas: [UInt8] = []
    var number = 0
    while paths.count + schemas.count < count {
      number += 1
      let comma = number == 1 ? "" : ","
      paths +=
        """
        \(comma)
            "/v1/accounts/{account}/items\(number)": {
              "get": {
                "operationId": "listItems\(number)",
                "summary": "List the items of an account",
                "description": "Returns the items of an account, newest first.\\nItems that were *archived* are left out.",
                "parameters": [
                  { "name": "account", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^[a-z]+\(number)$" } },
                  { "name": "limit", "in": "query", "schema": { "type": "integer", "maximum": 100 } }
                ],
                "responses": {
                  "200": {
                    "description": "The items",
                    "content": { "application/json": { "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Item\(number)" } } } }
                  }
                }
              }
            }
        """.utf8
      schemas +=
        """
        \(comma)
              "Item\(number)": {
                "type": "object",
                "required": ["id"],
                "properties": {
                  "id": { "type": "string" },
                  "parent": { "$ref": "#/components/schemas/Item\(max(1, number / 2))" },
                  "next": { "$ref": "#/components/schemas/Item\(number)" }
                }
              }
        """.utf8
    }
    return Array(
      "{\n  \"openapi\": \"3.1.0\",\n  \"info\": { \"title\": \"API\" },\n  \"paths\": {".utf8)
      + paths + Array("\n  },\n  \"components\": { \"schemas\": {".utf8) + schemas
      + Array("\n  } }\n}\n".utf8)
  }
}
