internal import ByteText
internal import JSONPaths
internal import JSONText
internal import SourceText
internal import Templates
internal import URIs
internal import Workflows

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One extractor at work on one response.
struct Extraction {
  let plan: ExtractorPlan
  let reader: ResponseReader

  private var extractor: Extractor { plan.extractor }
  private var scope: Scope { reader.scope }
  private var context: RunContext { reader.context }
  private var body: ResponseBody { reader.body }
  private var url: String { reader.url }

  /// What an extractor's source gives.
  private enum Found {
    case node(JSONNode)
    case list([JSONNode])
    case text(String)
    case texts([String])
    /// Nothing, and why.
    indirect case nothing(Failure)
  }

  /// Writes the extractor's member; leaves it out where the value is absent and may be.
  func write(to writer: inout JSONWriter) throws(Failure) {
    var found = try decode(try take(try find()))
    if let parameter = extractor.parameter, case .text(let text) = found {
      found =
        URI.parse(text)?.parameter(parameter.value).map(Found.text)
        ?? .nothing(failure("the URL has no parameter '\(parameter.value)'", at: parameter.range))
    }
    switch found {
    case .nothing(let failure):
      if let value = extractor.defaultValue {
        writer.name(extractor.name)
        writer.value(value)
      } else if !extractor.isOptional {
        throw failure
      }
      return
    case .node(let node):
      let converted = try convert(node)
      hide(converted)
      writer.name(extractor.name)
      writer.value(converted)
    case .list(let nodes):
      writer.name(extractor.name)
      writer.beginArray()
      for node in nodes {
        let converted = try convert(node)
        hide(converted)
        writer.value(converted)
      }
      writer.endArray()
    case .text(let text):
      let converted = try convert(text)
      hide(converted)
      writer.name(extractor.name)
      writer.value(converted)
    case .texts(let texts):
      writer.name(extractor.name)
      writer.beginArray()
      for text in texts {
        let converted = try convert(text)
        hide(converted)
        writer.value(converted)
      }
      writer.endArray()
    }
  }

  private func hide(_ value: JSONNode) {
    if extractor.isSecret { context.redactor.hide(value) }
  }

  private func failure(
    _ message: String, at range: Range<Int>? = nil, hints: [String] = []
  ) -> Failure {
    Failure(
      .extract, "extractor '\(extractor.name)' \(message)", at: range ?? extractor.node.range,
      hints: hints)
  }

  // MARK: Sources

  private func find() throws(Failure) -> Found {
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
      return extractor.all ? .texts(values) : .text(values.joined(separator: ", "))
    case .cookie(let name):
      let cookies = body.response.cookies
      if let cookie = cookies.first(where: { $0.name == name.value }) { return .text(cookie.value) }
      return .nothing(
        failure(
          "found no cookie '\(name.value)'"
            + Spelling.didYouMean(name.value, among: cookies.map(\.name)), at: name.range))
    case .status: return .node(JSONDocument(integer: body.response.status).root)
    case .url: return .text(url)
    case .text:
      return body.response.body.isEmpty
        ? .nothing(failure("found no text: the response has no body")) : .text(body.text)
    case .regex(let pattern):
      if let capture = pattern.value.firstCapture(in: body.text) { return .text(capture) }
      return .nothing(failure("found no match in the body's text", at: pattern.range))
    case .value(let data):
      var writer = JSONWriter(style: .compact)
      let isPresent = try Evaluation.write(
        data, to: &writer, in: scope, files: reader.files)
      return isPresent
        ? .node(writer.document().root) : .nothing(failure("has no value: what it reads is absent"))
    }
  }

  private func find(_ query: Written<Query>) -> Found {
    guard let json = body.json else {
      let problem = body.notJSON(context.redactor)
      return .nothing(failure("cannot query the body: " + problem.message, at: query.range))
    }
    let queryContext = scope.queryContext(body: json)
    guard query.value.isSingular else { return .list(query.value.nodes(in: queryContext)) }
    if let node = query.value.first(in: queryContext) { return .node(node) }
    let missing = MissingNode(query: query.value, root: json)
    return .nothing(
      failure(
        "found nothing at '\(query.value.text)'" + missing.proposal,
        at: query.range(of: missing.segmentRange ?? 0..<query.value.text.utf8.count),
        hints: missing.hints.map(context.redactor.redact)))
  }

  private func take(_ found: Found) throws(Failure) -> Found {
    guard let take = extractor.take, case .list(let nodes) = found else { return found }
    switch take.value {
    case .first: return nodes.first.map(Found.node) ?? nothingToTake
    case .last: return nodes.last.map(Found.node) ?? nothingToTake
    case .one:
      guard nodes.count < 2 else {
        throw failure("takes one value and the query selects \(nodes.count)", at: take.range)
      }
      return nodes.first.map(Found.node) ?? nothingToTake
    }
  }

  private var nothingToTake: Found { .nothing(failure("found nothing: the query selects no node")) }

  private func decode(_ found: Found) throws(Failure) -> Found {
    guard let decoding = extractor.decode else { return found }
    let text: String
    switch found {
    case .text(let found): text = found
    case .node(let node):
      guard let string = node.string else {
        throw failure("can decode only a text and found \(node.kind.article)")
      }
      text = string
    case .list, .texts, .nothing: return found
    }
    switch decoding {
    case .base64:
      guard let data = Data(base64Encoded: text) else { throw failure("found no base64 text") }
      return .text(String(decoding: data, as: UTF8.self))
    case .json:
      do throws(JSONSyntaxError) {
        return .node(try JSONDocument.parse(Array(text.utf8)).root)
      } catch {
        throw failure("found a text that is no JSON: \(error.message)")
      }
    }
  }

  // MARK: Types

  /// A JSON value, checked against the extractor's type.
  private func convert(_ node: JSONNode) throws(Failure) -> JSONNode {
    guard let type = extractor.type else { return node }
    if type.value == .url, let text = node.string { return try convert(text) }
    guard ValueCheck.holds(node, type.value) else {
      throw failure(
        "must be \(type.value.article), and found \(node.kind.article): \(excerpt(node))",
        at: type.range)
    }
    return node
  }

  /// A text as a value of the extractor's type.
  private func convert(_ text: String) throws(Failure) -> JSONNode {
    guard let type = extractor.type else { return JSONValue.string(text).node }
    if type.value == .url {
      guard let resolved = URI.parse(url)?.resolving(text) else {
        throw failure("must be a URL, and found '\(text.shortened(to: 80))'", at: type.range)
      }
      return JSONValue.string(resolved.description).node
    }
    guard let value = ValueCheck.convert(text.trimmed, to: type.value) else {
      throw failure(
        "must be \(type.value.article), and found the text '\(text.shortened(to: 80))'",
        at: type.range)
    }
    return value
  }

  private func excerpt(_ node: JSONNode) -> String {
    context.redactor.redact(node.text).shortened(to: 60)
  }
}
