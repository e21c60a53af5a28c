extension Command {
  static let state = Command(
    name: "state",
    summary: "Show or change the state that a workflow keeps between runs",
    discussion: [
      "show prints each value of 'state' and marks the defaults. set changes one value. clear"
        + " removes one value or all of them, so that the next run begins with the defaults."
        + " Write a value that begins with '-' after '--'."
    ],
    operands: [
      .workflow,
      Operand(
        name: "ACTION", arity: .optional, help: "show, set or clear; by default, show",
        values: .oneOf(["show", "set", "clear"])),
      Operand(name: "NAME", arity: .optional, help: "The name of the state value", values: .any),
      Operand(
        name: "VALUE", arity: .optional,
        help: "The new value; JSON if the state value is not a string",
        values: .any),
    ],
    options: [
      .state,
      Option(
        name: "environment", letter: "e", argument: .init(name: "NAME", values: .any),
        help: "Use the state of this environment of the workflow"),
      .store, .noStore,
      Option(name: "json", help: "Print the values as JSON"),
      .color, .help,
    ],
    examples: [
      Example(line: "pipeline state workflows/export.json", meaning: "Show the state"),
      Example(
        line: "pipeline state workflows/export.json set since 2026-01-01T00:00:00Z",
        meaning: "Export again from that day"),
      Example(
        line: "pipeline state workflows/export.json clear",
        meaning: "Let the next run begin with the defaults"),
    ])
}
