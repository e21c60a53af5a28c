internal import PipelineByteText

/// Suites in the Test Anything Protocol: a point for each case.
///
/// It is version 13, because common consumers refuse a file of version 14, and take a subtest for
/// one point or for none.
package enum TAPReport {
  package static func text(of suites: [Suite]) -> String {
    let count = suites.reduce(0) { $0 + $1.cases.count }
    var lines = ["TAP version 13", "1..\(count)"]
    var number = 0
    for suite in suites {
      lines.append("# \(escaped(suite.name))")
      lines += suite.properties.map { "# \($0.name): \(escaped($0.value))" }
      for testCase in suite.cases {
        number += 1
        let prefix = suites.count > 1 ? suite.name + ": " : ""
        lines += self.lines(of: testCase, number, prefix, in: suite)
      }
      lines += suite.notes.map { "# \(escaped($0))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(
    of testCase: Suite.Case, _ number: Int, _ file: String, in suite: Suite
  ) -> [String] {
    let isGood = testCase.outcome == .passed || testCase.outcome == .skipped
    let isInner = testCase.group.utf8.count > suite.name.utf8.count
    let prefix = isInner ? String(testCase.group.dropFirst(bytes: suite.name.utf8.count + 1)) : ""
    let name = file + (prefix.isEmpty ? "" : prefix + ".") + testCase.name
    var line = "\(isGood ? "ok" : "not ok") \(number) - \(escaped(name))"
    if testCase.outcome == .skipped {
      line += " # SKIP \(escaped(testCase.problems.first?.message ?? ""))"
      return [line]
    }
    var lines = [line]
    guard let problem = testCase.problems.first else { return lines }
    lines.append("  ---")
    lines.append("  message: \(quoted(problem.message))")
    lines.append("  severity: \(testCase.outcome == .broken ? "error" : "fail")")
    lines.append("  kind: \(quoted(problem.kind))")
    if let file = testCase.file ?? Optional(suite.file), !file.isEmpty {
      lines.append("  at:")
      lines.append("    file: \(quoted(file))")
      if let line = problem.line ?? testCase.line { lines.append("    line: \(line)") }
      if let column = problem.column { lines.append("    column: \(column)") }
    }
    if testCase.problems.count > 1 {
      lines.append("  others:")
      lines += testCase.problems.dropFirst().map { "    - " + element($0.message) }
    }
    if !problem.details.isEmpty {
      lines.append("  details:")
      lines += problem.details.map { "    - " + element($0) }
    }
    lines.append("  ...")
    return lines
  }

  /// A description, in which `#` would begin a directive.
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "#": result.append(contentsOf: ["\\", scalar])
      default: result.append(scalar.isPrintable ? scalar : " ")
      }
    }
    return String(result)
  }

  /// A scalar in a list. Perl's reader takes a colon and a space in it for those of a member,
  /// whatever the quotes.
  private static func element(_ text: String) -> String {
    guard text.contains(bytes: ": ") else { return quoted(text) }
    return escapedScalar(text).replacing(bytes: ": ", with: ":\\x20")
  }

  /// A quoted scalar of YAML 1.2. Single quotes need no escapes, which not all readers know.
  private static func quoted(_ text: String) -> String {
    text.unicodeScalars.allSatisfy(\.isPrintable)
      ? "'" + text.replacing(bytes: "'", with: "''") + "'" : escapedScalar(text)
  }

  private static func escapedScalar(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where !scalar.isPrintable:
        let digits = String(scalar.value, radix: 16)
        result += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Unicode.Scalar {
  /// Whether it is not a control character and does not end a line.
  fileprivate var isPrintable: Bool {
    value >= 0x20 && !(0x7F...0x9F).contains(value) && value != 0x2028 && value != 0x2029
      && value & 0xFFFE != 0xFFFE && value != 0xFEFF
  }
}
