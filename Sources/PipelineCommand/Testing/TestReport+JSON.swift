internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText
internal import PipelineTesting

// Test results as JSON, for programs that show them.
extension TestReport {
  /// One object: `files`, each with its `tests`, and `notTested`, lines that name what no test
  /// reached.
  static func json(_ files: [TestedFile], gaps: [String]) -> String {
    let value: JSONValue = [
      "files": .array(files.map(json)), "notTested": .array(gaps.map { .string($0) }),
    ]
    return value.node.text + "\n"
  }

  private static func json(_ file: TestedFile) -> JSONValue {
    [
      "file": .string(file.file.name), "isBroken": .boolean(file.findings != nil),
      "skipped": .array(file.skipped.map { .string($0) }),
      "tests": .array(
        file.tests.map { test in
          [
            "name": .string(test.result.name), "passed": .boolean(test.result.passed),
            "line": JSONValue(file.file.position(at: test.result.range.lowerBound).line),
            "runs": JSONValue(test.result.runCount),
            "microseconds": JSONValue(test.duration.wholeMicroseconds),
            "problems": .array(test.result.problems.map { json($0, in: file) }),
            "notes": .array(test.result.notes.map { json($0, in: file) }),
          ]
        }),
    ]
  }

  private static func json(_ problem: TestProblem, in file: TestedFile) -> JSONValue {
    let place = file.file.position(at: problem.range.lowerBound)
    return [
      "message": .string(problem.message), "line": JSONValue(place.line),
      "column": JSONValue(place.column), "details": .array(problem.details.map { .string($0) }),
    ]
  }
}
