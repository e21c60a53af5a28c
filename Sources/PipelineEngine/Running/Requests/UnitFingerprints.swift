internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates
internal import Synchronization

/// Works out the keys of units: what each would do, as a digest.
final class UnitFingerprints: Sendable {
  /// The facts that all units of a step share.
  private struct StepPart: Sendable {
    let digest: Fingerprint
    /// The reads of the step that are the same for all items.
    let shared: [Use]
    /// The parts that read the item.
    let own: [Use]
    /// Whether the request carries a file.
    let hasFiles: Bool
  }

  private let steps = Mutex<[ObjectIdentifier: StepPart]>([:])
  private let plans = Mutex<[ObjectIdentifier: Fingerprint]>([:])

  /// What `sandbox:` stands for in this process; `nil` if there is nothing.
  let sandboxOrigin: String?

  init(sandboxOrigin: String? = nil) { self.sandboxOrigin = sandboxOrigin }

  func key(of unit: Unit) -> UnitKey {
    let work = sharedWork(of: unit)
    var hash = SHA256()
    // With an item of a few digits all fits into one block of the hash.
    hash.update(work.fingerprint)
    for use in work.own { hash.update(use.query, in: unit.scope) }
    if work.hasFiles { updateFiles(&hash, unit) }
    return UnitKey(step: unit.label.id, place: unit.place, digest: Fingerprint(hash))
  }

  /// Worked out once for each step at work, because it may be much.
  private func sharedWork(of unit: Unit) -> SharedWork {
    let shared = unit.scope.shared
    if let known = shared.work.withLock({ $0 }) { return known }
    let part = part(of: unit)
    let secret = unit.secretRanges
    let isOpen = { (use: Use) in secret?.contains(use.range) != true }
    var hash = SHA256()
    hash.update(part.digest)
    hash.update(unit.frame.lineage)
    for use in part.shared where isOpen(use) { hash.update(use.query, in: unit.scope) }
    let work = SharedWork(
      Fingerprint(hash), own: part.own.filter(isOpen), hasFiles: part.hasFiles)
    shared.work.withLock { $0 = work }
    return work
  }

  private func part(of unit: Unit) -> StepPart {
    let plan = unit.stepPlan
    if let known = steps.withLock({ $0[ObjectIdentifier(plan)] }) { return known }
    let step = plan.step
    var hash = SHA256()
    hash.update(common(to: unit.frame.plan))
    Self.update(&hash, step.node, leavingOut: Self.irrelevantToUnits)
    let names = plan.loopNames.map { [$0.item, $0.index].compactMap { $0 } } ?? []
    let uses = step.unitUses
    let isOwn = { (use: Use) in use.query.firstNames.contains { names.contains($0) } }
    let part = StepPart(
      digest: Fingerprint(hash), shared: uses.filter { !isOwn($0) }, own: uses.filter(isOwn),
      hasFiles: plan.request?.request.body?.content.hasFiles == true)
    steps.withLock { $0[ObjectIdentifier(plan)] = part }
    return part
  }

  /// The settings of a file for all of its steps.
  private func common(to plan: Plan) -> Fingerprint {
    if let known = plans.withLock({ $0[ObjectIdentifier(plan)] }) { return known }
    var hash = SHA256()
    let workflow = plan.workflow
    var roots = [workflow.document.root]
    if let base = workflow.base {
      roots.append(JSONDocument.parseRecovering(base.source.bytes).0.root)
    }
    for root in roots {
      if let defaults = root["defaults"] {
        Self.update(&hash, defaults, leavingOut: Self.irrelevantToUnits)
      }
      hash.update([0])
    }
    let fingerprint = Fingerprint(hash)
    plans.withLock { $0[ObjectIdentifier(plan)] = fingerprint }
    return fingerprint
  }

  /// Members of a step that do not change the work of its units. They are descriptions, decisions
  /// about when and how many times a unit is carried out, and the consequences of a failure.
  private static let irrelevantToUnits: Set<String> = [
    "id", "description", "priority", "retry", "timeout", "$lint", "dependsOn", "when", "otherwise",
    "onError", "forEach", "concurrency", "until", "cache", "settle",
    "within",
  ]

  private static func update(_ hash: inout SHA256, _ node: JSONNode, leavingOut names: Set<String>)
  {
    let members = node.members.filter {
      !names.contains($0.name) && !$0.name.hasPrefix(bytes: "x-")
    }
    // Their order means nothing.
    for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      hash.update(member.name.utf8)
      hash.update([0])
      hash.update(member.value)
    }
  }

  // MARK: Files

  /// The contents of the files that the request carries. A file that cannot be read is named by its
  /// path alone. The request will report what is wrong.
  func updateFiles(_ hash: inout SHA256, _ unit: Unit) {
    func update(_ path: Written<Template>) {
      for path in (try? Evaluation.paths(path, in: unit.scope)) ?? [] {
        hash.update(path.utf8)
        if let bytes = try? unit.files.read(path) { hash.update(bytes) }
      }
    }
    switch unit.stepPlan.request?.request.body?.content {
    case .file(let file):
      guard let part = file.part else { return update(file.path) }
      guard let path = try? Evaluation.path(file.path, in: unit.scope) else { return }
      hash.update(path.utf8)
      if let piece = try? FilePieces(part, of: file.path, unit.scope, unit.files).piece(of: path) {
        hash.update(piece.bytes)
      }
    case .multipart(let parts):
      for case .file(let path) in parts.map(\.content) { update(path) }
    case .json(let data) where unit.secretRanges?.isEmpty ?? true,
      .madeText(let data) where unit.secretRanges?.isEmpty ?? true:
      var writer = JSONWriter(style: .compact)
      _ = try? Evaluation.write(data, to: &writer, in: unit.scope, files: unit.files)
      hash.update(writer.bytes)
    default: break
    }
  }
}

extension Unit {
  /// The digest of the items that the unit is for: those around it, and its own.
  var items: Fingerprint { frame.lineage(of: scope.item) }
}

extension Body.Content {
  fileprivate var hasFiles: Bool {
    switch self {
    case .file: true
    case .multipart(let parts):
      parts.contains { if case .file = $0.content { true } else { false } }
    case .json(let data), .madeText(let data): data.root.hasFiles
    case .form, .text, .graphQL: false
    }
  }
}

extension DataTemplate.Node {
  fileprivate var hasFiles: Bool {
    switch self {
    case .form(let form):
      form is FileForm || form is FilesForm || form.parts.contains { $0.value.hasFiles }
    case .object(let members): members.contains { $0.value.hasFiles }
    case .array(let nodes): nodes.contains(where: \.hasFiles)
    case .literal, .reference, .query, .text: false
    }
  }
}

extension SHA256 {
  fileprivate mutating func update(_ fingerprint: Fingerprint) {
    update(fingerprint.high)
    update(fingerprint.low)
  }

  /// A value without the space between its parts.
  fileprivate mutating func update(_ node: JSONNode) {
    var writer = JSONWriter(style: .compact)
    writer.value(node)
    update(writer.bytes)
    update([0])
  }

  /// All that a query selects.
  fileprivate mutating func update(_ query: Query, in scope: Scope) {
    if let rows = scope.rows(query) {
      var writer = JSONWriter(style: .compact)
      rows.write(to: &writer)
      update(writer.bytes)
    } else if query.isSingular {
      if let node = query.first(in: scope.queryContext()) { update(value: node) }
    } else {
      for node in query.nodes(in: scope.queryContext()) { update(value: node) }
    }
    update([1])
  }

  private mutating func update(value: JSONNode) {
    update(value.utf8)
    update([0])
  }

  /// The digest of the items around the units of a pass.
  static func lineage(of item: JSONNode, in outer: Fingerprint) -> Fingerprint {
    var hash = SHA256()
    hash.update(outer)
    hash.update(item.utf8)
    return Fingerprint(hash)
  }
}
