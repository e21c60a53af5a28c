extension OAuth2 {
  /// What it reads.
  package var uses: [Use] {
    var collector = UseCollector()
    forEachPart { collector.add($0) }
    return collector.uses
  }
}

extension Request {
  /// The login that a person makes for the request, if it has one.
  package var login: OAuth2? {
    guard case .oauth2(let oauth2)? = auth?.scheme, oauth2.grant.isByPerson else { return nil }
    return oauth2
  }

  /// What the request for a token of `oauth2` reads.
  package func usesOfToken(of oauth2: OAuth2) -> [Use] {
    var collector = UseCollector(uses: oauth2.uses)
    if let baseURL { collector.add(StepPart(content: .baseURL(baseURL), mode: .needs)) }
    for text in [tls?.ca, tls?.cert, tls?.key, proxy] {
      if let text { collector.add(.text(text)) }
    }
    return collector.uses
  }
}
