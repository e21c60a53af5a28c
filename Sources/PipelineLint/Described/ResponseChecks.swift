import PipelineByteText
package import PipelineJSONText
package import PipelineLanguage
import PipelineOpenAPI
package import PipelineSourceText

/// What the descriptions that workflows name say of the parts of responses that the workflows read.
///
/// A part that nothing reads is not compared. An object or a list that is read as a whole is compared
/// by its type alone.
package struct ResponseChecks: Sendable {
  /// A response that is not as described.
  package struct Difference: Sendable {
    /// One phrase, which quotes nothing of the response but names that the workflow reads.
    package let message: String
    /// The value that is not as described; `nil` if something is missing.
    package let value: JSONNode?
    /// Where the workflow reads it.
    package let range: Range<Int>
  }

  /// A request of a file, with what is read of its responses.
  private struct Checked: Sendable {
    let request: Request
    let description: APIDescription
    let operations: [Operation]
    let reads: [Read]
  }

  private struct Read: Sendable {
    let path: [DescribedSource.BodyStep]
    let range: Range<Int>
    let mayBeAbsent: Bool
  }

  private let checked: [ObjectIdentifier: Checked]
  /// What is wrong with the descriptions, with the file that names them.
  package let problems: [(file: SourceFile, finding: Diagnostic)]
  /// Whether any file names a description.
  package let hasDescriptions: Bool
  /// Whether a difference fails the step. Otherwise it is noted.
  package let fails: Bool

  /// - Parameters:
  ///   - linted: The file that is run. The files that it calls are compared with their own
  ///     descriptions.
  ///   - loader: Reads the descriptions.
  ///   - fails: Whether a difference fails the step.
  package init(_ linted: LintedWorkflow, _ loader: any FileLoader, fails: Bool) {
    let shelf = DescriptionShelf()
    var checked: [ObjectIdentifier: Checked] = [:]
    var problems: [(file: SourceFile, finding: Diagnostic)] = []
    var hasDescriptions = false
    for file in linted.files {
      guard let context = file.context, !context.workflow.api.isEmpty else { continue }
      hasDescriptions = true
      let apis = DescribedAPIs(context.workflow, given: nil, shelf, loader)
      problems += apis.problems.filter { $0.severity == .error }.map { (file.file, $0) }
      let scope = DescribedScope(
        context.workflow, incomplete: context.incomplete, callees: context.callees, apis)
      let reads = Dictionary(grouping: scope.reads, by: \.step)
      for (number, call) in scope.calls where !call.reached.isEmpty && call.request.read == nil {
        checked[ObjectIdentifier(call.request)] = Checked(
          request: call.request, description: call.description, operations: call.reached,
          reads: (reads[number] ?? []).map {
            Read(path: $0.path, range: $0.range, mayBeAbsent: $0.mayBeAbsent)
          })
      }
    }
    self.checked = checked
    self.problems = problems
    self.hasDescriptions = hasDescriptions
    self.fails = fails
  }

  /// How many requests are compared.
  package var count: Int { checked.count }

  /// The differences of a response that its step expects: for each read at most one.
  ///
  /// If the request may reach several operations, a response is as described if it is by one of them.
  ///
  /// - Complexity: O(reads * size of the body).
  package func differences(
    of request: Request, status: Int, body: JSONNode?
  ) -> [Difference] {
    guard let checked = checked[ObjectIdentifier(request)] else { return [] }
    var first: [Difference] = []
    for operation in checked.operations {
      let found = differences(checked, operation, status, body)
      if found.isEmpty { return [] }
      if first.isEmpty { first = found }
    }
    return first
  }

  private func differences(
    _ checked: Checked, _ operation: Operation, _ status: Int, _ body: JSONNode?
  ) -> [Difference] {
    let documented = checked.description.statuses(of: operation)
    if documented.isEmpty { return [] }
    let range = "\(status / 100)XX"
    let exact = documented.first { $0.equals(bytes: "\(status)") }
    guard
      let described = exact ?? documented.first(where: { $0.uppercased().equals(bytes: range) })
        ?? documented.first(where: { $0.equals(bytes: "default") })
    else {
      let place = (operation.node["responses"] ?? operation.node).position
      return [
        Difference(
          message: "the API describes no status \(status) here (\(place))", value: nil,
          range: checked.request.endpoint.range)
      ]
    }
    guard let body else { return [] }
    let shape = checked.description.responseShape(of: operation) { $0.equals(bytes: described) }
    var found: [Difference] = []
    for read in checked.reads {
      let comparison = ResponseComparison(mayBeAbsent: read.mayBeAbsent, range: read.range)
      guard let difference = comparison.difference(body, shape, read.path[...], "$"),
        !found.contains(where: { $0.message == difference.message })
      else { continue }
      found.append(difference)
    }
    return found
  }
}
