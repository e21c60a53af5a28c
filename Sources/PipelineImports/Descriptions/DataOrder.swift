internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

/// Which parameters of operations are given by responses of other operations, and the order that
/// follows from that.
struct DataOrder {
  /// A value that a response gives to a parameter.
  struct Flow {
    let producer: Int
    let parameter: Parameter
    /// The value's query in the response.
    let query: String
    /// What the description says about it.
    let evidence: String
  }

  private let description: APIDescription
  private let operations: [Operation]
  private let parameters: [[Parameter]]
  /// The JSON object that each operation answers with.
  private let results: [(schema: Schema, response: Response)?]
  /// The flows to each operation.
  private(set) var flows: [[Flow]]

  init(_ operations: [Operation], in description: APIDescription) {
    self.description = description
    self.operations = operations
    parameters = operations.map { description.parameters(of: $0) }
    results = operations.map { operation in
      let successes = description.successes(of: operation)
      guard let first = successes.first, successes.allSatisfy({ $0.schema != nil }),
        let schema = first.schema, schema.type == "object"
      else { return nil }
      return (schema, first)
    }
    flows = operations.map { _ in [] }
    addLinks()
    addCreatedResources()
  }

  /// The positions of the operations: producers before those that read from them, and deletions last.
  var order: [Int] {
    var order: [Int] = []
    var isPlaced = operations.map { _ in false }
    // Flows have no circles, so each turn places a step or goes to one that comes before it.
    func place(_ position: Int) {
      var waiting = [position]
      while let last = waiting.last {
        if let flow = flows[last].first(where: { !isPlaced[$0.producer] }) {
          waiting.append(flow.producer)
          continue
        }
        waiting.removeLast()
        guard !isPlaced[last] else { continue }
        isPlaced[last] = true
        order.append(last)
      }
    }
    for position in operations.indices where operations[position].method != "DELETE" {
      place(position)
    }
    for position in operations.indices { place(position) }
    return order
  }

  /// Adds a flow unless the parameter has one, or the producer reads from the consumer.
  private mutating func add(_ flow: Flow, to consumer: Int) {
    let parameter = flow.parameter
    guard
      !flows[consumer].contains(where: {
        $0.parameter.name == parameter.name && $0.parameter.place == parameter.place
      }), !reads(flow.producer, from: consumer)
    else { return }
    flows[consumer].append(flow)
  }

  private func reads(_ reader: Int, from source: Int) -> Bool {
    var waiting = [reader]
    var visited: Set<Int> = []
    while let next = waiting.popLast() {
      if next == source { return true }
      guard visited.insert(next).inserted else { continue }
      waiting += flows[next].map(\.producer)
    }
    return false
  }

  // MARK: Links

  /// Link Objects (OpenAPI 3.0 §4.7.20) name the operation and the value of its parameter.
  private mutating func addLinks() {
    for (producer, operation) in operations.enumerated() {
      for response in description.successes(of: operation) {
        guard let links = response.node["links"] else { continue }
        for member in links.node.members {
          guard let link = description.member(member.name, of: links),
            let consumer = target(of: link)
          else { continue }
          addLink(link, named: member.name, from: producer, response, to: consumer)
        }
      }
    }
  }

  private func target(of link: DescribedNode) -> Int? {
    if let id = link.node["operationId"]?.string {
      return operations.firstIndex { $0.id == id }
    }
    guard let reference = link.node["operationRef"]?.string else { return nil }
    return operations.firstIndex { operation in
      let path = operation.path.replacing(bytes: "~", with: "~0").replacing(bytes: "/", with: "~1")
      return reference.hasSuffix(bytes: "#/paths/\(path)/\(operation.method.lowercased())")
    }
  }

  private mutating func addLink(
    _ link: DescribedNode, named name: String, from producer: Int, _ response: Response,
    to consumer: Int
  ) {
    // A pointer by names leads nowhere in a list.
    guard producer != consumer, let values = link["parameters"], response.schema?.type != "array"
    else { return }
    for value in values.node.members {
      let word = value.name.split(ascii: ".").last.map(String.init) ?? value.name
      guard let text = value.value.string, text.hasPrefix(bytes: "$response.body#/"),
        let parameter = parameters[consumer].first(where: {
          $0.name == value.name || $0.name == word
        })
      else { continue }
      let steps = text.dropFirst(bytes: 16).split(ascii: "/").map {
        $0.replacing(bytes: "~1", with: "/").replacing(bytes: "~0", with: "~")
      }
      add(
        Flow(
          producer: producer, parameter: parameter, query: BodyQuery.text(steps),
          evidence: "\(parameter.name): link '\(name)' of \(operations[producer].signature),"
            + " \(link.position)"),
        to: consumer)
    }
  }

  // MARK: Created resources

  /// `POST /pets` makes what `/pets/{petId}` names, if its response has a property for it.
  private mutating func addCreatedResources() {
    var creators: [String: Int] = [:]
    for (position, operation) in operations.enumerated()
    where operation.method == "POST" && results[position] != nil {
      let shape = PathTemplate(operation.path).shape
      creators[shape] = creators[shape] ?? position
    }
    for consumer in operations.indices {
      for (name, prefix) in PathTemplate(operations[consumer].path).resources {
        guard let creator = creators[prefix], creator != consumer, let result = results[creator],
          let parameter = parameters[consumer].first(where: {
            $0.name == name && $0.place == .path
          }),
          let property = Self.property(of: result.schema, for: parameter),
          let node = result.schema.propertyNode(property)
        else { continue }
        add(
          Flow(
            producer: creator, parameter: parameter, query: BodyQuery.text([property]),
            evidence: "\(name): '\(property)' in the \(result.response.status) response of"
              + " \(operations[creator].signature), \(node.position)"),
          to: consumer)
      }
    }
  }

  /// The property that holds what a parameter names: one of its name, or the end of it, as `id` of
  /// `petId`.
  private static func property(of schema: Schema, for parameter: Parameter) -> String? {
    let wanted = letters(parameter.name)
    let names = schema.propertyNames.filter { name in
      let type = schema.property(name)?.type
      return type != nil && type == parameter.schema.type
    }
    return names.first { letters($0) == wanted }
      ?? ["id", "uuid", "number", "slug", "key", "name"].first { end in
        names.contains(end) && wanted.hasSuffix(bytes: end)
      }
  }

  /// A name without case and separators.
  private static func letters(_ name: String) -> String {
    name.lowercased().replacing(bytes: "_", with: "").replacing(bytes: "-", with: "")
  }
}

/// A path with its parameters in braces.
struct PathTemplate {
  private let segments: [String]

  init(_ path: String) {
    segments = path.split(ascii: "/").map(String.init)
  }

  /// The path with all parameters alike, which is the same for templates that match the same paths.
  var shape: String { Self.shape(segments) }

  /// The parameters that are a whole segment, each with the shape of the path before it.
  var resources: [(name: String, prefix: String)] {
    segments.enumerated().compactMap { position, segment in
      guard segment.hasPrefix(bytes: "{"), segment.hasSuffix(bytes: "}") else { return nil }
      return (
        String(segment.dropFirst(bytes: 1).dropLast(bytes: 1)), Self.shape(segments[..<position])
      )
    }
  }

  private static func shape(_ segments: some Sequence<String>) -> String {
    segments.map { $0.hasPrefix(bytes: "{") ? "{}" : $0 }.joined(separator: "/")
  }
}

/// Queries for values in a body.
enum BodyQuery {
  /// The query that goes through these members and elements.
  static func text(_ steps: [String]) -> String {
    steps.reduce("$") { query, step in
      if !step.isEmpty, step.utf8.allSatisfy(ASCIISet.digits.contains) {
        return "\(query)[\(step)]"
      }
      let isPlain =
        step.utf8.first.map(ASCIISet.letters.contains) == true
        && step.utf8.allSatisfy(ASCIISet.letters.union(.digits).union(ASCIISet("_")).contains)
      if isPlain { return "\(query).\(step)" }
      let quoted = step.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'")
      return "\(query)['\(quoted)']"
    }
  }
}
