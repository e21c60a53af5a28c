import Foundation
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Files of other tools, which no one here wrote: each is translated, or refused with a reason.
struct ImportCorpusTests {
  private let folder = TemporaryFolder()

  private static func files(in corpora: String, _ part: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: corpora + "/" + part)
    return (names?.compactMap { $0 as? String } ?? []).filter { name in
      var isFolder: ObjCBool = false
      let path = corpora + "/" + part + "/" + name
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  @Test(
    .enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no files of other tools"),
    arguments: ["har", "postman", "bruno", "insomnia", "arazzo"])
  func eachFileIsTranslatedOrRefused(_ part: String) async throws {
    let corpora = try #require(Conformance.corpora)
    let files = Self.files(in: corpora, part)
    try #require(!files.isEmpty, "$CORPORA_DIR has no \(part)")
    var lines: [String] = []
    for (number, name) in files.enumerated() {
      let path = corpora + "/" + part + "/" + name
      let result = await pipeline(["import", path, "--partial"])
      let report = result.error.replacing(path, with: "FILE")
      lines.append("\(name)\n" + report.split(separator: "\n").map { "  \($0)\n" }.joined())
      guard result.status == .success else {
        #expect(result.error.contains("cannot import '\(path)': it "), "\(result.error)")
        continue
      }
      let target = folder.write(result.output, to: "w\(number).json")
      let lint = await pipeline(["lint", target])
      #expect(lint.status == .success, "\(name): \(lint.output)")
      #expect(await pipeline(["format", "--check", target]).status == .success, "\(name)")
    }
    expectSnapshot(lines.joined(), "import-\(part).txt")
  }
}
