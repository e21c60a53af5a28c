import PipelineByteText
import PipelineTemplates
import PipelineHTTPTerms
import PipelineJSONPaths
import PipelineLanguage
import PipelineSourceText

/// A condition that reads of `@` what it does not have.
enum UnknownResponsePart: LintRule {
  static let explanation = Explanation(
    "unknown-response-part", .error, PackageResources.unknown_response_part_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for condition in step.parts.conditions {
      let site = ConditionSite(step: step, place: condition.place)
      for query in condition.walk.queries where query.anchor == .current {
        let range = condition.range(of: query.range)
        if condition.place == .when {
          found.append(
            finding(
              "'\(query.text)' reads a response, and there is none before the step; "
                + "read another step with '$'", at: range))
        } else if let name = Self.headerInCapitals(query), step.request != nil,
          condition.place != .row, condition.place != .event
        {
          found.append(
            finding(
              "the names of headers are in lower case here, so '\(query.text)' selects nothing; write"
                + " '@.headers['\(name.lowercasedASCII)']'", at: range,
              fix: DiagnosticFix(
                message: "write it in lower case",
                edits: [
                  DiagnosticFix.Edit(
                    range: range, replacement: "@.headers['\(name.lowercasedASCII)']")
                ], isSafe: false)))
        } else if case .missing(let missing) = context.reading(of: query, in: site),
          missing.owner.source == nil
        {
          let isResponse =
            step.request != nil && condition.place != .row && condition.place != .event
          let isRow = condition.place == .row
          if condition.place == .event, missing.depth == 0 {
            found.append(
              finding(
                "an event has no '\(missing.name)'; it has 'event', 'data' and 'id'",
                at: range))
            continue
          }
          found.append(
            finding(message(missing, query, isResponse), at: range) {
              advice(missing, isResponse, isRow: isRow, at: range, context)
            })
        }
      }
    }
  }

  /// The header of `@.headers['Content-Type']`, if its name is not in lower case.
  private static func headerInCapitals(_ query: Query) -> String? {
    guard query.firstName == "headers", query.segments.count == 2,
      let name = query.segments[1].name,
      name.utf8.contains(where: { (0x41...0x5A).contains($0) }), name.isToken
    else { return nil }
    return name
  }

  private static let responseParts: Set<String> = [
    "status", "headers", "body", "text", "cookies", "url", "elapsed", "values",
  ]

  private static func message(
    _ missing: Reading.Missing, _ query: Query, _ isResponse: Bool
  ) -> String {
    if isResponse, missing.depth == 1, query.firstName == "values" {
      return "the step extracts no '\(missing.name)'"
    }
    guard missing.depth == 0 else {
      return "'\(query.text)' selects nothing, because '\(missing.name)' is read from "
        + missing.owner.words
    }
    return isResponse
      ? "a response has no '\(missing.name)'" : "the step has no value '\(missing.name)'"
  }

  private static func advice(
    _ missing: Reading.Missing, _ isResponse: Bool, isRow: Bool, at range: Range<Int>,
    _ context: LintContext
  ) -> Proposal {
    if isRow, missing.depth == 0, responseParts.contains(missing.name) {
      let names = missing.owner.memberNames
      let values = names.prefix(4).map { "'@.\($0)'" }
      let last = missing.query.segments.last?.name ?? ""
      let meant = names.contains(last) ? last : names.count == 1 ? names[0] : nil
      let isPlain = context.text(in: range) == missing.query.text
      return Proposal(
        "; '@' is the row of the item here, not its response: "
          + (values.isEmpty ? "extract what it tests" : "it has \(values.joined(separator: ", "))"),
        fix: isPlain ? meant.map { .replacing(range, with: "@.\($0)", isSafe: false) } : nil)
    }
    let place = context.place(of: missing.name, in: range)
    if let near = Spelling.nearest(to: missing.name, among: missing.owner.memberNames) {
      return .didYouMean(near, at: place)
    }
    if isResponse, missing.depth == 1, missing.query.firstName == "values" {
      let names = missing.owner.memberNames.prefix(20).map { "'\($0)'" }
      return Proposal(
        names.isEmpty ? "; add it to 'extract'" : "; there is: " + names.joined(separator: ", "))
    }
    guard missing.depth == 0, isResponse else { return .none }
    let start = range.lowerBound + 2
    return Proposal(
      "; its body is read as '@.body.\(missing.name)'",
      fix: context.text(in: range).hasPrefix(bytes: "@.")
        ? .inserting("body.", at: start, "write '@.body.\(missing.name)'") : nil)
  }
}
