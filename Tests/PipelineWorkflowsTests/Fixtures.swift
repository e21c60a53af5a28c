import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelineOpenAPI
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

enum Fixtures {
  static let folder = Conformance.packageRoot + "/Tests/PipelineWorkflowsTests/Fixtures"

  /// Codes that no JSON file, linted as a workflow with one description, can show.
  static let ofOtherFiles: Set<String> = ["json-too-large", "base-file", "changed-response"]

  static func lint(
    _ text: String, _ recorded: RecordedAnswers = RecordedAnswers(),
    _ described: APIDescription? = nil
  ) -> [Diagnostic] {
    Linter(recorded: recorded, described: described).lint(
      SourceFile(name: "example.json", bytes: Array(text.utf8))
    )
    .diagnostics
  }

  static func render(_ linted: LintedWorkflow) -> String {
    linted.diagnostics.map { diagnostic in
      var text = DiagnosticRenderer(style: .plain).render(diagnostic, in: linted.file)
      if let fix = diagnostic.fix { text += "      = fix: \(fix.message)\n" }
      return text
    }.joined()
  }

  /// The answers in `recorded.json` of a code's folder.
  static func recorded(for code: String) throws -> RecordedAnswers {
    guard let bytes = readFile("\(folder)/\(code)/recorded.json") else { return RecordedAnswers() }
    return RecordedAnswers(try JSONDocument.parse(bytes).root)
  }

  /// The description in `api.yaml` of a code's folder.
  static func described(for code: String) throws -> APIDescription? {
    try readFile("\(folder)/\(code)/api.yaml").map {
      try APIDescription(path: "api.yaml", bytes: $0, load: { _ in nil })
    }
  }

  static func files(of code: String) -> [String] { entries(of: folder + "/" + code) }

  /// The names in a folder, sorted; none where there is no such folder.
  static func entries(of path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

/// Reads the files that a fixture names, beside it.
struct FixtureLoader: FileLoader {
  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let name = folder + "/" + path
    guard let bytes = readFile(Fixtures.folder + "/" + name) else {
      return .failure(FileLoadError("'\(path)' cannot be read: no such file"))
    }
    return .success(SourceFile(name: name, bytes: bytes))
  }
}

/// Golden output: `RECORD_SNAPSHOTS=1` rewrites it, and then fails the run.
enum Snapshot {
  static var isRecording: Bool { getenv("RECORD_SNAPSHOTS") != nil }

  static func check(
    _ actual: String, in path: some StringProtocol,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let recorded = readFile(String(path)).map { String(decoding: $0, as: UTF8.self) }
    if recorded == actual { return }
    if isRecording {
      write(actual, to: String(path))
      Issue.record("recorded \(path)", sourceLocation: sourceLocation)
    } else {
      #expect(actual == recorded ?? "", sourceLocation: sourceLocation)
    }
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "wb") else {
      Issue.record("cannot write \(path)")
      return
    }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, file)
  }
}
