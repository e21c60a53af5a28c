import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// Gathers every use of the scope in a part of a workflow.
///
/// Does not descend into the steps of a block: those are users of their own.
struct UseCollector {
  private(set) var uses: [Use] = []

  private mutating func append(_ use: Use) {
    // Most steps that read anything read a few values.
    if uses.isEmpty { uses.reserveCapacity(4) }
    uses.append(use)
  }

  mutating func add(_ template: Written<Template>?, _ mode: Use.Mode, _ site: Site = .text) {
    guard let template else { return }
    for case .reference(let reference) in template.value.parts {
      append(
        Use(
          query: reference.query, range: template.range(of: reference.range), mode: mode,
          site: site, isWhole: site == .file && template.value.whole != nil))
    }
  }

  mutating func add(_ url: Written<URLTemplate>?, _ mode: Use.Mode) {
    guard let url else { return }
    add(url.value, in: url, mode)
  }

  mutating func add(_ base: Written<BaseURL>?, _ mode: Use.Mode) {
    guard let base else { return }
    add(base.value.url, in: base, mode)
  }

  mutating func add(_ endpoint: Written<Endpoint>, _ mode: Use.Mode) {
    add(endpoint.value.url, in: endpoint, mode)
  }

  private mutating func add<Value>(
    _ url: URLTemplate, in written: Written<Value>, _ mode: Use.Mode
  ) {
    url.forEachReference { reference, position in
      append(
        Use(
          query: reference.query, range: written.range(of: reference.range), mode: mode,
          site: .url(position)))
    }
  }

  mutating func add(_ data: DataTemplate?, _ mode: Use.Mode, _ site: Site = .data) {
    guard let data else { return }
    for use in data.uses {
      let waits = mode == .waits || use.mayBeMissing || (use.isQuery && !use.query.isSingular)
      append(
        Use(
          query: use.query, range: use.range, mode: waits ? .waits : .needs,
          site: use.isQuery ? .query : site, isWhole: use.isWhole))
    }
  }

  /// A query of the scope: every `$…` and every `{{…}}` in it.
  mutating func add(scope query: Written<Query>, _ mode: Use.Mode) {
    for reference in query.value.references {
      let waits = mode == .waits || !reference.query.isSingular
      append(
        Use(
          query: reference.query, range: query.range(of: reference.range),
          mode: waits ? .waits : .needs))
    }
  }

  /// A query of a response's body: only the `{{…}}` in it read the scope.
  mutating func add(body query: Written<Query>?, _ mode: Use.Mode) {
    guard let query, query.value.hasInner else { return }
    for reference in query.value.references where reference.isBinding {
      append(
        Use(query: reference.query, range: query.range(of: reference.range), mode: mode))
    }
  }

  mutating func add(_ condition: Written<Condition>?, _ mode: Use.Mode) {
    guard let condition else { return }
    for reference in condition.value.references {
      append(
        Use(query: reference.query, range: condition.range(of: reference.range), mode: mode))
    }
  }

  mutating func add(_ fields: [Field]?, _ mode: Use.Mode) {
    for field in fields ?? [] { add(field.value, mode) }
  }

  mutating func add(_ parameters: [Request.Parameter], _ mode: Use.Mode, _ site: Site) {
    for parameter in parameters { add(parameter.value, mode, site) }
  }
}
