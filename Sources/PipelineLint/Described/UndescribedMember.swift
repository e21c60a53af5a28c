import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A part of a response that the API does not describe.
enum UndescribedMember: DescribedScopeRule {
  static let explanation = Explanation(
    "undescribed-member", .warning, PackageResources.undescribed_member_md)

  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic]) {
    for read in scope.reads {
      if let missing = read.reading.missing { add(read, missing, scope.context, &found) }
      for filter in read.reading.filters {
        add(filter, of: read, scope.context, &found)
      }
    }
  }

  private static func add(
    _ read: DescribedRead, _ missing: DescribedReading.Gap, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    // What may be absent is reported only if its name is nearly another one.
    if read.mayBeAbsent, near(missing) == nil { return }
    var finding: Diagnostic
    switch read.form {
    case .extractor(let extractor, let written):
      finding = Self.finding(missing, "'\(extractor.name)' reads", at: read.range, nil)
      if let near = near(missing) { finding.fix = fix(near, for: missing, in: written) }
    case .page(let page):
      finding = Self.finding(missing, "'\(page.name)' reads", at: read.range, nil)
      finding.severity = .warning
      if let near = near(missing) { finding.fix = fix(near, for: missing, in: page.query) }
    case .check:
      finding = Self.finding(missing, "'\(read.query.text)' reads", at: read.range, context)
      finding.severity = .warning
    case .later:
      finding = Self.finding(missing, "'\(read.query.text)' reads", at: read.range, context)
    }
    if read.mayBeAbsent { finding.severity = .warning }
    found.append(finding)
  }

  /// A filter finds nothing if a part that it compares is never there. That fails nothing.
  private static func add(
    _ filter: DescribedReading.FilterReading, of read: DescribedRead, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    if filter.isTest, near(filter.missing) == nil { return }
    var range = read.range
    if case .extractor(_, let written) = read.form {
      range = written.range(of: filter.query.range)
    }
    var finding = finding(
      filter.missing, "the filter with '\(filter.query.text)' reads", at: range, context)
    finding.severity = .warning
    found.append(finding)
  }

  /// Another name in a query. Only a name that is written as it is can be replaced.
  private static func fix(
    _ near: String, for missing: DescribedReading.Gap, in written: Written<Query>
  ) -> DiagnosticFix? {
    guard let name = missing.segment.name, near.utf8.allSatisfy(plainBytes.contains) else {
      return nil
    }
    let (text, start) = (written.value.text, missing.segment.range)
    let old = String(
      decoding: Array(text.utf8)[start.clamped(to: 0..<text.utf8.count)], as: UTF8.self)
    guard old.equals(bytes: "." + name) else { return nil }
    return WorkflowDecoder.fix("." + near, for: start, in: written.node, isSafe: false)
  }

  private static let plainBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_"))

  private static func near(_ missing: DescribedReading.Gap) -> String? {
    missing.segment.name.flatMap { name in
      Spelling.nearest(to: name, among: missing.owner.properties.map(\.name))
    }
  }

  private static func finding(
    _ missing: DescribedReading.Gap, _ words: String, at range: Range<Int>, _ context: LintContext?
  ) -> Diagnostic {
    let owner = missing.owner
    let names = owner.properties.map(\.name)
    var message: String
    var proposal = Proposal.none
    if let name = missing.segment.name {
      message = "\(words) '\(name)', which the API does not describe there"
      if names.isEmpty, let type = owner.words {
        message = "\(words) '\(name)' of \(type)"
      } else if let near = near(missing) {
        proposal = .didYouMean(near, at: context?.place(of: name, in: range))
      } else {
        proposal = .oneOf(names, at: nil, "it has")
      }
    } else {
      message = "\(words) elements of \(owner.words ?? "a value that is no list")"
    }
    var finding = finding(
      message + proposal.text, at: range,
      related: owner.node.map { [$0.related("the value is described here")] } ?? [],
      fix: proposal.fix)
    if missing.isRuledOut { finding.severity = .error }
    return finding
  }
}
