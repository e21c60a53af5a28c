internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

extension RequestBuilder {
  func addBody(to parts: inout Parts) throws(FailureReason) {
    guard let body = plan.request.body else { return }
    let writer = CredentialPolicy.Writer(isInherited: body.isInherited)
    switch body.content {
    case .json(let data):
      parts.body = .bytes(try jsonText(data, body.node))
      parts.contentType = "application/json"
      if isSecret(data) { parts.credentials[writer].isInBody = true }
    case .form(let parameters):
      var pairs: [String] = []
      for parameter in parameters {
        if parameter.isCredential(secretRanges) {
          parts.credentials[writer].isInBody = true
        }
        pairs += try ParameterText(parameter, scope, files).pairs(encodedBy: FormEncoding.encode)
          .map { $0.name + "=" + $0.value }
      }
      parts.body = .bytes(Array(pairs.joined(separator: "&").utf8))
      parts.contentType = "application/x-www-form-urlencoded"
    case .multipart(let list):
      var all: [TransportBody.Part] = []
      for part in list { all += try multipart(part) }
      parts.body = .multipart(all)
      if list.contains(where: holdsSecret) { parts.credentials[writer].isInBody = true }
    case .text(let text):
      parts.body = .bytes(Array(try joined(text).utf8))
      parts.contentType = "text/plain; charset=utf-8"
      if text.lines.contains(where: holdsSecret) { parts.credentials[writer].isInBody = true }
    case .madeText(let data):
      parts.body = .bytes(try madeText(data))
      parts.contentType = "text/plain; charset=utf-8"
      if isSecret(data) { parts.credentials[writer].isInBody = true }
    case .file(let file):
      let path = try Evaluation.path(file.path, in: scope)
      if let part = file.part {
        let (bytes, range) = try FilePieces(part, of: file.path, scope, files).piece(of: path)
        parts.body = .bytes(bytes)
        if part.sendsRange { parts.headers.append(HeaderField("Content-Range", range)) }
      } else {
        parts.body = try fileBody(path, of: file.path)
      }
      parts.contentType = "application/octet-stream"
    case .graphQL(let operation):
      parts.body = .bytes(try graphQL(operation))
      parts.contentType = "application/json"
      if operation.query.lines.contains(where: holdsSecret)
        || operation.variables.map(isSecret) == true
        || operation.operationName.map(holdsSecret) == true
      {
        parts.credentials[writer].isInBody = true
      }
    }
  }

  private func jsonText(_ data: DataTemplate, _ node: JSONNode) throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    guard try Evaluation.write(data, to: &writer, in: scope, files: files) else {
      throw FailureReason(.value, "the body is absent; give its value a 'default'", at: node.range)
    }
    return writer.bytes
  }

  /// The text that a form makes. A number is written as it is in JSON.
  private func madeText(_ data: DataTemplate) throws(FailureReason) -> [UInt8] {
    let node = JSONDocument.written(try jsonText(data, data.node)).root
    switch node.kind {
    case .string: return Array((node.string ?? "").utf8)
    case .number, .boolean: return Array(node.text.utf8)
    case .array, .object, .null:
      throw FailureReason(
        .value,
        "'text' is \(node.kind == .null ? "null" : node.kind == .array ? "a list" : "an object"), not a"
          + " text; '$json', '$csv' and '$ndjson' make texts", at: data.node.range)
    }
  }

  private func joined(_ text: Body.Text) throws(FailureReason) -> String {
    try text.lines.map { line throws(FailureReason) in
      try Evaluation.text(line, at: .text, in: scope)
    }.joined(separator: "\n")
  }

  private func graphQL(_ operation: GraphQL) throws(FailureReason) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("query")
    writer.string(try joined(operation.query))
    if let variables = operation.variables {
      var inner = JSONWriter(style: .compact)
      if try Evaluation.write(variables, to: &inner, in: scope, files: files) {
        writer.name("variables")
        writer.raw(inner.bytes)
      }
    }
    if let operationName = operation.operationName {
      writer.name("operationName")
      writer.string(try Evaluation.text(operationName, at: .text, in: scope))
    }
    writer.endObject()
    return writer.bytes
  }

  /// The parts that a written part becomes: one for each element of a list.
  private func multipart(_ part: Body.Part) throws(FailureReason) -> [TransportBody.Part] {
    let contents: [TransportBody.Part.Content]
    // The names of files in memory, which transports do not see.
    var filenames: [String?] = []
    switch part.content {
    case .value(let data):
      var writer = JSONWriter(style: .compact)
      let isPresent = try Evaluation.write(
        data, to: &writer, in: scope, files: files)
      let node = isPresent ? writer.document().root : nil
      let values: [JSONNode?] =
        node?.kind == .array ? node?.elements.filter { !$0.isNull } ?? [] : [node]
      // A text is sent as it is, anything else as JSON.
      contents = values.map { node in
        .bytes(node.map { Array(($0.string ?? $0.text).utf8) } ?? [])
      }
    case .file(let path):
      contents = try Evaluation.paths(path, in: scope).map { text throws(FailureReason) in
        switch try fileBody(text, of: path) {
        case .bytes(let bytes):
          filenames.append(
            text.lastIndex(ascii: "/").map { String(text[$0...].dropFirst(bytes: 1)) } ?? text)
          return .bytes(bytes)
        case .file(let file):
          filenames.append(nil)
          return .file(file)
        case .none, .multipart:
          throw FailureReason(.file, "'\(text)' cannot be a part of a body", at: path.range)
        }
      }
    }
    let name = try Evaluation.text(part.name, at: .header, in: scope)
    let filename = try part.filename.map { name throws(FailureReason) in
      try Evaluation.text(name, at: .header, in: scope)
    }
    let contentType = try part.contentType.map { type throws(FailureReason) in
      try Evaluation.text(type, at: .header, in: scope)
    }
    return contents.enumerated().map { number, content in
      let own = filenames.indices.contains(number) ? filenames[number] : nil
      return TransportBody.Part(
        name: name, content: content, filename: filename ?? own, contentType: contentType)
    }
  }

  private func fileBody(_ text: String, of path: Written<Template>) throws(FailureReason)
    -> TransportBody
  {
    do throws(FileError) {
      return try files.body(text)
    } catch {
      throw FailureReason(.file, error.message, at: path.range)
    }
  }

  private func holdsSecret(_ part: Body.Part) -> Bool {
    let texts = [part.name, part.filename, part.contentType].compactMap { $0 }
    if texts.contains(where: holdsSecret) { return true }
    if case .value(let data) = part.content { return isSecret(data) }
    return false
  }

  private func holdsSecret(_ line: Written<Template>) -> Bool {
    guard let secretRanges else { return false }
    return line.value.references.contains { secretRanges.contains(line.range(of: $0.range)) }
  }
}

/// `application/x-www-form-urlencoded`, as the URL Standard writes it: a space is `+`.
enum FormEncoding {
  static func encode(_ text: String) -> String {
    URI.percentEncode(text, allowing: .unreserved).split(
      separator: "%20", omittingEmptySubsequences: false
    ).joined(separator: "+")
  }
}
