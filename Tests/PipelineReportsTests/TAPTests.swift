import Foundation
import PipelineTestSupport
import Testing

@testable import PipelineReports

@Suite struct TAPTests {
  /// A test point, as TAP 13 describes it.
  struct Point: Equatable {
    var isOK: Bool
    var number: Int
    var description: String
    var directive: String?
    var yaml: [String] = []
  }

  enum Problem: Error {
    case line(String)
  }

  /// A strict reader of TAP 13, https://testanything.org/tap-version-13-specification.html.
  struct Reader {
    private var lines: ArraySlice<Substring>

    init(_ text: String) throws {
      // TAP ends lines with LF alone.
      lines =
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { Substring($0) }[...]
      guard lines.last == "", lines.removeFirst() == "TAP version 13" else {
        throw Problem.line(text)
      }
      lines.removeLast()
    }

    mutating func points() throws -> [Point] {
      guard let plan = lines.popFirst(), plan.hasPrefix("1.."), let count = Int(plan.dropFirst(3))
      else { throw Problem.line("no plan") }
      var points: [Point] = []
      while points.count < count {
        while lines.first?.hasPrefix("# ") == true { lines.removeFirst() }
        guard let line = lines.popFirst() else { throw Problem.line("the points end early") }
        var point = try Self.point(line)
        guard point.number == points.count + 1 else { throw Problem.line(String(line)) }
        if lines.first == "  ---" {
          lines.removeFirst()
          while let line = lines.popFirst(), line != "  ..." {
            guard line.hasPrefix("  ") else { throw Problem.line(String(line)) }
            point.yaml.append(String(line.dropFirst(2)))
          }
        }
        points.append(point)
      }
      return points
    }

    var isAtEnd: Bool { lines.isEmpty }

    private static func point(_ line: Substring) throws -> Point {
      var rest = line
      let isOK = !rest.hasPrefix("not ")
      if !isOK { rest = rest.dropFirst(4) }
      guard rest.hasPrefix("ok ") else { throw Problem.line(String(line)) }
      rest = rest.dropFirst(3)
      let digits = rest.prefix { $0.isNumber }
      guard let number = Int(digits) else { throw Problem.line(String(line)) }
      rest = rest.dropFirst(digits.count)
      guard rest.hasPrefix(" - ") else { throw Problem.line(String(line)) }
      // `#` begins a directive if it is not escaped.
      var description = String.UnicodeScalarView()
      var directive: String?
      var scalars = rest.dropFirst(3).unicodeScalars[...]
      while let scalar = scalars.popFirst() {
        if scalar == "\\", let next = scalars.first, next == "\\" || next == "#" {
          description.append(next)
          scalars.removeFirst()
        } else if scalar == "#" {
          directive = String(Substring(scalars))
          break
        } else {
          description.append(scalar)
        }
      }
      return Point(
        isOK: isOK, number: number, description: String(description), directive: directive)
    }
  }

  @Test func aReaderOfTAP13ReadsWhatWasWritten() throws {
    let suites = awkwardSuites()
    var reader = try Reader(TAPReport.text(of: suites))
    let points = try reader.points()
    let cases = suites.flatMap { suite in suite.cases.map { (suite, $0) } }
    #expect(reader.isAtEnd && points.count == cases.count)
    for (point, (suite, testCase)) in zip(points, cases) {
      #expect(point.isOK == (testCase.outcome == .passed || testCase.outcome == .skipped))
      #expect((point.directive?.hasPrefix(" SKIP") == true) == (testCase.outcome == .skipped))
      let isProblem = testCase.outcome == .failed || testCase.outcome == .broken
      #expect(point.yaml.isEmpty != isProblem)
      if testCase.name.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) }),
        testCase.outcome != .skipped
      {
        #expect(point.description == suite.name + ": block." + testCase.name)
      }
    }
  }

  /// Its parser refuses a version after 13, and its reader of YAML knows few escapes.
  @Test(.enabled(if: Tool.isInstalled("prove"), "prove is not installed"))
  func proveReadsIt() throws {
    func suite(_ outcome: Suite.Case.Outcome, _ message: String) -> Suite {
      let problem = Suite.Case.Problem(
        kind: "status", message: message, details: ["request: GET http://a/?q=\"x\"", message])
      let cases = [
        Suite.Case(group: "shop", name: "list", outcome: .passed, time: 1),
        Suite.Case(
          group: "shop", name: "user", outcome: outcome, time: 1,
          problems: outcome == .passed ? [] : [problem]),
      ]
      return Suite(name: "shop", file: "shop.json", startedAt: nil, time: 2, cases: cases)
    }
    let folder = TemporaryFolder()
    func prove(_ suites: [Suite]) -> Tool.Outcome {
      folder.write(TAPReport.text(of: suites), to: "run.tap")
      return Tool.run(["prove", "-v", "-e", "cat", "run.tap"], in: folder)
    }
    let good = prove([suite(.passed, "")])
    #expect(good.status == 0 && good.output.contains("Tests=2"), "\(good)")
    let bad = prove([suite(.failed, #"answered {"error": "it's 'wrong'"}"#), suite(.passed, "")])
    #expect(bad.status != 0 && bad.output.contains("Failed test:  2"), "\(bad)")
    for problem in ["Parse errors", "does not support", "unknown"] {
      #expect(!bad.output.contains(problem) && !bad.error.contains(problem), "\(bad)")
    }
  }

  @Test(.enabled(if: Tool.hasModule("yaml"), "python3 with PyYAML is not installed"))
  func theDetailsAreYAML() throws {
    var reader = try Reader(TAPReport.text(of: awkwardSuites()))
    let blocks = try reader.points().filter { !$0.yaml.isEmpty }
    let texts = awkwardTexts.flatMap { [$0, $0] }
    #expect(blocks.count == 2 * texts.count)
    let pairs = zip(blocks, texts + texts).map { [$0.yaml.joined(separator: "\n"), $1] }
    let folder = TemporaryFolder()
    folder.write(
      String(decoding: try JSONEncoder().encode(pairs), as: UTF8.self), to: "pairs.json")
    let program = """
      import sys, json, yaml
      for block, text in json.load(open(sys.argv[1])):
          value = yaml.safe_load(block)
          assert value["message"] == text, (value, text)
          assert value["details"] == ["x", text]
          assert value["at"]["line"] == 3 and value["at"]["file"] == "a,b:" + text + ".json"
          assert value["kind"] == "expect" and value["severity"] in ("fail", "error")
      """
    let outcome = Tool.run(["python3", "-c", program, "pairs.json"], in: folder)
    #expect(outcome.status == 0, "\(outcome)")
  }
}
