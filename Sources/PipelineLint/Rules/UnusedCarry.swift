import PipelineLanguage
import PipelineSourceText

/// A carried value that nothing reads.
enum UnusedCarry: LintRule {
  static let explanation = Explanation("unused-carry", .warning, PackageResources.unused_carry_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
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
}
