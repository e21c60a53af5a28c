import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// Steps that wait for each other.
enum DependencyCycle: LintRule {
  static let explanation = Explanation(
    "dependency-cycle", .error, PackageResources.dependency_cycle_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.blocks.flatMap { block in
      Self.different(block.resolution.cycles).compactMap { cycle in
        finding(for: cycle) { context.steps[block.steps[$0]].step }
      }
    }
  }

  /// The cycles, without alternative ways between the same steps.
  private static func different(_ cycles: [Graph.Cycle]) -> [Graph.Cycle] {
    var seen = Set<[Int]>()
    return cycles.filter { cycle in
      let start = cycle.indices.min { cycle[$0].to < cycle[$1].to } ?? 0
      return seen.insert((cycle[start...] + cycle[..<start]).map(\.to)).inserted
    }
  }

  private static func finding(for cycle: Graph.Cycle, _ step: (Int) -> Step) -> Diagnostic? {
    guard let first = cycle.first else { return nil }
    let parts = cycle.map { edge in
      "'\(step(edge.to).id.value)' \(Self.reason(of: edge, step(edge.from)))"
    }
    var message =
      cycle.count > 6
      ? "\(cycle.count) steps wait for each other in a cycle, beginning with \(parts[0])"
      : "steps wait for each other: " + parts.joined(separator: ", ")
    var fix: DiagnosticFix?
    for edge in cycle {
      guard case .use(let use) = edge.reason,
        let inherited = step(edge.to).inheritedSetting(with: use.range)
      else { continue }
      message += "; write \(inherited.removal) in '\(step(edge.to).id.value)'"
      fix = step(edge.to).adding(inherited)
      break
    }
    let related = zip(cycle, parts).dropFirst().map { edge, part in
      Diagnostic.Related(range: Self.place(of: edge, step(edge.to)), message: part)
    }
    return finding(
      message, at: Self.place(of: first, step(first.to)), related: Array(related.prefix(11)),
      fix: fix)
  }

  private static func reason(of edge: Graph.Edge, _ from: Step) -> String {
    switch edge.reason {
    case .use(let use): "reads '\(use.query.shown)'"
    case .declared: "depends on '\(from.id.value)'"
    case .listed: "follows '\(from.id.value)' as listed"
    }
  }

  private static func place(of edge: Graph.Edge, _ step: Step) -> Range<Int> {
    switch edge.reason {
    case .use(let use): use.range
    case .declared(let name): name.range
    case .listed: step.id.range
    }
  }
}

extension Query {
  /// The query in a message, without `$.`.
  var shown: String {
    text.hasPrefix(bytes: "$.") && !text.hasPrefix(bytes: "$..")
      ? String(text.dropFirst(bytes: 2)) : text
  }
}
