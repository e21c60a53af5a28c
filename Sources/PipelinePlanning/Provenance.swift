import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineTemplates

/// Which parts of a file's URLs come from responses, and which from the author. It follows
/// responses through templates, queries, values, blocks and called files.
///
/// The author's word is the file's own text, the run's inputs and the environment. State
/// that earlier runs left is the word of their responses.
package struct Provenance: Sendable {
  /// The parts of a step's request that a response decides.
  package struct Foreign: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The origin of the endpoint.
    package static let endpoint = Foreign(rawValue: 1)
    /// The origin of the base URL.
    package static let baseURL = Foreign(rawValue: 2)
    /// The origin that hands out OAuth 2.0 tokens.
    package static let tokenURL = Foreign(rawValue: 4)
    package static let proxy = Foreign(rawValue: 8)
    /// An origin of `sendCredentials`.
    package static let listed = Foreign(rawValue: 16)
    /// A value that a person's login is made of.
    package static let login = Foreign(rawValue: 32)
  }

  /// Steps without an entry follow the author's word alone.
  fileprivate var steps: [StepKey: Foreign] = [:]
  fileprivate var calls: [StepKey: Provenance] = [:]
  /// The parts of the file's outputs that come from responses.
  fileprivate var result = Taint.whole

  /// The parts of a step's request that a response decides.
  package func foreign(_ step: Int, in block: BlockPlan) -> Foreign {
    steps.isEmpty ? [] : steps[StepKey(block: ObjectIdentifier(block), step: step)] ?? []
  }

  /// The same for the file that a step of `block` runs, given the inputs it gets there.
  package func callee(of block: BlockPlan, step: Int) -> Provenance? {
    calls.isEmpty ? nil : calls[StepKey(block: ObjectIdentifier(block), step: step)]
  }

  /// The provenance in a file that is run with inputs of its caller.
  init(_ root: BlockPlan, _ memory: CallMemory<Provenance>) {
    // Most files have no name in a place where it could matter.
    self = root.isLed ? .of(root, given: .none, memory) : Provenance()
  }

  private init() {}

  /// - Parameter given: The parts of the inputs that come from responses.
  fileprivate static func of(
    _ root: BlockPlan, given: Taint, _ memory: CallMemory<Provenance>
  ) -> Provenance {
    memory.judgement(of: root, given: given) { Provenance(root, given: $0, memory: memory) }
  }

  private init(_ root: BlockPlan, given: Taint, memory: CallMemory<Provenance>) {
    let analysis = ProvenanceAnalysis(inputs: given, memory: memory)
    result = analysis.analyse(root, items: [])
    steps = analysis.steps
    calls = analysis.calls
  }
}

/// Walks the blocks of a plan, each in the order of its dependencies.
private final class ProvenanceAnalysis {
  let inputs: Taint
  let memory: CallMemory<Provenance>
  var steps: [StepKey: Provenance.Foreign] = [:]
  var calls: [StepKey: Provenance] = [:]
  /// The parts of the steps around that come from responses, innermost block last.
  private var around: [[Taint]] = []

  init(inputs: Taint, memory: CallMemory<Provenance>) {
    self.inputs = inputs
    self.memory = memory
  }

  /// Analyses a block and returns the taint of its value.
  ///
  /// - Parameter items: The taints of the items of the steps around, innermost last.
  func analyse(_ plan: BlockPlan, items: [Taint]) -> Taint {
    around.append(Array(repeating: .none, count: plan.steps.count))
    defer { around.removeLast() }
    for number in plan.graph.topologicalOrder {
      let key = StepKey(block: ObjectIdentifier(plan), step: number)
      around[around.count - 1][number] = analyse(plan.steps[number], key, items: items)
    }
    if let outputs = plan.block.outputs {
      return Reader(reads: plan.outputReads, items: items, own: .none, self).taint(of: outputs)
    }
    let values = around[around.count - 1]
    if plan.block.isChoice { return values.reduce(.none) { $0.union($1) } }
    return Taint(
      members: Dictionary(
        zip(plan.steps.map(\.step.id.value), values), uniquingKeysWith: { $0.union($1) }))
  }

  private func analyse(_ plan: StepPlan, _ key: StepKey, items: [Taint]) -> Taint {
    let step = plan.step
    let outside = Reader(reads: plan.reads, items: items, own: .none, self)
    let item = step.forEach.map { outside.taint(of: $0) } ?? .none
    let reader = Reader(reads: plan.reads, items: items, own: item, self)
    let values: Taint
    switch step.action {
    case .request(let request):
      let foreign = reader.foreign(of: request)
      if !foreign.isEmpty { steps[key] = foreign }
      values = .whole
    case .values(let fields): values = reader.taint(of: fields)
    case .block: values = plan.inner.map { analyse($0, items: items + [item]) } ?? .none
    case .call(let call):
      guard let callee = plan.callee else { return .whole }
      let provenance = Provenance.of(
        callee.root, given: reader.taint(of: call.inputs), memory)
      calls[key] = provenance
      values = provenance.result
    case .wait, .fail, .say: values = .none
    // A person decides, as with an input.
    case .ask: values = .none
    }
    return step.otherwise.map { values.union(reader.taint(of: $0)) } ?? values
  }

  /// Looks up taints as one step sees them.
  private struct Reader {
    let reads: [Read]
    let items: [Taint]
    /// The taint of the step's own item.
    let own: Taint
    let analysis: ProvenanceAnalysis

    init(reads: [Read], items: [Taint], own: Taint, _ analysis: ProvenanceAnalysis) {
      self.reads = reads
      self.items = items
      self.own = own
      self.analysis = analysis
    }

    func foreign(of request: Request) -> Provenance.Foreign {
      let base = request.baseURL.map { isForeign($0.value.url) } ?? false
      func decides(_ url: URLTemplate) -> Bool { url.isRelative ? base : isForeign(url) }
      var foreign: Provenance.Foreign = []
      if base { foreign.insert(.baseURL) }
      if decides(request.endpoint.value.url) { foreign.insert(.endpoint) }
      if case .oauth2(let oauth2)? = request.auth?.scheme, decides(oauth2.tokenURL.value) {
        foreign.insert(.tokenURL)
      }
      if let login = request.login, login.uses.contains(where: { !taint(of: $0.query).isNone }) {
        foreign.insert(.login)
      }
      if request.sendCredentials.contains(where: { isForeign($0.value.url) }) {
        foreign.insert(.listed)
      }
      if let settle = request.settle { foreign.formUnion(self.foreign(of: settle.request)) }
      if let proxy = request.proxy?.value,
        proxy.references.contains(where: { !taint(of: $0.query).isNone })
      {
        foreign.insert(.proxy)
      }
      return foreign
    }

    private func isForeign(_ url: URLTemplate) -> Bool {
      url.originReferences.contains { !taint(of: $0.query).isNone }
    }

    func taint(of iteration: Iteration) -> Taint {
      switch iteration.source.value {
      case .query(let query): taint(of: query.value)
      case .list(let list), .windows(let list): taint(of: list)
      // What a round makes for the next one comes from its responses.
      case .rounds(let rounds):
        Taint(
          members: Dictionary(
            rounds.carried.map { value in
              let isOwn = value.next?.value.uses.isEmpty ?? true
              return (
                value.name,
                isOwn ? value.first.map { taint(of: $0) } ?? .none : .whole
              )
            }, uniquingKeysWith: { $0.union($1) }))
      case .range(let from, let to, let by):
        [from, to, by].compactMap { $0 }.reduce(.none) { $0.union(taint(of: $1)) }
      }
    }

    func taint(of fields: [Field]) -> Taint {
      Taint(
        members: Dictionary(
          fields.map { ($0.name, taint(of: $0.value)) }, uniquingKeysWith: { $0.union($1) }))
    }

    func taint(of data: DataTemplate) -> Taint {
      if let whole = data.wholeReference { return taint(of: whole) }
      let tainted = data.uses.map { !taint(of: $0.query).isNone }
      guard tainted.contains(true) else { return .none }
      // Such a form's result has other members than its sources.
      if data.hasTypedForms { return .whole }
      var walk = DataWalk(uses: zip(data.uses, tainted).map { ($0, $1) }) { taint(of: $0) }
      return walk.taint(of: data.node)
    }

    func taint(of query: Query) -> Taint {
      // The operands of a filter choose among existing values.
      if query.hasInner {
        let others = query.references.dropFirst(query.anchor == .root ? 1 : 0)
        if others.contains(where: { !taint(of: $0.query).isNone }) { return .whole }
      }
      return query.firstNames.reduce(.none) { taint, name in
        guard let read = reads.first(where: { $0.name == name }) else { return taint }
        return taint.union(value(of: read.definition).selected(by: query.segments.dropFirst()))
      }
    }

    private func value(of definition: Definition) -> Taint {
      switch definition {
      case .inputs: analysis.inputs
      // Values that an earlier run left come from responses, too.
      case .state, .pageValue: .whole
      case .run: Taint(members: ["errors": .whole])
      case .itemIndex: .none
      case .step(let level, let index):
        // A failure's message may quote a response.
        analysis.around[analysis.around.count - 1 - level][index]
          .union(Taint(members: ["error": .whole]))
      case .item(let level):
        level == 0 ? own : items[items.count - level]
      case .carried(let level, let name):
        (level == 0 ? own : items[items.count - level]).member(name)
      }
    }
  }
}

/// The taint of a value with templates, member by member.
private struct DataWalk {
  /// In the order of the text, each with whether it is tainted.
  let uses: [(use: DataTemplate.Use, isTainted: Bool)]
  let taint: (Query) -> Taint
  private var next = 0

  init(
    uses: [(use: DataTemplate.Use, isTainted: Bool)], taint: @escaping (Query) -> Taint
  ) {
    self.uses = uses
    self.taint = taint
  }

  mutating func taint(of node: JSONNode) -> Taint {
    switch node.kind {
    case .object where !node.members.contains(where: { $0.name.utf8.first == UInt8(ascii: "$") }):
      var members: [String: Taint] = [:]
      for member in node.members {
        members[member.name] = (members[member.name] ?? .none).union(taint(of: member.value))
      }
      return Taint(members: members)
    case .array:
      // A list shares the taint of its elements.
      return node.elements.reduce(.none) { $0.union(taint(of: $1)) }
    default:
      let first = next
      while next < uses.count, uses[next].use.range.lowerBound < node.range.upperBound { next += 1 }
      let own = uses[first..<next]
      if own.count == 1, let only = own.first, only.use.isWhole { return taint(only.use.query) }
      return own.contains(where: \.isTainted) ? .whole : .none
    }
  }
}

extension BlockPlan {
  /// Whether anything except inputs may decide the target of a request.
  fileprivate var isLed: Bool {
    steps.contains { plan in
      switch plan.step.action {
      case .request(let request): request.isLed
      case .call(let call): call.inputs.contains { !$0.value.uses.isEmpty }
      case .block: plan.inner?.isLed ?? false
      case .values, .wait, .fail, .say, .ask: false
      }
    }
  }
}

extension Request {
  fileprivate var isLed: Bool {
    var isLed = false
    func look(_ url: URLTemplate) {
      url.forEachReference { reference, position in
        guard position == .start || position == .authority else { return }
        if reference.query.firstName != "inputs" || reference.query.hasInner { isLed = true }
      }
    }
    look(endpoint.value.url)
    if let baseURL { look(baseURL.value.url) }
    if case .oauth2(let oauth2)? = auth?.scheme { look(oauth2.tokenURL.value) }
    if let login {
      isLed =
        isLed
        || login.uses.contains { $0.query.firstName != "inputs" || $0.query.hasInner }
    }
    return isLed
      || proxy?.value.references.contains {
        $0.query.firstName != "inputs" || $0.query.hasInner
      } ?? false
  }
}
