internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning

/// The destination of a collection's rows.
enum RowUse: Sendable {
  /// They are the step's value.
  case kept
  /// They are handed on one by one, and the step has no value.
  case handedOn
  /// They are handed on, and are the step's value.
  case both
}

/// The collections of a file whose rows are handed on, by the numbers of the steps, and the
/// extractors of steps with pages whose lists are.
struct HandedRows: Sendable {
  private var uses: [Int: RowUse] = [:]
  private var extractors: [Int: Set<String>] = [:]
  private var taps: [RowTap] = []
  /// The extractors whose rows wait on the disk.
  private var onDisk: [Int: Set<String>] = [:]
  /// What rows are compared with.
  private(set) var contracts: [RowContract] = []
  /// The rows that wait on the disk; `nil` if all are in memory.
  private(set) var spools: RowSpools?

  /// None.
  init() {}

  /// The rows that the options of a run request.
  ///
  /// - Parameter mayBeOnDisk: Whether rows may wait on the disk.
  init(of plan: Plan, _ options: RunOptions, mayBeOnDisk: Bool) {
    spools = options.rowFolder.map { RowSpools(in: $0, keepsNames: options.journal != nil) }
    // A part has only some of the rows. The last one has all.
    if options.part.map({ $0.work == .finish }) ?? true {
      contracts = options.contracts ?? RowContract.all(of: plan.workflow)
    }
    for contract in contracts { contract.begin(after: options.state) }
    taps = options.taps(of: plan, contracts)
    for contract in contracts where !taps.contains(where: { $0.contract === contract }) {
      guard let source = plan.rowSource(named: contract.name), case .collection(_, nil, _) = source,
        let tap = RowTap(of: source, in: plan, contract: contract, receive: { _ in })
      else { continue }
      taps.append(tap)
    }
    let outputs = Set(taps.compactMap(\.output))
    for tap in taps {
      let isOnlyRead = plan.isOnlyRead(tap.source, by: outputs)
      if let extractor = tap.extractor {
        if isOnlyRead { extractors[tap.step, default: []].insert(extractor) }
      } else {
        uses[tap.step] = isOnlyRead ? .handedOn : .both
      }
    }
    guard mayBeOnDisk else { return }
    for step in plan.root.steps.indices {
      let names = plan.rowsOnDisk(of: step, handedOn: extractors[step] ?? [])
      if !names.isEmpty { onDisk[step] = names }
    }
  }

  subscript(_ step: Int) -> RowUse {
    // Most runs hand on none.
    uses.isEmpty ? .kept : uses[step] ?? .kept
  }

  /// The takers of a step's rows.
  func taps(of step: Int) -> [RowTap] {
    taps.isEmpty ? [] : taps.filter { $0.step == step && isHandedOn($0) }
  }

  private func isHandedOn(_ tap: RowTap) -> Bool {
    tap.extractor.map { extractors[tap.step]?.contains($0) == true } ?? true
  }

  /// The extractors of a step whose rows wait on the disk; empty: none.
  func onDisk(_ step: Int) -> Set<String> { onDisk.isEmpty ? [] : onDisk[step] ?? [] }

  /// Whether lists of a step are handed on page by page, and not kept.
  func areByPage(_ step: Int) -> Bool { !extractors.isEmpty && extractors[step] != nil }

  /// The outputs that are handed on page by page.
  func outputsByPage(of step: Int) -> [Int] {
    areByPage(step) ? taps(of: step).filter { $0.extractor != nil }.compactMap(\.output) : []
  }
}

extension RunOptions {
  /// All that takes rows of a run. `rowReader` is one of them.
  func taps(of plan: Plan, _ contracts: [RowContract]) -> [RowTap] {
    guard let rowReader, let source = plan.streamableSource else { return rowTaps }
    let name = plan.workflow.block.outputs?.first?.name
    let contract = contracts.first { contract in name.map(contract.name.equals(bytes:)) == true }
    let tap = RowTap(of: source, in: plan, contract: contract) { event in
      if case .row(let row) = event { rowReader(row) }
    }
    return rowTaps + [tap].compactMap { $0 }
  }
}
