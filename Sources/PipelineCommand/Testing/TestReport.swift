internal import ByteText
internal import PipelineKit
internal import SourceText

/// What came of the tests of a file.
struct TestedFile: Sendable {
  struct Test: Sendable {
    let result: TestResult
    /// How long it took, in real time.
    let duration: Duration
  }

  let file: SourceFile
  /// Why no test could be run; empty if there are results.
  var findings: Findings?
  var tests: [Test] = []
  /// Tests that `--live` does not send.
  var skipped: [String] = []

  var failed: [Test] { tests.filter { !$0.result.passed } }
}

/// A form in which other tools read what came of tests.
struct TestReport: Sendable {
  enum Format: String, WordChoice {
    case junit, tap, github
  }

  let format: Format
  /// Where it goes; `nil`: stdout.
  let path: String?

  func text(_ files: [TestedFile]) -> String {
    switch format {
    case .junit: Self.junit(files)
    case .tap: Self.tap(files)
    case .github: Self.github(files)
    }
  }

  // MARK: JUnit

  private static func junit(_ files: [TestedFile]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for file in files {
      let name = xml(file.file.name)
      let broken = file.findings == nil ? 0 : 1
      text +=
        "  <testsuite name=\"\(name)\" tests=\"\(file.tests.count + broken)\""
        + " failures=\"\(file.failed.count)\" errors=\"\(broken)\">\n"
      if file.findings != nil {
        text +=
          "    <testcase classname=\"\(name)\" name=\"file\"><error message=\"the file has"
          + " errors; see 'pipeline lint'\"/></testcase>\n"
      }
      for test in file.tests {
        text += "    <testcase classname=\"\(name)\" name=\"\(xml(test.result.name))\""
        text += " time=\"\(decimal(test.duration))\""
        guard !test.result.passed else {
          text += "/>\n"
          continue
        }
        text += ">\n"
        for problem in test.result.problems {
          let place = file.file.position(at: problem.range.lowerBound)
          let details = ["\(file.file.name):\(place.line):\(place.column)"] + problem.details
          text +=
            "      <failure message=\"\(xml(problem.message))\">"
            + xml(details.joined(separator: "\n")) + "</failure>\n"
        }
        text += "    </testcase>\n"
      }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  /// Text of XML 1.0, which has no control characters but for white space.
  private static func xml(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n", "\t": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      default: result.append(scalar.value < 0x20 || scalar.value == 0xFFFE ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  private static func decimal(_ duration: Duration) -> String {
    let microseconds = duration.components.attoseconds / 1_000_000_000_000
    let decimals = String(1_000_000 + microseconds).utf8.dropFirst()
    return "\(duration.components.seconds).\(String(decoding: decimals, as: UTF8.self))"
  }

  // MARK: TAP

  private static func tap(_ files: [TestedFile]) -> String {
    var lines: [String] = []
    var number = 0
    for file in files {
      if file.findings != nil {
        number += 1
        lines.append("not ok \(number) - \(line(file.file.name)) # the file has errors")
      }
      for test in file.tests {
        number += 1
        let sign = test.result.passed ? "ok" : "not ok"
        lines.append("\(sign) \(number) - \(line(file.file.name + ": " + test.result.name))")
        guard !test.result.passed else { continue }
        lines.append("  ---")
        for problem in test.result.problems {
          let place = file.file.position(at: problem.range.lowerBound)
          lines.append("  - at: \(place.line):\(place.column)")
          lines.append("    message: |\n      " + line(problem.message))
        }
        lines.append("  ...")
      }
    }
    return (["TAP version 14", "1..\(number)"] + lines).joined(separator: "\n") + "\n"
  }

  private static func line(_ text: String) -> String {
    text.replacing(bytes: "\n", with: " ").replacing(bytes: "#", with: "\\#")
  }

  // MARK: GitHub

  private static func github(_ files: [TestedFile]) -> String {
    var text = ""
    for file in files {
      for test in file.failed {
        for problem in test.result.problems {
          let place = file.file.position(at: problem.range.lowerBound)
          let message = ([problem.message] + problem.details).joined(separator: "\n")
          text +=
            "::error file=\(property(file.file.name)),line=\(place.line),col=\(place.column),"
            + "title=\(property(test.result.name))::\(data(message))\n"
        }
      }
    }
    return text
  }

  private static func data(_ text: String) -> String {
    text.replacing(bytes: "%", with: "%25").replacing(bytes: "\r", with: "%0D")
      .replacing(bytes: "\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(bytes: ":", with: "%3A").replacing(bytes: ",", with: "%2C")
  }
}
