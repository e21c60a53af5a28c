internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

/// What a request is, apart from its step: to know it again in another process, and to show it.
///
/// Secrets, credentials, the `Idempotency-Key` and the marks of a trace do not count.
struct RequestForm: Sendable {
  /// The fingerprint of everything that the author sends.
  let digest: Fingerprint
  /// The fingerprint of method and body.
  let content: Fingerprint
  let method: String
  /// Secrets hidden.
  let url: String
  /// The beginning of the body, secrets hidden; `nil` if there is none.
  let body: String?
  /// The `Idempotency-Key` that the author gives it.
  let idempotencyKey: String?

  init(_ parts: RequestBuilder.Parts, of step: RequestStep, _ fingerprints: UnitFingerprints) {
    let secrets = parts.hasCredentials || step.secretRanges != nil ? step.secrets : KnownSecrets()
    method = parts.method
    url = step.shownInEvents(url: parts.url.text)
    content = Self.content(of: parts)
    idempotencyKey = parts.headers.idempotencyKey
    body = Self.beginning(of: parts.body, secrets, step.redactor)
    if let asked = parts.asked {
      digest = asked
      return
    }
    var hash = SHA256()
    hash.update(parts.method.utf8)
    hash.update([0])
    hash.update(secrets.masked(Self.portable(parts.url.text, fingerprints)).utf8)
    hash.update([0])
    for field in parts.headers {
      let name = field.name.lowercasedASCII
      if Self.leftOut.contains(name) { continue }
      hash.update(name.utf8)
      hash.update([0])
      hash.update(secrets.masked(field.value).utf8)
      hash.update([0])
    }
    if parts.hasCredentials {
      for cookie in parts.credentials.own.cookies + parts.credentials.inherited.cookies
      where secrets.places(in: Array(cookie.utf8)).isEmpty {
        hash.update(cookie.utf8)
        hash.update([0])
      }
    }
    Self.update(&hash, parts, secrets)
    if !parts.body.files.isEmpty { fingerprints.updateFiles(&hash, step.unit) }
    digest = Fingerprint(hash)
  }

  /// A URL as it is in each process: the sandbox has another port in the next one.
  static func portable(_ url: String, _ fingerprints: UnitFingerprints) -> String {
    guard let origin = fingerprints.sandboxOrigin, url.hasPrefix(bytes: origin + "/") else {
      return url
    }
    return "sandbox:" + url.dropFirst(bytes: origin.utf8.count)
  }

  /// Header fields that are not the author's, or differ each time.
  private static let leftOut: Set<String> = ["idempotency-key", "traceparent", "tracestate"]

  private static func update(
    _ hash: inout SHA256, _ parts: RequestBuilder.Parts, _ secrets: KnownSecrets
  ) {
    // To search a long body takes long.
    let isSecret =
      parts.hasCredentials
      && (parts.credentials.own.isInBody || parts.credentials.inherited.isInBody)
    let open = { (bytes: [UInt8]) in isSecret ? secrets.places(in: bytes).masked(bytes) : bytes }
    switch parts.body {
    case .none, .file: break
    case .bytes(let bytes): hash.update(open(bytes))
    case .multipart(let list):
      for part in list {
        for text in [part.name, part.filename ?? "", part.contentType ?? ""] {
          hash.update(secrets.masked(text).utf8)
          hash.update([0])
        }
        if case .bytes(let bytes) = part.content { hash.update(open(bytes)) }
        hash.update([0])
      }
    }
  }

  static func content(of parts: RequestBuilder.Parts) -> Fingerprint {
    var hash = SHA256()
    hash.update(parts.method.utf8)
    if case .bytes(let bytes) = parts.body { hash.update(bytes) }
    return Fingerprint(hash)
  }

  // MARK: For people

  private static let shownLength = 80
  /// How much of a body is searched for secrets, in bytes.
  private static let searched = 8 << 10

  private static func beginning(
    of body: TransportBody, _ secrets: KnownSecrets, _ redactor: Redactor
  ) -> String? {
    switch body {
    case .none: return nil
    case .file: return "(a file)"
    case .multipart(let parts):
      let names = parts.map(\.name).joined(separator: ", ")
      return shown("(parts: " + names + ")", secrets, redactor)
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return nil }
      for end in (0..<4).map({ min(bytes.count, searched) - $0 }) where end > 0 {
        if let text = String(validating: bytes[..<end], as: UTF8.self) {
          return shown(end < bytes.count ? text + "…" : text, secrets, redactor)
        }
      }
      return "(\(bytes.count) bytes that are not text)"
    }
  }

  /// A text on one line, its secrets hidden, and its end cut off.
  private static func shown(
    _ text: String, _ secrets: KnownSecrets, _ redactor: Redactor
  ) -> String {
    let line = onOneLine(secrets.masked(text))
    return redactor.redactingBeginnings(in: redactor.redact(line)).shortened(to: shownLength)
  }

  /// A text with one space for each stretch of white space in it, and none at its ends.
  private static func onOneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isBehindSpace = false
    for scalar in text.unicodeScalars {
      let isSpace =
        scalar.isASCII
        ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
      if isSpace {
        isBehindSpace = !line.isEmpty
      } else {
        if isBehindSpace { line.append(" ") }
        isBehindSpace = false
        line.append(scalar)
      }
    }
    return String(line)
  }

  /// The item that a unit is for, in short: `customer: ann`. An object is known by its first texts
  /// and numbers.
  static func item(of unit: Unit, _ redactor: Redactor) -> String? {
    guard let item = unit.scope.item ?? unit.frame.loop, !mayBeSecret(item, of: unit) else {
      return nil
    }
    var facts: [String] = []
    switch item.node.kind {
    case .object:
      for member in item.node.members {
        guard let text = scalar(member.value) else { continue }
        facts.append("\(member.name): \(text)")
        if facts.count == 3 { break }
      }
    case .array: break
    default:
      if let name = item.name, let text = scalar(item.node) { facts = ["\(name): \(text)"] }
    }
    guard !facts.isEmpty else { return nil }
    return shown(facts.joined(separator: ", "), unit.secrets, redactor)
  }

  /// Whether a part of an item may be secret.
  private static func mayBeSecret(_ item: Scope.Item, of unit: Unit) -> Bool {
    guard let ranges = unit.secretRanges, !ranges.isEmpty else { return false }
    // The steps around decide on their own items, and are not asked.
    guard unit.scope.item != nil else { return true }
    let step = unit.stepPlan.step
    return step.iterationUses.contains { ranges.contains($0.range) }
      || step.uses.contains { use in
        ranges.contains(use.range) && use.query.firstNames.contains(where: item.has)
      }
  }

  private static func scalar(_ node: JSONNode) -> String? {
    switch node.kind {
    case .string: node.string?.shortened(to: 40)
    case .number, .boolean: node.text
    case .null, .array, .object: nil
    }
  }
}
