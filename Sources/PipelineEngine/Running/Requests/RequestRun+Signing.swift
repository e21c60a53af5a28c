internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

// What `auth` makes of the final request is put in just before each sending, so that its clock is
// that of the sending. It is in no parts: redirects, pages, the journal and recordings know the
// request without it.
extension RequestRun {
  /// The request with what `auth` makes of it.
  ///
  /// - Throws: A value that cannot be made or sent.
  @inline(never)
  func signed(
    _ request: TransportRequest, _ parts: Parts
  ) throws(FailureReason) -> TransportRequest {
    guard let auth = plan.request.auth, let signature = auth.signature, !parts.value.isForToken
    else { return request }
    let writer = CredentialPolicy.Writer(isInherited: auth.isInherited)
    guard builder.policy(for: parts.value).mayHave(writer, parts.value.origin) else {
      builder.noteWithheld([writer], parts.value.origin)
      return request
    }
    if let absent = absentValue(in: signature) {
      step.noteOnce("'auth' is left out, because '\(absent)' is absent")
      return request
    }
    var scope = SigningScope(
      scope: unit.scope, time: context.options.clock.wallTime,
      id: signature.requestParts.contains(.id) ? SigningScope.uuid(context.randomID()) : "")
    var signed = request
    for field in signature.query {
      guard let text = try value(of: field, &scope, signed) else { continue }
      signed.url = URI.adding([(field.name, text)], to: signed.url)
    }
    for field in signature.headers {
      guard let text = try value(of: field, &scope, signed) else { continue }
      if let problem = FieldValue.problem(in: text) {
        throw FailureReason(
          .value, "the header '\(field.name)' of 'auth' \(problem.phrase)", at: field.node.range)
      }
      signed.headers.removeAll { $0.name.equalsIgnoringASCIICase(field.name) }
      signed.headers.append(HeaderField(field.name, field.prefix + text))
    }
    return signed
  }

  /// A value that is read and is not there; `nil` if all are.
  private func absentValue(in signature: RequestSignature) -> String? {
    let context = unit.scope.queryContext()
    for use in signature.fields.flatMap(\.value.uses)
    where use.query.isSingular && !use.mayBeMissing && use.query.first(in: context) == nil {
      let text = use.query.text
      return text.hasPrefix(bytes: "$.") ? String(text.dropFirst(bytes: 2)) : text
    }
    return nil
  }

  /// The text of a parameter or a header; `nil` if it is left out.
  private func value(
    of field: RequestSignature.Field, _ scope: inout SigningScope, _ request: TransportRequest
  ) throws(FailureReason) -> String? {
    try scope.read(request, field.value.requestParts, at: field.node.range)
    let source = DataScope(scope: unit.scope, files: unit.files, seenThrough: scope)
    let found: JSONNode?
    do throws(DataError) {
      found = try field.value.value(from: source)
    } catch {
      throw FailureReason(error)
    }
    guard let found else { return nil }
    let text: String
    switch found.kind {
    case .string: text = found.string ?? ""
    case .number, .boolean: text = found.text
    case .null, .array, .object:
      throw FailureReason(
        .value, "'\(field.name)' of 'auth' must be a text, but is \(found.kind.article)",
        at: field.node.range)
    }
    // What proves that the sender has a key is good for as long as the server says.
    if field.value.isKeyed || builder.isSecret(field.value) { context.redactor.hide(text) }
    return text
  }
}

/// The scope of a unit with the final request in it, as `request`.
struct SigningScope: QueryScope {
  private let scope: Scope
  /// Seconds since 1970.
  private let time: Double
  private let id: String
  private var request: JSONNode?

  init(scope: Scope, time: Double, id: String) {
    self.scope = scope
    self.time = time
    self.id = id
  }

  /// 32 hexadecimal digits as a UUID, version 4 (RFC 9562 §5.4).
  static func uuid(_ digits: String) -> String {
    var bytes = Hexadecimal.decode(digits) ?? []
    guard bytes.count == 16 else { return digits }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let ends = [0, 4, 6, 8, 10, 16]
    return zip(ends, ends.dropFirst()).map { Hexadecimal.encode(bytes[$0..<$1]) }
      .joined(separator: "-")
  }

  func value(named name: String) -> JSONNode? {
    name == RequestPart.scopeName ? request : scope.value(named: name)
  }

  func error(named name: String) -> JSONNode? { scope.error(named: name) }

  func element(_ position: Int, of name: String) -> JSONNode? {
    scope.element(position, of: name)
  }

  /// Reads the parts of a request that a value is made of.
  ///
  /// - Parameter range: The place of the value in the file.
  mutating func read(
    _ request: TransportRequest, _ parts: Set<RequestPart>, at range: Range<Int>
  ) throws(FailureReason) {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for part in RequestPart.allCases where parts.contains(part) {
      writer.name(part.rawValue)
      switch part {
      case .method: writer.string(request.method)
      case .url: writer.string(request.url)
      case .host: writer.string(Self.pieces(of: request.url).host)
      case .path: writer.string(Self.pieces(of: request.url).path)
      case .query: writer.string(Self.pieces(of: request.url).query)
      case .body: writer.string(try Self.body(of: request, at: range))
      case .time:
        writer.string(Timestamp(secondsSince1970: time.rounded(.down)).text)
      case .unix: writer.integer(Int(time.rounded(.down)))
      // A moment with milliseconds may be a little less as a binary fraction.
      case .unixMilliseconds: writer.integer(Int((time * 1000 + 0.001).rounded(.down)))
      case .id: writer.string(id)
      }
    }
    writer.endObject()
    self.request = writer.document().root
  }

  private static func body(
    of request: TransportRequest, at range: Range<Int>
  ) throws(FailureReason) -> String {
    switch request.body {
    case .none: return ""
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw FailureReason(
          .value, "the body is not text in UTF-8, so 'request.body' has no value",
          at: range)
      }
      return text
    case .file, .multipart:
      throw FailureReason(
        .value, "the body is made of files, so 'request.body' has no value", at: range)
    }
  }

  /// The host with its port as the field `Host` has it, the path, and the query without `?`.
  private static func pieces(of url: String) -> (host: String, path: String, query: String) {
    let whole = url.prefix(before: "#")
    let start = whole.firstRange(bytes: "://")?.upperBound ?? whole.startIndex
    let rest = whole[start...]
    let host = rest.prefix(before: "/", "?")
    let target = rest[host.endIndex...]
    let path = target.prefix(before: "?")
    return (
      String(host), path.isEmpty ? "/" : String(path),
      String(target[path.endIndex...].dropFirst(bytes: 1))
    )
  }
}
