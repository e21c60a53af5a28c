import PipelineByteText
import PipelineLanguage
import PipelineSourceText

extension Silencing {
  /// Takes out what is silenced, and adds what silences nothing.
  ///
  /// Errors stay: a workflow that has one cannot be run, whatever its author thinks of it.
  ///
  /// - Parameters:
  ///   - isRecorded: Whether answers were known, without which some codes are never found.
  ///   - isDescribed: Whether a description of the API was.
  static func apply(
    _ silencings: [Silencing], to found: [Diagnostic], isRecorded: Bool, isDescribed: Bool = false
  ) -> [Diagnostic] {
    if silencings.isEmpty { return found }
    let scopes = Dictionary(grouping: silencings.indices) { silencings[$0].code }
      .mapValues { Scopes($0, of: silencings) }
    var used = Set<Int>()
    var kept: [Diagnostic] = []
    var errors: [String: [Int]] = [:]
    for diagnostic in found {
      let place = diagnostic.range.lowerBound
      if diagnostic.severity == .error {
        if scopes[diagnostic.code] != nil { errors[diagnostic.code, default: []].append(place) }
        kept.append(diagnostic)
      } else if let silencer = scopes[diagnostic.code]?.outermost(around: place) {
        used.insert(silencer)
      } else {
        kept.append(diagnostic)
      }
    }
    for code in errors.keys { errors[code]?.sort() }
    for index in silencings.indices where !used.contains(index) {
      if !isRecorded, RecordedRules.codes.contains(silencings[index].code) { continue }
      if !isDescribed, DescribedRules.codes.contains(silencings[index].code) { continue }
      kept.append(silencings[index].unused(errors[silencings[index].code] ?? []))
    }
    return kept
  }

  /// The objects in which one code is silenced. They lie in one another, or apart.
  private struct Scopes {
    private let silencings: [Silencing]
    /// Numbers of silencings, in the order in which their scopes begin, an outer one first.
    private let order: [Int]
    /// For each of them, the one around it, as a position in `order`.
    private var around: [Int?] = []

    init(_ numbers: [Int], of silencings: [Silencing]) {
      self.silencings = silencings
      order = numbers.sorted { one, two in
        let (first, second) = (silencings[one].scope, silencings[two].scope)
        if first.lowerBound != second.lowerBound { return first.lowerBound < second.lowerBound }
        if first.upperBound != second.upperBound { return first.upperBound > second.upperBound }
        return one < two
      }
      var open: [Int] = []
      for (position, number) in order.enumerated() {
        let start = silencings[number].scope.lowerBound
        while let last = open.last, silencings[order[last]].scope.upperBound <= start {
          open.removeLast()
        }
        around.append(open.last)
        open.append(position)
      }
    }

    /// The number of the silencing with the largest scope around a place.
    func outermost(around place: Int) -> Int? {
      let after = order.partitioningIndex { silencings[$0].scope.lowerBound > place }
      var position = after > 0 ? after - 1 : nil
      var outermost: Int?
      while let candidate = position {
        if silencings[order[candidate]].scope.contains(place) { outermost = order[candidate] }
        position = around[candidate]
      }
      return outermost
    }
  }

  /// - Parameter errors: Where the code was found as an error, in order.
  private func unused(_ errors: [Int]) -> Diagnostic {
    let message: String
    var advice: Advice?
    if let explanation = Explanation[code] {
      let first = errors.partitioningIndex { $0 >= scope.lowerBound }
      let isError = first < errors.count && scope.contains(errors[first])
      message =
        isError || explanation.severity == .error
        ? "'\(code)' is an error, which cannot be silenced; correct its cause"
        : "no '\(code)' is found here; remove this"
    } else {
      message = "no finding has the code '\(code)'"
      advice = Advice { [code, codeRange] in
        .nearest(to: code, among: Explanation.all.lazy.map(\.code), inQuotesAt: codeRange)
      }
    }
    var finding = Diagnostic(
      code: "unused-silencing", severity: .warning, message: message, range: codeRange)
    finding.advice = advice
    return finding
  }
}
