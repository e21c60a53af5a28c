import PipelineJSONText
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct FindingsTests {
  private let findings: [Findings] = {
    let text = "{\n  \"steps\": [ü, 1,],\n  \"nmae\": 2\n}\n"
    let file = SourceFile(name: "a b,c.json", bytes: Array(text.utf8))
    return [
      Findings(
        file: file,
        diagnostics: [
          Diagnostic(
            code: "json-syntax", severity: .error, message: "100% wrong: 'ü'", range: 14..<16,
            related: [.init(range: 0..<1, message: "the object begins here")]),
          Diagnostic(
            code: "trailing-comma", severity: .error, message: "a comma too many", range: 19..<20,
            fix: DiagnosticFix(
              message: "remove the comma", edits: [.init(range: 19..<20, replacement: "")])),
          Diagnostic(
            code: "unknown-key", severity: .warning, message: "unknown key", range: 25..<40,
            fix: DiagnosticFix(
              message: "write 'name'", edits: [.init(range: 25..<31, replacement: "\"name\"")],
              isSafe: false)),
        ]),
      Findings(PathProblem(path: "/gone.json", reason: "no such file or folder")),
      Findings(file: SourceFile(name: "good.json", bytes: []), diagnostics: []),
    ]
  }()

  @Test(arguments: FindingsFormat.allCases)
  func eachFormatIsWhatIsRecorded(format: FindingsFormat) throws {
    let bytes = format.bytes(findings, renderer: DiagnosticRenderer(), version: "0.1.0")
    expectSnapshot(String(decoding: bytes, as: UTF8.self), "findings.\(format.rawValue).txt")
    if format == .json || format == .sarif { _ = try JSONDocument.parse(bytes) }
  }

  /// What the schema of SARIF 2.1.0 requires, and what GitHub needs to show a result.
  @Test func sarifHasItsRequiredParts() throws {
    let bytes = FindingsFormat.sarif.bytes(
      findings, renderer: DiagnosticRenderer(), version: "0.1.0")
    let root = try JSONDocument.parse(bytes).root
    #expect(root["version"]?.string == "2.1.0")
    let run = try #require(root["runs"]?[0])
    #expect(run["tool"]?["driver"]?["name"]?.string == "pipeline")
    let results = try #require(run["results"])
    #expect(results.count == 4)
    let rules = try #require(run["tool"]?["driver"]?["rules"])
    for result in results.elements {
      let rule = try #require(result["ruleIndex"]?.number?.int)
      #expect(rules[rule]?["id"]?.string == result["ruleId"]?.string)
      #expect(result["message"]?["text"]?.string?.isEmpty == false)
      #expect(["error", "warning", "note"].contains(result["level"]?.string ?? ""))
    }
    let fixes = results.elements.compactMap { $0["fixes"]?[0] }
    #expect(fixes.map { $0["properties"]?["safe"]?.boolean } == [true, false])
    #expect(fixes[1]["description"]?["text"]?.string?.contains("a suggestion") == true)
    let described = rules.elements.filter { rule in
      Explanation.all.contains { $0.code == rule["id"]?.string }
    }
    #expect(!described.isEmpty)
    for rule in described {
      #expect(rule["shortDescription"]?["text"]?.string?.isEmpty == false)
    }
    let region = results[0]?["locations"]?[0]?["physicalLocation"]?["region"]
    #expect(region?["startLine"]?.number?.int == 2)
    #expect(region?["startColumn"]?.number?.int == 13)
  }

  @Test func summariesCount() {
    #expect(FindingCounts(findings).summary == "3 errors, 1 warning in 2 of 3 files")
    #expect(FindingCounts([findings[2]]).summary == "No problems in 1 file")
    #expect(FindingCounts([findings[1]]).summary == "1 error in 1 file")
  }
}

struct WorkflowFilesTests {
  private func names(_ paths: [String]) -> [String] {
    WorkflowFiles(files: .system).read(paths).map { result in
      switch result {
      case .success(let file): file.name
      case .failure(let problem): "\(problem.path): \(problem.reason)"
      }
    }
  }

  @Test func aFolderStandsForTheWorkflowsBelowIt() {
    let folder = TemporaryFolder()
    for name in ["b.json", "a.json", "deep/c.json"] { folder.write("{\"steps\": []}", to: name) }
    folder.write("{\"steps\": [,", to: "broken.json")
    folder.write("{\"scripts\": {\"steps\": 1}}", to: "package.json")
    folder.write("{\"steps\": []}", to: ".hidden/d.json")
    folder.write("{\"steps\": []}", to: "node_modules/e.json")
    folder.write("{\"steps\": []}", to: "notes.txt")
    #expect(symlink(folder.path, folder.path + "/deep/loop") == 0)
    let expected = ["a.json", "b.json", "broken.json", "deep/c.json"].map { folder.path + "/" + $0 }
    #expect(names([folder.path]) == expected)
    #expect(names([folder.path + "/", folder.path + "/a.json"]).count == 4)
    #expect(names([folder.path + "/a.json", folder.path]).count == 4)
  }

  @Test func whatCannotBeReadIsNamed() {
    let folder = TemporaryFolder()
    folder.write("{}", to: "package.json")
    #expect(names([folder.path]) == ["\(folder.path): no workflow file is below it"])
    let missing = folder.path + "/missing.json"
    #expect(names([missing]) == ["\(missing): no such file or folder"])
    #expect(
      names([folder.path + "/package.json/x"]) == [
        "\(folder.path)/package.json/x: a part of the path is not a folder"
      ])
  }

  @Test func aFileOfTooManyBytesIsRefusedBeforeItIsRead() {
    let folder = TemporaryFolder()
    let path = folder.write("", to: "large.json")
    #expect(truncate(path, (64 << 20) + 1) == 0)
    #expect(names([path]) == ["\(path): it is larger than 64 MB"])
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct AtomicFileTests {
  @Test func theContentIsReplacedAndNothingElseIsLeft() throws {
    let folder = TemporaryFolder()
    let path = folder.write("old", to: "out.json")
    #expect(chmod(path, 0o640) == 0)
    try AtomicFile(path: path).write(Array("new".utf8))
    #expect(folder.read("out.json") == "new")
    #expect(folder.names == ["out.json"])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test func theOldContentStaysUntilAllOfTheNewIsThere() throws {
    let folder = TemporaryFolder()
    let path = folder.write("old", to: "out.json")
    try AtomicFile(path: path).write { sink in
      sink(Array("n".utf8))
      #expect(folder.read("out.json") == "old")
      sink(Array("ew".utf8))
    }
    #expect(folder.read("out.json") == "new")
    #expect(folder.names == ["out.json"])
  }

  @Test func aLinkStaysALink() throws {
    let folder = TemporaryFolder()
    let target = folder.write("old", to: "target.json")
    #expect(symlink(target, folder.path + "/link.json") == 0)
    try AtomicFile(path: folder.path + "/link.json").write(Array("new".utf8))
    #expect(folder.read("target.json") == "new")
    #expect(FileSystem.system.isLink(folder.path + "/link.json"))
  }

  @Test func aLinkToAFileThatIsNotThereMakesIt() throws {
    let folder = TemporaryFolder()
    #expect(symlink("new/target.json", folder.path + "/link.json") == 0)
    TemporaryFolder.make(folder.path + "/new")
    try AtomicFile(path: folder.path + "/link.json").write(Array("new".utf8))
    #expect(folder.read("new/target.json") == "new")
    #expect(FileSystem.system.isLink(folder.path + "/link.json"))
    #expect(symlink("loop.json", folder.path + "/loop.json") == 0)
    #expect(throws: PathProblem.self) { try AtomicFile(path: folder.path + "/loop.json") }
  }

  @Test func whatCannotBeWrittenIsNamedBeforehand() {
    let folder = TemporaryFolder()
    #expect(throws: PathProblem(path: folder.path, reason: "it is a folder")) {
      try AtomicFile(path: folder.path)
    }
    let missing = folder.path + "/missing"
    #expect(throws: PathProblem(path: missing + "/x.json", reason: "no such folder '\(missing)'")) {
      try AtomicFile(path: missing + "/x.json")
    }
  }

  @Test func aDeviceIsWrittenDirectly() throws {
    try AtomicFile(path: "/dev/null").write([1])
    // Linux alone has it.
    guard access("/dev/full", W_OK) == 0 else { return }
    #expect(throws: PathProblem(path: "/dev/full", reason: "no space left on the device")) {
      try AtomicFile(path: "/dev/full").write([1])
    }
  }
}
