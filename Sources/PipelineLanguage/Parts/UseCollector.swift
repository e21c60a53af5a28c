package import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// Gathers every use of the scope in the parts of a step, or in outputs.
package struct UseCollector {
  package private(set) var uses: [Use] = []

  package init(uses: [Use] = []) {
    self.uses = uses
  }

  private mutating func append(_ use: Use) {
    // Most steps that read anything read a few values.
    if uses.isEmpty { uses.reserveCapacity(4) }
    uses.append(use)
  }

  mutating func add(_ part: StepPart) {
    switch part.content {
    case .text(let template, let site), .path(let template, let site):
      add(template, part.mode, site)
    case .url(let url): add(url.value, in: url, part.mode)
    case .baseURL(let base): add(base.value.url, in: base, part.mode)
    case .endpoint(let endpoint): add(endpoint.value.url, in: endpoint, part.mode)
    case .data(let data, let site): add(data, part.mode, site)
    case .scopeQuery(let query): add(scope: query, part.mode)
    case .bodyQuery(let query): add(body: query, part.mode)
    case .condition(let condition, _): add(condition)
    }
  }

  /// The values of outputs, or of the next state.
  mutating func add(_ fields: [Field]?, _ mode: Use.Mode) {
    for field in fields ?? [] { add(field.value, mode, .data) }
  }

  private mutating func add(_ template: Written<Template>, _ mode: Use.Mode, _ site: Site) {
    for case .reference(let reference) in template.value.parts {
      append(
        Use(
          query: reference.query, range: template.range(of: reference.range), mode: mode,
          site: site, isWhole: site == .file && template.value.whole != nil))
    }
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

  private mutating func add(_ data: DataTemplate, _ mode: Use.Mode, _ site: Site) {
    for use in data.uses {
      let waits = mode == .waits || use.mayBeMissing || (use.isQuery && !use.query.isSingular)
      append(
        Use(
          query: use.query, range: use.range, mode: waits ? .waits : .needs,
          site: use.isQuery ? .query : site, isWhole: use.isWhole))
    }
  }

  /// A query of the scope: every `$…` and every `{{…}}` in it.
  private mutating func add(scope query: Written<Query>, _ mode: Use.Mode) {
    for reference in query.value.references {
      let waits = mode == .waits || !reference.query.isSingular
      append(
        Use(
          query: reference.query, range: query.range(of: reference.range),
          mode: waits ? .waits : .needs))
    }
  }

  /// A query of a response's body: only the `{{…}}` in it read the scope.
  private mutating func add(body query: Written<Query>, _ mode: Use.Mode) {
    guard query.value.hasInner else { return }
    for reference in query.value.references where reference.isBinding {
      append(
        Use(query: reference.query, range: query.range(of: reference.range), mode: mode))
    }
  }

  package mutating func add(_ condition: Written<Condition>) {
    for reference in condition.value.references {
      append(
        Use(query: reference.query, range: condition.range(of: reference.range), mode: .waits))
    }
  }
}
