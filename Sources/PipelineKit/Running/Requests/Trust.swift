internal import JSONPaths
internal import JSONText
internal import Templates
internal import Workflows

/// The origins that a run trusts: those of URLs made of nothing but literals and the run's inputs
/// (language.md §11).
struct Trust: Sendable {
  private(set) var origins: Set<Origin> = []

  /// Which called files, with which inputs, were looked at.
  private var seen: Set<String> = []

  /// - Parameter sandboxOrigin: What `sandbox:` stands for.
  init(plan: Plan, inputs: ScopeValue, sandboxOrigin: String?) {
    if let sandbox = sandboxOrigin.flatMap(Origin.init(of:)) { origins.insert(sandbox) }
    collect(plan.root, inputs: inputs.node)
  }

  /// - Parameter inputs: Those made of nothing but literals and the run's inputs.
  private mutating func collect(_ block: BlockPlan, inputs: JSONNode) {
    for step in block.steps {
      if let inner = step.inner { collect(inner, inputs: inputs) }
      switch step.step.action {
      case .request(let request): collect(request, inputs: inputs)
      case .call(let call):
        guard let callee = step.callee else { continue }
        let given = Self.inputs(of: callee.workflow, call, inputs)
        let key = callee.workflow.source.name + "\0" + given.text
        if seen.insert(key).inserted { collect(callee.root, inputs: given) }
      case .block, .values, .wait: break
      }
    }
  }

  /// The inputs of a called file, without those that a response had a part in.
  private static func inputs(of callee: Workflow, _ call: Call, _ inputs: JSONNode) -> JSONNode {
    let scope = Scope(shared: Scope.Shared(inputs: ScopeValue(inputs)))
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for input in callee.inputs {
      if let field = call.inputs.first(where: { $0.name == input.name }) {
        guard field.value.uses.allSatisfy({ isKnown($0.query, inputs) }) else { continue }
        var value = JSONWriter(style: .compact)
        let isPresent = try? Evaluation.write(
          field.value, to: &value, in: scope, files: NoFileAccess())
        guard isPresent == true else { continue }
        writer.name(input.name)
        writer.raw(value.bytes)
      } else if let value = input.defaultValue {
        writer.name(input.name)
        writer.value(value)
      }
    }
    writer.endObject()
    return writer.document().root
  }

  /// Whether a query reads inputs alone, and only those that are known before the run.
  private static func isKnown(_ query: Query, _ inputs: JSONNode) -> Bool {
    guard query.firstNames == ["inputs"], query.segments.count > 1,
      case .name(let name)? = query.segments[1].selectors.first?.kind,
      query.segments[1].selectors.count == 1
    else { return false }
    return inputs[name.text] != nil
  }

  private mutating func collect(_ request: Request, inputs: JSONNode) {
    var base: String?
    if let url = request.baseURL?.value {
      guard Self.isBuiltFromInputs(url.url, inputs) else { return }
      base = try? url.expand { Self.stand(in: $0, inputs) }
      if let base, let origin = Origin(of: base) { origins.insert(origin) }
    }
    let url = request.endpoint.value.url
    if !url.isRelative, Self.isBuiltFromInputs(url, inputs),
      let expanded = try? url.expand(base: base, { Self.stand(in: $0, inputs) }),
      let origin = Origin(of: expanded)
    {
      origins.insert(origin)
    }
    if case .oauth2(let oauth2)? = request.auth?.scheme,
      Self.isBuiltFromInputs(oauth2.tokenURL.value, inputs),
      let expanded = try? oauth2.tokenURL.value.expand(base: base, { Self.stand(in: $0, inputs) }),
      let origin = Origin(of: expanded)
    {
      origins.insert(origin)
    }
  }

  /// Whether nothing but inputs decides on the URL's origin.
  private static func isBuiltFromInputs(_ url: URLTemplate, _ inputs: JSONNode) -> Bool {
    url.originReferences.allSatisfy { isKnown($0.query, inputs) }
  }

  /// An input's value; for what is known only later a digit, which no origin depends on.
  private static func stand(in reference: Template.Reference, _ inputs: JSONNode) -> JSONNode? {
    guard reference.query.firstName == "inputs" else { return JSONValue.number("1").node }
    let shared = Scope.Shared(inputs: ScopeValue(inputs))
    return Scope(shared: shared).value(of: reference) ?? JSONValue.number("1").node
  }
}
