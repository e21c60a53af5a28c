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
        guard case .form(let fields)? = request.body?.content else { continue }
        given = fields.filter { $0.name == parameter.name }
      case .path:
        found += pathProblems(parameter, operation)
        continue
      case .querystring, .body: continue
      }
      guard !parameter.isEncodedText else { continue }
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
    let endpoint = request.endpoint
    let literal = DescribedLiteral(call: self, isText: true)
    return zip(written, described).flatMap { written, described -> [DescribedLiteral.Difference] in
      guard described == "{\(parameter.name)}",
        parameter.node.node["style"]?.string ?? "simple" == "simple"
      else { return [] }
      // Places are those of the endpoint, in which the segment is a part.
      let value = JSONValue.string(URI.percentDecode(written) ?? written).node
      return literal.problems(value, parameter.shape, parameter.name).map { problem in
        let whole = endpoint.range(of: endpoint.value.urlRange)
        let place = endpoint.node.document.bytes.place(ofName: written, in: whole)
        return DescribedLiteral.Difference(
          kind: problem.kind, message: problem.message, range: place ?? whole,
          node: problem.node)
      }
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
    case .form, .multipart, .text, .file, .graphQL: return []
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
