internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

/// What is secret of a step at work: masks its secrets in the facts of a condition, and in the
/// author's own messages.
///
/// It is made only when the step fails.
struct StepSecrets {
  let step: Step
  /// Where the step reads a secret; `nil` if nowhere.
  let ranges: Set<Range<Int>>?
  /// The secret parts of the values that `@` stands for, if it stands for values.
  var values = Taint.none
  let redactor: Redactor

  // MARK: Facts

  /// The value of a query in a condition that does not hold, for a message.
  ///
  /// - Parameter response: The shown text of a value of the response that `@` stands for; `nil` if
  ///   it stands for values.
  func fact(_ query: Query, _ node: JSONNode, response: ((JSONNode, Query) -> String)? = nil)
    -> String
  {
    if query.anchor == .current {
      if let response { return response(node, query) }
      let taint = values.selected(by: query.segments)
      return redactor.shown(taint.isNone ? node.text : node.masked(taint).text, to: 80)
    }
    let isSecret = (step.iterationUses + step.uses).contains { use in
      use.query == query && ranges?.contains(use.range) == true
    }
    return isSecret ? Redactor.mask : redactor.shown(node.text, to: 80)
  }

  // MARK: Texts of the author

  /// The author's message, with masks in place of its secrets.
  func message(
    _ template: Written<Template>, in scope: Scope
  ) throws(FailureReason) -> String {
    do throws(ExpansionError) {
      return try template.value.expand(at: .text) { reference in
        let isSecret = ranges?.contains(template.range(of: reference.range)) == true
        let value = scope.value(of: reference)
        return isSecret && value != nil ? JSONValue.string(Redactor.mask).node : value
      }
    } catch {
      throw FailureReason(error, in: template)
    }
  }

  /// The author's details, as JSON text with masks in place of their secrets; `nil` if absent.
  func details(
    _ data: DataTemplate, in scope: Scope, files: any FileAccess
  ) throws(FailureReason) -> String? {
    let secret = data.uses.filter { ranges?.contains($0.range) == true }
    var writer = JSONWriter(style: .compact)
    let shown = secret.isEmpty ? scope : scope.masking(secret)
    guard try Evaluation.write(data, to: &writer, in: shown, files: files) else { return nil }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Scope {
  /// The scope with a mask in place of each value that one of these uses reads.
  fileprivate func masking(_ uses: [DataTemplate.Use]) -> Scope {
    var masked: [String: Set<Range<Int>>] = [:]
    let context = queryContext()
    for use in uses {
      let ranges = use.query.nodes(in: context).map(\.range)
      for name in use.query.firstNames { masked[name, default: []].formUnion(ranges) }
    }
    func shown(_ name: String) -> JSONNode? {
      guard let ranges = masked[name], let node = value(named: name) else { return nil }
      var writer = JSONWriter(style: .compact)
      writer.write(node, masking: ranges)
      return writer.document().root
    }
    var scope = Scope(shared: shared.replacing { shown($0).map { ScopeValue($0) } }, item: item)
    guard let item else { return scope }
    if let rounds = item.rounds {
      var writer = JSONWriter(style: .compact)
      writer.beginObject()
      for member in item.node.members {
        writer.name(member.name)
        writer.value(shown(member.name) ?? member.value)
      }
      writer.endObject()
      scope.item = Item(of: rounds, index: item.index, carrying: writer.document().root)
    } else if let name = item.name, let node = shown(name) {
      scope.item = Item(
        name: name, indexName: item.indexName, index: item.index, node: node, gaps: item.gaps)
    }
    return scope
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ node: JSONNode, masking ranges: Set<Range<Int>>) {
    if ranges.contains(node.range) { return string(Redactor.mask) }
    switch node.kind {
    case .object:
      beginObject()
      for member in node.members {
        name(member.name)
        write(member.value, masking: ranges)
      }
      endObject()
    case .array:
      beginArray()
      for element in node.elements { write(element, masking: ranges) }
      endArray()
    default: value(node)
    }
  }
}
