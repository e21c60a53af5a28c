import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

// The keys of a file, in the order of their table.

extension Workflow {
  init(_ keys: inout Keys) {
    let source = keys.decoder.source
    self.init(
      source: source, document: keys.decoder.document, name: Self.title(of: source.name))
    readNames(&keys)
    extends = keys.optional(
      "extends", .written(.path),
      "A file whose inputs, environments, defaults and limits this file extends.",
      example: #""./base.json""#, foreign: ["import include from base"])
    let base = extends.flatMap { keys.decoder.readBase($0) }
    self.base = base?.place
    readInputs(&keys, over: base?.workflow)
    keys.decoder.statePlace = keys.range(of: "state") ?? keys.decoder.itemStatePlace
    state =
      keys.optional(
        "state", StateType(), "Values that a successful run leaves to the next run.",
        example: #"{"since": {"default": "2026-01-01", "next": "{{run.startedAt}}"}}"#,
        names: .input) ?? []
    readSettings(&keys, over: base)
    // A place that could not be read may contain a name.
    if keys.isMeant("extends") || base == nil && keys.has("extends") {
      keys.decoder.namesBaseURL = true
    }
    baseURL = keys.decoder.defaults.baseURL
    contracts =
      keys.optional(
        "contracts", ContractsType(),
        "The columns of the rows that leave the run.",
        example: #"{"users": {"columns": "first"}}"#,
        foreign: ["contract columns"]) ?? []
    block = keys.block()
    block.keepsState = keys.decoder.statePlace != nil
    block.next = state.compactMap(\.next)
    if block.keepsState { keys.decoder.addItemState(of: block, to: &state) }
  }

  /// The keys of a file that others name in `extends`.
  mutating func readBase(_ keys: inout Keys) {
    readNames(&keys)
    readInputs(&keys, over: nil)
    readSettings(&keys, over: nil)
  }

  private mutating func readNames(_ keys: inout Keys) {
    let format = keys.optional(
      "format", .written(.integer(atLeast: 1)),
      "The version of this language that the file is written in.", standard: "1", example: "1",
      foreign: [.says("version arazzo openapi swagger", "write 'format': 1", as: "1")])
    if let format, format.value > 1 {
      keys.decoder.report(
        .newerFormat, "format \(format.value) needs a newer pipeline; this one reads format 1",
        at: format.range)
    }
    let title = keys.optional(
      "name", .text, "The workflow's name for people; by default, the file's name.",
      example: #""users""#,
      foreign: ["title", .says("info", "write 'name' and 'description'")])
    if let title { name = title }
    description = keys.optional(
      "description", .text, "A description of the workflow, for people.",
      example: #""List the users.""#)
  }

  private mutating func readInputs(_ keys: inout Keys, over inherited: Workflow?) {
    let own =
      keys.optional(
        "inputs", InputsType(), "The values that come from outside the run.",
        example: #"{"page": {"type": "integer", "default": 1}}"#, names: .input,
        foreign: [
          .says("env", "write 'inputs', or 'environments' for sets of them"),
          "vars variables parameters params variable args arguments on",
          .says("secrets", "write 'inputs' with \"secret\": true and 'env' in each"),
        ]) ?? []
    let names = Set(own.map(\.name))
    inputs = (inherited?.inputs ?? []).filter { !names.contains($0.name) } + own
    let others = inherited?.environments ?? []
    environments =
      keys.optional(
        "environments", EnvironmentsType(inputs: inputs, inherited: others),
        "Sets of input values; `--environment NAME` chooses one.",
        example: #"{"live": {"page": 2}}"#) ?? others
    defaultEnvironment =
      keys.optional(
        "defaultEnvironment", EnvironmentNameType(names: environments.map(\.name.value)),
        "The environment of a run that chooses none.", example: #""live""#,
        beside: ["environments"]) ?? inherited?.defaultEnvironment
  }

  private mutating func readSettings(_ keys: inout Keys, over base: BaseFile?) {
    keys.decoder.defaults = base?.defaults ?? .none
    let defaults = keys.optional(
      "defaults", DefaultsType(isInherited: base != nil), "Settings that every step inherits.",
      example: #"{"baseURL": "https://api.example.com", "timeout": "10s"}"#,
      foreign: [
        .says(
          "baseURL url host server servers endpoint target",
          "write 'defaults': {\"baseURL\": \"https://api.example.com\"}",
          as: "{\"baseURL\": \"…\"}"),
        .says("client", "write 'defaults': {\"baseURL\": …, \"headers\": …}"),
        .says(
          "headers auth", "write it into 'defaults', which every step inherits",
          as: "{\"@\": …}"),
        .says(
          "authorization config options settings",
          "write it into 'defaults', which every step inherits"),
        .says("retry retries", "write 'defaults': {\"retry\": 3}", as: "{\"retry\": …}"),
      ])
    if let defaults { keys.decoder.defaults = defaults }
    if keys.isMeant("defaults") { keys.decoder.namesBaseURL = true }
    let inherited = base?.workflow.limits
    limits =
      keys.optional(
        "limits", LimitsType(inherited: inherited), "Limits of the whole run.",
        example: #"{"concurrency": 4}"#,
        foreign: [
          .says(
            "timeout deadline", "write 'limits': {\"deadline\": \"10m\"}",
            as: "{\"deadline\": …}"),
          .says("concurrency rate", "write it into 'limits'", as: "{\"@\": …}"),
          .says(
            "parallel maxParallel", "write it into 'limits' as 'concurrency'",
            as: "{\"concurrency\": …}"),
        ]) ?? inherited ?? Limits()
    limitNames = Set(keys.node(of: "limits")?.members.map(\.name) ?? [])
      .union(base?.workflow.limitNames ?? [])
    api =
      keys.optional(
        "api", AttachedDescriptionsType(),
        "The descriptions of the APIs, which lint and editors read: one path, or one for each base URL.",
        example: #"{"https://api.example.com": "./petstore.yaml"}"#,
        foreign: [
          .says(
            "spec specification sourceDescriptions",
            "write 'api': \"./petstore.yaml\"")
        ]) ?? base?.workflow.api ?? []
  }

  /// The file's name without folders and ending.
  private static func title(of path: String) -> String {
    let file = path.split(ascii: "/").last.map(String.init) ?? path
    return file.hasSuffix(bytes: ".json") ? String(file.dropLast(bytes: 5)) : file
  }
}

extension Keys {
  /// The steps of a file.
  fileprivate mutating func block() -> Block {
    let order = value(
      "order", .choice(Block.Order.self), default: .graph,
      "`graph`: only dependencies order the steps. `listed`: each step also follows the one before it.",
      example: #""listed""#)
    let steps = required(
      "steps", stepList, "The steps of the workflow. The list may be empty if there are `outputs`.",
      example: #"[{"id": "list", "endpoint": "GET https://api.example.com/users"}]"#,
      foreign: [
        .says(
          "jobs job stages tasks task operations requests request pipeline item items states resources"
            + " streams collection tests testcases workflows runners triggers flow",
          "write 'steps', a list")
      ])
    let finally = optional(
      "finally", StepListType(), "Steps that run once after all others, however those ended.",
      example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#,
      foreign: ["teardown cleanup after always"])
    var block = decoder.block(order, steps ?? [], finally: finally ?? [])
    block.outputs = optional(
      "outputs", OutputsType(), "The values that the run returns.",
      example: #"{"total": "{{list.total}}"}"#,
      foreign: ["return result results output"])
    return block
  }
}

extension LanguageObject {
  /// A whole workflow file.
  static let file = LanguageObject(
    .file, "workflow file", place: "at the top of the file"
  ) { keys in
    _ = Workflow(&keys)
    keys.advise([
      .says("schedule cron trigger", "leave it out; cron, CI or an orchestrator starts a run"),
      .says("startAt", "steps start when what they read is there; leave it out"),
      .says("namespace id type kind", "leave it out; the file's name names the workflow"),
      .says("sourceDescriptions", "write addresses as 'defaults': {\"baseURL\": …}"),
    ])
  }

  /// A file that others name in `extends`.
  static let base = LanguageObject(
    .base, "file to build on", place: "in a file named by 'extends'"
  ) { keys in
    var workflow = Workflow(
      source: keys.decoder.source, document: keys.decoder.document, name: "")
    workflow.readBase(&keys)
    keys.advise([
      .says("steps", "a base file has none; run it as a step with 'workflow'"),
      .says("finally", "a base file has no steps"),
      .says("outputs", "a base file has none"),
      .says("state", "a base file cannot have state; declare it in the file that is run"),
      .says("contracts", "a base file has no outputs; write it into the file that is run"),
      .says("extends", "a base file cannot extend another file"),
    ])
  }
}
