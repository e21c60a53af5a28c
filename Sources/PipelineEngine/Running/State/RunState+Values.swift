internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

extension RunState {
  /// Hands on what a step, or an item of it, gave.
  ///
  /// - Parameter text: A JSON object.
  mutating func handOn(_ text: [UInt8], of place: StepPlace, item: Int? = nil) {
    guard settings.handsOnValues else { return }
    let label = place.context.label(of: place.step)
    var shown = text
    let steps = place.context.secrecy[place.context.block].steps
    // Nothing is known of a file without secrets.
    if place.step < steps.count, case let taint = steps[place.step].values, !taint.isNone {
      var writer = JSONWriter(style: .compact)
      writer.value(JSONDocument.written(text).root.masked(taint))
      shown = writer.bytes
    }
    actions.append(
      .values(StepValues(step: label.id, path: label.path, item: item, text: shown)))
  }

  /// Hands on what `otherwise` gave for a step that is not a collection.
  mutating func handOn(_ value: ScopeValue?, of place: StepPlace) {
    guard settings.handsOnValues, let value, place.plan.step.forEach == nil else { return }
    var writer = JSONWriter(style: .compact)
    value.write(to: &writer)
    handOn(writer.bytes, of: place)
  }
}
