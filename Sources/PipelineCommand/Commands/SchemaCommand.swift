internal import Workflows

/// `pipeline schema`: the JSON Schema of workflow files.
struct SchemaCommand: ComputedCommand {
  static let page = CommandPage(
    name: "schema",
    summary: "Print the JSON Schema of workflow files",
    discussion: [
      "Editors use it to complete and check workflow files; docs/editors.md shows how."
    ],
    examples: [
      Example(
        line: "pipeline schema > workflow.schema.json",
        meaning: "Keep it beside the workflows, for \"$schema\": \"./workflow.schema.json\"")
    ])

  init(_ arguments: inout Arguments) {}

  func run(in program: Program) -> ExitStatus {
    program.console.output.write(LanguageSchema.text)
    return .success
  }
}
