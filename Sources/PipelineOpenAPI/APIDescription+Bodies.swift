internal import PipelineByteText
internal import PipelineJSONText

/// What a description says of the bodies of requests and responses.
extension APIDescription {
  /// The statuses that an operation documents, as written: `200`, `4XX`, `default`.
  package func statuses(of operation: Operation) -> [String] {
    operation.node["responses"]?.node.members.map(\.name).filter {
      !$0.hasPrefix(bytes: "x-")
    } ?? []
  }

  /// What the JSON of a response may be.
  ///
  /// - Parameter isMeant: Whether a response with a documented status is among those that are asked
  ///   about.
  /// - Returns: Anything, if one of the responses may have another body or is not described.
  package func responseShape(
    of operation: Operation, where isMeant: (String) -> Bool
  ) -> SchemaShape {
    guard let responses = operation.node["responses"] else { return .unknown(in: self) }
    var shapes: [SchemaShape] = []
    for member in responses.node.members where isMeant(member.name) {
      guard let response = resolved(DescribedNode(node: member.value, file: responses.file)) else {
        return .unknown(in: self)
      }
      if version == .swagger2 {
        guard let schema = response["schema"] else { continue }
        guard producesJSON(operation) else { return .unknown(in: self) }
        shapes.append(SchemaShape(schema, in: self))
        continue
      }
      guard let content = response["content"], content.node.count > 0 else { continue }
      let media = content.node.members.filter { Self.isJSON($0.name) }
      if media.isEmpty { return .unknown(in: self) }
      for type in media {
        let schema = resolved(DescribedNode(node: type.value, file: content.file))?["schema"]
        shapes.append(schema.map { SchemaShape($0, in: self) } ?? .unknown(in: self))
      }
    }
    return shapes.isEmpty ? .unknown(in: self) : .union(shapes, in: self)
  }

  private func producesJSON(_ operation: Operation) -> Bool {
    let types =
      (operation.node["produces"] ?? root["produces"])?.node.elements
      .compactMap(\.string) ?? []
    return types.isEmpty || types.contains(where: Self.isJSON)
  }

  /// What a request may carry.
  package struct RequestContent {
    package let isRequired: Bool
    /// The media types that the operation takes, ranges as they are written.
    package let types: [String]
    /// What the JSON may be; `nil` if none is described.
    package let json: SchemaShape?
    /// What the fields of a form may be, by name; `nil` if no form is described.
    package let form: SchemaShape?
    /// Where it is described.
    package let node: DescribedNode
  }

  /// What a request of an operation may carry; `nil` if no body is described.
  package func requestContent(of operation: Operation) -> RequestContent? {
    if version == .swagger2 { return swaggerContent(of: operation) }
    guard let body = member("requestBody", of: operation.node), let content = body["content"] else {
      return nil
    }
    func shape(_ isMeant: (String) -> Bool) -> SchemaShape? {
      let media = content.node.members.filter { isMeant($0.name) }
      if media.isEmpty { return nil }
      return .union(
        media.map { type in
          let schema = resolved(DescribedNode(node: type.value, file: content.file))?["schema"]
          return schema.map { SchemaShape($0, in: self) } ?? .unknown(in: self)
        }, in: self)
    }
    return RequestContent(
      isRequired: body.node["required"]?.boolean == true,
      types: content.node.members.map(\.name), json: shape(Self.isJSON),
      form: shape(Self.isForm), node: body)
  }

  private func swaggerContent(of operation: Operation) -> RequestContent? {
    let parameters = parameters(of: operation)
    let types =
      (operation.node["consumes"] ?? root["consumes"])?.node.elements.compactMap(\.string) ?? []
    if let body = parameters.first(where: { $0.place == .body }) {
      let schema = body.node["schema"].map { SchemaShape($0, in: self) }
      return RequestContent(
        isRequired: body.isRequired, types: types.isEmpty ? ["application/json"] : types,
        json: schema ?? .unknown(in: self), form: nil, node: body.node)
    }
    guard let field = parameters.first(where: { $0.place == .formData }) else { return nil }
    return RequestContent(
      isRequired: parameters.contains { $0.place == .formData && $0.isRequired }, types: types,
      json: nil, form: .unknown(in: self), node: field.node)
  }

  /// Whether a media type is that of a form.
  package static func isForm(_ type: String) -> Bool {
    let essence = type.prefix(before: ";").lowercased().trimmed
    return ["application/x-www-form-urlencoded", "multipart/form-data", "*/*"].contains {
      essence.equals(bytes: $0)
    }
  }
}
