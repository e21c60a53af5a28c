import PipelineHTTPTerms
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A `retry` of a block that a request inside it ends.
enum RetryOfBlock: LintRule {
  static let explanation = Explanation(
    "retry-of-block", .warning, PackageResources.retry_of_block_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let retry = step.step.retry, retry.attempts > 1, !retry.unsafe,
      let member = step.step.node.members.first(where: { $0.name == "retry" }),
      let inner = step.inner, let unsafe = firstUnsafe(in: inner, context)
    else { return }
    found.append(
      finding(
        "a \(unsafe.method) that was carried out ends the attempts; write \"settle\" in"
          + " '\(unsafe.id)', or \"unsafe\": true here", at: member.nameRange,
        related: [.init(range: unsafe.range, message: "'\(unsafe.id)' is here")],
        fix: member.value.suggesting("unsafe", "true")))
  }

  private struct Unsafe {
    let id: String
    let method: String
    let range: Range<Int>
  }

  /// The first step of a block, or inside one of its steps, that ends the attempts before all of the
  /// block has been carried out.
  private static func firstUnsafe(in block: Int, _ context: LintContext) -> Unsafe? {
    let lint = context.blocks[block]
    let graph = lint.resolution.graph
    for index in 0..<lint.mainCount {
      let step = context.steps[lint.steps[index]]
      guard let found = unsafe(step, context) else { continue }
      // Everything else has ended before it.
      var before: Set<Int> = [index]
      var open = [index]
      while let next = open.popLast() {
        for other in graph.dependencies[next] where before.insert(other).inserted {
          open.append(other)
        }
      }
      let hasMore = (0..<lint.mainCount).contains { !before.contains($0) }
      if hasMore || step.inner != nil || step.step.forEach != nil { return found }
    }
    return nil
  }

  private static func unsafe(_ step: LintStep, _ context: LintContext) -> Unsafe? {
    if let request = step.request {
      guard request.settle == nil, !HTTPMethod.isIdempotent(request.method) else { return nil }
      return Unsafe(id: step.step.id.value, method: request.method, range: step.step.id.range)
    }
    guard let inner = step.inner else { return nil }
    return context.blocks[inner].steps.lazy.compactMap { number in
      unsafe(context.steps[number], context)
    }.first
  }
}
