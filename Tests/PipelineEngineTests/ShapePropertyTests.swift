import PipelineJSONPaths
import PipelineJSONText
import PipelineKit
import PipelineLanguage
@testable import PipelineLint
@testable import PipelinePlanning
import PipelineSourceText
import PipelineTemplates
import PipelineTestSupport
import PipelineTesting
import Testing

/// What lint knows of values before a run, held against what runs of random workflows give.
@Suite struct ShapePropertyTests {
  @Test(arguments: 0..<40) func whatLintKnowsIsWhatARunGives(seed: Int) async throws {
    for part in 0..<LongTests.count(3, long: 10) {
      var generator = RandomWorkflow(seed: UInt64(seed * 10 + part))
      let text = generator.text()
      let bodies = generator.bodies
      let linted = Linter().lint(SourceFile(name: "test.json", bytes: Array(text.utf8)))
      let workflow = try #require(linted.workflow)
      // Made by hand, since a file that lint refuses has none.
      let plan = try #require(Plan(workflow))
      let transport = ScriptedTransport { request in
        .text(
          bodies[String(request.url.split(separator: "/").last ?? "")] ?? "{}",
          type: "application/json")
      }
      var options = RunOptions()
      options.clock = InstantClock()
      let report = try await Pipeline(plan, transport: transport, options: options).run().result
        .report
      guard report.status == .succeeded else { continue }
      let problems = try Self.problems(of: linted, report.outputs)
      #expect(problems == [], "\(text)")
    }
  }

  /// What lint claimed and did not happen.
  private static func problems(
    of linted: LintedWorkflow, _ outputs: Outputs
  ) throws -> [String] {
    let context = try #require(linted.context)
    // What is not carried out, or fails under 'recover', may be wrong though a run goes well.
    let isAllCarriedOut = context.steps.map(\.step).allSatisfy {
      $0.when == nil && $0.forEach == nil && $0.onError == .fail
    }
    var problems = linted.diagnostics.filter { $0.severity == .error }
      .filter {
        ![
          "list-in-scalar-place", "for-each-type", "bound-type", "certain-failure",
        ].contains($0.code)
          || isAllCarriedOut
      }
      // What selects nothing is a mistake, too: its claim is judged below.
      .filter { $0.code != "unknown-reference" }.map(\.message)
    for number in context.blocks[0].steps {
      let step = context.steps[number].step
      let name = step.id.value
      let value = outputs[name]
      if let problem = context.shapes[number].value.problem(with: value) {
        problems.append("\(name)\(problem)")
      }
      guard case .values(let fields) = step.action, step.forEach == nil, step.otherwise == nil,
        let value
      else { continue }
      for field in fields {
        guard let query = field.value.wholeReference, let given = value[field.name],
          case .missing = context.read(query, in: number), given.count > 0 || given.kind != .array
        else { continue }
        problems.append("\(name).\(field.name) is \(given.text) and was said to be nothing")
      }
    }
    return problems
  }
}

extension ValueShape {
  /// Where and how a value is not what this says; `nil`: it is.
  fileprivate func problem(with value: JSONNode?) -> String? {
    guard let value else { return maybeAbsent ? nil : " is absent" }
    if value.isNull {
      if case .null = content { return nil }
      return maybeNull ? nil : " is null"
    }
    if maybeList, value.kind == .array {
      return value.elements.lazy.compactMap { list(false).problem(with: $0) }.first.map {
        "[]" + $0
      }
    }
    let wrong = " is \(value.text) and not \(words)"
    switch content {
    case .unknown: return nil
    case .choice(let shapes):
      return shapes.contains { $0.problem(with: value) == nil } ? nil : wrong
    case .string: return value.kind == .string ? nil : wrong
    case .integer: return value.number?.isInteger == true ? nil : wrong
    case .number: return value.kind == .number ? nil : wrong
    case .boolean: return value.kind == .boolean ? nil : wrong
    case .null: return wrong
    case .list(let element):
      guard value.kind == .array else { return wrong }
      return value.elements.lazy.compactMap { element.problem(with: $0) }.first.map { "[]" + $0 }
    case .object(let members, let isOpen):
      guard value.kind == .object else { return wrong }
      for (name, shape) in members.list {
        if let problem = shape.problem(with: value[name]) { return ".\(name)" + problem }
      }
      let unknown = value.members.first { members[$0.name] == nil && !isOpen }
      return unknown.map { " has '\($0.name)'" }
    }
  }
}
