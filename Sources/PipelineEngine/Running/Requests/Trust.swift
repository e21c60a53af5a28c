internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

/// The origins that the author named. They are in URLs that consist only of literals and the run's
/// inputs, or in `sendCredentials`. A response may lead to them even if they lie in a private
/// network.
struct Trust: Sendable {
  private var origins: Set<Origin> = []

  /// The texts of `sendCredentials` that were looked at: many steps inherit the same.
  private var listed: Set<String> = []

  /// Which called files, with which inputs, were looked at, and how many bytes the inputs have.
  private var seen: Set<String> = []
  private var seenBytes = 0

  /// - Parameter sandboxOrigin: What `sandbox:` stands for.
  init(plan: Plan, inputs: ScopeValue, sandboxOrigin: String?) {
    if let sandbox = sandboxOrigin.flatMap(Origin.init(of:)) { origins.insert(sandbox) }
    collect(plan.root, KnownValues(inputs: inputs.node))
  }

  /// Whether the author named `origin`.
  func holds(_ origin: Origin) -> Bool {
    // Mostly there is one, which is compared faster than it is looked up.
    origins.first == origin || origins.contains(origin)
  }

  /// How many calls with different inputs are looked into, and how many bytes the inputs may have
  /// together. Files that call each other may have more than can be gone through before a run.
  private static let mostCalls = 10_000
  private static let mostBytes = 4 << 20

  private mutating func collect(_ block: BlockPlan, _ outer: KnownValues) {
    var known = outer
    known.add(valuesOf: block, named: block.namesThatDecideOrigins)
    for step in block.steps where step.values == nil {
      let known = known.inside(step.step)
      if let inner = step.inner { collect(inner, known) }
      switch step.step.action {
      case .request(let request): collect(request, known)
      case .call(let call):
        guard let callee = step.callee, seen.count < Self.mostCalls, seenBytes < Self.mostBytes
        else { continue }
        for given in known.inputs(of: callee.workflow, call) {
          // What is given may double with each call.
          let size = given.utf8.count
          seenBytes += size
          guard size <= KnownValues.mostBytes else { continue }
          let key = callee.workflow.source.name + "\0" + given.text
          if seen.insert(key).inserted { collect(callee.root, KnownValues(inputs: given)) }
        }
      case .block, .values, .wait, .fail, .say, .ask: break
      }
    }
  }

  private mutating func collect(_ request: Request, _ known: KnownValues) {
    for listed in request.sendCredentials where listed.value.url.references.isEmpty {
      let text = listed.value.url.text
      if self.listed.insert(text).inserted, let origin = Origin(of: text) { origins.insert(origin) }
    }
    // A relative URL goes to the base URL's origin.
    for url in request.urls where !url.isRelative {
      let deciding = url.originReferences
      for scope in known.scopes(of: deciding.map(\.query)) {
        let expanded = try? url.expand(base: nil) { reference in
          // The rest does not decide the origin, and the scope may lack it.
          deciding.contains(reference) ? scope.value(of: reference) : JSONDocument(integer: 1).root
        }
        if let expanded, let origin = Origin(of: expanded) { origins.insert(origin) }
      }
    }
  }
}

extension BlockPlan {
  /// The names that an origin hangs on, in this block or inside it: mostly none, so that nothing
  /// need be computed beforehand.
  fileprivate var namesThatDecideOrigins: Set<String> {
    var names: Set<String> = []
    for plan in steps where plan.values == nil {
      let iterates: Bool
      switch plan.step.action {
      case .request(let request):
        for url in request.urls {
          for reference in url.originReferences { names.formUnion(reference.query.firstNames) }
        }
        iterates = plan.step.forEach?.itemName.map { request.sendsWhere($0) } ?? false
      case .call(let call):
        for input in call.inputs {
          for use in input.value.uses { names.formUnion(use.query.firstNames) }
        }
        iterates = true
      case .block: iterates = true
      case .values, .wait, .fail, .say, .ask: iterates = false
      }
      if iterates, let iteration = plan.step.forEach {
        for query in iteration.queries { names.formUnion(query.firstNames) }
      }
      if let inner = plan.inner { names.formUnion(inner.namesThatDecideOrigins) }
    }
    return names
  }
}

extension Iteration {
  /// The queries of the items; none if they are numbers.
  var queries: [Query] {
    switch source.value {
    case .query(let query): [query.value]
    case .list(let data), .windows(let data): data.uses.map(\.query)
    case .range: []
    case .rounds(let rounds): rounds.carried.flatMap { $0.first?.uses.map(\.query) ?? [] }
    }
  }
}

extension Request {
  fileprivate var urls: [URLTemplate] {
    var urls = [endpoint.value.url]
    if let baseURL { urls.append(baseURL.value.url) }
    if case .oauth2(let oauth2)? = auth?.scheme {
      urls.append(oauth2.tokenURL.value)
      if let url = oauth2.deviceAuthorizationURL { urls.append(url.value) }
    }
    if let settle { urls += settle.request.urls }
    urls += sendCredentials.map(\.value.url).filter { !$0.references.isEmpty }
    return urls
  }

  /// Whether a name decides on an origin.
  fileprivate func sendsWhere(_ name: String) -> Bool {
    urls.contains { url in
      url.originReferences.contains { $0.query.firstNames.contains(name) }
    }
  }
}

extension KnownValues {
  /// These values, and the possible values of each item of a step.
  fileprivate func inside(_ step: Step) -> KnownValues {
    guard let iteration = step.forEach else { return self }
    if case .request(let request) = step.action, let name = iteration.itemName,
      !request.sendsWhere(name)
    {
      return self
    }
    var known = self
    known.add(itemsOf: iteration)
    return known
  }
}
