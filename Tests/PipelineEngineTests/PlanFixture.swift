import PipelineJSONText
import PipelineKit
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import Testing

/// The plan of a workflow given as text; lint's errors fail the test.
func plan(
  _ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Plan {
  let source = SourceFile(name: "test.json", bytes: Array(text.utf8))
  let linted = Linter().lint(source)
  for diagnostic in linted.diagnostics where diagnostic.severity == .error {
    Issue.record(
      "\(DiagnosticRenderer().render(diagnostic, in: source))", sourceLocation: sourceLocation)
  }
  let workflow = try #require(linted.workflow, sourceLocation: sourceLocation)
  return try #require(Plan(workflow), sourceLocation: sourceLocation)
}

/// A workflow of steps alone, each a member of a JSON list.
func plan(
  steps: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Plan {
  try plan("{\"steps\": [\(steps)]}", sourceLocation: sourceLocation)
}
