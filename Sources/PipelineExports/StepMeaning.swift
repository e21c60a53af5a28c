internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineTemplates

/// The step's action, in a line for people.
struct StepMeaning {
  let text: String

  init(_ step: Step) {
    var text: String
    switch step.action {
    case .request(let request):
      let endpoint = request.endpoint.value
      let url = Array(endpoint.text.utf8)[endpoint.urlRange]
      text = request.method + " " + String(decoding: url, as: UTF8.self)
    case .call(let call): text = "the file " + call.path.value
    case .block(let block): text = "a block of " + Self.counted(block.steps.count, "step")
    case .values: text = "values"
    case .fail(let failure): text = "fail: " + failure.message.value.text
    case .say: text = "say"
    case .ask: text = "ask"
    case .wait(let duration): text = "wait " + (duration.node.string ?? "")
    }
    if let rounds = step.forEach?.rounds {
      text += ", in at most " + Self.counted(rounds.maxRounds, "round")
    } else if let iteration = step.forEach {
      text += ", for " + Self.collection(iteration)
    }
    if let condition = step.when?.node.string { text += ", if " + condition }
    self.text = text
  }

  private static func collection(_ iteration: Iteration) -> String {
    switch iteration.source.value {
    case .query(let query): "each of " + query.value.text
    case .list(let list):
      list.shortForm.map { "each of " + $0 } ?? counted(list.node.count, "item")
    case .windows(let windows):
      "each " + (windows.node["by"]?.string ?? "") + " from \(shown(windows, "from")) to "
        + shown(windows, "to")
    case .rounds(let rounds): counted(rounds.maxRounds, "round")
    case .range(let from, let to, _): "the numbers \(shown(from)) to \(shown(to))"
    }
  }

  private static func shown(_ windows: DataTemplate, _ name: String) -> String {
    windows.node[name].map { $0.string ?? $0.text } ?? ""
  }

  private static func shown(_ data: DataTemplate) -> String { data.node.string ?? data.node.text }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }
}
