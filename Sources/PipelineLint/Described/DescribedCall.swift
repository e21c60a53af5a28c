import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelineOpenAPI
import PipelineTemplates
import PipelineURIs

/// A request to a server that is described.
struct DescribedCall {
  var context: LintContext
  let step: LintStep
  let request: Request
  let api: DescribedAPI
  /// The path below the server, as written.
  let path: String
  /// The names and values in the query of the endpoint itself, as written.
  let query: [(name: String, value: String)]
  /// The operations that the path may reach, with any method.
  let operations: [Operation]
  /// The operations that it reaches with its method, as far as that is known: one, or several if a
  /// value decides.
  let reached: [Operation]
  /// What the JSON may be that the step reads.
  let responseShape: SchemaShape

  var description: APIDescription { api.description }

  /// - Returns: `nil` if no described server begins the request's URL.
  init?(_ request: Request, of step: LintStep, in context: LintContext, _ apis: DescribedAPIs) {
    guard request.handler == nil, let text = request.address,
      // Such a value may be several segments.
      !text.contains(bytes: "{{+")
    else { return nil }
    let address = String(text.prefix(before: "?", "#"))
    let begins = { (server: String) in
      address.equals(bytes: server) || address.hasPrefix(bytes: server + "/")
    }
    let candidates = apis.all.map { api in (api: api, servers: api.servers.filter(begins)) }
    let length = { (servers: Set<String>) in servers.map(\.utf8.count).max() ?? -1 }
    guard let chosen = candidates.max(by: { length($0.servers) < length($1.servers) }),
      let longest = chosen.servers.max(by: { $0.utf8.count < $1.utf8.count })
    else { return nil }
    let (api, servers) = chosen
    let isOpen = { (segment: String) in context.hasChoices(segment) }
    let all = servers.sorted().flatMap { server -> [DescribedOperations.PathMatch] in
      let rest = String(address.dropFirst(bytes: server.utf8.count))
      return api.operations.matches(PathSegments.split(rest), isOpen: isOpen).filter {
        api.isBound || api.description.servers(of: $0.operation).contains(server)
      }
    }
    // The path decides first. A method that it lacks is not looked for elsewhere.
    let matches = all.filter { match in !all.contains { $0.isCertainlyBetter(than: match) } }
    self.context = context
    self.step = step
    self.request = request
    self.api = api
    path = String(address.dropFirst(bytes: longest.utf8.count))
    query = Self.fields(inQueryOf: text)
    operations = matches.map(\.operation)
    let fitting = matches.filter { $0.operation.method == request.method }
    let best = fitting.filter { match in !fitting.contains { $0.isBetter(than: match) } }
      .map(\.operation)
    reached = Self.choosing(best, by: query, request)
    responseShape = Self.responseShape(of: reached, step, request, api.description)
  }

  /// The operations whose paths end with fields of the query, as in `/messages?beta=true`, if the
  /// request has these; or else those without.
  private static func choosing(
    _ operations: [Operation], by query: [(name: String, value: String)], _ request: Request
  ) -> [Operation] {
    let special = operations.filter { $0.path.contains(bytes: "?") }
    if special.isEmpty { return operations }
    let names = Set(query.map(\.name) + request.query.map(\.name))
    let meant = special.filter { operation in
      fields(inQueryOf: operation.path).allSatisfy { names.contains($0.name) }
    }
    return meant.isEmpty ? operations.filter { !$0.path.contains(bytes: "?") } : meant
  }

  static func fields(inQueryOf url: String) -> [(name: String, value: String)] {
    guard let start = url.firstIndex(ascii: "?") else { return [] }
    return url[start...].dropFirst(bytes: 1).prefix(before: "#").split(ascii: "&").map { field in
      let name = String(field.prefix(before: "="))
      return (URI.percentDecode(name) ?? name, String(field.dropFirst(bytes: name.utf8.count + 1)))
    }
  }
}

extension LintContext {
  /// Whether the template in a segment reads an input that is one of a few values.
  fileprivate func hasChoices(_ segment: String) -> Bool {
    Template.parse(segment).template.references.contains { reference in
      reference.query.firstName == "inputs"
        && reference.query.segments.dropFirst().first?.name.map { choices[$0] != nil } == true
    }
  }
}
