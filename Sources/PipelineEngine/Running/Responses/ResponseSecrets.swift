internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// The values that the secret extractors of a step find in a response.
///
/// They are hidden as soon as the response comes, before anything else is judged. They are looked
/// up again for a failure, so that a failed step shows none of them.
struct ResponseSecrets: Sendable {
  /// The found values, however short.
  private(set) var values = KnownSecrets()
  /// Where they are in the body.
  private(set) var places = MaskedPlaces()
  /// The found values that are somewhere in the body's text.
  private(set) var unplaced = KnownSecrets()
  /// The response was expected, and a secret was not found: it may be anywhere in the body.
  private(set) var mayBeAnywhere = false
  /// The body is read in a format, whose bytes may spell a found value in another way.
  private(set) var mayBeSpelled = false

  /// Whether messages show nothing of the body.
  var hidesBody: Bool { mayBeAnywhere || mayBeSpelled }

  /// Begins to hide the secrets of an answer.
  ///
  /// - Parameter page: From 0, if the step reads several.
  static func hide(_ body: ResponseBody, in step: RequestStep, page: Int) {
    let reader = ResponseReader(step: step, body: body, attempts: 1)
    for extractor in step.request.extract where extractor.isSecret {
      for (number, node) in Extraction(extractor: extractor, reader: reader).candidates()
        .enumerated()
      {
        let name =
          step.secretName(of: extractor, page: page) + (number > 0 ? "[\(number)]" : "")
        step.redactor.hide(node, as: name)
      }
    }
  }

  /// - Returns: `nil` if the step has no secret extractor.
  static func of(
    _ body: @autoclosure () -> ResponseBody, in step: RequestStep
  ) -> ResponseSecrets? {
    guard step.plan.hasSecretExtractors else { return nil }
    return ResponseSecrets(ResponseReader(step: step, body: body(), attempts: 1))
  }

  private init(_ reader: ResponseReader) {
    let step = reader.step
    let status = reader.body.response.status
    let isExpected = step.unit.stepPlan.step.expect.status.contains { $0.matches(status) }
    for extractor in step.request.extract where extractor.isSecret {
      let nodes = Extraction(extractor: extractor, reader: reader).candidates()
      for node in nodes {
        values.add(node)
        if extractor.readsText { unplaced.add(node) }
      }
      places.add(Self.places(of: extractor, in: reader.body, step.scope))
      let isMissing = nodes.isEmpty && !extractor.isOptional
      if isMissing, isExpected, extractor.readsAnswer { mayBeAnywhere = true }
      if reader.body.reading != nil, extractor.readsBody { mayBeSpelled = true }
      // Only the first of several members with the same name is taken.
      if case .body(let query) = extractor.source, !reader.repeatedNames(query.value).isEmpty {
        mayBeAnywhere = true
      }
    }
  }

  /// Whether a body shows none of the values, however its format spells them.
  ///
  /// - Parameters:
  ///   - response: A response with something else in place of each value.
  ///   - redactor: It knows the values that are long enough to be searched for.
  /// - Complexity: O(bytes), for each short value.
  func areHidden(
    in response: TransportResponse, _ reading: BodyReading, _ redactor: Redactor
  ) -> Bool {
    switch reading.content(of: response) {
    case .json(let root):
      let text = Array(root.text.utf8)
      return redactor.places(in: text).isEmpty
        && values.places(in: text, below: SecretIndex.shortest).isEmpty
    case .empty: return true
    case .text, .broken, .unreadable, .unfit: return false
    }
  }

  /// Where an extractor's query selects, in the body as it came.
  private static func places(
    of extractor: Extractor, in body: ResponseBody, _ scope: Scope
  ) -> MaskedPlaces {
    var places = MaskedPlaces()
    guard case .body(let query) = extractor.source, let root = body.readable else { return places }
    for node in query.value.nodes(in: scope.queryContext(body: root)) {
      places.add(node.range)
    }
    return places
  }
}

extension RequestStep {
  /// The name in recordings of the secret that an extractor finds: `login[3].token`.
  func secretName(of extractor: Extractor, page: Int = 0) -> String {
    let positions = unit.label.path + [unit.item].compactMap { $0 }
    return unit.label.id + positions.map { "[\($0)]" }.joined()
      + (page > 0 ? ".page\(page)" : "") + "." + extractor.name
  }
}

extension Extractor {
  fileprivate var readsBody: Bool {
    switch source {
    case .body, .text: true
    case .header, .headers, .cookie, .status, .url, .value: false
    }
  }

  /// Whether it takes what the server gives. What is not where it was looked for may be elsewhere.
  fileprivate var readsAnswer: Bool {
    switch source {
    case .body, .text, .header, .headers, .cookie: true
    case .status, .url, .value: false
    }
  }

  /// Whether it takes a value out of the body that no node of the body is.
  fileprivate var readsText: Bool {
    switch source {
    case .text: true
    case .body: part != nil
    case .header, .headers, .cookie, .status, .url, .value: false
    }
  }
}

extension Extraction {
  /// All that the extractor may take, whatever its `take`, `type` and other checks would say.
  func candidates() -> [JSONNode] {
    switch extractor.source {
    case .body(let query):
      guard let root = reader.body.reading == nil ? reader.body.readable : reader.body.json else {
        return []
      }
      let context = reader.scope.queryContext(body: root)
      let nodes =
        query.value.isSingular
        ? query.value.first(in: context).map { [$0] } ?? [] : query.value.nodes(in: context)
      guard extractor.part != nil else { return nodes }
      let alone = nodes.flatMap { $0.kind == .array ? Array($0.elements) : [$0] }
      return nodes + alone.compactMap(\.string).flatMap(parts)
    case .header(let name):
      return texts(reader.body.response.values(of: name.value))
    case .headers: return texts(reader.body.response.headers.map(\.value))
    case .cookie(let name):
      return texts(reader.body.response.cookies.filter { $0.name == name.value }.map(\.value))
    case .url:
      // A redirect names the URL first, and is reported, too.
      let next = extractor.part == nil ? nil : reader.body.response.header("location")
      return texts([reader.url.text]) + (next.map { texts([$0]) } ?? [])
    case .text:
      guard let text = try? reader.body.text(), !text.isEmpty else { return [] }
      return texts([text])
    case .status, .value: return []
    }
  }

  private func texts(_ texts: [String]) -> [JSONNode] {
    // If a part of a text is secret, the rest of it is not.
    (extractor.part?.undecoded == nil ? texts.map { JSONValue.string($0).node } : [])
      + texts.flatMap(parts)
  }

  /// The secret in a text from which the extractor takes a part: as it is there, and decoded.
  private func parts(of text: String) -> [JSONNode] {
    guard let part = extractor.part else { return [] }
    return [part.undecoded, part].compactMap { part in
      guard let part, let found = try? part.find(in: text), case .value(let node) = found else {
        return nil
      }
      return node
    }
  }
}

extension TransportResponse {
  fileprivate func values(of name: String) -> [String] {
    headers.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }
}
