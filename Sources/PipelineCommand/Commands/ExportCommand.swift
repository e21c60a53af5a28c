internal import PipelineByteText
internal import PipelineExports
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

/// `pipeline export`: a workflow for an engine that starts its parts.
struct ExportCommand: ComputedCommand {
  private let engine: ExportEngine?
  private let workflow: String
  private let folder: String?
  private let shards: Int?
  private let itemsPerShard: Int?
  private let schedule: String?
  private let program: String
  private let color: ColorChoice

  static let page = CommandPage(
    name: "export",
    summary: "Print a workflow for Airflow, Slurm, Kubernetes or make",
    discussion: [
      "The engine starts 'pipeline part' for each step, and for each shard of a step with 'forEach'."
        + " What is printed is for people to read and edit. FILE is named in it as it is given here;"
        + " in a DAG, a relative path begins at the DAG's folder, and in Jobs at /shared."
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
    engine = arguments.choiceOperand("ENGINE", help: "airflow, slurm, kubernetes or make")
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
    color = arguments.color()
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard let engine else { return .usage }
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
    var options = ExportOptions(file: workflow)
    options.program = self.program
    options.folder = folder
    options.schedule = schedule
    options.itemsPerShard = itemsPerShard ?? options.itemsPerShard
    options.shards = shards
    console.data.write(engine.text(of: plan, options))
    return .success
  }

  /// The problem with the line; `nil`: none.
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

extension ExportEngine: WordChoice {}
