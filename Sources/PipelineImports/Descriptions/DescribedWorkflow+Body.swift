internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

extension DescribedWorkflow {
  /// How deep objects within a body are written out; deeper ones are inputs.
  private static let depthLimit = 4
  /// How many members of one body are written out.
  private static let memberLimit = 200

  mutating func body(_ body: RequestBody, of operation: Operation, _ request: inout Request) {
    if !body.isRequired, description.version != .swagger2, body.schema?.required.isEmpty ?? true,
      operation.method == "GET" || operation.method == "DELETE"
    {
      return
    }
    let type = body.mediaType
    if APIDescription.isJSON(type) {
      if !type.hasPrefix(bytes: "application/json") {
        request.headers.append(.init("Content-Type", .string(type)))
      }
      request.body = ["json": json(body.schema, body.example, operation)]
    } else if type.hasPrefix(bytes: "application/x-www-form-urlencoded") {
      let fields = fields(of: body, Self.word(operation))
      request.body =
        fields.isEmpty ? nil : ["form": .object(fields.map { .init($0.name, $0.value) })]
    } else if type.hasPrefix(bytes: "multipart/form-data") {
      let parts = fields(of: body, Self.word(operation)).map { field -> JSONValue in
        ["name": .string(field.name), field.isFile ? "file" : "value": field.value]
      }
      request.body = parts.isEmpty ? nil : ["multipart": .array(parts)]
    } else {
      request.headers.append(.init("Content-Type", .string(type)))
      let isText = type.hasPrefix(bytes: "text/") || type.hasSuffix(bytes: "xml")
      let input = inputs.text(
        Self.word(operation) + (isText ? " body" : " file"),
        isText ? "The body to send." : "The path of the file to send.")
      request.body = [isText ? "text" : "file": .string("{{inputs.\(input)}}")]
    }
  }

  private static func word(_ operation: Operation) -> String {
    operation.id ?? operation.method.lowercased() + operation.path
  }

  // MARK: Forms

  private typealias Field = (name: String, value: JSONValue, isFile: Bool)

  /// The required fields of a form; all of them if none is required.
  private mutating func fields(of body: RequestBody, _ owner: String) -> [Field] {
    if body.schema == nil {
      let required = body.fields.filter(\.isRequired)
      return (required.isEmpty ? body.fields : required).map {
        field($0.name, $0.schema, $0.text, isFile: $0.schema.type == "file", owner)
      }
    }
    guard let schema = body.schema else { return [] }
    let required = schema.required.filter { schema.propertyNode($0) != nil }
    return (required.isEmpty ? schema.propertyNames : required).map { name in
      let property = schema.property(name)
      return field(name, property, nil, isFile: property?.format == "binary", owner)
    }
  }

  private mutating func field(
    _ name: String, _ schema: Schema?, _ text: String?, isFile: Bool, _ owner: String
  ) -> Field {
    let input =
      isFile || schema?.type == "object" || schema?.type == "array"
      ? inputs.text(
        name, isFile ? "The path of the file to send." : "The field's value, as text.", owner: owner
      )
      : inputs.input(name, schema, text: text, owner: owner)
    return (name, .string("{{inputs.\(input)}}"), isFile)
  }

  // MARK: JSON

  private mutating func json(
    _ schema: Schema?, _ example: JSONNode?, _ operation: Operation
  ) -> JSONValue {
    bodyMemberCount = 0
    if let schema, schema.type == "object",
      let object = object(schema, Self.word(operation), depth: 0)
    {
      return object
    }
    let word = Self.word(operation) + " body"
    return .string("{{inputs.\(inputs.input(word, schema, text: nil, example: example))}}")
  }

  /// The required properties of an object; `nil` if there are none that a request sends.
  private mutating func object(_ schema: Schema, _ owner: String, depth: Int) -> JSONValue? {
    var members: [JSONValue.Member] = []
    for name in schema.required {
      guard let property = schema.property(name), property["readOnly"]?.boolean != true else {
        continue
      }
      bodyMemberCount += 1
      members.append(.init(name, value(property, name, owner, depth: depth)))
    }
    if members.isEmpty { return nil }
    // A single member whose name begins with '$' would be a data form.
    return members.count == 1 && members[0].name.hasPrefix(bytes: "$")
      ? ["$literal": .object(members)] : .object(members)
  }

  private mutating func value(
    _ schema: Schema, _ name: String, _ owner: String, depth: Int
  ) -> JSONValue {
    if let constant = schema["const"], constant.string?.contains(bytes: "{{") != true {
      if constant.kind != .object, constant.kind != .array { return JSONValue(constant) }
    }
    if schema.type == "object", depth < Self.depthLimit, bodyMemberCount < Self.memberLimit,
      let object = object(schema, owner, depth: depth + 1)
    {
      return object
    }
    return .string(
      "{{inputs.\(inputs.input(name, schema, text: nil, example: schema["example"], owner: owner))}}"
    )
  }
}
