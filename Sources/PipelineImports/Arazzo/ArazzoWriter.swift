internal import PipelineByteText
package import PipelineJSONText
package import PipelineOpenAPI

/// Writes a workflow as an Arazzo 1.0.1 file, with a report of what Arazzo cannot say.
///
/// The requests are those of one described API, because Arazzo has no requests of its own.
package struct ArazzoWriter {
  let root: JSONNode
  let line: (JSONNode) -> Int
  private let description: APIDescription
  private let operations: [Operation]
  /// Where the description is, as the Arazzo file names it.
  private let url: String
  var stepIDs: Set<String> = []
  /// The workflows of blocks.
  var blocks: [JSONValue] = []
  /// The expressions that the block that is being written gets, by its inputs; `nil` outside of
  /// blocks.
  var given: [(name: String, value: JSONValue)]?
  /// Steps without what is lost count as translated, approximated and refused as in an import.
  package internal(set) var report = ImportReport()

  /// - Parameters:
  ///   - root: A workflow file without errors.
  ///   - line: The line of a value in it.
  ///   - url: Where the description is.
  package init(
    _ root: JSONNode, file: String, line: @escaping (JSONNode) -> Int,
    _ description: APIDescription, url: String
  ) {
    self.root = root
    self.line = line
    self.description = description
    operations = description.operations()
    self.url = url
    report.file = file
  }

  /// What is not said, at a value.
  struct Loss: Error {
    let node: JSONNode
    let message: String
  }

  // MARK: File

  /// The Arazzo file; `nil` if no step can be said.
  package mutating func file() -> JSONValue? {
    var steps: [JSONValue] = []
    for node in root["steps"].map({ Array($0.elements) }) ?? [] {
      let id = node["id"]?.string ?? ""
      let before = (blocks, report.translated)
      do throws(Loss) {
        steps.append(.object(try step(node, id)))
        stepIDs.insert(id)
        if node["steps"] == nil { report.translated += 1 }
      } catch {
        report.refuse(line(error.node), "step '\(id)': \(error.message)")
        (blocks, report.translated) = before
      }
    }
    if steps.isEmpty { return nil }
    if steps.count > 1, root["order"]?.string?.equals(bytes: "listed") != true {
      report.approximate(1, "steps run one after another, and not as their data allows")
    }
    let known: Set<String> = [
      "format", "name", "description", "inputs", "defaults", "order", "steps", "outputs", "api",
      "$schema", "$comment",
    ]
    for member in root.members where !known.contains(member.name) {
      report.refuse(line(member.value), "'\(member.name)' has no counterpart in Arazzo")
    }
    for member in root["defaults"].map({ Array($0.members) }) ?? []
    where !["baseURL", "headers", "query", "$comment"].contains(member.name) {
      report.refuse(line(member.value), "'\(member.name)' of 'defaults' has no counterpart")
    }
    let name = root["name"]?.string ?? "workflow"
    var workflow: [JSONValue.Member] = [
      .init("workflowId", .string(Self.identifier(name)))
    ]
    if let text = root["description"]?.string { workflow.append(.init("summary", .string(text))) }
    if let inputs = root["inputs"], inputs.count > 0 {
      workflow.append(.init("inputs", schema(of: inputs)))
    }
    workflow.append(.init("steps", .array(steps)))
    let outputs = outputs()
    if !outputs.isEmpty { workflow.append(.init("outputs", .object(outputs))) }
    return [
      "arazzo": "1.0.1", "info": ["title": .string(name), "version": "1"],
      "sourceDescriptions": [["name": "api", "url": .string(url), "type": "openapi"]],
      "workflows": .array([.object(workflow)] + blocks),
    ]
  }

  static func identifier(_ name: String) -> String {
    let plain = ASCIISet.letters.union(.digits).union(ASCIISet("_-"))
    let bytes = name.utf8.map { plain.contains($0) ? $0 : UInt8(ascii: "-") }
    return bytes.isEmpty ? "workflow" : String(decoding: bytes, as: UTF8.self)
  }

  private mutating func schema(of inputs: JSONNode) -> JSONValue {
    var properties: [JSONValue.Member] = []
    var required: [JSONValue] = []
    for input in inputs.members {
      var members: [JSONValue.Member] = []
      for member in input.value.members {
        switch member.name {
        case "type":
          let type = member.value.string ?? ""
          let isTime = ["date", "datetime"].contains { type.equals(bytes: $0) }
          members.append(.init("type", .string(isTime ? "string" : type)))
          if isTime {
            members.append(.init("format", .string(type == "date" ? "date" : "date-time")))
            report.approximate(line(member.value), "'\(type)' is a text with a format in Arazzo")
          }
        case "description", "default", "enum":
          members.append(.init(member.name, JSONValue(member.value)))
        case "optional", "$comment": continue
        default:
          report.approximate(
            line(member.value), "'\(member.name)' of input '\(input.name)' is not in Arazzo")
        }
      }
      properties.append(.init(input.name, .object(members)))
      if input.value["default"] == nil, input.value["optional"]?.boolean != true {
        required.append(.string(input.name))
      }
    }
    return ["type": "object", "properties": .object(properties), "required": .array(required)]
  }

  private mutating func outputs() -> [JSONValue.Member] {
    (root["outputs"].map { Array($0.members) } ?? []).compactMap { output in
      do throws(Loss) {
        guard let text = output.value.string, let path = Self.wholeTemplate(text) else {
          throw Loss(node: output.value, message: "it is not a single template")
        }
        return JSONValue.Member(output.name, .string(try expression(path, output.value)))
      } catch {
        report.refuse(line(output.value), "output '\(output.name)': \(error.message)")
        return nil
      }
    }
  }

  // MARK: Steps

  private static let known: Set<String> = [
    "id", "description", "endpoint", "query", "headers", "cookies", "body", "expect", "extract",
    "retry", "$comment", "$lint",
  ]

  mutating func step(_ node: JSONNode, _ id: String) throws(Loss) -> [JSONValue.Member] {
    let known = node["steps"] == nil ? Self.known : Self.knownOfBlocks
    if let other = node.members.first(where: { !known.contains($0.name) }) {
      throw Loss(node: other.value, message: "'\(other.name)' has no counterpart in Arazzo")
    }
    if node["steps"] != nil { return try block(node, id) }
    guard let endpoint = node["endpoint"], let written = endpoint.string else {
      throw Loss(node: node, message: "it sends no request")
    }
    let (operation, inPath) = try self.operation(written, endpoint)
    var step: [JSONValue.Member] = [.init("stepId", .string(id))]
    if let text = node["description"]?.string { step.append(.init("description", .string(text))) }
    if let operationID = operation.id {
      step.append(.init("operationId", .string(operationID)))
    } else {
      let path = operation.path.replacing(bytes: "~", with: "~0").replacing(bytes: "/", with: "~1")
      step.append(
        .init(
          "operationPath",
          .string("{$sourceDescriptions.api.url}#/paths/\(path)/\(operation.method.lowercased())")))
    }
    var parameters = inPath.map { Self.parameter($0.name, "path", $0.value) }
    for (key, place) in [("query", "query"), ("headers", "header"), ("cookies", "cookie")] {
      var names: Set<String> = []
      for holder in [node, root["defaults"]].compactMap(\.self) {
        for member in holder[key].map({ Array($0.members) }) ?? []
        where names.insert(member.name.lowercasedASCII).inserted && !member.value.isNull {
          parameters.append(Self.parameter(member.name, place, try value(member.value)))
        }
      }
    }
    if !parameters.isEmpty { step.append(.init("parameters", .array(parameters))) }
    if let body = node["body"] { step.append(.init("requestBody", try requestBody(body))) }
    if let expect = node["expect"] {
      let criteria = try criteria(expect)
      if !criteria.isEmpty { step.append(.init("successCriteria", .array(criteria))) }
    }
    if let retry = node["retry"] {
      step.append(.init("onFailure", .array([try action(retry, node, operation.method)])))
    }
    if let extract = node["extract"], extract.count > 0 {
      var outputs: [JSONValue.Member] = []
      for member in extract.members {
        outputs.append(.init(member.name, .string(try output(member.value))))
      }
      step.append(.init("outputs", .object(outputs)))
    }
    return step
  }

  private static func parameter(_ name: String, _ place: String, _ value: JSONValue) -> JSONValue {
    ["name": .string(name), "in": .string(place), "value": value]
  }

  /// The operation of an endpoint, and the values in its path.
  private mutating func operation(
    _ written: String, _ node: JSONNode
  ) throws(Loss) -> (Operation, [(name: String, value: JSONValue)]) {
    let words = written.split(ascii: " ", maxSplits: 1).map { String($0) }
    let method = words.count == 2 ? words[0] : "GET"
    var address = words.last ?? ""
    if !address.contains(bytes: "://"), !address.hasPrefix(bytes: "{{") {
      address = (root["defaults"]?["baseURL"]?.string ?? "") + address
    }
    if address.contains(bytes: "?") {
      throw Loss(node: node, message: "the query is in the endpoint; write it in 'query'")
    }
    for operation in operations where operation.method.equals(bytes: method) {
      let described = description.servers(of: operation)
      let servers = described.isEmpty ? [""] : described
      let ends = servers.compactMap { server -> String? in
        if address.hasPrefix(bytes: server), server.contains(bytes: "://") {
          return String(address.dropFirst(bytes: server.utf8.count))
        }
        // A server without a host begins with a template in the workflow.
        guard !server.contains(bytes: "://"), let end = address.firstRange(bytes: "}}"),
          address.hasPrefix(bytes: "{{")
        else { return nil }
        let rest = String(address[end.upperBound...])
        return rest.hasPrefix(bytes: server)
          ? String(rest.dropFirst(bytes: server.utf8.count)) : nil
      }
      for end in ends {
        if let values = try values(of: operation.path, in: end, node) {
          return (operation, values)
        }
      }
    }
    throw Loss(node: node, message: "the description has no operation for '\(written)'")
  }

  /// The values of the parameters of a path; `nil` if it is another path.
  private mutating func values(
    of path: String, in written: String, _ node: JSONNode
  ) throws(Loss) -> [(name: String, value: JSONValue)]? {
    let own = path.split(ascii: "/").map { String($0) }
    let given = written.split(ascii: "/").map { String($0) }
    guard own.count == given.count else { return nil }
    var values: [(name: String, value: JSONValue)] = []
    for (described, text) in zip(own, given) {
      if described.equals(bytes: text) { continue }
      guard described.hasPrefix(bytes: "{"), described.hasSuffix(bytes: "}") else { return nil }
      let name = String(described.dropFirst(bytes: 1).dropLast(bytes: 1))
      values.append((name, .string(try self.text(text, node))))
    }
    return values
  }

  private mutating func requestBody(_ body: JSONNode) throws(Loss) -> JSONValue {
    guard body.count == 1, let member = body.members.first(where: { _ in true }) else {
      throw Loss(node: body, message: "a body with further keys has no counterpart")
    }
    switch member.name {
    case "json":
      return ["contentType": "application/json", "payload": try value(member.value)]
    case "form":
      return [
        "contentType": "application/x-www-form-urlencoded", "payload": try value(member.value),
      ]
    default: throw Loss(node: body, message: "a body as '\(member.name)' has no counterpart")
    }
  }

  /// The values of a key that takes one or a list.
  static func items(_ node: JSONNode?) -> [JSONNode] {
    guard let node else { return [] }
    return node.kind == .array ? Array(node.elements) : [node]
  }

  private mutating func output(_ node: JSONNode) throws(Loss) -> String {
    var query = node.string
    for member in node.members {
      switch member.name {
      case "body": query = member.value.string
      case "header": return "$response.header.\(member.value.string ?? "")"
      case "status": return "$statusCode"
      case "secret": report.approximate(line(member.value), "Arazzo has no secret values")
      default:
        throw Loss(node: node, message: "'\(member.name)' of an extractor has no counterpart")
      }
    }
    guard let query, query.hasPrefix(bytes: "$"),
      let pointer = Self.pointer(String(query.dropFirst(bytes: 1)))
    else { throw Loss(node: node, message: "the query selects more than one value") }
    return "$response.body" + pointer
  }
}
