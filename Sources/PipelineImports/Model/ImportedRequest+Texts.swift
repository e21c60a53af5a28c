extension ImportedRequest {
  /// Changes each text that placeholders may be in.
  mutating func changeTexts(_ change: (ForeignText) -> ForeignText) {
    func changed(
      _ fields: [(name: String, value: ForeignText)]
    ) -> [(name: String, value: ForeignText)] {
      fields.map { ($0.name, change($0.value)) }
    }
    url = change(url)
    query = changed(query)
    headers = changed(headers)
    cookies = changed(cookies)
    auth = auth?.changingTexts(change)
    variableConditions = variableConditions.map(change)
    switch body {
    case .text(let text)?: body = .text(change(text))
    case .json(let text)?: body = .json(change(text))
    case .file(let path)?: body = .file(change(path))
    case .form(let fields)?: body = .form(changed(fields))
    case .multipart(let parts)?:
      body = .multipart(
        parts.map { part in
          Part(
            name: part.name, value: change(part.value), kind: part.kind,
            contentType: part.contentType, fileName: part.fileName)
        })
    case .pieces(let pieces)?:
      body = .pieces(
        pieces.map { piece in
          switch piece {
          case .text(let text): .text(change(text))
          case .file(let path): .file(change(path))
          case .lines(let path): .lines(change(path))
          }
        })
    case .graphql(let query, let variables, let operation)?:
      body = .graphql(
        query: change(query), variables: variables.map(change), operation: operation.map(change))
    case nil: break
    }
  }

  /// The texts that placeholders may be in.
  var texts: [ForeignText] {
    var (copy, texts) = (self, [ForeignText]())
    copy.changeTexts { text in
      texts.append(text)
      return text
    }
    return texts
  }

  /// The names of the requests whose answers its texts insert.
  var answeringRequests: Set<String> {
    Set(
      texts.flatMap(\.parts).compactMap {
        if case .answer(let request, _) = $0 { request } else { nil }
      })
  }
}

extension ImportedRequest.Auth {
  fileprivate func changingTexts(_ change: (ForeignText) -> ForeignText) -> ImportedRequest.Auth {
    switch self {
    case .bearer(let token): .bearer(change(token))
    case .basic(let user, let password): .basic(user: change(user), password: change(password))
    case .digest(let user, let password): .digest(user: change(user), password: change(password))
    case .awsSigV4(let service, let region, let key, let secret, let session):
      .awsSigV4(
        service: change(service), region: change(region), key: change(key),
        secret: change(secret), session: change(session))
    case .oauth2(let settings): .oauth2(settings.mapTexts(change))
    }
  }
}
