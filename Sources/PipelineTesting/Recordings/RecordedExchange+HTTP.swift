internal import PipelineByteText
internal import PipelineKit
internal import PipelineRecordings

extension RecordedExchange.Request {
  /// A request as it may be written down: secrets by their names.
  ///
  /// - Parameter use: Receives each credential that the workflow does not mark as a secret.
  init(
    _ request: TransportRequest, _ asker: StepRequest?, _ aliases: [OriginAlias],
    _ use: RecordedCredentials.Use = { _, _ in }
  ) {
    let bodyPlace: StepRequest.Place = asker?.readsSecretInBody == true ? .secretPart : .other
    let text = { (text: String) in
      aliases.applied(to: asker?.named(text, in: bodyPlace) ?? text)
    }
    let url = asker?.named(url: request.url) ?? request.url
    self.init(
      method: request.method,
      url: aliases.applied(to: RecordedCredentials.named(url: url, use)),
      headers: request.headers.map { field in
        let isSecret = asker?.readsSecret(header: field.name) == true
        let value = asker?.named(field.value, in: isSecret ? .secretPart : .other) ?? field.value
        return RecordedField(
          field.name, aliases.applied(to: RecordedCredentials.named(field.name, value, use)))
      })
    let type = request.headers.first { $0.name.equalsIgnoringASCIICase("content-type") }?.value
    switch request.body {
    case .none: break
    case .bytes(let bytes):
      body = .bytes(
        aliases.applied(to: asker?.named(bytes, in: bodyPlace) ?? bytes), type: text(type ?? ""))
    case .file(let path):
      body = .file(text(Self.name(of: path)), type: type ?? "")
    case .multipart(let parts):
      body = .form(
        parts.map { part in
          let (value, file): (String?, String?) =
            switch part.content {
            case .bytes(let bytes): (text(String(decoding: bytes, as: UTF8.self)), nil)
            case .file(let path): (nil, Self.name(of: path))
            }
          return RecordedExchange.Part(
            name: text(part.name), value: value, fileName: (part.filename ?? file).map(text),
            type: part.contentType)
        }, type: "multipart/form-data")
    }
  }

  /// The last part of a path, because its folder on this machine is private.
  private static func name(of path: String) -> String {
    path.split(ascii: "/").last.map { String($0) } ?? path
  }
}

extension StepRequest {
  /// The outcome of a request in a form that may be written down, and the shapes of the secrets in
  /// it.
  func outcome(
    _ result: Result<TransportResponse, TransportError>, _ aliases: [OriginAlias]
  ) -> (outcome: RecordedExchange.Outcome, shapes: [String: String]) {
    switch result {
    case .success(let response):
      let named = named(response)
      let headers = named.headers.map {
        RecordedField($0.name, aliases.applied(to: $0.value))
      }
      let written = RecordedExchange.Response(
        status: response.status, headers: headers.map(hidingParameters(of:)),
        body: aliases.applied(to: named.body),
        version: response.version)
      return (.response(written), named.shapes)
    case .failure(let error):
      let message = aliases.applied(to: self.named(error.message))
      return (.failure(kind: error.kind.rawValue, message: message), [:])
    }
  }
}
