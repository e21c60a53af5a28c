internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates

/// The `parameters` of an `oauth2`.
struct TokenParameters {
  let oauth2: OAuth2
  let step: RequestStep

  init(_ oauth2: OAuth2, of step: RequestStep) {
    self.oauth2 = oauth2
    self.step = step
  }

  /// What distinguishes one set of values from another.
  ///
  /// A signed value differs each time it is made, so what it is made of stands for it.
  func identity() throws(FailureReason) -> [String] {
    var texts: [String] = []
    for parameter in oauth2.parameters {
      if parameter.isMadeLate {
        let context = step.scope.queryContext()
        texts.append(parameter.name + "=" + parameter.value.node.text)
        texts += parameter.value.uses.map { $0.query.first(in: context)?.text ?? "" }
      } else {
        texts += try pairs(of: parameter)
      }
    }
    return texts
  }

  /// Names and values as a form writes them, for one request.
  func pairs(
    for request: TransportRequest, _ context: RunContext
  ) throws(FailureReason) -> [String] {
    var pairs: [String] = []
    for parameter in oauth2.parameters {
      guard parameter.isMadeLate else {
        pairs += try self.pairs(of: parameter)
        continue
      }
      let id =
        parameter.value.requestParts.contains(.id) ? SigningScope.uuid(context.randomID()) : ""
      var scope = SigningScope(
        scope: step.scope, time: context.options.clock.wallTime, id: id)
      try scope.read(request, parameter.value.requestParts, at: parameter.node.range)
      let made = try texts(of: parameter, scope)
      for pair in made { step.redactor.hide(pair.value, as: "oauth2." + parameter.name) }
      pairs += made.map { $0.name + "=" + $0.value }
    }
    return pairs
  }

  /// Names and values for the address of a login in a browser, percent-encoded. What is made for a
  /// request is left out.
  func pairsOfAddress() throws(FailureReason) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for parameter in oauth2.parameters where !parameter.isMadeLate {
      pairs += try texts(of: parameter, nil)
    }
    return pairs
  }

  private func pairs(of parameter: Request.Parameter) throws(FailureReason) -> [String] {
    try texts(of: parameter, nil).map { $0.name + "=" + $0.value }
  }

  private func texts(
    of parameter: Request.Parameter, _ scope: SigningScope?
  ) throws(FailureReason) -> [(name: String, value: String)] {
    try ParameterText(parameter, step.scope, step.files, seenThrough: scope)
      .pairs(encodedBy: FormEncoding.encode)
  }
}

extension Request.Parameter {
  /// Whether the value is made for each request, as a token with a lifetime is.
  fileprivate var isMadeLate: Bool { value.isKeyed || !value.requestParts.isEmpty }
}
