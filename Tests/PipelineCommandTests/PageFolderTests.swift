import Foundation
import PipelineDrawings
import PipelineJSONText
import PipelineKit
import PipelineLint
import PipelinePages
import PipelineSourceText
import PipelineTestSupport
import Synchronization
import Testing

@testable import PipelineCommand

/// What the page knows of a folder, and the files that the page is made of.
@Suite struct PageFolderTests {
  private let folder = TemporaryFolder()

  private func workflow(_ path: String, _ name: String) {
    folder.write(
      """
      {"name": "\(name)", "defaults": {"baseURL": "https://a.example"},
       "steps": [{"id": "a", "endpoint": "GET /x", "extract": {"n": "$.n"}}],
       "outputs": {"n": "{{a.n}}"}}
      """, to: path)
  }

  private static func findings(_ content: FolderListing.Content, _ path: String) throws -> Int {
    let root = try JSONDocument.parse(content.json).root
    let file = try #require(root["files"]?.elements.first { $0["path"]?.string == path })
    return try #require(file["findings"]).count
  }

  @Test func onlyWhatHasChangedIsAnalysedAgain() throws {
    for number in 0..<12 { workflow("w\(number).json", "w\(number)") }
    folder.write(
      #"{"name": "outer", "steps": [{"id": "c", "workflow": "./w0.json"}], "outputs": {"n": "{{c.n}}"}}"#,
      to: "outer.json")
    let kinds = Mutex(0)
    var files = FileSystem.system
    let kind = files.kind
    files.kind = { path throws(PathProblem) in
      // Lint asks for recordings beside each file that it analyses.
      if path.hasSuffix(".har") { kinds.withLock { $0 += 1 } }
      return try kind(path)
    }
    let listing = try FolderListing(folder.path, files: files, clock: SystemClock(), store: nil)
    func asked() -> Int {
      kinds.withLock { count in
        defer { count = 0 }
        return count
      }
    }
    let first = listing.read(isReadOnly: false)
    #expect(first.paths.count == 13 && asked() >= 13)
    let before = try Self.findings(first, "outer.json")
    #expect(listing.read(isReadOnly: false).json == first.json && asked() == 0)

    // A file, and what another one reads of it.
    folder.write(
      #"{"name": "w0", "steps": [{"id": "a", "endpoint": "GET https://a.example/x"}]}"#,
      to: "w0.json")
    let second = listing.read(isReadOnly: false)
    #expect(try Self.findings(second, "outer.json") > before)
    #expect(asked() > 0)
    // A recording that was not there: the search meets it, and the analysis asks for three places.
    folder.write(#"{"log": {"entries": []}}"#, to: "w5.har")
    _ = listing.read(isReadOnly: false)
    #expect(asked() >= 4)
    // A file that is gone.
    try FileManager.default.removeItem(atPath: folder.path + "/w7.json")
    #expect(listing.read(isReadOnly: false).paths.count == 12)
  }

  @Test func aListingKnowsTheTestsAndRecordingsOfAWorkflow() throws {
    workflow("shop/one.json", "one")
    folder.write(#"{"log": {"entries": []}}"#, to: "shop/recordings/one.har")
    folder.write(
      """
      {"workflow": "../shop/one.json", "tests": [
        {"name": "a", "replay": "../shop/recordings/one.har"}, {"name": "b"}]}
      """, to: "tests/one.test.json")
    let listing = try FolderListing(
      folder.path, files: .system, clock: SystemClock(), store: nil)
    let content = listing.read(isReadOnly: false)
    #expect(Array(content.tests.values) == [["tests/one.test.json"]])
    #expect(content.recordings.values.flatMap { $0 } == ["shop/recordings/one.har"])
  }

  // MARK: The files of the page

  private static let sources = Conformance.packageRoot + "/Sources/PipelinePages/Page"

  @Test func everyFileOfThePageIsServedAndSmall() throws {
    let names = try FileSystem.system.names(Self.sources)
    let served = Dictionary(
      uniqueKeysWithValues: PageAsset.all.map { (String($0.path.dropFirst()), $0.bytes) })
    var size = 0
    for name in names {
      let bytes = try #require(readFile(Self.sources + "/" + name))
      size += bytes.count
      switch name {
      case "page.html": #expect(served[""] == bytes)
      case "page.css": #expect(served[name]?.suffix(bytes.count).elementsEqual(bytes) == true)
      default: #expect(served[name] == bytes, "\(name)")
      }
      // Nothing is loaded from elsewhere, and no text becomes markup.
      let text = String(decoding: bytes, as: UTF8.self)
      for word in [
        "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "https://",
      ] {
        #expect(!text.contains(word), "\(name) has \(word)")
      }
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 300, "\(name)")
    }
    #expect(names.count == served.count && size < 200_000, "\(size) bytes")
    // Modules import others. The page names all of them, so that a browser asks for them at once.
    let page = String(decoding: PageAssets.html, as: UTF8.self)
    for name in PageAssets.modules.map(\.name) where name != "page" {
      #expect(page.contains("<link rel=\"modulepreload\" href=\"/\(name).js\">"), "\(name)")
    }
  }

  @Test func thePageTheReportAndTheGraphPageHaveOneStyle() async throws {
    workflow("one.json", "one")
    let style = DrawingStyle.shared + DrawingStyle.drawing
    let graph = await pipeline(["graph", folder.path + "/one.json", "--format", "html"])
    #expect(graph.output.contains(style))
    let css = try #require(PageAsset.all.first { $0.path == "/page.css" })
    #expect(String(decoding: css.bytes, as: UTF8.self).hasPrefix(style))
    // Each colour has one place: no other style sheet declares it.
    let names = style.matches(of: /--([a-z]+): #/).map { String($0.output.1) }
    #expect(Set(names).count > 40 && names.count == 2 * Set(names).count)
    let others = [
      Self.sources + "/page.css",
      Conformance.packageRoot + "/Sources/PipelineReports/Style/report.css",
      Conformance.packageRoot + "/Sources/PipelineCommand/Graphs/Style/graph.css",
    ]
    for other in others {
      let text = String(decoding: try #require(readFile(other)), as: UTF8.self)
      for name in Set(names) { #expect(!text.contains("--\(name): "), "\(other) declares \(name)") }
    }
  }

  /// A rule that is meant for another part of a page would change the drawing in it.
  @Test func noOtherRuleMatchesAPartOfADrawing() throws {
    let styled = Self.classes(in: DrawingStyle.drawing)
    // A step of each kind, and a request of each method.
    let steps = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map {
      ##"{"id": "\##($0)", "endpoint": "\##($0) https://a.example", "when": "'a' == 'b'"}"##
    }
    let text = """
      {"name": "all", "steps": [\(steps.joined(separator: ", ")), {"id": "w", "wait": "1s"},
       {"id": "v", "values": {"a": 1}}, {"id": "f", "fail": "no"}, {"id": "s", "say": "yes"},
       {"id": "b", "forEach": [1], "steps": [{"id": "c", "wait": "1s"}]}]}
      """
    let plan = try #require(
      Linter().lint(SourceFile(name: "all.json", bytes: Array(text.utf8))).plan)
    let svg = GraphSVG(
      picture: GraphPicture(WorkflowGraph(plan), .down), title: "all", isStyled: false
    ).text
    let written = svg.matches(of: /class="([^"]*)"/).flatMap { $0.output.1.split(separator: " ") }
    let names = styled.union(written.map { String($0) }).subtracting(["graph"])
    #expect(names.isSuperset(of: ["step", "group", "box", "action", "head", "conditional"]))
    let sheets = [
      "PipelineDrawings/Style/shared.css", "PipelinePages/Page/page.css",
      "PipelineReports/Style/report.css",
    ]
    for sheet in sheets {
      let path = Conformance.packageRoot + "/Sources/" + sheet
      let css = String(decoding: try #require(readFile(path)), as: UTF8.self)
      for rule in css.matches(of: /([^{}]+)\{/) {
        for selector in rule.output.1.split(separator: ",") {
          let selector = selector.trimmingCharacters(in: .whitespacesAndNewlines)
          guard selector.wholeMatch(of: /(\.[A-Za-z0-9-]+)+/) != nil else { continue }
          #expect(!Self.classes(in: selector).isSubset(of: names), "\(sheet) has \(selector)")
        }
      }
    }
  }

  private static func classes(in css: String) -> Set<String> {
    Set(css.matches(of: /\.([A-Za-z][A-Za-z0-9-]*)/).map { String($0.output.1) })
  }

  private static let hasNode = Tool.isInstalled("node")

  @Test(.enabled(if: hasNode, "node is not installed"), .timeLimit(.minutes(5)))
  func itsModulesAreWellFormedAndDoWhatTheyShall() throws {
    let modules = try FileSystem.system.names(Self.sources).filter { $0.hasSuffix(".js") }
      .map { Self.sources + "/" + $0 }
    let all = modules + [Conformance.packageRoot + "/Sources/PipelineCommand/Graphs/Style/graph.js"]
    for module in all {
      let copy = folder.write(readFile(module) ?? [], to: "module.mjs")
      let checked = Tool.run(["node", "--check", copy], in: folder)
      #expect(checked.status == 0, "\(module): \(checked.error)")
    }
    let tested = Tool.run(
      ["node", "--test", Conformance.packageRoot + "/Tests/Distribution/page.test.mjs"], in: folder)
    #expect(tested.status == 0, "\(tested.output)")
  }
}
