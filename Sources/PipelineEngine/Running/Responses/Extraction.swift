internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates
internal import PipelineURIs

/// One extractor at work on one response.
struct Extraction {
  let extractor: Extractor
  let reader: ResponseReader

  private var scope: Scope { reader.scope }
  private var redactor: Redactor { reader.redactor }
  private var body: ResponseBody { reader.body }
  private var url: RequestURL { reader.url }

  /// A value that was found: JSON, or a text that has no type yet.
  private enum Item {
    case node(JSONNode)
    case text(String)
  }

  /// The value of an extractor's source.
  private enum Found {
    case one(Item)
    case list([Item])
    /// Nothing, and why.
    indirect case nothing(FailureReason)
  }

  /// The value, of a list the first element; `nil` if nothing is found.
  func first() throws(FailureReason) -> JSONNode? {
    switch try value() {
    case .nothing: extractor.defaultValue
    case .one(let item): try convert(item)
    case .list(let items): try items.first.map { item throws(FailureReason) in try convert(item) }
    }
  }

  /// What was found, before its type. `null` that would have to be converted is nothing, if nothing
  /// need be found.
  private func value() throws(FailureReason) -> Found {
    let found = try take(try find())
    if case .one(.node(let node)) = found, node.kind == .null, mayBeNothing, isConverted {
      return .nothing(failure("found null"))
    }
    return try part(of: found)
  }

  private var mayBeNothing: Bool { extractor.isOptional || extractor.defaultValue != nil }
  private var isConverted: Bool { extractor.type != nil || extractor.part != nil }

  /// Writes the extractor's member. Leaves it out if the value is absent and may be.
  func write(to writer: inout JSONWriter) throws(FailureReason) {
    switch try value() {
    case .nothing(let failure):
      if isOnAnotherPage { return }
      if let value = extractor.defaultValue {
        writer.name(extractor.name)
        writer.value(value)
      } else if !extractor.isOptional {
        throw failure
      }
    case .one(let item):
      let converted = try convert(item)
      hide(converted)
      writer.name(extractor.name)
      writer.value(converted)
    case .list(let items):
      writer.name(extractor.name)
      writer.beginArray()
      for item in items {
        let converted = try convert(item)
        hide(converted)
        writer.value(converted)
      }
      writer.endArray()
    }
  }

  /// Whether it need not find anything on this page, because another one has the value.
  private var isOnAnotherPage: Bool {
    guard let page = reader.page, case .body = extractor.source, body.json != nil else {
      return false
    }
    return extractor.searchesPages || page > 0 && !extractor.joinsPages
  }

  private func hide(_ value: JSONNode) {
    guard extractor.isSecret else { return }
    // The found value is hidden already; the value made of it is not.
    let name = { reader.step.secretName(of: extractor) + ".value" }
    if case .value = extractor.source { return redactor.hide(value, as: name()) }
    if extractor.type != nil { redactor.hide(value, as: name()) }
  }

  private func failure(
    _ message: String, at range: Range<Int>? = nil, hints: [String] = []
  ) -> FailureReason {
    FailureReason(
      .extract, "extractor '\(extractor.name)' \(message)", at: range ?? extractor.node.range,
      hints: hints)
  }

  // MARK: Sources

  private func find() throws(FailureReason) -> Found {
    switch extractor.source {
    case .body(let query): return find(query)
    case .header(let name):
      let values = body.response.headers.filter { $0.name.equalsIgnoringASCIICase(name.value) }
        .map(\.value)
      guard !values.isEmpty else {
        let names = body.response.joinedHeaders.map(\.name)
        return .nothing(
          failure(
            "found no header '\(name.value)'"
              + Spelling.didYouMean(name.value.lowercased(), among: names),
            at: name.range, hints: ["the response has: " + names.joined(separator: ", ")]))
      }
      return extractor.all
        ? .list(values.map(Item.text)) : .one(.text(values.joined(separator: ", ")))
    case .headers:
      var writer = JSONWriter(style: .compact)
      writer.beginObject()
      for (name, value) in body.response.joinedHeaders {
        writer.name(name)
        writer.string(value)
      }
      writer.endObject()
      return .one(.node(writer.document().root))
    case .cookie(let name):
      let cookies = body.response.cookies
      if let cookie = cookies.first(where: { $0.name.equals(bytes: name.value) }) {
        return .one(.text(cookie.value))
      }
      return .nothing(
        failure(
          "found no cookie '\(name.value)'"
            + Spelling.didYouMean(name.value, among: cookies.map(\.name)), at: name.range))
    case .status: return .one(.node(JSONDocument(integer: body.response.status).root))
    case .url: return .one(.text(url.text))
    case .text:
      return body.response.body.isEmpty && extractor.pattern == nil
        ? .nothing(failure("found no text: the response has no body")) : .one(.text(try text()))
    case .value(let data):
      var writer = JSONWriter(style: .compact)
      let isPresent = try Evaluation.write(
        data, to: &writer, in: scope, files: reader.files)
      return isPresent
        ? .one(.node(writer.document().root))
        : .nothing(failure("has no value: the value that it reads is absent"))
    }
  }

  private func text() throws(FailureReason) -> String {
    do throws(ResponseBody.TextProblem) {
      return try body.text()
    } catch {
      throw failure("reads the body as text, but the body " + error.message)
    }
  }

  private func find(_ query: Written<Query>) -> Found {
    guard let json = body.json else {
      let problem = body.notJSON(redactor)
      return .nothing(failure("cannot query the body: " + problem.message, at: query.range))
    }
    let queryContext = scope.queryContext(body: json)
    guard query.value.isSingular else {
      let nodes = query.value.nodes(in: queryContext)
      if nodes.isEmpty { noteNothing(query.value, in: json, queryContext) }
      return .list(nodes.map(Item.node))
    }
    if let node = query.value.first(in: queryContext) {
      reader.noteRepeatedNames(query.value)
      return .one(.node(node))
    }
    let missing = MissingNode(query: query.value, root: json)
    return .nothing(
      failure(
        "found nothing at '\(query.value.text)'" + missing.proposal,
        at: query.range(of: missing.segmentRange ?? 0..<query.value.text.utf8.count),
        hints: missing.hints.map(redactor.redact)))
  }

  /// Says why a list is empty, if it need not be the answer of a server that has nothing.
  private func noteNothing(_ query: Query, in json: JSONNode, _ context: QueryContext) {
    if query.hasInner { reader.noteMixedComparison(query, context) }
    guard !mayBeNothing, reader.step.notes.sink != nil else { return }
    let missing = MissingNode(query: query, root: json)
    guard missing.segmentRange != nil else { return }
    let hints = missing.hints.isEmpty ? "" : "; " + missing.hints.joined(separator: "; ")
    reader.step.noteOnce(
      "extractor '\(extractor.name)' is an empty list, because nothing is at '\(query.text)'"
        + missing.proposal + redactor.redact(hints))
  }

  private func take(_ found: Found) throws(FailureReason) -> Found {
    guard let take = extractor.take, case .list(let items) = found else { return found }
    switch take.value {
    case .first: return items.first.map(Found.one) ?? nothingToTake
    case .last: return items.last.map(Found.one) ?? nothingToTake
    case .one:
      guard items.count < 2 else {
        throw failure("takes one value and the query selects \(items.count)", at: take.range)
      }
      return items.first.map(Found.one) ?? nothingToTake
    }
  }

  private var nothingToTake: Found { .nothing(failure("found nothing: the query selects no node")) }

  // MARK: What is made of what was found

  /// The requested part of the found text; for a list, the part of each element.
  private func part(of found: Found) throws(FailureReason) -> Found {
    guard let part = extractor.part else { return found }
    switch found {
    case .one(.node(let node)) where node.kind == .array:
      return try self.part(of: .list(node.elements.map(Item.node)))
    case .one(let item): return try take(part, of: item)
    case .list(let items):
      var values: [Item] = []
      for item in items {
        guard case .one(let value) = try take(part, of: item) else {
          return try take(part, of: item)
        }
        values.append(value)
      }
      return .list(values)
    case .nothing: return found
    }
  }

  private func take(_ part: TextPart, of item: Item) throws(FailureReason) -> Found {
    let verb =
      part.parameter != nil ? "take a parameter of" : part.pattern != nil ? "search" : "decode"
    let text = try text(of: item, to: verb)
    do throws(TextPart.Problem) {
      switch try part.find(in: text) {
      case .value(let node):
        return .one(part.decoding == .json ? .node(node) : .text(node.string ?? ""))
      case .noParameter:
        return .nothing(
          failure(
            "the URL has no parameter '\(part.parameter ?? "")'", at: extractor.parameter?.range))
      case .noMatch:
        var place = "found value"
        if case .text = extractor.source { place = "body's text" }
        return .nothing(failure("found no match in the \(place)", at: extractor.pattern?.range))
      }
    } catch {
      throw failure(error.message)
    }
  }

  private func text(of item: Item, to verb: String) throws(FailureReason) -> String {
    switch item {
    case .text(let text): return text
    case .node(let node):
      guard let text = node.string else {
        throw failure("can \(verb) only a text and found \(node.kind.article)")
      }
      return text
    }
  }

  // MARK: Types

  private func convert(_ item: Item) throws(FailureReason) -> JSONNode {
    switch item {
    case .node(let node): try convert(node)
    case .text(let text): try convert(text)
    }
  }

  /// A JSON value as one of the extractor's type; of a list each element, if the type is not a list
  /// itself.
  private func convert(_ node: JSONNode) throws(FailureReason) -> JSONNode {
    guard let type = extractor.type else { return node }
    guard node.kind == .array, type.value != .array else { return try convertAlone(node, type) }
    if type.value != .url, ValueCheck.holds(node, type.value) { return node }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for element in node.elements { writer.value(try convertAlone(element, type)) }
    writer.endArray()
    return writer.document().root
  }

  private func convertAlone(
    _ node: JSONNode, _ type: Written<Extractor.ValueType>
  ) throws(FailureReason) -> JSONNode {
    if type.value == .url, let text = node.string { return try resolved(text, type) }
    if let value = ValueCheck.convertAlone(node, to: type.value) { return value }
    let found = node.kind == .null ? "null" : "\(node.kind.article): \(excerpt(node))"
    throw failure(
      "must be \(type.value.article), but found \(found)", at: type.range,
      hints: node.kind == .null ? [#"with "optional": true, null counts as absent"#] : [])
  }

  /// A text as a value of the extractor's type.
  private func convert(_ text: String) throws(FailureReason) -> JSONNode {
    guard let type = extractor.type else { return JSONValue.string(text).node }
    if type.value == .url { return try resolved(text, type) }
    guard let value = ValueCheck.convert(text.trimmed, to: type.value) else {
      throw failure(
        "must be \(type.value.article), but found the text"
          + " '\(shown(text, to: 80))'",
        at: type.range)
    }
    return value
  }

  /// A whole URL of one that may be relative.
  private func resolved(
    _ text: String, _ type: Written<Extractor.ValueType>
  ) throws(FailureReason) -> JSONNode {
    guard let resolved = URI.parse(url.text)?.resolving(text) else {
      throw failure(
        "must be a URL, but found '\(shown(text, to: 80))'", at: type.range)
    }
    return JSONValue.string(resolved.description).node
  }

  private func excerpt(_ node: JSONNode) -> String {
    shown(node.text, to: 60)
  }

  /// What was found, for a message.
  private func shown(_ text: String, to count: Int) -> String {
    extractor.isSecret ? Redactor.mask : ResponseFacts(reader).shown(text, to: count)
  }
}
