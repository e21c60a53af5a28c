internal import PipelineByteText

/// Suites as JUnit XML, in the part of the format that the schemas of Ant and of Jenkins share.
package struct JUnitReport {
  private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  package static func text(of suites: [Suite]) -> String {
    var report = JUnitReport()
    report.text += "<testsuites>\n"
    for (number, suite) in suites.enumerated() { report.add(suite, number) }
    report.text += "</testsuites>\n"
    return report.text
  }

  private mutating func add(_ suite: Suite, _ number: Int) {
    let time = (suite.startedAt ?? 0).dateTimeText
    text +=
      "  <testsuite name=\"\(Self.name(suite.name))\" package=\"\" id=\"\(number)\""
      + " hostname=\"localhost\" timestamp=\"\(time)\" time=\"\(suite.time.secondsText)\""
      + " tests=\"\(suite.cases.count)\" failures=\"\(suite.count(.failed))\""
      + " errors=\"\(suite.count(.broken))\" skipped=\"\(suite.count(.skipped))\">\n"
      + "    <properties>\n      <property name=\"file\" value=\"\(Self.escaped(suite.file))\"/>\n"
    for property in suite.properties {
      text +=
        "      <property name=\"\(Self.escaped(property.name))\""
        + " value=\"\(Self.escaped(property.value))\"/>\n"
    }
    text += "    </properties>\n"
    var names: [ExactText: Int] = [:]
    for testCase in suite.cases { add(testCase, &names) }
    let notes = Self.escaped(suite.notes.joined(separator: "\n"))
    text += notes.isEmpty ? "    <system-out/>\n" : "    <system-out>\(notes)</system-out>\n"
    text += "    <system-err/>\n  </testsuite>\n"
  }

  private mutating func add(_ testCase: Suite.Case, _ names: inout [ExactText: Int]) {
    let group = Self.name(testCase.group)
    var name = Self.name(testCase.name)
    let first = name
    // No two cases of a group may have the same name.
    while let count = names[ExactText(group + "\n" + name)] {
      names[ExactText(group + "\n" + name)] = count + 1
      name = "\(first) (\(count + 1))"
    }
    names[ExactText(group + "\n" + name)] = 1
    text +=
      "    <testcase classname=\"\(group)\" name=\"\(name)\""
      + " time=\"\(testCase.time.secondsText)\""
    guard let problem = testCase.problems.first else {
      text += testCase.outcome == .skipped ? "><skipped/></testcase>\n" : "/>\n"
      return
    }
    let element =
      switch testCase.outcome {
      case .failed, .passed: "failure"
      case .broken: "error"
      case .skipped: "skipped"
      }
    let message = testCase.problems.map(\.message).joined(separator: "\n")
    text += ">\n      <\(element)"
    if element != "skipped" as String {
      text += " type=\"\(Self.escaped(problem.kind))\""
    }
    text += " message=\"\(Self.escaped(message))\">"
    text += Self.content(testCase.problems)
    text += "</\(element)>\n    </testcase>\n"
  }

  /// The message again, because some tools show only this text, and further details.
  private static func content(_ problems: [Suite.Case.Problem]) -> String {
    problems.map { problem in
      ([problem.message] + problem.details).map { escaped($0, isContent: true) }
        .joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// A name, which must not be empty.
  private static func name(_ text: String) -> String { text.isEmpty ? "–" : escaped(text) }

  /// Text of XML 1.0, which has no control characters except white space.
  static func escaped(_ text: String, isContent: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n" where isContent, "\t" where isContent: result.append(scalar)
      case "\n", "\t", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      default: result.append(scalar.isXML ? scalar : "\u{FFFD}")
      }
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether XML 1.0 allows it, and it is not a control character of C1.
  fileprivate var isXML: Bool {
    value >= 0x20 && !(0x7F...0x9F).contains(value) && value & 0xFFFE != 0xFFFE
  }
}

extension Int {
  /// Microseconds as a decimal number of seconds.
  var secondsText: String {
    let time = Swift.max(0, self)
    let fraction = String(
      decoding: String(1_000_000 + time % 1_000_000).utf8.dropFirst(), as: UTF8.self)
    return "\(time / 1_000_000).\(fraction)"
  }
}

extension Double {
  /// Seconds since 1970 as `2026-01-31T09:05:00`, in UTC.
  package var dateTimeText: String {
    guard isFinite, magnitude < 1e11 else { return "1970-01-01T00:00:00" }
    let seconds = Int(rounded(.down))
    let day = (Double(seconds) / 86_400).rounded(.down)
    let rest = seconds - Int(day) * 86_400
    // Days of the calendar, counted from 0000-03-01.
    let number = Int(day) + 719_468
    let era = Int((Double(number) / 146_097).rounded(.down))
    let ofEra = number - era * 146_097
    let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: Swift.max(0, count - text.utf8.count)) + text
    }
    return "\(digits(civilYear, 4))-\(digits(civilMonth, 2))-\(digits(date, 2))T"
      + "\(digits(rest / 3_600, 2)):\(digits(rest / 60 % 60, 2)):\(digits(rest % 60, 2))"
  }
}
