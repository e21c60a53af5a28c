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
      example: #""./base.json""#)
    let base = extends.flatMap { keys.decoder.readBase($0) }
    self.base = base?.place
    readInputs(&keys, over: base?.workflow)
    keys.decoder.statePlace = keys.range(of: "state")
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
    block = keys.block()
    block.keepsState = keys.decoder.statePlace != nil
    block.next = state.compactMap(\.next)
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
      "The version of this language that the file is written in.", standard: "1", example: "1")
    if let format, format.value > 1 {
      keys.decoder.report(
        .newerFormat, "format \(format.value) needs a newer pipeline; this one reads format 1",
        at: format.range)
    }
    let title = keys.optional(
      "name", .text, "The workflow's name for people; by default, the file's name.",
      example: #""users""#)
    if let title { name = title }
    description = keys.optional(
      "description", .text, "A description of the workflow, for people.",
      example: #""List the users.""#)
  }

  private mutating func readInputs(_ keys: inout Keys, over inherited: Workflow?) {
    let own =
      keys.optional(
        "inputs", InputsType(), "The values that come from outside the run.",
        example: #"{"page": {"type": "integer", "default": 1}}"#, names: .input) ?? []
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
      example: #"{"baseURL": "https://api.example.com", "timeout": "10s"}"#)
    if let defaults { keys.decoder.defaults = defaults }
    if keys.isMeant("defaults") { keys.decoder.namesBaseURL = true }
    let inherited = base?.workflow.limits
    limits =
      keys.optional(
        "limits", LimitsType(inherited: inherited), "Limits of the whole run.",
        example: #"{"concurrency": 4}"#) ?? inherited ?? Limits()
    limitNames = Set(keys.node(of: "limits")?.members.map(\.name) ?? [])
      .union(base?.workflow.limitNames ?? [])
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
      example: #"[{"id": "list", "endpoint": "GET https://api.example.com/users"}]"#)
    let finally = optional(
      "finally", StepListType(), "Steps that run once after all others, however those ended.",
      example: #"[{"id": "bye", "endpoint": "DELETE https://api.example.com/session"}]"#)
    var block = decoder.block(order, steps ?? [], finally: finally ?? [])
    block.outputs = optional(
      "outputs", OutputsType(), "The values that the run returns.",
      example: #"{"total": "{{list.total}}"}"#)
    return block
  }
}

extension LanguageObject {
  /// A whole workflow file.
  static let file = LanguageObject(
    .file, "workflow file", place: "at the top of the file"
  ) { _ = Workflow(&$0) }

  /// A file that others name in `extends`.
  static let base = LanguageObject(
    .base, "file to build on", place: "in a file named by 'extends'"
  ) { keys in
    var workflow = Workflow(
      source: keys.decoder.source, document: keys.decoder.document, name: "")
    workflow.readBase(&keys)
  }
}
