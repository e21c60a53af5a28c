package import PipelineSourceText

/// The maximum number of findings of one kind in one file. A mistake that was made a thousand times
/// need not be listed each time.
package enum FindingBounds {
  /// The maximum number of findings of a code that are shown. One more says how many others there
  /// are.
  static let shown = 1_000
  /// The maximum number of them that have a proposal. To find that out can take a look at all
  /// names.
  package static let advised = 100
}

extension [Diagnostic] {
  /// The first findings of each code, the very first of them with their advice, and a count of the
  /// rest.
  ///
  /// - Parameter others: How many more were found of a code and not kept.
  package func bounded(others: [String: Int] = [:]) -> [Diagnostic] {
    var counts: [String: Int] = [:]
    var kept: [Diagnostic] = []
    /// Where in `kept` a code's findings end, and how many more there are.
    var rests: [String: (place: Int, count: Int)] = [:]
    kept.reserveCapacity(Swift.min(count, 10 * FindingBounds.shown))
    for var finding in self {
      let count = counts[finding.code, default: 0] + 1
      counts[finding.code] = count
      if let advice = finding.advice {
        if count <= FindingBounds.advised {
          let proposal = advice.proposal()
          finding.message += proposal.text
          finding.fix = finding.fix ?? proposal.fix
        }
        finding.advice = nil
      }
      if count <= FindingBounds.shown {
        kept.append(finding)
      } else if let place = rests[finding.code]?.place {
        rests[finding.code]?.count += 1
        // As grave as the gravest that is left out.
        kept[place].severity = Swift.min(kept[place].severity, finding.severity)
      } else {
        rests[finding.code] = (kept.count, 1 + others[finding.code, default: 0])
        kept.append(
          Diagnostic(
            code: finding.code, severity: finding.severity, message: "", range: finding.range))
      }
    }
    for rest in rests.values {
      kept[rest.place].message =
        rest.count == 1
        ? "1 more finding of this kind is not shown"
        : "\(rest.count) more findings of this kind are not shown"
    }
    return kept
  }
}
