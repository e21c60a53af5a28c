import Foundation
import PipelineTestSupport
import Testing

@testable import PipelineReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What the schemas of Ant's JUnit task (windyroad/JUnit-Schema) and of Jenkins (junit-10.xsd)
/// demand, and what tools expect besides.
@Suite struct JUnitTests {
  /// An element of a document.
  private final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""

    init(_ name: String, _ attributes: [String: String]) {
      self.name = name
      self.attributes = attributes
    }
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var root: Element?
    private var open: [Element] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let element = Element(name, attributes)
      open.last?.children.append(element)
      if root == nil { root = element }
      open.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) { open.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }
  }

  private static func parse(_ text: String) throws -> Element {
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return try #require(reader.root)
  }

  @Test func bothSchemasAcceptIt() throws {
    let root = try Self.parse(JUnitReport.text(of: awkwardSuites()))
    #expect(root.name == "testsuites" && root.attributes.isEmpty)
    #expect(root.children.count == 2)
    for (number, suite) in root.children.enumerated() {
      #expect(suite.name == "testsuite")
      let required = [
        "name", "package", "id", "hostname", "timestamp", "time", "tests", "failures", "errors",
      ]
      #expect(Set(suite.attributes.keys) == Set(required + ["skipped"]))
      #expect(suite.attributes["id"] == "\(number)")
      #expect(suite.attributes["timestamp"] == "2026-01-31T09:05:00")
      #expect(suite.attributes["time"] == "61.000007")
      let names = suite.children.map(\.name)
      let cases = suite.children.filter { $0.name == "testcase" }
      #expect(
        names == ["properties"] + cases.map { _ in "testcase" } + ["system-out", "system-err"])
      #expect(suite.attributes["tests"] == "\(cases.count)")
      for (name, outcome) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
      {
        let count = cases.count { $0.children.contains { $0.name == outcome } }
        #expect(suite.attributes[name] == "\(count)", "\(name)")
      }
      for testCase in cases {
        #expect(Set(testCase.attributes.keys) == ["name", "classname", "time"])
        #expect(testCase.attributes["name"]?.isEmpty == false)
        #expect(testCase.children.count <= 1)
        for problem in testCase.children {
          #expect(["failure", "error", "skipped"].contains(problem.name))
          #expect(problem.children.isEmpty)
          let type: Set<String> = problem.name == "skipped" ? [] : ["type"]
          #expect(Set(problem.attributes.keys) == type.union(["message"]))
        }
      }
    }
  }

  @Test func namesAreUniqueInTheirClass() throws {
    let testCase = { Suite.Case(group: "a", name: $0, outcome: .passed, time: 0) }
    let suite = Suite(
      name: "a", file: "a.json", startedAt: nil, time: 0,
      cases: ["x", "x", "x (2)", "x", "", "", "e\u{301}", "\u{E9}"].map(testCase))
    let root = try Self.parse(JUnitReport.text(of: [suite]))
    let names = root.children[0].children.compactMap { $0.attributes["name"] }
      .filter { $0 != "file" }
    #expect(Set(names.map { Array($0.utf8) }).count == 8, "\(names)")
    #expect(names.first == "x")
  }

  @Test func theMessageStandsInTheContentToo() throws {
    let problem = Suite.Case.Problem(
      kind: "expect", message: "got 404 & <no> ]]>", details: ["a.json:3:4", "answer:", "{\n}"])
    let suite = Suite(
      name: "a", file: "a.json", startedAt: nil, time: 0,
      cases: [
        Suite.Case(group: "a", name: "x", outcome: .failed, time: 1_500_000, problems: [problem])
      ])
    let root = try Self.parse(JUnitReport.text(of: [suite]))
    let failure = try #require(root.children[0].children[1].children.first)
    #expect(failure.attributes["message"] == "got 404 & <no> ]]>")
    #expect(failure.text == "got 404 & <no> ]]>\na.json:3:4\nanswer:\n{\n}")
    #expect(root.children[0].children[1].attributes["time"] == "1.500000")
  }

  @Test func controlCharactersAreReplaced() throws {
    let text = JUnitReport.text(of: awkwardSuites())
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    #expect(!text.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) })
    #expect(text.contains("\u{FFFD}"))
  }

  @Test(.enabled(if: Tool.hasModule("junitparser"), "junitparser is not installed"))
  func junitparserReadsIt() {
    let folder = TemporaryFolder()
    folder.write(JUnitReport.text(of: awkwardSuites()), to: "run.xml")
    let program = """
      import sys
      from junitparser import JUnitXml, Failure, Error, Skipped
      xml = JUnitXml.fromfile(sys.argv[1])
      for suite in xml:
          results = [type(r).__name__ for case in suite for r in case.result]
          assert suite.tests == len(list(suite)), suite.tests
          assert suite.failures == results.count("Failure")
          assert suite.errors == results.count("Error")
          assert suite.skipped == results.count("Skipped")
          print(suite.tests, suite.failures, suite.errors, suite.skipped)
          for case in suite:
              for r in case.result:
                  assert r.text is not None and r.message is not None
      """
    let outcome = Tool.run(["python3", "-c", program, "run.xml"], in: folder)
    let count = awkwardTexts.count
    let line = "\(4 * count) \(count) \(count) \(count)\n"
    #expect(outcome.status == 0 && outcome.output == line + line, "\(outcome)")
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00"), (951_782_400, "2000-02-29T00:00:00"),
    (4_107_542_399.9, "2100-02-28T23:59:59"), (-1, "1969-12-31T23:59:59"),
    (1_769_850_300, "2026-01-31T09:05:00"),
  ])
  func timesAreThoseOfTheCalendar(seconds: Double, text: String) {
    #expect(seconds.dateTimeText == text)
  }
}
