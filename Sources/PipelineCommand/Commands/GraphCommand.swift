internal import Workflows

/// `pipeline graph`: the steps of a workflow and what each follows.
struct GraphCommand: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case text, mermaid, dot, svg, html
  }

  let console: Console

  func run(_ invocation: Invocation) -> ExitStatus {
    guard let (_, plan) = PlanSource(console: console).plan(of: invocation, to: "drawn") else {
      return .invalid
    }
    let format = invocation.value("format").flatMap(Format.init(rawValue:)) ?? .text
    let graph = WorkflowGraph(plan)
    let title = plan.workflow.name
    switch format {
    case .text: console.output.write(GraphTexts.text(graph, title: title))
    case .mermaid: console.output.write(GraphTexts.mermaid(graph, title: title))
    case .dot: console.output.write(GraphTexts.dot(graph, title: title))
    case .svg:
      console.output.write(GraphSVG(picture: .fitting(graph), title: title).text)
    case .html:
      let page = GraphHTML(
        picture: .fitting(graph), title: title, description: plan.workflow.description,
        stepCount: graph.stepCount)
      console.output.write(page.text)
    }
    return .success
  }
}
