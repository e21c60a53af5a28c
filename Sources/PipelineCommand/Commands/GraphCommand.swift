internal import PipelineDrawings
internal import PipelineLanguage
internal import PipelinePlanning

/// `pipeline graph`: the steps of a workflow and their dependencies.
struct GraphCommand: ComputedCommand {
  enum Format: String, WordChoice {
    case text, mermaid, dot, svg, html
  }

  private let workflow: String
  private let format: Format
  private let color: ColorChoice

  static let page = CommandPage(
    name: "graph",
    summary: "Draw the steps of a workflow and their dependencies",
    examples: [
      Example(line: "pipeline graph workflows/users.json", meaning: "List the steps by stage"),
      Example(
        line: "pipeline graph workflows/users.json --format html > users.html",
        meaning: "Draw it for a browser"),
    ])

  init(_ arguments: inout Arguments) {
    workflow = arguments.workflow()
    format =
      arguments.choice(
        "format", "FORMAT",
        help: "text, mermaid, dot (Graphviz), svg or html (one self-contained page)") ?? .text
    color = arguments.color()
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard
      let (_, plan) = PlanSource(console: console, color: color).plan(at: workflow, to: "drawn")
    else { return .invalid }
    let graph = WorkflowGraph(plan)
    let title = plan.workflow.name
    switch format {
    case .text: console.output.write(GraphTexts.text(graph, title: title))
    case .mermaid: console.data.write(GraphTexts.mermaid(graph, title: title))
    case .dot: console.data.write(GraphTexts.dot(graph, title: title))
    case .svg:
      console.data.write(GraphSVG(picture: .fitting(graph), title: title).text)
    case .html:
      let page = GraphHTML(
        picture: .fitting(graph), title: title, description: plan.workflow.description,
        stepCount: graph.stepCount)
      console.data.write(page.text)
    }
    return .success
  }
}
