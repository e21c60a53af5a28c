import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

extension DescribedCall {
  /// What is wrong with the values of parameters.
  func parameterProblems(_ operation: Operation) -> [DescribedLiteral.Difference] {
    let literal = DescribedLiteral(call: self, isText: true)
    var found: [DescribedLiteral.Difference] = []
    for parameter in description.parameters(of: operation) {
      let given: [Request.Parameter]
      switch parameter.place {
      case .query: given = request.query.filter { $0.name == parameter.name }
      case .header where Self.ignoredHeaders.contains(parameter.name.lowercased()): continue
      case .header:
        given = request.headers.filter { $0.name.equalsIgnoringASCIICase(parameter.name) }
      case .cookie: given = request.cookies.filter { $0.name == parameter.name }
      case .formData:
        switch request.body?.content {
        case .form(let fields): given = fields.filter { $0.name == parameter.name }
        case .multipart(let parts):
          for part in parts where part.name.value.text == parameter.name {
            guard case .value(let data) = part.content else { continue }
            found += literal.problems(data.node, parameter.shape, parameter.name)
          }
          continue
        default: continue
        }
      case .path:
        found += pathProblems(parameter, operation)
        continue
      case .querystring, .body: continue
      }
      guard !parameter.isEncodedText else { continue }
      if parameter.place == .query {
        for field in query where field.name == parameter.name {
          let plain = field.value.replacing(bytes: "+", with: " ")
          found += endpointProblems(plain, written: field.value, parameter)
        }
      }
      for value in given {
        found += literal.problems(value.value.node, parameter.shape, parameter.name)
      }
    }
    return found
  }

  /// Headers that are not described as parameters (OpenAPI 3.0 §4.7.12.1).
  private static let ignoredHeaders: Set<String> = ["accept", "content-type", "authorization"]

  /// A literal segment of the path as the value of a parameter.
  private func pathProblems(
    _ parameter: Parameter, _ operation: Operation
  ) -> [DescribedLiteral.Difference] {
    let written = PathSegments.split(path)
    let described = PathSegments.split(operation.path)
    guard written.count == described.count else { return [] }
    return zip(written, described).flatMap { written, described -> [DescribedLiteral.Difference] in
      guard described == "{\(parameter.name)}",
        parameter.node.node["style"]?.string ?? "simple" == "simple"
      else { return [] }
      return endpointProblems(written, written: written, parameter)
    }
  }

  /// What is wrong with a value that is a part of the endpoint.
  private func endpointProblems(
    _ text: String, written: String, _ parameter: Parameter
  ) -> [DescribedLiteral.Difference] {
    let literal = DescribedLiteral(call: self, isText: true)
    let value = JSONValue.string(URI.percentDecode(text) ?? text).node
    let endpoint = request.endpoint
    return literal.problems(value, parameter.shape, parameter.name).map { problem in
      let whole = endpoint.range(of: endpoint.value.urlRange)
      let place = endpoint.node.document.bytes.place(ofName: written, in: whole)
      return DescribedLiteral.Difference(
        kind: problem.kind, message: problem.message, range: place ?? whole, node: problem.node)
    }
  }

  /// What is wrong with the members of a body.
  func bodyProblems(_ operation: Operation) -> [DescribedLiteral.Difference] {
    guard let body = request.body, let content = description.requestContent(of: operation) else {
      return []
    }
    switch body.content {
    case .json(let data):
      guard let shape = content.json else { return [] }
      return DescribedLiteral(call: self, isText: false).problems(data.node, shape, "body")
    case .form(let fields):
      let given = fields.map {
        GivenMember(name: $0.name, nameRange: $0.nameRange, value: $0.value.node)
      }
      return formProblems(given, content, operation, at: body.node["form"] ?? body.node)
    case .multipart(let parts):
      let given = parts.map { part in
        var value: JSONNode?
        if case .value(let data) = part.content { value = data.node }
        return GivenMember(name: part.name.value.text, nameRange: part.name.range, value: value)
      }
      return formProblems(given, content, operation, at: body.node["multipart"] ?? body.node)
    case .text, .madeText, .file, .graphQL: return []
    }
  }

  private func formProblems(
    _ given: [GivenMember], _ content: APIDescription.RequestContent, _ operation: Operation,
    at node: JSONNode
  ) -> [DescribedLiteral.Difference] {
    let literal = DescribedLiteral(call: self, isText: true)
    let fields = description.parameters(of: operation).filter { $0.place == .formData }
    if !fields.isEmpty {
      return literal.memberProblems(given, DescribedMembers(fields: fields), at: node.range)
    }
    guard let shape = content.form else { return [] }
    return literal.problems(in: shape, "body", at: node.range) { branch in
      literal.memberProblems(given, DescribedMembers(branch, in: description), at: node.range)
    }
  }
}

extension Parameter {
  /// What the value may be.
  var shape: SchemaShape { schema.shape }
}

extension ExplainedRule {
  static func finding(_ problem: DescribedLiteral.Difference) -> Diagnostic {
    var words = "it is described here"
    if case .missing = problem.kind { words = "it is required here" }
    return finding(
      problem.message, at: problem.range,
      related: problem.node.map { [$0.related(words)] } ?? [], fix: problem.fix)
  }
}
