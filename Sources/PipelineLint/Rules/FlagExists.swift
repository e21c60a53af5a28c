import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelineSourceText

/// A test whether a flag exists, although it should be true.
enum FlagExists: LintRule {
  static let explanation = Explanation("flag-exists", .warning, PackageResources.flag_exists_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard step.request != nil else { return }
    for condition in step.parts.conditions where !condition.walk.tests.isEmpty {
      switch condition.place {
      case .expect, .poll, .answer: break
      case .when, .row, .event: continue
      }
      // The existence is tested first, and then the value.
      let compared = Set(
        condition.walk.comparisons.flatMap { [$0.left, $0.right] }.compactMap(text))
      for query in condition.walk.tests where query.anchor == .current && query.isSingular {
        guard query.firstName == "body", query.segments.count > 1,
          let name = query.segments.last?.name, isFlag(name), !compared.contains(query.text)
        else { continue }
        let before = condition.written.value.text.utf8.prefix(query.range.lowerBound)
        let isNegated = before.last { $0 != 0x20 } == UInt8(ascii: "!")
        let start = isNegated ? before.lastIndex(of: UInt8(ascii: "!")) : nil
        let part =
          (start.map { before.distance(from: before.startIndex, to: $0) }
            ?? query.range.lowerBound)..<query.range.upperBound
        let meant = query.text + (isNegated ? " != true" : " == true")
        found.append(
          finding(
            "this asks whether '\(name)' is there, and holds for false as well; write"
              + " \"\(meant)\"", at: condition.range(of: query.range),
            fix: condition.fix(meant, for: part)))
      }
    }
  }

  private static func text(_ operand: Operand) -> String? {
    if case .query(let query) = operand { query.text } else { nil }
  }

  /// Whether a member of this name is usually true or false.
  private static func isFlag(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    for prefix in ["is", "has", "can", "was"] where bytes.starts(with: prefix.utf8) {
      if let next = bytes.dropFirst(prefix.utf8.count).first,
        next == UInt8(ascii: "_") || (0x41...0x5A).contains(next)
      {
        return true
      }
    }
    return flags.contains(name.lowercasedASCII)
  }

  private static let flags: Set<String> = [
    "done", "finished", "ready", "success", "succeeded", "ok", "complete", "completed", "active",
    "enabled", "valid", "failed", "running", "more", "closed", "deleted", "exists", "available",
    "pending", "processed", "approved", "loading", "truncated", "truncatedresults", "verified",
  ]
}
