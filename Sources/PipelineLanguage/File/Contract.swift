import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// The columns that the rows of an output or a collection have.
package struct Contract: Sendable {
  package enum Columns: Sendable {
    case declared([Column])
    /// The columns of the first run that succeeded.
    case first
  }

  package struct Column: Sendable {
    package let name: String
    package let type: Input.ValueType
    /// The type as written.
    package let range: Range<Int>
  }

  /// What happens to a column that the contract does not have.
  package enum OnNewColumn: String, Sendable, CaseIterable {
    case fail, add, drop
  }

  /// What happens to a value of another type than its column.
  package enum OnOtherType: String, Sendable, CaseIterable {
    case fail, drop
  }

  /// The output or the step whose rows they are.
  package let name: String
  package let nameRange: Range<Int>
  package let columns: Columns
  package let onNewColumn: OnNewColumn
  package let onOtherType: OnOtherType

  /// The columns; `nil` for those of the first run.
  package var declaredColumns: [Column]? {
    if case .declared(let columns) = columns { columns } else { nil }
  }

  /// The name under which the columns of the first run are kept beside the state. No state value can
  /// have it.
  package var stateName: String { "columns of \(name)" }
}

extension Workflow {
  /// Whether the file keeps state, or the columns of a contract beside it.
  package var keepsStateOrColumns: Bool {
    block.keepsState || contracts.contains { $0.declaredColumns == nil }
  }
}

/// The keys of a contract.
private struct ContractKeys: DeclaredObject {
  let columns: Contract.Columns?
  let onNewColumn: Contract.OnNewColumn
  let onOtherType: Contract.OnOtherType

  init(_ keys: inout Keys) {
    columns = keys.required(
      "columns", ContractColumnsType(),
      "The types by column, or `first`: those of the first run that succeeds.",
      example: #"{"amount": "integer"}"#, foreign: ["fields schema properties"])
    onNewColumn = keys.value(
      "onNewColumn", .choice(Contract.OnNewColumn.self), default: .fail,
      "For a column that the contract lacks.", example: #""drop""#)
    onOtherType = keys.value(
      "onOtherType", .choice(Contract.OnOtherType.self), default: .fail,
      "For a value of another type; `drop` leaves out the value.",
      example: #""drop""#)
  }
}

extension LanguageObject {
  /// A member of `contracts`.
  static let contract = LanguageObject(
    .contract, "contract", place: "in a contract", of: ContractKeys.self)
}

/// The value of `contracts`.
struct ContractsType: ValueType {
  var description: LanguageType { .map(.object(.contract)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Contract]? {
    guard decoder.isMap(node, name, "an object of names of outputs and contracts") else {
      return nil
    }
    return node.members.compactMap { member in
      guard
        let fields = decoder.fields(
          of: member.value, .contract, .named("contract", member.name),
          wanted: "an object such as {\"columns\": {\"id\": \"integer\"}}", meant: nil),
        let keys = decoder.object(ContractKeys.self, fields), let columns = keys.columns
      else { return nil }
      return Contract(
        name: member.name, nameRange: member.nameRange, columns: columns,
        onNewColumn: keys.onNewColumn, onOtherType: keys.onOtherType)
    }
  }
}

/// The value of `columns` in a contract.
private struct ContractColumnsType: ValueType {
  private static let types = ChoiceType<Input.ValueType>()

  private enum First: String, CaseIterable, Sendable { case first }

  var description: LanguageType {
    .either([ChoiceType<First>().description, .map(Self.types.description)])
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Contract.Columns? {
    if node.kind == .string {
      return ChoiceType<First>().read(node, name, &decoder).map { _ in .first }
    }
    guard decoder.isMap(node, name, "an object of columns and types, or \"first\"") else {
      return nil
    }
    return .declared(
      node.members.compactMap { member in
        Self.types.read(member.value, member.name, &decoder).map {
          Contract.Column(name: member.name, type: $0, range: member.value.range)
        }
      })
  }
}
