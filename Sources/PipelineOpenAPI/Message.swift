internal import PipelineByteText
package import PipelineJSONText

/// A body that an operation takes.
package struct RequestBody {
  package let isRequired: Bool
  /// The media type, of several the one that is easiest to write.
  package let mediaType: String
  package let schema: Schema?
  /// An example of the whole body.
  package let example: JSONNode?
  /// The fields of a form in Swagger 2.0, which are parameters there.
  package let fields: [Parameter]
}

/// A response that an operation may give.
package struct Response {
  /// The status, such as `200` or `2XX`.
  package let status: String
  package let node: DescribedNode
  /// The schema of the body if it is JSON.
  package let schema: Schema?
  package let hasBody: Bool

  package func describesHeader(_ name: String) -> Bool {
    node.node["headers"]?.members.contains { $0.name.equalsIgnoringASCIICase(name) } ?? false
  }
}

extension APIDescription {
  /// The body of an operation; `nil` if it takes none.
  package func body(of operation: Operation) -> RequestBody? {
    if version == .swagger2 { return swaggerBody(of: operation) }
    guard let body = member("requestBody", of: operation.node), let content = body["content"] else {
      return nil
    }
    let types = content.node.members.map(\.name)
    guard let type = Self.preferred(types), let media = member(type, of: content) else {
      return nil
    }
    return RequestBody(
      isRequired: body.node["required"]?.boolean == true, mediaType: Self.concrete(type),
      schema: media["schema"].map { Schema($0, in: self) }, example: example(of: media), fields: [])
  }

  private func example(of media: DescribedNode) -> JSONNode? {
    if let example = media.node["example"] { return example }
    guard let examples = media["examples"], let first = Array(examples.node.members).first else {
      return nil
    }
    return resolved(DescribedNode(node: first.value, file: examples.file))?.node["value"]
  }

  private func swaggerBody(of operation: Operation) -> RequestBody? {
    let parameters = parameters(of: operation)
    let types =
      (operation.node["consumes"] ?? root["consumes"])?.node.elements.compactMap(\.string) ?? []
    if let body = parameters.first(where: { $0.place == .body }) {
      return RequestBody(
        isRequired: body.isRequired,
        mediaType: Self.concrete(Self.preferred(types) ?? "application/json"),
        schema: body.schema, example: nil, fields: [])
    }
    let fields = parameters.filter { $0.place == .formData }
    guard !fields.isEmpty else { return nil }
    let isMultipart =
      fields.contains { $0.schema.type == "file" }
      || types.contains { $0.hasPrefix(bytes: "multipart/") }
    return RequestBody(
      isRequired: fields.contains(where: \.isRequired),
      mediaType: isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded",
      schema: nil, example: nil, fields: fields)
  }

  /// Whether a media type is JSON (RFC 6839 §3.1).
  package static func isJSON(_ type: String) -> Bool {
    let essence = type.prefix(before: ";").lowercased().trimmed
    return essence.equals(bytes: "application/json") || essence.hasSuffix(bytes: "+json")
      || essence.equals(bytes: "*/*") || essence.equals(bytes: "application/*")
  }

  private static func preferred(_ types: [String]) -> String? {
    types.first { $0.hasPrefix(bytes: "application/json") } ?? types.first { isJSON($0) }
      ?? types.first { $0.hasPrefix(bytes: "application/x-www-form-urlencoded") }
      ?? types.first { $0.hasPrefix(bytes: "multipart/form-data") } ?? types.first
  }

  /// A range of media types as one of them.
  private static func concrete(_ type: String) -> String {
    guard type.contains(bytes: "*") else { return type }
    return isJSON(type) ? "application/json" : "application/octet-stream"
  }

  /// The responses that mean success, in the order of the file.
  package func successes(of operation: Operation) -> [Response] {
    guard let responses = operation.node["responses"] else { return [] }
    return responses.node.members.compactMap { member in
      guard member.name.utf8.count == 3, member.name.utf8.first == UInt8(ascii: "2"),
        let node = resolved(DescribedNode(node: member.value, file: responses.file))
      else { return nil }
      if version == .swagger2 {
        let schema = node["schema"].map { Schema($0, in: self) }
        return Response(
          status: member.name, node: node, schema: schema, hasBody: schema != nil)
      }
      let content = node["content"]
      let types = content?.node.members.map(\.name) ?? []
      let json =
        types.first { $0.hasPrefix(bytes: "application/json") } ?? types.first(where: Self.isJSON)
      let schema = json.flatMap { type in content.flatMap { self.member(type, of: $0) } }
        .flatMap { $0["schema"] }.map { Schema($0, in: self) }
      return Response(status: member.name, node: node, schema: schema, hasBody: !types.isEmpty)
    }
  }
}
