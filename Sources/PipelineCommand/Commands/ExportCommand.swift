internal import PipelineByteText
internal import PipelineExports
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates

/// `pipeline export`: a workflow for an engine that starts its parts.
struct ExportCommand: ComputedCommand {
  private let target: Target?
  private let workflow: String
  private let folder: String?
  private let shards: Int?
  private let itemsPerShard: Int?
  private let schedule: String?
  private let program: String
  private let isPartial: Bool
  private let color: ColorChoice

  /// An engine, or another format.
  private enum Target: String, WordChoice {
    case airflow, slurm, kubernetes, make, arazzo

    var engine: ExportEngine? { ExportEngine(rawValue: rawValue) }
  }

  static let page = CommandPage(
    name: "export",
    summary: "Print a workflow for Airflow, Slurm, Kubernetes or make, or as Arazzo",
    discussion: [
      "The engine starts 'pipeline part' for each step, and for each shard of a step with 'forEach'."
        + " What is printed is for people to read and edit. FILE is named in it as it is given here;"
        + " in a DAG, a relative path begins at the DAG's folder, and in Jobs at /shared.",
      "An Arazzo file has the operations of the one description that 'api' names. What Arazzo cannot"
        + " say is named on stderr with its line; then nothing is written unless --partial is given.",
    ],
    examples: [
      Example(
        line: "pipeline export airflow users.json --schedule '@daily' > dags/users.py",
        meaning: "Make a DAG of Airflow 3"),
      Example(
        line: "pipeline export make users.json --shards 8 > Makefile",
        meaning: "Make a Makefile for 'make -j'"),
    ])

  init(_ arguments: inout Arguments) {
    target = arguments.choiceOperand(
      "ENGINE", help: "airflow, slurm, kubernetes, make or arazzo")
    workflow = arguments.operand(
      "FILE", .file(ending: ".json"), help: "The workflow's file, as the engine's machines see it")
    folder = arguments.value(
      "folder", "DIR", .folder,
      help: "Keep runs in DIR, which all machines see; for airflow and slurm, each run has a"
        + " folder of its own below it")
    shards = arguments.number(
      "shards", in: 1...1000,
      help: "Split a collection into N shards: for airflow at most 64 by default, for slurm and"
        + " kubernetes 16, for make 4")
    itemsPerShard = arguments.number(
      "items-per-shard", in: 1...1_000_000,
      help: "Give each shard N items, until there are --shards of them; 500 by default (airflow)")
    schedule = arguments.value(
      "schedule", "CRON", .any, help: "Begin a run by this schedule (airflow)")
    program =
      arguments.value(
        "pipeline", "PATH", .file(ending: nil),
        help: "The path of 'pipeline' on the engine's machines, if it is not in their PATH")
      ?? "pipeline"
    isPartial = arguments.flag(
      "partial", help: "Write the file even if something cannot be said in it (arazzo)")
    color = arguments.color()
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    if target == .arazzo { return arazzo(console) }
    guard let engine = target?.engine else { return .usage }
    if let problem = problem(for: engine) {
      console.complain(problem)
      return .usage
    }
    guard
      let (_, plan) = PlanSource(console: console, color: color).plan(
        at: workflow, to: "exported")
    else { return .invalid }
    if schedule != nil,
      let input = plan.workflow.inputs.first(where: {
        $0.isRequired && !$0.isSecret && $0.variable == nil
      })
    {
      console.complain(
        "a scheduled run is given no value for input '\(input.name)'; give it a default or 'env',"
          + " or leave out --schedule")
      return .invalid
    }
    if let handler = plan.handlers.first {
      console.complain(handler.refusal)
      return .invalid
    }
    if let (step, question) = plan.questions().first(where: { $0.question.needsAnswer }) {
      console.complain(
        "step '\(step)' asks '\(question.text.value.text)', and an engine has nobody to ask; give each"
          + " of its answers a default, or leave the step out")
      return .invalid
    }
    var options = ExportOptions(file: workflow)
    options.program = self.program
    options.folder = folder
    options.schedule = schedule
    options.itemsPerShard = itemsPerShard ?? options.itemsPerShard
    options.shards = shards
    console.data.write(engine.text(of: plan, options))
    return .success
  }

  /// Prints the workflow as an Arazzo file.
  private func arazzo(_ console: Console) -> ExitStatus {
    guard
      let (linted, plan) = PlanSource(console: console, color: color).plan(
        at: workflow, to: "exported")
    else { return .invalid }
    let apis = plan.workflow.api
    guard apis.count == 1, let api = apis.first else {
      console.complain(
        "an Arazzo file names the operations of one description; '\(workflow)' names"
          + " \(apis.isEmpty ? "none" : "several") with 'api'")
      return .invalid
    }
    let folder = api.holder.lastIndex(ascii: "/").map { String(api.holder[...$0]) } ?? ""
    guard let description = DescribedAPI.read(folder + api.file.value, console) else {
      return .invalid
    }
    let source = linted.file
    var writer = ArazzoWriter(
      plan.workflow.document.root, file: workflow,
      line: { source.position(at: $0.range.lowerBound).line }, description, url: api.file.value)
    let file = writer.file()
    writer.report.write(to: console)
    guard let file, isPartial || writer.report.refused.isEmpty else {
      console.error.write(
        line: "Nothing is written, because something was refused; --partial writes the rest.")
      return .failure
    }
    console.json.write(WorkflowLayout.text(of: file.node))
    return .success
  }

  /// The problem with the line; `nil` if there is none.
  private func problem(for engine: ExportEngine) -> String? {
    if workflow == "-" {
      return "the engine cannot read the workflow from stdin; name its file"
    }
    if itemsPerShard != nil, !engine.countsItems {
      return "--items-per-shard needs an engine that counts items, such as airflow; use --shards"
    }
    if schedule != nil, !engine.hasSchedule {
      return "--schedule needs an engine with a clock, such as airflow"
    }
    if let schedule, !Self.isSchedule(schedule) {
      return "'\(schedule)' is not a schedule; write five fields, as in \"0 6 * * *\", or '@daily'"
    }
    let names = [workflow, self.program, folder ?? ""]
    if let name = names.first(where: { $0.utf8.contains { $0 < 0x20 } }) {
      return "the name '\(Cells.printable(name))' holds a line break or another control character;"
        + " rename it"
    }
    return nil
  }

  /// Airflow's words for schedules.
  private static let words = [
    "@once", "@continuous", "@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly",
  ]

  /// Five or six fields of cron, or a word.
  private static func isSchedule(_ text: String) -> Bool {
    if text.hasPrefix(bytes: "@") {
      return words.contains(text)
    }
    let allowed = ASCIISet.letters.union(.digits).union(ASCIISet("*/,-#?LW"))
    let fields = text.split(ascii: " ")
    return (5...6).contains(fields.count)
      && fields.allSatisfy { $0.utf8.allSatisfy(allowed.contains) }
  }
}
