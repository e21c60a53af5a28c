internal import PipelineByteText
internal import PipelineKit
internal import PipelineSourceText

/// The limits of the origins of a plan that are used up, as the store knows them.
struct KnownLimitsText {
  private let limits: [String: [KeptLimit]]
  private let now: Double

  init(_ limits: [String: [KeptLimit]], now: Double) {
    self.limits = limits
    self.now = now
  }

  /// A line for each origin that a plan's text names: what a run that begins now waits for.
  func text(of plan: String) -> String {
    let lines = limits.sorted { $0.key < $1.key }.compactMap { origin, limits -> String? in
      guard plan.contains(bytes: origin),
        let end = limits.filter({ $0.isUsedUp(at: now) }).map(\.end).max()
      else { return nil }
      let moment = Timestamp(secondsSince1970: end.rounded(.up)).text
      return "  \(origin)  takes no request before \(moment), in "
        + Duration.seconds(end - now).text
    }
    guard !lines.isEmpty else { return "" }
    return "\nannounced limits\n" + Cells.printable(lines.joined(separator: "\n")) + "\n"
  }
}
