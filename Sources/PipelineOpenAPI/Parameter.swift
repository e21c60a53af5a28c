internal import PipelineByteText
internal import PipelineJSONText

/// A parameter of an operation.
package struct Parameter {
  package enum Place: String {
    case path, query, header, cookie
    /// The whole query, from OpenAPI 3.2 on.
    case querystring
    /// In Swagger 2.0, the body or one of its fields.
    case body, formData
  }

  package let name: String
  package let place: Place
  package let isRequired: Bool
  /// What the value may be. In Swagger 2.0 the parameter is its own schema.
  package let schema: Schema
  package let node: DescribedNode

  package var text: String? { node.node["description"]?.string }

  /// Whether the value is a text that holds another format.
  package var isEncodedText: Bool { node.node["content"] != nil }

  /// Whether an object is sent as parameters with the names of its members.
  package var isSentInParts: Bool {
    guard place == .query, schema.type == "object" || schema.type == nil else { return false }
    let style = node.node["style"]?.string ?? "form"
    return style == "deepObject"
      || style == "form" && schema.type == "object" && node.node["explode"]?.boolean != false
  }

  /// Whether it comes from elsewhere (OpenAPI 3.0 §4.7.12.1).
  package var isIgnored: Bool {
    place == .header
      && ["accept", "content-type", "authorization"].contains(name.lowercased())
  }

  /// How a list or an object becomes one value.
  package enum Joining: Equatable {
    /// A text with these between the parts: `commas`.
    case text(with: String)
    /// A style of OpenAPI.
    case style(String)
  }

  /// How a list or an object becomes one value; `nil` for a single value, and for a list or an object
  /// that is sent as one parameter for each element or member.
  package var joining: Joining? {
    let written = node.node["collectionFormat"]?.string ?? node.node["style"]?.string
    let isObject = schema.type == "object"
    if written == "deepObject" { return .style("deepObject") }
    guard isObject || schema.type == "array" else { return nil }
    if place == .query, repeatsName { return nil }
    switch written {
    case "spaceDelimited", "ssv":
      return place == .query ? .style("spaceDelimited") : .text(with: "blanks")
    case "pipeDelimited", "pipes":
      return place == .query ? .style("pipeDelimited") : .text(with: "bars (|)")
    case "tsv": return .text(with: "tabs")
    default: return place == .query ? .style("form") : .text(with: "commas")
    }
  }

  /// Whether a list is sent as one value for each element, and an object as one for each member.
  package var repeatsName: Bool {
    if let format = node.node["collectionFormat"]?.string { return format == "multi" }
    if node.node["schema"] == nil && node.node["content"] == nil { return false }
    return node.node["explode"]?.boolean
      ?? ((node.node["style"]?.string ?? "form") == "form" && place != .path && place != .header)
  }
}

extension APIDescription {
  /// The parameters of an operation. Those of the path item count unless the operation has another one
  /// of the same name and place.
  package func parameters(of operation: Operation) -> [Parameter] {
    var found = parameters(in: operation.node)
    for parameter in parameters(in: operation.item)
    where !found.contains(where: { $0.name == parameter.name && $0.place == parameter.place }) {
      found.append(parameter)
    }
    return found
  }

  private func parameters(in holder: DescribedNode) -> [Parameter] {
    guard let list = holder["parameters"] else { return [] }
    return list.node.elements.compactMap { element in
      guard let node = resolved(DescribedNode(node: element, file: list.file)),
        let name = node.node["name"]?.string,
        let place = node.node["in"]?.string.flatMap(Parameter.Place.init(rawValue:))
      else { return nil }
      let schema = node["schema"] ?? (version == .swagger2 ? node : nil)
      return Parameter(
        name: name, place: place,
        isRequired: place == .path || node.node["required"]?.boolean == true,
        // A parameter with `content` is a text that holds another format.
        schema: Schema(schema ?? DescribedNode(node: Self.textSchema, file: node.file), in: self),
        node: node)
    }
  }

  private static let textSchema = JSONValue.object([.init("type", "string")]).node
}
