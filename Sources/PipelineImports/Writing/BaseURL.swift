internal import PipelineByteText

/// What the URLs of most requests begin with.
enum BaseURL: Hashable {
  case variable(String)
  /// A scheme and an authority.
  case origin(String)

  /// What a URL begins with; `nil` if it is part of a text, or set by a response.
  init?(_ url: ForeignText, isSet: (String) -> Bool) {
    switch url.parts.first {
    case .variable(let name)?:
      guard !isSet(name) else { return nil }
      guard url.parts.count > 1 else { return nil }
      guard case .text(let text) = url.parts[1],
        text.hasPrefix(bytes: "/") || text.hasPrefix(bytes: "?")
      else { return nil }
      self = .variable(name)
    case .text(let text)?:
      guard let scheme = text.firstRange(bytes: "://") else { return nil }
      let rest = text[scheme.upperBound...]
      guard let end = rest.utf8.firstIndex(where: { "/?#".utf8.contains($0) }) else { return nil }
      self = .origin(String(text[..<end]))
    default: return nil
    }
  }

  /// The base that most URLs have: a variable, or an origin that comes twice.
  static func common(of urls: [ForeignText], isSet: (String) -> Bool) -> BaseURL? {
    var counts: [(base: BaseURL, count: Int)] = []
    for base in urls.compactMap({ BaseURL($0, isSet: isSet) }) {
      if let index = counts.firstIndex(where: { $0.base == base }) {
        counts[index].count += 1
      } else {
        counts.append((base, 1))
      }
    }
    let most = counts.enumerated().max {
      ($0.element.count, -$0.offset) < ($1.element.count, -$1.offset)
    }
    guard let (base, count) = most?.element else { return nil }
    if case .origin = base, count < 2 { return nil }
    return base
  }

  /// A URL with a scheme and without a slash at its end, as a base.
  static func normalized(_ text: String) -> String {
    let url =
      text.contains(bytes: "://") || text.hasPrefix(bytes: "sandbox:") ? text : "http://" + text
    return url.hasSuffix(bytes: "/") ? String(url.dropLast(bytes: 1)) : url
  }
}
