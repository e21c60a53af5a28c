extension Command {
  static let state = Command(
    name: "state",
    summary: "Show or change what a workflow's last run left to the next one",
    discussion: [
      "show prints each value of 'state', and which of them are defaults; set gives one another"
        + " value; clear takes one away, or all, so that the next run begins with the defaults."
        + " Write a value that begins with '-' after '--'."
    ],
    operands: [
      .workflow,
      Operand(
        name: "ACTION", arity: .optional, help: "show, set or clear; show without it",
        values: .oneOf(["show", "set", "clear"])),
      Operand(name: "NAME", arity: .optional, help: "The state value", values: .any),
      Operand(
        name: "VALUE", arity: .optional, help: "What it becomes; JSON where it is no string",
        values: .any),
    ],
    options: [
      .state,
      Option(
        name: "environment", letter: "e", argument: .init(name: "NAME", values: .any),
        help: "Take the state of this environment of the workflow"),
      .store, .noStore,
      Option(name: "json", help: "Print the values as JSON"),
      .color, .help,
    ],
    examples: [
      Example(line: "pipeline state workflows/export.json", meaning: "Show what is kept"),
      Example(
        line: "pipeline state workflows/export.json set since 2026-01-01T00:00:00Z",
        meaning: "Export again from that day on"),
      Example(
        line: "pipeline state workflows/export.json clear", meaning: "Begin as if it were new"),
    ])
}
