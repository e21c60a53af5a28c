import PipelineJSONSchemas
import PipelineJSONText
import PipelineSourceText
import PipelineTestSupport
import Testing

/// The official JSON Schema Test Suite for draft 2020-12.
///
/// Skipped where the suite is not on this machine: it is found in `$CONFORMANCE_DIR` or in
/// `../shared/conformance` and is never part of this repository.
@Suite(.enabled(if: Conformance.directory != nil, "the conformance suites are not here"))
struct JSONSchemaSuiteTests {
  /// Every required case passes, or its schema needs `$dynamicRef` or a document elsewhere and is
  /// refused. `format` is an annotation there.
  @Test func everyRequiredCasePassesOrIsRefused() throws {
    var total = SuiteCount()
    for file in SuiteFile.required {
      total += try SuiteFile(file).run(formats: .annotation)
    }
    for failure in total.failures { Issue.record("\(failure)") }
    #expect(total.passed == 1213)
    #expect(total.refused == 86)
    #expect(
      total.refusals == [
        // `$dynamicRef`, and metaschemas of their own.
        "dynamicRef schema-unsupported": 29, "unevaluatedItems schema-unsupported": 2,
        "unevaluatedProperties schema-unsupported": 2, "vocabulary schema-unsupported": 5,
        // Documents elsewhere.
        "dynamicRef schema-reference": 13, "refRemote schema-reference": 31,
        "ref schema-reference": 2, "defs schema-reference": 2,
      ])
  }

  /// Optional behaviour that is supported passes all its cases. Of host names, what punycode stands for
  /// is not looked at.
  @Test(arguments: SuiteFile.optional)
  func everyOptionalCasePasses(_ name: String, _ count: Int) throws {
    let result = try SuiteFile("optional/" + name)
      .run(formats: .assertion, skipping: ["validation of A-label (punycode) host names"])
    for failure in result.failures { Issue.record("\(failure)") }
    #expect(result.passed == count)
    #expect(result.refused == 0)
  }

  /// What is not supported is refused whole.
  @Test(arguments: SuiteFile.unsupported)
  func everyUnsupportedCaseIsRefused(_ name: String, _ count: Int) throws {
    let result = try SuiteFile("optional/" + name).run(formats: .assertion)
    #expect(result.passed == 0)
    #expect(result.refused == count)
    #expect(result.failures == [])
  }
}

/// What came of some cases.
struct SuiteCount {
  var passed = 0
  var refused = 0
  /// Why schemas were refused, and how many cases that were.
  var refusals: [String: Int] = [:]
  var failures: [String] = []

  static func += (total: inout SuiteCount, part: SuiteCount) {
    total.passed += part.passed
    total.refused += part.refused
    total.refusals.merge(part.refusals, uniquingKeysWith: +)
    total.failures += part.failures
  }
}

/// One file of the suite: groups of a schema and the values that it allows or not.
struct SuiteFile {
  let name: String
  let groups: [JSONNode]

  init(_ name: String) throws {
    self.name = name
    let path = "json-schema-draft2020-12/tests/draft2020-12/\(name).json"
    let bytes = try #require(Conformance.read(path), "\(path) is missing")
    groups = Array(try JSONDocument.parse(bytes).root.elements)
  }

  func run(formats: Schema.FormatUse, skipping skipped: Set<String> = []) throws -> SuiteCount {
    var count = SuiteCount()
    for group in groups {
      let description = group["description"]?.string ?? "?"
      if skipped.contains(description) { continue }
      let cases = try #require(group["tests"]).elements.map { $0 }
      let (schema, problems) = Schema.parse(try #require(group["schema"]), formats: formats)
      guard let schema else {
        count.refused += cases.count
        let error = problems.first { $0.severity == .error }
        let reason = name + " " + (error?.code.rawValue ?? "?")
        count.refusals[reason, default: 0] += cases.count
        continue
      }
      for test in cases {
        let violations = schema.validate(try #require(test["data"]))
        if violations.isEmpty == test["valid"]?.boolean {
          count.passed += 1
        } else {
          let title = test["description"]?.string ?? "?"
          count.failures.append("\(name): \(description): \(title): \(violations.map(\.message))")
        }
      }
    }
    return count
  }

  static let required = [
    "additionalProperties", "allOf", "anchor", "anyOf", "boolean_schema", "const", "contains",
    "content", "default", "defs", "dependentRequired", "dependentSchemas", "dynamicRef", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "if-then-else", "infinite-loop-detection",
    "items", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
    "patternProperties", "prefixItems", "properties", "propertyNames", "ref", "refRemote",
    "required", "type", "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "vocabulary",
  ]

  static let optional: [(String, Int)] = [
    ("anchor", 4), ("bignum", 9), ("ecmascript-regex", 74), ("float-overflow", 1), ("id", 3),
    ("no-schema", 3), ("non-bmp-regex", 12), ("refOfUnknownKeyword", 10), ("unknownKeyword", 3),
    ("format/date-time", 33), ("format/date", 81), ("format/time", 47), ("format/duration", 52),
    ("format/email", 27), ("format/ipv4", 41), ("format/ipv6", 42), ("format/uri", 46),
    ("format/uri-reference", 28), ("format/uuid", 28), ("format/hostname", 26),
    ("format/json-pointer", 40), ("format/relative-json-pointer", 25), ("format/regex", 8),
    ("format/ecmascript-regex", 12),
  ]

  static let unsupported: [(String, Int)] = [
    ("cross-draft", 1), ("dependencies-compatibility", 36), ("dynamicRef", 2),
    ("format-assertion", 4), ("format/unknown", 7),
  ]
}
