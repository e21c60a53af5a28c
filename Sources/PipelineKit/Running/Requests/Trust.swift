internal import JSONPaths
internal import JSONText
internal import Templates
internal import Workflows

/// The origins that a run trusts: those of URLs made of nothing but literals and the run's inputs
/// (language.md §11).
struct Trust: Sendable {
  private(set) var origins: Set<Origin> = []

  /// - Parameter sandboxOrigin: What `sandbox:` stands for.
  init(plan: Plan, inputs: ScopeValue, sandboxOrigin: String?) {
    if let sandbox = sandboxOrigin.flatMap(Origin.init(of:)) { origins.insert(sandbox) }
    collect(plan, inputs: inputs.node)
  }

  private mutating func collect(_ plan: Plan, inputs: JSONNode) {
    collect(plan.root, inputs: inputs)
  }

  private mutating func collect(_ block: BlockPlan, inputs: JSONNode) {
    for step in block.steps {
      if let inner = step.inner { collect(inner, inputs: inputs) }
      if case .request(let request) = step.step.action { collect(request, inputs: inputs) }
    }
  }

  private mutating func collect(_ request: Request, inputs: JSONNode) {
    var base: String?
    if let url = request.baseURL?.value {
      guard Self.isBuiltFromInputs(url.url) else { return }
      base = try? url.expand { Self.stand(in: $0, inputs) }
      if let base, let origin = Origin(of: base) { origins.insert(origin) }
    }
    let url = request.endpoint.value.url
    if !url.isRelative, Self.isBuiltFromInputs(url),
      let expanded = try? url.expand(base: base, { Self.stand(in: $0, inputs) }),
      let origin = Origin(of: expanded)
    {
      origins.insert(origin)
    }
    if case .oauth2(let oauth2)? = request.auth?.scheme,
      Self.isBuiltFromInputs(oauth2.tokenURL.value),
      let expanded = try? oauth2.tokenURL.value.expand(base: base, { Self.stand(in: $0, inputs) }),
      let origin = Origin(of: expanded)
    {
      origins.insert(origin)
    }
  }

  /// Whether nothing but inputs decides on the URL's origin.
  private static func isBuiltFromInputs(_ url: URLTemplate) -> Bool {
    url.originReferences.allSatisfy { $0.query.firstName == "inputs" }
  }

  /// An input's value; for what is known only later a digit, which no origin depends on.
  private static func stand(in reference: Template.Reference, _ inputs: JSONNode) -> JSONNode? {
    guard reference.query.firstName == "inputs" else { return JSONValue.number("1").node }
    let shared = Scope.Shared(names: ["inputs"], values: [ScopeValue(inputs)])
    return Scope(shared: shared).value(of: reference) ?? JSONValue.number("1").node
  }
}
