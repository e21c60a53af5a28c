import PipelineFormats
import PipelineKit
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import PipelineTesting
import Testing

@testable import PipelineEngine

/// Rows of files that are read in pieces: as if the file were read at once, and never another file.
@Suite struct FileRowsTests {
  private static let api = "https://api.example"

  private static func table(rows: Int, last: String = "") -> String {
    var text = "id,name\r\n"
    for row in 0..<rows { text += "\(row),\"name \"\"\(row)\"\"\n\(row % 7)\"\r\n" }
    return text + last
  }

  private static func files(_ folder: TemporaryFolder) throws -> FolderFiles {
    try FolderFiles(workflow: folder.path + "/main.json")
  }

  @Test(arguments: [1, 2, 7, 100, 1 << 18])
  func piecesMakeNoDifference(_ pieceSize: Int) throws {
    let folder = TemporaryFolder()
    let text = Self.table(rows: 200, last: "200,end")
    let lines = (0..<50).map { "{\"n\": \($0)}\n\n" }.joined() + "[1, 2]"
    let formats: [(BodyFormat, String)] = [
      (.separated(SeparatedFormat(.csv)), text), (.lines, lines),
      (.separated(SeparatedFormat(.tsv)), "a\tb\n1\t\n2\t\\n\n"),
    ]
    for (format, text) in formats {
      folder.write(text, to: "a.txt")
      let whole = try format.document(of: Array(text.utf8), charset: nil, limit: .max).root
      var rows = try #require(
        try FileRows.of(
          "a.txt", format, nil, Self.files(folder), smallest: 0, pieceSize: pieceSize))
      #expect(rows.count == whole.count)
      var copy = rows
      for element in whole.elements { #expect(try rows.next()?.text == element.text) }
      #expect(try rows.next() == nil)
      #expect(try copy.next()?.text == whole[0]?.text)
    }
  }

  @Test func aFileOfUTF16IsReadInPiecesToo() throws {
    let folder = TemporaryFolder()
    let text = "a,b\nä,\u{1F600}\n"
    let bytes: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) { bytes, unit in
      bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    folder.write(bytes, to: "a.csv")
    for pieceSize in 1...5 {
      var rows = try #require(
        try FileRows.of(
          "a.csv", .separated(SeparatedFormat(.csv)), nil, Self.files(folder), smallest: 0,
          pieceSize: pieceSize))
      #expect(try rows.next()?.text == "{\"a\":\"ä\",\"b\":\"\u{1F600}\"}")
    }
  }

  @Test func smallAndPackedFilesAndOthersAreLeftToBeReadAsAWhole() throws {
    let folder = TemporaryFolder()
    folder.write("a\n1\n", to: "small.csv")
    folder.write([0x1F, 0x8B, 8, 0], to: "packed.csv")
    let files = try Self.files(folder)
    let csv = BodyFormat.separated(SeparatedFormat(.csv))
    #expect(try FileRows.of("small.csv", csv, nil, files) == nil)
    #expect(try FileRows.of("packed.csv", csv, nil, files, smallest: 0) == nil)
    #expect(try FileRows.of("missing.csv", csv, nil, files, smallest: 0) == nil)
    #expect(try FileRows.of("small.csv", .xml(XMLFormat()), nil, files, smallest: 0) == nil)
  }

  // MARK: Runs

  private static func run(
    _ folder: TemporaryFolder, _ loop: String = "", _ transport: ScriptedTransport
  ) async throws -> RunReport {
    let text = """
      {"steps": [{"id": "p", "forEach": {"$file": "a.csv", "as": "csv"}, "as": "row", \(loop)
        "endpoint": "POST \(api)/p", "body": {"json": {"row": "{{row}}"}}}]}
      """
    // Paths begin at the file's folder.
    let source = SourceFile(name: folder.path + "/main.json", bytes: Array(text.utf8))
    let plan = try #require(Linter().lint(source).workflow.flatMap { Plan($0) })
    var options = RunOptions()
    options.files = try files(folder)
    options.clock = InstantClock()
    return try await Pipeline(plan, transport: transport, options: options).run().result.report
  }

  /// A table above the size from which files are read in pieces.
  private static func large(_ last: String = "") -> String {
    let padding = String(repeating: "x", count: 1 << 20)
    return "id,text\n" + (0..<5).map { "\($0),\(padding)\n" }.joined() + last
  }

  @Test func aLineThatIsWrongIsFoundBeforeAnythingIsSent() async throws {
    let folder = TemporaryFolder()
    let transport = ScriptedTransport { _ in .json([:]) }
    var messages: [String] = []
    for text in [Self.large("5,a,b\n"), "id,text\n" + "1,a\n2,b\n3,c\n4,d\n5,e\n5,a,b\n"] {
      folder.write(text, to: "a.csv")
      let report = try await Self.run(folder, "", transport)
      messages.append(try #require(report.failures.first?.failure.message))
      #expect(report.failures.first?.failure.kind == .file)
    }
    #expect(transport.requests.isEmpty)
    #expect(messages[0] == messages[1])
    #expect(messages[0].hasPrefix("'a.csv' is not CSV: "))
  }

  @Test func eachRowOfALargeFileIsAnItem() async throws {
    let folder = TemporaryFolder()
    folder.write(Self.large(), to: "a.csv")
    for (loop, count) in [("", 5), ("\"batch\": 2,", 3)] {
      let transport = ScriptedTransport { _ in .json([:]) }
      let report = try await Self.run(folder, loop, transport)
      #expect(report.status == .succeeded)
      #expect(transport.requests.count == count)
    }
  }

  @Test(arguments: ["", "\"batch\": 2,"])
  func aFileThatChangesDuringTheRunFailsTheStep(_ loop: String) async throws {
    let folder = TemporaryFolder()
    folder.write(Self.large(), to: "a.csv")
    let transport = ScriptedTransport { _ in
      // In place, as an editor or another job may do.
      folder.write(Self.large("9,new\n"), to: "a.csv")
      return .json([:])
    }
    let report = try await Self.run(folder, "\"concurrency\": 1, " + loop, transport)
    #expect(report.status == .failed)
    #expect(
      report.failures.first?.failure.message
        == "'a.csv' cannot be read: it was changed while the run read it")
    #expect(transport.requests.count < 5)
  }
}
