import Foundation
import PipelineExports
import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

/// The folder with the stand-ins for engines.
let support = Conformance.packageRoot + "/Tests/PipelineExportsTests/Support"

/// A workflow whose texts mean something to Python, to shells, to make, to YAML or to none of them.
let awkwardWorkflow = #"""
  {
    "name": "it's \"50%\" $(rm -rf) ${HOME} #1 \\ naïve \u202eevil",
    "description": "Line one.\nLine \"\"\" two: {a} 'b' `c` $d \\",
    "inputs": {
      "class": {
        "type": "string", "default": "a \"b\" \\n $x #y\u0000\u2028", "description": "It's 100 %."
      },
      "day": { "type": "date", "default": "now-30d" },
      "from": { "type": "datetime", "optional": true },
      "kind": { "enum": ["é", "b'"], "default": "é" },
      "list": { "type": "array", "default": [1, 2.50, null, true, { "a": "$(x)" }] },
      "limit": { "type": "integer", "env": "AWKWARD_LIMIT" },
      "token": {
        "type": "string", "secret": true, "env": "AWKWARD_TOKEN", "default": "hidden-default"
      },
      "key": { "type": "string", "secret": true }
    },
    "environments": { "live 'x'": { "kind": "b'" } },
    "limits": { "concurrency": 12, "rate": "100/1s" },
    "defaults": { "baseURL": "https://api.example.com", "auth": { "bearer": "{{inputs.token}}" } },
    "steps": [
      { "id": "list", "endpoint": "GET /a'b$(c)%20{{inputs.kind}}", "query": { "k": "{{inputs.key}}" },
        "extract": { "ids": "$.ids" } },
      { "id": "Class", "when": "$.list.ids[0] == 'é $HOME'", "endpoint": "GET /x" },
      { "id": "begin", "forEach": "$.list.ids", "as": "id", "endpoint": "POST /y/{{id}}" },
      { "id": "class", "forEach": "$.list.ids", "as": "id", "concurrency": 1,
        "endpoint": "GET /z/{{id}}" },
      { "id": "all", "values": { "all": "$.begin" }, "dependsOn": ["Class", "class"] }
    ],
    "finally": [{ "id": "finish", "endpoint": "DELETE /session" }],
    "outputs": { "all": "{{all.all}}" }
  }
  """#

/// Reads the files that a workflow names.
private struct Files: FileLoader {
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let folder = (file as NSString).deletingLastPathComponent
    let place = folder + "/" + path
    return readFile(place).map { .success(SourceFile(name: place, bytes: $0)) }
      ?? .failure(FileLoadError("no file"))
  }
}

func plan(_ text: String) throws -> Plan {
  let linted = Linter().lint(SourceFile(name: "awkward.json", bytes: Array(text.utf8)))
  let errors = linted.diagnostics.filter { $0.severity == .error }.map(\.message)
  let plan = linted.plan
  return try #require(plan, "\(errors)")
}

/// A sample of the folder `workflows`.
func samplePlan(_ name: String) throws -> Plan {
  let path = Conformance.packageRoot + "/workflows/" + name
  let bytes = try #require(readFile(path))
  let linted = Linter(loader: Files()).lint(SourceFile(name: path, bytes: bytes))
  let plan = linted.plan
  return try #require(plan)
}

let sampleNames: [String] = {
  let folder = Conformance.packageRoot + "/workflows"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".test.json") }.sorted()
}()

extension [String] {
  /// Every fourth, or all with `LONG_TESTS=1`.
  func share(_ part: Int) -> [String] { LongTests.share(self, step: 4, part: part) }
}

/// Expects `text` to be what the file `Tests/Snapshots/Exports/name` holds; with
/// `RECORD_SNAPSHOTS=1` writes the file and fails.
func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = Conformance.packageRoot + "/Tests/Snapshots/Exports/" + name
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name)", sourceLocation: sourceLocation)
    return
  }
  let expected = readFile(path).map { String(decoding: $0, as: UTF8.self) }
  #expect(expected == text, "\(name)", sourceLocation: sourceLocation)
}
