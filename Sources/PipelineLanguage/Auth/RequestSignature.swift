import PipelineByteText
import PipelineHTTPTerms
package import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// Parameters and headers that are made of the final request: `auth.sign`, and a `bearer` that is a
/// form.
package struct RequestSignature: AuthForm {
  /// A parameter or a header.
  package struct Field: Sendable {
    package let name: String
    /// What precedes the value: `Bearer `.
    package let prefix: String
    package let value: DataTemplate
    package let node: JSONNode

    init(_ name: String, prefix: String = "", _ value: DataTemplate, at node: JSONNode) {
      (self.name, self.prefix, self.value, self.node) = (name, prefix, value, node)
    }
  }

  /// In the order in which they are added.
  package let query: [Field]
  /// Added after `query`.
  package let headers: [Field]

  init(query: [Field] = [], headers: [Field]) {
    self.query = query
    self.headers = headers
  }

  package var fields: [Field] { query + headers }

  /// The parts of the final request that it is made of.
  package var requestParts: Set<RequestPart> {
    fields.reduce(into: []) { $0.formUnion($1.value.requestParts) }
  }

  package func forEachPart(_ visit: (StepPart) -> Void) {
    for field in query { visit(.data(field.value)) }
    for field in headers { visit(.data(field.value, .header)) }
  }

  package var needed: [[Written<Template>]] { [] }
  package var secrets: [Written<Template>] { [] }

  package func planText(_ values: PlannedCredentials) -> String {
    let parameters = query.isEmpty ? nil : "query " + query.map(\.name).joined(separator: ", ")
    let names = headers.isEmpty ? nil : "headers " + headers.map(\.name).joined(separator: ", ")
    return "sign " + [parameters, names].compactMap { $0 }.joined(separator: "; ")
  }
}

extension RequestSignature: DeclaredObject {
  init?(_ keys: inout Keys) {
    let query = keys.optional(
      "query", SignedFieldsType(place: .query),
      "Query parameters that are added to the final request, one after the other.",
      example: #"{"timestamp": "{{request.unixMilliseconds}}"}"#,
      foreign: ["params parameters queryParams"])
    let headers = keys.optional(
      "headers", SignedFieldsType(place: .header),
      "Headers that are added after the parameters, one after the other.",
      example:
        #"{"X-Sign": {"$hmac": {"of": "{{request.path}}{{request.body}}", "key": "{{inputs.key}}"}}}"#,
      foreign: ["header"])
    keys.advise([
      .says(
        "algorithm key secret encoding of string payload message",
        "it belongs into '$hmac', '$hash' or '$jwt', in the value of a header or a parameter"),
      .says("body", "what is signed cannot be put into the body, whose bytes are signed"),
    ])
    if !keys.has("query"), !keys.has("headers") {
      keys.missing("'sign' needs 'query' or 'headers', which it adds")
    }
    guard query != nil || headers != nil else { return nil }
    self.init(query: query ?? [], headers: headers ?? [])
  }
}

extension Auth {
  /// What is made of the final request before it is sent; `nil` if nothing is.
  package var signature: RequestSignature? {
    switch scheme {
    case .sign(let signature): signature
    case .bearer(let bearer): bearer.signature
    case .basic, .digest, .oauth2, .awsSigV4: nil
    }
  }
}

extension Keys {
  mutating func signature() -> RequestSignature? {
    optional(
      "sign", .object(.sign, RequestSignature.self),
      "Parameters and headers that are made of the final request, such as a signature.",
      example:
        #"{"headers": {"X-Sign": {"$hmac": {"of": "{{request.body}}", "key": "{{inputs.key}}"}}}}"#,
      foreign: ["hmac signature signing signer requestSigning"])
  }
}

/// Names, and what is sent under each.
private struct SignedFieldsType: ValueType {
  let place: ParametersType.Place

  var description: LanguageType { .map(.data) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [RequestSignature.Field]? {
    guard decoder.isMap(node, name, "an object of names and values") else { return nil }
    if DataTemplate.isForm(node), let form = node.members.first(where: { _ in true }) {
      decoder.report(
        .wrongType,
        "'\(name)' takes names, and a form is the value of one; write {\"X-Signature\":"
          + " {\"\(form.name)\": …}}", at: form.nameRange)
      return nil
    }
    return node.members.map { member in
      if place == .header {
        decoder.checkHeader(member.name, member, of: node)
        decoder.checkCharacters(of: member.value, .header)
      }
      if [.null, .array].contains(member.value.kind)
        || member.value.kind == .object && !DataTemplate.isForm(member.value)
      {
        decoder.mistyped(member.value, member.name, "a text or a data form such as {\"$hmac\": …}")
      }
      return RequestSignature.Field(
        member.name, decoder.credential(member.value), at: member.value)
    }
  }
}
