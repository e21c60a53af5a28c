import PipelineByteText

/// Names in references of other tools that have no such place here, or another name.
package enum ForeignNames {
  /// The part of a reference that a name stands for.
  package enum Place: Sendable, Hashable {
    /// All steps: `steps.list.total` for `list.total`.
    case steps
    /// The values of a step: `list.outputs.total` for `list.total`.
    case values
    /// The values from outside: `vars.id` for `inputs.id`.
    case inputs
    /// The variables of the process: `env.TOKEN` for an input with `env`.
    case environment
    /// The response of the step that reads: `response.id` for `@.body.id`.
    case response
    /// The number of elements: `list.ids.length` for `length($.list.ids)`.
    case length
  }

  /// Whether another tool has a name for a part of a reference.
  package static func has(_ name: String, for place: Place) -> Bool {
    names[place]?.contains(name) == true
  }

  private static let names: [Place: Set<String>] = Dictionary(
    table.map { row in (row.place, Set(row.names.split(ascii: " ").map(String.init))) }
  ) { $0.union($1) }

  private static let table: [(place: Place, names: String, tool: String)] = [
    (.steps, "steps jobs", "GitHub Actions"), (.steps, "step", "Zapier"),
    (.steps, "tasks", "Tekton"), (.steps, "outputs", "Kestra"), (.steps, "results", "Windmill"),
    (.steps, "nodes", "Dify"),
    (.values, "outputs", "GitHub Actions"), (.values, "output", "Airflow"),
    (.values, "results", "Tekton"), (.values, "result", "Dagster"),
    (.values, "response body", "REST Client"), (.values, "json data", "n8n"),
    (.values, "captures", "Step CI"), (.values, "values extract", "keys of this language"),
    (.inputs, "_", "Insomnia"), (.inputs, "vars github", "GitHub Actions"),
    (.inputs, "var", "Terraform"), (.inputs, "variables", "Azure Pipelines"),
    (.inputs, "params", "Airflow"), (.inputs, "input workflow", "Conductor"),
    (.inputs, "parameters", "Logic Apps"), (.inputs, "globals", "Postman"),
    (.inputs, "config", "Airbyte"),
    (.environment, "env secrets", "GitHub Actions"), (.environment, "process", "Node.js"),
    (.environment, "os environ", "Python"), (.environment, "ENV", "Ruby"),
    (.response, "response", "Postman"), (.response, "body headers status", "Hurl"),
    (.length, "length size", "JavaScript"), (.length, "len", "Python"), (.length, "count", "SQL"),
  ]
}
