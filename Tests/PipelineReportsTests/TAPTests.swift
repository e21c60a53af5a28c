import Foundation
import PipelineTestSupport
import Testing

@testable import PipelineReports

@Suite struct TAPTests {
  /// A test point, as TAP 14 describes it.
  struct Point: Equatable {
    var isOK: Bool
    var number: Int
    var description: String
    var directive: String?
    var yaml: [String] = []
    var inner: [Point] = []
  }

  enum Problem: Error {
    case line(String)
  }

  /// A strict reader of TAP 14, https://testanything.org/tap-version-14-specification.html.
  struct Reader {
    private var lines: ArraySlice<Substring>

    init(_ text: String) throws {
      // TAP ends lines with LF alone.
      lines =
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { Substring($0) }[...]
      guard lines.last == "", lines.removeFirst() == "TAP version 14" else {
        throw Problem.line(text)
      }
      lines.removeLast()
    }

    mutating func points(indent: String = "") throws -> [Point] {
      guard let plan = lines.popFirst(), plan.hasPrefix(indent + "1.."),
        let count = Int(plan.dropFirst(indent.count + 3))
      else { throw Problem.line("no plan") }
      var points: [Point] = []
      while points.count < count {
        var inner: [Point] = []
        if let line = lines.first, line.hasPrefix(indent + "# Subtest: ") {
          lines.removeFirst()
          inner = try self.points(indent: indent + "    ")
        }
        guard let line = lines.popFirst() else { throw Problem.line("the points end early") }
        var point = try Self.point(line.dropFirst(indent.count))
        point.inner = inner
        guard point.number == points.count + 1 else { throw Problem.line(String(line)) }
        if lines.first == indent + "  ---" {
          lines.removeFirst()
          while let line = lines.popFirst(), line != indent + "  ..." {
            guard line.hasPrefix(indent + "  ") else { throw Problem.line(String(line)) }
            point.yaml.append(String(line.dropFirst(indent.count + 2)))
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

  @Test func aReaderOfTAP14ReadsWhatWasWritten() throws {
    let suites = awkwardSuites()
    var reader = try Reader(TAPReport.text(of: suites))
    let points = try reader.points()
    #expect(reader.isAtEnd && points.count == suites.count)
    for (point, suite) in zip(points, suites) {
      #expect(!point.isOK && point.description == suite.name && point.directive == nil)
      #expect(point.inner.count == suite.cases.count)
      for (inner, testCase) in zip(point.inner, suite.cases) {
        #expect(inner.isOK == (testCase.outcome == .passed || testCase.outcome == .skipped))
        #expect((inner.directive?.hasPrefix(" SKIP") == true) == (testCase.outcome == .skipped))
        let isProblem = testCase.outcome == .failed || testCase.outcome == .broken
        #expect(inner.yaml.isEmpty != isProblem)
        if testCase.name.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) }),
          testCase.outcome != .skipped
        {
          #expect(inner.description == "block." + testCase.name)
        }
      }
    }
  }

  @Test(.enabled(if: Tool.hasModule("yaml"), "python3 with PyYAML is not installed"))
  func theDetailsAreYAML() throws {
    var reader = try Reader(TAPReport.text(of: awkwardSuites()))
    let blocks = try reader.points().flatMap(\.inner).filter { !$0.yaml.isEmpty }
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
