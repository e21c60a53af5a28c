import PipelineTemplates

extension DataTemplate.Node {
  /// Calls `body` with each form in the value, an outer one before those in it.
  func forEachForm(_ body: (any DataForm) -> Void) {
    switch self {
    case .literal, .reference, .query, .text: break
    case .object(let members): for member in members { member.value.forEachForm(body) }
    case .array(let items): for item in items { item.forEachForm(body) }
    case .form(let form):
      body(form)
      for part in form.parts { part.value.forEachForm(body) }
    }
  }
}
