import SourceText

/// A finding that an author asked not to be told, and where.
struct Silencing {
  let code: String
  let codeRange: Range<Int>
  /// The object that holds the `$lint`.
  let scope: Range<Int>

  /// Takes out what is silenced, and adds what silences nothing.
  ///
  /// Errors stay: a workflow that has one cannot be run, whatever its author thinks of it.
  static func apply(_ silencings: [Silencing], to found: [Diagnostic]) -> [Diagnostic] {
    if silencings.isEmpty { return found }
    var used = Set<Int>()
    var kept: [Diagnostic] = []
    for diagnostic in found {
      let silencer = silencings.indices.first { index in
        silencings[index].code == diagnostic.code && diagnostic.severity != .error
          && silencings[index].scope.contains(diagnostic.range.lowerBound)
      }
      if let silencer { used.insert(silencer) } else { kept.append(diagnostic) }
    }
    for index in silencings.indices where !used.contains(index) {
      kept.append(silencings[index].unused(found))
    }
    return kept
  }

  private func unused(_ found: [Diagnostic]) -> Diagnostic {
    let message: String
    if let explanation = Explanation[code] {
      let isError = found.contains {
        $0.code == code && $0.severity == .error && scope.contains($0.range.lowerBound)
      }
      message =
        isError || explanation.severity == .error
        ? "'\(code)' is an error, which cannot be silenced; correct its cause"
        : "no '\(code)' is found here; remove this"
    } else {
      message =
        "no finding has the code '\(code)'"
        + Spelling.didYouMean(code, among: Explanation.all.map(\.code))
    }
    return Diagnostic(
      code: "unused-silencing", severity: .warning, message: message, range: codeRange)
  }
}
