import Foundation
import PipelineTestSupport
import Testing

/// The DocC catalogue has a place for each type of the library, also of the targets that it exports
/// as its own.
@Suite struct CatalogueTests {
  private let kinds: [Substring] = ["class", "struct", "enum", "protocol"]
  private let sources = Conformance.packageRoot + "/Sources/"
  private let targets = ["PipelineFiles", "PipelineJournals", "PipelineEngine", "PipelineKit"]

  @Test func eachPublicTypeIsInATopic() throws {
    let page = try text(sources + "PipelineKit/PipelineKit.docc/PipelineKit.md")
    var count = 0
    for path in try targets.flatMap(swiftFiles) {
      if path.hasSuffix("RenamedTypes.swift") { continue }
      for line in try text(sources + path).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard line.hasPrefix("public "),
          let kind = words.firstIndex(where: kinds.contains)
        else { continue }
        let name = words[kind + 1].prefix { $0.isLetter || $0.isNumber }
        count += 1
        #expect(page.contains("- ``\(name)``\n"), "\(path) has a type that is in no topic")
      }
    }
    #expect(count > 50)
  }

  private func swiftFiles(of target: String) throws -> [String] {
    try #require(FileManager.default.subpaths(atPath: sources + target))
      .filter { $0.hasSuffix(".swift") }.map { target + "/" + $0 }
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try #require(readFile(path)), as: UTF8.self)
  }
}
