internal import PipelineByteText
internal import PipelineDates
internal import PipelineJSONPaths
internal import PipelineJSONText

/// A signed JSON Web Token (RFC 7519), in the compact form of RFC 7515.
struct JWTForm: DeclaredForm {
  static let title = FormTitle(
    "$jwt", "a signed JSON Web Token (RFC 7519)",
    example:
      #"{"$jwt": {"claims": {"iss": "{{inputs.app}}"}, "key": "{{inputs.key}}", "algorithm": "RS256"}}"#,
    takes: FormType("an object of claims", [.object]),
    synonyms: "jws jsonwebtoken", valueName: "claims")

  private let claims: FormPart
  private let key: FormPart
  private let keyEncoding: KeyEncoding?
  private let algorithm: TokenAlgorithm
  private let keyID: FormPart?
  private let lifetime: FormPart?

  init?(_ keys: inout FormKeys) {
    claims = keys.checkedValue()
    let key = keys.text(
      "key", "The key: for `HS…` a text, otherwise a private key in PEM.",
      example: #""{{inputs.key}}""#, isRequired: true)
    let algorithm = keys.choice(
      "algorithm", TokenAlgorithm.self, "The algorithm of RFC 7518.", example: #""RS256""#,
      isRequired: true)
    keyID = keys.text("keyId", "The name of the key: `kid` in the header.", example: #""k1""#)
    lifetime = keys.amount(
      "lifetime", "How long the token is good for: sets `iat` and `exp`. Only in `auth`.",
      example: #""9m""#, ofSeconds: true)
    keyEncoding = keys.keyEncoding()
    guard let key, let algorithm else { return nil }
    keys.noteKey(key)
    (self.key, self.algorithm) = (key, algorithm)
    judge(&keys)
  }

  private func judge(_ keys: inout FormKeys) {
    if let node = keys.option("keyEncoding"), algorithm.digestOfSecret == nil {
      keys.problem(
        "'keyEncoding' is for the algorithms with a secret; the key of \(algorithm.rawValue) is PEM",
        at: node)
    }
    guard let lifetime else { return }
    guard keys.parser.requestParts != nil else {
      keys.problem(
        "'lifetime' needs the clock, which is read in 'auth' only; write 'exp' into 'claims', as"
          + " {\"$date\": {\"of\": \"{{run.startedAt}}\", \"add\": \"1h\", \"format\": \"unix\"}}",
        at: lifetime.node)
      return
    }
    keys.parser.requestParts?.insert(.unix)
    for name in ["iat", "exp"] {
      guard let member = keys.of[name] else { continue }
      keys.problem("'lifetime' sets '\(name)'; leave one of them out", at: member)
    }
  }

  var parts: [FormPart] { [claims, key] + [keyID, lifetime].compactMap { $0 } }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let claims = try writing.value(of: claims.value) else { return .absent }
    guard claims.kind == .object else { throw self.claims.refusal(of: claims) }
    let span = try span(by: writing)
    var payload = JSONWriter(style: .compact)
    payload.beginObject()
    for member in claims.members where span == nil || member.name != "iat" && member.name != "exp" {
      payload.name(member.name)
      payload.value(member.value)
    }
    if let span {
      payload.name("iat")
      payload.integer(span.lowerBound)
      payload.name("exp")
      payload.integer(span.upperBound)
    }
    payload.endObject()
    let key = try signingKey(by: writing)
    let keyID = try keyID.map { part throws(DataError) in try writing.option(part, "keyId") }
    do throws(SignedToken.Problem) {
      return .text(try SignedToken.text(claims: payload.bytes, algorithm, keyID: keyID, key))
    } catch {
      throw self.key.failure(.dataForm, "'$jwt' cannot be signed: " + error.message)
    }
  }

  /// When the token begins and ceases to be good, in seconds since 1970; `nil` if no `lifetime`
  /// says.
  private func span(by writing: DataWriting) throws(DataError) -> ClosedRange<Int>? {
    guard let lifetime else { return nil }
    guard case .scope(let scope) = writing.queries.root,
      let now = scope.value(named: RequestPart.scopeName)?[RequestPart.unix.rawValue]?.number?.int
    else {
      throw lifetime.failure(.dataForm, "'lifetime' of '$jwt' is known in 'auth' only")
    }
    let amount = try DateForm.amount(lifetime, "lifetime", writing)
    let start = DateValue.moment(Moment(seconds: now), .utc)
    guard case .moment(let end, _)? = try? start.adding(amount), end.seconds > now else {
      throw lifetime.failure(.dataForm, "'lifetime' of '$jwt' must be at least a second")
    }
    return now...end.seconds
  }

  private func signingKey(by writing: DataWriting) throws(DataError) -> SignedToken.Key {
    let key = try writing.option(key, "key")
    guard !key.isEmpty else { throw self.key.failure(.dataForm, "'key' of '$jwt' is empty") }
    if algorithm.digestOfSecret == nil { return .pem(key) }
    let encoding = keyEncoding ?? .text
    guard let bytes = encoding.decoded(Array(key.utf8)) else {
      throw self.key.failure(.dataForm, "'key' of '$jwt' is not \(encoding.rawValue)")
    }
    return .secret(bytes)
  }

  /// A private key needs the library that signs, and `lifetime` the clock.
  var isFoundAhead: Bool { algorithm.digestOfSecret != nil && lifetime == nil }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    guard isKnown(key.value), case .pem(let text) = try signingKey(by: writing),
      let problem = PrivateKey(pem: text).problemOfText
    else { return }
    throw key.failure(.dataForm, "'$jwt' cannot be signed: " + problem)
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    ValueShape.string.absent(claims.value.shape(read).maybeAbsent)
  }
}
