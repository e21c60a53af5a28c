internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
package import PipelineLanguage
internal import Synchronization

/// Compares the rows of an output or a collection with its contract while a run goes on.
///
/// Values that are `null` or absent fit any column, and so do those that a mask stands for. A row
/// that is not an object has one value, in the column `value`.
package final class RowContract: Sendable {
  /// The output or the step whose rows they are.
  package let name: String
  private let contract: Contract
  private let state = Mutex(State())

  fileprivate struct State {
    /// The types by column; `nil` as a type: any.
    var types: [ExactText: Input.ValueType?] = [:]
    /// The columns in their order.
    var columns: [String] = []
    /// Whether the rows of this run say which columns there are.
    var learns = false
    var rows = 0
    var problems: [Problem] = []
    var notes: [String] = []
    var noted: Set<ExactText> = []
  }

  /// A row that is not as the contract says.
  fileprivate struct Problem {
    let message: String
    let range: Range<Int>
  }

  /// How many problems are reported.
  fileprivate static let mostProblems = 5
  fileprivate static let mostNotes = 20
  /// The column of rows that are not objects, as sinks have it.
  private static let valueName = "value"

  /// The contracts of a file.
  package static func all(of workflow: Workflow) -> [RowContract] {
    workflow.contracts.map(RowContract.init)
  }

  private init(_ contract: Contract) {
    self.contract = contract
    name = contract.name
  }

  // MARK: Columns

  /// Takes the columns of the file, or those that an earlier run has left.
  func begin(after given: [String: JSONValue]) {
    state.withLock { state in
      state = State()
      if let columns = contract.declaredColumns {
        for column in columns { state.add(column.name, column.type) }
      } else if let kept = given[contract.stateName]?.node, kept.kind == .object {
        for member in kept.members {
          state.add(member.name, member.value.string.flatMap(Input.ValueType.init(rawValue:)))
        }
      } else {
        state.learns = true
      }
    }
  }

  /// Keeps the columns of the first run for the next ones, and those that were added since.
  func addColumns(to kept: inout [String: JSONValue]) {
    guard contract.declaredColumns == nil else { return }
    let columns = state.withLock { state in
      state.columns.map { name in
        JSONValue.Member(name, .string((state.types[ExactText(name)] ?? nil)?.rawValue ?? "any"))
      }
    }
    if !columns.isEmpty { kept[contract.stateName] = .object(columns) }
  }

  // MARK: Rows

  /// Compares a row with the contract. Returns whether nothing of it is left out.
  func check(_ row: JSONNode) -> Bool {
    state.withLock { state in
      state.rows += 1
      guard row.kind == .object else {
        return row.isNull || check(row, Self.valueName, &state)
      }
      var isWhole = true
      for member in row.members where !check(member.value, member.name, &state) {
        isWhole = false
      }
      return isWhole
    }
  }

  private func check(_ value: JSONNode, _ column: String, _ state: inout State) -> Bool {
    guard let type = state.types[ExactText(column)] else {
      if state.learns {
        state.add(column, Self.type(of: value))
        return true
      }
      return note(newColumn: column, value, &state)
    }
    if state.learns {
      state.learn(column, Self.type(of: value), known: type)
      return true
    }
    guard let type, !Self.fits(value, type) else { return true }
    switch contract.onOtherType {
    case .drop:
      state.note(
        "contract of '\(name)': values of '\(column)' that are not \(type.article) were left out",
        of: column)
      return false
    case .fail:
      state.fail(
        "'\(column)' of '\(name)[\(state.rows - 1)]' must be \(type.article), but is"
          + " \(value.text.shortened(to: 60))", at: range(of: column))
      return true
    }
  }

  private func note(newColumn column: String, _ value: JSONNode, _ state: inout State) -> Bool {
    switch contract.onNewColumn {
    case .drop:
      state.note("contract of '\(name)': the new column '\(column)' was left out", of: column)
      return false
    case .add:
      state.note("contract of '\(name)': the new column '\(column)' was added", of: column)
      if contract.declaredColumns == nil { state.add(column, Self.type(of: value)) }
      return true
    case .fail:
      let known = state.columns.prefix(20).joined(separator: ", ")
      let way =
        contract.declaredColumns == nil
        ? "the first run had \(known)" : "declare it in 'columns'"
      state.fail(
        "'\(name)[\(state.rows - 1)]' has a new column '\(column)'; \(way), and \"onNewColumn\":"
          + " \"add\" or \"drop\" accepts or leaves out new ones", at: contract.nameRange)
      return true
    }
  }

  /// A row without the columns and values that the contract drops.
  func shortened(_ row: JSONNode) -> [UInt8] {
    let types = state.withLock { $0.types }
    var writer = JSONWriter(style: .compact)
    guard row.kind == .object else {
      if isKept(row, Self.valueName, types) { writer.value(row) } else { writer.null() }
      return writer.bytes
    }
    writer.beginObject()
    for member in row.members where isKept(member.value, member.name, types) {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.endObject()
    return writer.bytes
  }

  private func isKept(
    _ value: JSONNode, _ column: String, _ types: [ExactText: Input.ValueType?]
  ) -> Bool {
    guard let type = types[ExactText(column)] else { return contract.onNewColumn != .drop }
    guard contract.onOtherType == .drop, let type else { return true }
    return Self.fits(value, type)
  }

  private func range(of column: String) -> Range<Int> {
    contract.declaredColumns?.first { $0.name.equals(bytes: column) }?.range ?? contract.nameRange
  }

  private static func fits(_ value: JSONNode, _ type: Input.ValueType) -> Bool {
    value.isNull || ValueCheck.holds(value, type)
      || value.string?.contains(bytes: Redactor.mask) == true
  }

  /// The type of a value, as JSON has it; `nil` if `null` has none.
  private static func type(of value: JSONNode) -> Input.ValueType? {
    switch value.kind {
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    case .array: .array
    case .object: .object
    case .null: nil
    }
  }

  // MARK: The end of a run

  /// What was left out or added, for people.
  var notes: [String] { state.withLock { $0.notes } }

  /// The output is not a list.
  func refuse() {
    state.withLock { state in
      state.fail(
        "'\(name)' is one value; a contract is for rows", at: contract.nameRange)
    }
  }

  /// Why the rows may not leave the run; `nil` if they may.
  func failure(in workflow: Workflow) -> StepFailure? {
    state.withLock { state in
      guard let first = state.problems.first else { return nil }
      let place = workflow.place(of: first.range)
      return StepFailure(
        of: "contracts",
        FailureReason(
          .schema, first.message, at: place.range,
          hints: state.problems.dropFirst().map(\.message)),
        at: place.range, in: place.file)
    }
  }
}

extension RowContract.State {
  mutating func add(_ column: String, _ type: Input.ValueType?) {
    if types.updateValue(type, forKey: ExactText(column)) == nil { columns.append(column) }
  }

  /// A column with values of several types takes any.
  mutating func learn(_ column: String, _ type: Input.ValueType?, known: Input.ValueType?) {
    guard let type, known != type, !noted.contains(ExactText(column)) else { return }
    if known != nil { noted.insert(ExactText(column)) }
    types[ExactText(column)] = .some(known == nil ? type : nil)
  }

  mutating func note(_ message: String, of column: String) {
    guard noted.insert(ExactText(column)).inserted, notes.count < RowContract.mostNotes else {
      return
    }
    notes.append(message)
  }

  mutating func fail(_ message: String, at range: Range<Int>) {
    guard problems.count < RowContract.mostProblems else { return }
    problems.append(RowContract.Problem(message: message, range: range))
  }
}

extension RunReport {
  /// The report of a run whose rows have been compared with their contracts. It has failed if they
  /// may not leave it.
  ///
  /// - Parameter state: The state that the run was given.
  func checked(
    by contracts: [RowContract], of workflow: Workflow, given state: [String: JSONValue]
  ) -> RunReport {
    guard !contracts.isEmpty, status == .succeeded else { return self }
    let checked = outputs.checked(by: contracts)
    var failures: [StepFailure] = []
    var failed: [String] = []
    for contract in contracts {
      guard let failure = contract.failure(in: workflow) else { continue }
      failures.append(failure)
      failed.append(contract.name)
    }
    var report = RunReport(
      runID: runID, status: failures.isEmpty ? .succeeded : .failed, failures: failures,
      stopReason: stopReason, counts: counts, duration: duration,
      outputs: checked.leavingOut(failed),
      journalProblem: journalProblem, state: failures.isEmpty ? self.state : state)
    report.changedRequests = changedRequests
    if failures.isEmpty, workflow.leavesState {
      for contract in contracts { contract.addColumns(to: &report.state) }
    }
    return report
  }
}

extension Outputs {
  /// The outputs with rows as the contracts say.
  ///
  /// - Complexity: O(bytes) of the outputs that have a contract.
  func checked(by contracts: [RowContract]) -> Outputs {
    Outputs(
      map { output in
        guard let contract = contracts.first(where: { $0.name.equals(bytes: output.name) }) else {
          return output
        }
        return output.checked(by: contract)
      })
  }
}

extension Outputs.Output {
  fileprivate func checked(by contract: RowContract) -> Outputs.Output {
    guard isList else {
      if !value.isNull { contract.refuse() }
      return self
    }
    var isWhole = true
    for row in elements where !contract.check(row) { isWhole = false }
    if isWhole { return self }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for row in elements { writer.raw(contract.shortened(row)) }
    writer.endArray()
    return Outputs.Output(
      name: name, value: writer.document().root, hidesSecrets: hidesSecrets)
  }
}
