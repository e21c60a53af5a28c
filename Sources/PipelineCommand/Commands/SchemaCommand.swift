internal import PipelineLanguage

/// `pipeline schema`: the JSON Schema of workflow files, or of test files.
struct SchemaCommand: ComputedCommand {
  /// The subject of a schema.
  private enum Subject: String, WordChoice {
    case workflow, test
  }

  private let subject: Subject

  static let page = CommandPage(
    name: "schema",
    summary: "Print the JSON Schema of workflow files, or of test files",
    discussion: [
      "Editors use it to complete and check workflow files; docs/editors.md shows how."
    ],
    examples: [
      Example(
        line: "pipeline schema > workflow.schema.json",
        meaning: "Keep it beside the workflows, for \"$schema\": \"./workflow.schema.json\"")
    ])

  init(_ arguments: inout Arguments) {
    subject =
      arguments.optionalChoiceOperand(
        "workflow|test", help: "What the schema is of; by default workflow") ?? .workflow
  }

  func run(in program: Program) -> ExitStatus {
    program.console.data.write(
      subject == .test ? LanguageSchema.textOfTests : LanguageSchema.text)
    return .success
  }
}
