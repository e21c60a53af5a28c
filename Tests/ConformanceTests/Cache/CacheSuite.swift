import PipelineJSONText
import PipelineKit
import PipelineTestSupport

/// Runs tests of the suite: each request is a run of its own, and they share a cache.
enum CacheSuite {
  struct Outcome: CustomStringConvertible {
    var passed = 0
    /// The reason, by the id of the test.
    var failures: [String: String] = [:]
    /// Tests that no workflow can express.
    var unwritable: [String] = []

    var description: String {
      "\(passed) pass, \(failures.count) fail, \(unwritable.count) cannot be written\n"
        + failures.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        .joined(separator: "\n")
    }
  }

  /// Why a test fails.
  struct Failure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// - Parameter isWanted: Whether tests of this kind are run.
  static func run(_ isWanted: (String) -> Bool) async throws -> Outcome {
    let bytes = Conformance.read("cache-tests/tests.json") ?? []
    var outcome = Outcome()
    for group in try JSONDocument.parse(bytes).root.elements {
      for test in group["tests"]?.elements ?? JSONValue.null.node.elements {
        guard isWanted(test["kind"]?.string ?? "required"), isForPrivateCaches(test),
          let id = test["id"]?.string
        else { continue }
        do {
          try await CacheSuiteClient(id, Array((test["requests"] ?? test).elements)).run()
          outcome.passed += 1
        } catch let failure as Failure {
          outcome.failures[id] = failure.reason
        } catch is WorkflowError {
          outcome.unwritable.append(id)
        }
      }
    }
    return outcome
  }

  private static func isForPrivateCaches(_ test: JSONNode) -> Bool {
    test["cdn_only"]?.boolean != true && test["browser_skip"]?.boolean != true
      // Answers with 1xx, and the modes of `fetch`, are not a matter of the cache.
      && !(test["requests"]?.elements.contains {
        $0["expected_interim_responses"] != nil || $0["cache"] != nil
      } ?? false)
  }

  /// A header of a test as it is sent: numbers are dates, so many seconds from now, and locations
  /// may be below the URL of the request.
  static func header(_ pair: JSONNode, in test: JSONNode, now: Double, base: String) -> HeaderField
  {
    let name = pair.element(0)?.string ?? ""
    let value = pair.element(1)
    let lower = name.lowercased()
    let dates = ["date", "expires", "last-modified", "if-modified-since", "if-unmodified-since"]
    if dates.contains(lower), let offset = value?.number?.int {
      let isOld = test["rfc850date"]?.elements.contains { $0.string == lower } ?? false
      return HeaderField(name, HTTPDateText.text(now + Double(offset), isRFC850: isOld))
    }
    let text = value?.string ?? value?.text ?? ""
    if ["location", "content-location"].contains(lower), test["magic_locations"]?.boolean == true {
      return HeaderField(name, text.isEmpty ? base : base + "/" + text)
    }
    return HeaderField(name, text)
  }
}

/// Dates as HTTP writes them (RFC 9110 §5.6.7).
enum HTTPDateText {
  private static let weekdays = [
    "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func text(_ time: Double, isRFC850: Bool = false) -> String {
    let seconds = Int(time.rounded(.down))
    var (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    if second < 0 { (days, second) = (days - 1, second + 86_400) }
    let (year, month, day) = date(days)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { two($0) }
      .joined(separator: ":")
    let weekday = weekdays[((days % 7) + 7) % 7]
    return isRFC850
      ? "\(weekday), \(two(day))-\(months[month - 1])-\(two(year % 100)) \(clock) GMT"
      : "\(weekday.prefix(3)), \(two(day)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The day of the Gregorian calendar, from days since 1970-01-01.
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let day = days + 719_468
    let era = day / 146_097
    let dayOfEra = day - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let civil = month < 10 ? month + 3 : month - 9
    return (
      year + era * 400 + (civil <= 2 ? 1 : 0), civil, dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
