internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates
internal import PipelineURIs

/// Texts of a workflow with the values that are known before a run: its inputs and state, and
/// values that steps compute from these alone.
///
/// A secret is shown as a mask. A value that only a run knows stays `{{…}}`.
struct KnownValues: Sendable {
  static let mask = "•••"

  /// The inputs, as one object.
  let inputs: JSONNode
  /// The state that the last run left, as one object; `nil` if the workflow keeps no state.
  let state: JSONNode?
  /// The state values that each item has by itself.
  private let itemState: Set<String>
  let secrets: Set<String>
  /// The optional inputs that have no value.
  private let absentInputs: Set<String>
  /// Where the file itself holds credentials.
  let written: Set<Range<Int>>
  /// The values that steps compute, by their ids.
  private var steps: [String: JSONNode] = [:]
  /// The values of steps that are absent, by the steps' ids.
  private var absentValues: [String: Set<String>] = [:]
  /// The steps with values that only a run knows.
  private var partial: Set<String> = []

  init(
    inputs: JSONNode, state: JSONNode?, absent: Set<String>, ofItems itemState: Set<String> = [],
    secrets: Set<String>, written: Set<Range<Int>>
  ) {
    self.inputs = inputs
    self.state = state
    self.itemState = itemState
    absentInputs = absent
    self.secrets = secrets
    self.written = written
  }

  /// Adds the values of a step that computes, except those that only a run knows.
  mutating func add(_ fields: [Field], of step: String) {
    let known = fields.compactMap { field in
      value(of: field).map { JSONValue.Member(field.name, $0) }
    }
    if !known.isEmpty { steps[step] = JSONValue.object(known).node }
    let absent = Set(fields.filter { data($0) == nil }.map(\.name))
    absentValues[step] = absent
    if known.count + absent.count < fields.count { partial.insert(step) }
  }

  /// The value of a field, if it is known; `nil` if it is absent.
  func data(_ field: Field) -> JSONValue? {
    if let value = value(of: field) { return value }
    if let query = field.value.query, isAbsent(query) { return nil }
    return data(field.value.node)
  }

  /// Whether it is certain that there is nothing to read.
  private func isAbsent(_ query: Query) -> Bool {
    // What is read by a computed key depends on the key.
    guard query.isSingular, !query.hasKey, query.segments.count > 1, let owner = query.firstName,
      let name = query.segments[1].name
    else { return false }
    if owner == "inputs", absentInputs.contains(name) { return true }
    if owner == "state", let state, state[name] == nil { return !itemState.contains(name) }
    if absentValues[owner]?.contains(name) == true { return true }
    // A value that is known as a whole has no unknown parts.
    let known = scope.value(named: owner)?[name]
    return known != nil && !isSecret(query) && query.first(in: context) == nil
  }

  /// Whether a part of a text is certain to be absent.
  func isAbsent(_ template: Template) -> Bool {
    template.references.contains { isAbsent($0.query) }
  }

  /// The value of a field all of whose readings are known; `nil` if only a run knows it, or if it
  /// is secret.
  func value(of field: Field) -> JSONValue? {
    for use in field.value.uses {
      guard !isSecret(use.query), !isPartial(use.query), let name = use.query.firstName,
        scope.value(named: name) != nil,
        !use.query.isSingular || use.query.first(in: context) != nil
      else { return nil }
    }
    guard let query = field.value.query else { return data(field.value.node) }
    if query.isSingular { return query.first(in: context).map { JSONValue($0) } }
    return .array(query.nodes(in: context).map { JSONValue($0) })
  }

  private var context: QueryContext {
    QueryContext(root: .scope(scope), current: nil) { _ in nil }
  }

  private var scope: KnownScope { KnownScope(inputs: inputs, state: state, steps: steps) }

  /// The value that a reference reads; `nil` if only a run knows.
  private func value(of reference: Template.Reference) -> JSONNode? {
    guard let name = reference.query.firstName, scope.value(named: name) != nil,
      !isPartial(reference.query)
    else { return nil }
    return reference.query.first(in: context)
  }

  /// Whether it reads more of a step than is known.
  private func isPartial(_ query: Query) -> Bool {
    guard let owner = query.firstName, partial.contains(owner) else { return false }
    return query.segments.count == 1 || query.segments[1].name == nil
  }

  private func isSecret(_ reference: Template.Reference) -> Bool { isSecret(reference.query) }

  private func isSecret(_ query: Query) -> Bool {
    guard query.firstName == "inputs", !secrets.isEmpty else { return false }
    guard query.segments.count > 1 else { return true }
    for selector in query.segments[1].selectors {
      guard case .name(let name) = selector.kind else { return true }
      if secrets.contains(name.text) { return true }
    }
    return false
  }

  /// The replacement of a reference in a text.
  private func text(_ reference: Template.Reference, encodes: Bool) -> String {
    if isSecret(reference) { return Self.mask }
    guard let value = value(of: reference) else { return "{{\(reference.text)}}" }
    let text = value.string ?? value.text
    return encodes ? URI.percentEncode(text) : text
  }

  /// A text with references.
  func text(_ template: Template) -> String {
    template.parts.map { part in
      switch part {
      case .text(let text): text
      case .reference(let reference): text(reference, encodes: false)
      }
    }.joined()
  }

  func text(_ string: String) -> String { text(Template.parse(string).template) }

  /// A URL that is the text of a template at `range`, in UTF-8.
  func url(_ url: URLTemplate, of text: String) -> String {
    let bytes = Array(text.utf8)
    var result = ""
    var end = bytes.count - url.text.utf8.count
    for (reference, position) in url.references where reference.range.lowerBound >= end {
      result += String(decoding: bytes[end..<reference.range.lowerBound], as: UTF8.self)
      let encodes = (position == .path && !reference.isReserved) || position == .query
      result += self.text(reference, encodes: encodes)
      end = reference.range.upperBound
    }
    return result + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// Data with references at any depth; `nil`, and left out of lists and objects, if it is absent.
  func data(_ node: JSONNode) -> JSONValue? {
    if written.contains(node.range) { return .string(Self.mask) }
    switch node.kind {
    case .string:
      let template = Template.parse(node.string ?? "").template
      if let whole = template.whole, isAbsent(whole.query) { return nil }
      if let whole = template.whole, !isSecret(whole), let value = value(of: whole) {
        return JSONValue(value)
      }
      return .string(text(template))
    case .array: return .array(node.elements.compactMap { data($0) })
    case .object:
      return .object(
        node.members.compactMap { member in
          data(member.value).map { JSONValue.Member(member.name, $0) }
        })
    case .number, .boolean, .null: return JSONValue(node)
    }
  }

  /// The texts of a parameter: one for each element of a list.
  func texts(_ node: JSONNode, encodes: Bool) -> [String] {
    let value = data(node)
    let values: [JSONValue]
    switch value {
    case .array(let elements)?: values = elements
    case .null?, nil: values = []
    case let value?: values = [value]
    }
    return values.map { value in
      guard case .string(let text) = value else { return value.node.text }
      return encodes && !text.contains(bytes: "{{") && text != Self.mask
        ? URI.percentEncode(text) : text
    }
  }
}

private struct KnownScope: QueryScope {
  let inputs: JSONNode
  let state: JSONNode?
  let steps: [String: JSONNode]

  func value(named name: String) -> JSONNode? {
    if name == "inputs" { return inputs }
    return name == "state" ? state ?? steps[name] : steps[name]
  }
}
