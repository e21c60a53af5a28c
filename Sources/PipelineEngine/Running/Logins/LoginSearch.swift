internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
package import PipelinePlanning

/// Finds the logins that a person makes for the requests of a plan, as far as the inputs decide
/// which they are. It sends nothing.
struct LoginSearch {
  private let context: RunContext
  private(set) var found: [WantedLogin] = []
  /// The steps whose login depends on a response.
  private(set) var unknown: [String] = []
  /// Calls of files that call each other end there.
  private static let mostCalls = 1_000
  private var calls = 0

  init(_ plan: Plan, inputs: JSONNode, _ context: RunContext) throws(FailureReason) {
    self.context = context
    guard plan.needsLogin else { return }
    try collect(
      plan.root, of: plan, "", isCertain: true, KnownValues(allInputs: inputs))
  }

  /// - Parameters:
  ///   - prefix: The ids of the steps around.
  ///   - isCertain: Whether no condition decides if the block is carried out.
  private mutating func collect(
    _ block: BlockPlan, of plan: Plan, _ prefix: String, isCertain: Bool, _ outer: KnownValues
  ) throws(FailureReason) {
    var known = outer
    known.add(valuesOf: block, named: block.namesOfLogins)
    for (number, step) in block.steps.enumerated() where step.values == nil {
      var known = known
      if let iteration = step.step.forEach { known.add(itemsOf: iteration) }
      let label = prefix + step.step.pathID
      let isCertain = isCertain && step.step.when == nil && !block.block.isChoice
      if let inner = step.inner {
        try collect(inner, of: plan, label + ".", isCertain: isCertain, known)
      }
      switch step.step.action {
      case .request(let request):
        guard let oauth2 = request.login else { continue }
        try add(oauth2, label, isCertain, number, block, plan, known)
      case .call(let call):
        guard let callee = step.callee, calls < Self.mostCalls else { continue }
        calls += 1
        for given in known.inputs(of: callee.workflow, call) {
          try collect(
            callee.root, of: callee, label + ".", isCertain: isCertain, KnownValues(inputs: given))
        }
      case .block, .values, .wait, .fail, .say, .ask: break
      }
    }
  }

  private mutating func add(
    _ oauth2: OAuth2, _ label: String, _ isCertain: Bool, _ number: Int, _ block: BlockPlan,
    _ plan: Plan, _ known: KnownValues
  ) throws(FailureReason) {
    guard let request = block.steps[number].request else { return }
    let scopes = known.scopes(of: request.request.usesOfToken(of: oauth2).map(\.query))
    if scopes.isEmpty { unknown.append(label) }
    for scope in scopes {
      let frame = FrameContext(
        plan: plan, secrecy: plan.secrecy, provenance: plan.provenance, callers: [], block: block,
        files: context.options.files, inputs: ScopeValue(text: Array("{}".utf8)), state: nil,
        loop: nil, label: nil, isSelective: false)
      let unit = Unit(
        id: 0, serial: 0, frame: frame, step: number, label: StepLabel(id: label, path: []),
        item: nil, scope: scope, isSelective: false)
      let run = RequestRun(unit, request, context)
      guard let key = try run.tokenKey(oauth2) else { continue }
      let claim = LoginClaim(key: key, oauth2: oauth2, options: context.options)
      if let index = found.firstIndex(where: { $0.claim.isSame(as: claim) }) {
        found[index].isCertain = found[index].isCertain || isCertain
        found[index].steps.append(label)
      } else {
        found.append(WantedLogin(run: run, claim: claim, steps: [label], isCertain: isCertain))
      }
    }
  }
}

extension LoginClaim {
  /// Whether one login serves both.
  fileprivate func isSame(as other: LoginClaim) -> Bool {
    id == other.id && tokenURL.equals(bytes: other.tokenURL)
      && key.clientID.equals(bytes: other.key.clientID) && use.equals(bytes: other.use)
  }
}

extension Plan {
  /// Whether a person makes a login for it with `pipeline login`.
  package var needsLogin: Bool {
    var seen: Set<ObjectIdentifier> = []
    return needsLogin(&seen)
  }

  /// - Parameter seen: The files that were searched. A file may be called many times.
  private func needsLogin(_ seen: inout Set<ObjectIdentifier>) -> Bool {
    guard seen.insert(ObjectIdentifier(self)).inserted else { return false }
    return root.needsLogin { $0.needsLogin(&seen) }
  }
}

extension BlockPlan {
  /// Whether a request in the block, or in a file that it runs, has a login that a person makes.
  ///
  /// - Parameter file: Whether a called file has one.
  fileprivate func needsLogin(_ file: (Plan) -> Bool) -> Bool {
    steps.contains { plan in
      if plan.request?.request.login != nil { return true }
      if let inner = plan.inner { return inner.needsLogin(file) }
      return plan.callee.map(file) ?? false
    }
  }

  /// The names that logins, and what called files are given, are made of.
  fileprivate var namesOfLogins: Set<String> {
    var names: Set<String> = []
    for plan in steps {
      for read in plan.reads { names.insert(read.name) }
      if let inner = plan.inner { names.formUnion(inner.namesOfLogins) }
    }
    return names
  }
}
