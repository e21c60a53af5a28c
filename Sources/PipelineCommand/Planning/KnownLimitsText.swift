internal import PipelineByteText
internal import PipelineKit
internal import PipelineSourceText
internal import PipelineURIs

/// The limits of the origins of a plan that are used up, as the store knows them.
struct KnownLimitsText {
  private let limits: [String: [KeptLimit]]
  private let now: Double

  /// - Parameter limits: By the name of their origin in the store.
  init(_ limits: [String: [KeptLimit]], now: Double) {
    self.limits = limits
    self.now = now
  }

  /// A line for each origin that a plan's text names: what a run that begins now waits for.
  func text(of plan: String) -> String {
    guard !limits.isEmpty else { return "" }
    let lines = Self.origins(in: plan).compactMap { origin -> String? in
      guard
        let end = limits[StoredOrigin.name(origin)]?.filter({ $0.isUsedUp(at: now) }).map(\.end)
          .max()
      else { return nil }
      let moment = Timestamp(secondsSince1970: end.rounded(.up)).text
      return "  \(origin)  takes no request before \(moment), in "
        + Duration.seconds(end - now).text
    }
    guard !lines.isEmpty else { return "" }
    return "\nannounced limits\n" + Cells.printable(lines.joined(separator: "\n")) + "\n"
  }

  /// The origins of the URLs in a text, each once, sorted.
  private static func origins(in text: String) -> [String] {
    var origins: Set<String> = []
    var rest = text.utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "h")) {
      rest = rest[start...]
      if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) {
        let url = rest.prefix { $0 > 0x20 && !"'\",)".utf8.contains($0) }
        if let origin = Origin(of: String(Substring(url))) { origins.insert(origin.description) }
      }
      rest = rest.dropFirst()
    }
    return origins.sorted()
  }
}
