import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A value that rounds or pages carry, and nothing reads.
enum UnusedCarry: LintRule {
  static let explanation = Explanation("unused-carry", .warning, PackageResources.unused_carry_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    judgePages(step, &found)
    guard let loop = LintRounds(step), !loop.rounds.carried.isEmpty else { return }
    let read = Set(context.reads(ofRoundsOf: step).map(\.name))
    for value in loop.rounds.carried
    where !read.contains(value.name) && !context.unread.contains(value.name) {
      let isIdle = read.isEmpty && loop.onlyStep(context)?.request != nil
      found.append(
        finding(
          "nothing reads '\(value.name)'"
            + (read.isEmpty
              ? ", so each round does the same"
                + (isIdle ? "; a request that is asked again is \"poll\"" : "")
              : "; remove it, or read it in the block"),
          at: value.nameRange,
          fix: .suggesting(
            "remove '\(value.name)'", [loop.rounds.node.removing(value.name, from: "carry")])))
    }
  }

  /// The first value, if no setting reads any: no page has another one.
  private static func judgePages(_ step: LintStep, _ found: inout [Diagnostic]) {
    // A name that nothing has is another mistake, and may be meant for one of them.
    guard let value = step.step.pageValues.first, step.isWhole,
      !step.uses.contains(where: { use in
        if case .pageValue? = use.definition { true } else { use.definition == nil }
      })
    else { return }
    var finding = finding(
      "nothing reads '\(value.name)', so each page is the same; insert {{\(value.name)}} where the"
        + " request takes it, such as in 'query'", at: value.nameRange)
    finding.severity = .error
    found.append(finding)
  }
}
