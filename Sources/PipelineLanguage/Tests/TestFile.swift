package import PipelineJSONPaths
package import PipelineJSONText
package import PipelineSourceText

/// A decoded `*.test.json`: a workflow, and the expected results of running it.
package struct TestFile: Sendable {
  package let source: SourceFile
  /// The workflow's path as written, relative to this file.
  package let workflow: Written<String>
  package let tests: [WorkflowTest]
}

/// One test of a workflow.
package struct WorkflowTest: Sendable {
  package let name: Written<String>
  package let inputs: [String: JSONValue]
  package let environment: Written<String>?
  package let state: [String: JSONValue]
  package let concurrency: Int?
  package let respond: [StepAnswers]
  /// Where `respond` is written; `nil` if nowhere.
  package let respondRange: Range<Int>?
  /// The recording's path as written, relative to the test file.
  package let replay: Written<String>?
  package let orders: Int
  package let ignored: [Query]
  package let expected: ExpectedRun
  /// The whole test.
  package let node: JSONNode

  /// The response to a step; `nil` if there is none here.
  package func answers(for step: String) -> StepAnswers? {
    respond.first { $0.steps.contains(step) }
  }
}

/// The scripted responses to a step, or to several that share a list.
package struct StepAnswers: Sendable {
  package enum Form: Sendable {
    /// One answer for all requests.
    case all(TestAnswer)
    /// One after the other: for each item, or among the steps that share them.
    case listed([TestAnswer])
    /// For each item one after the other. A single item's last response is repeated.
    case items([[TestAnswer]], areLists: [Bool])
  }

  package let steps: [String]
  package let range: Range<Int>
  package let form: Form

  /// Whether several steps are answered in the order in which they ask.
  package var isShared: Bool { steps.count > 1 }
}

/// The response to a request.
package struct TestAnswer: Sendable {
  /// Ways in which no answer comes.
  package enum Fault: String, Sendable, CaseIterable {
    case refused, reset, timeout, truncated, dns, tls
  }

  package enum Content: Sendable {
    case none
    case json(JSONNode)
    case text(String)
    case file(Written<String>)
    case fault(Fault)
    /// The step's values, without a request.
    case values(JSONNode)
  }

  package var content = Content.none
  package var status = 200
  package var headers: [(name: String, value: String)] = []
  package var delay = Duration.zero
  package let range: Range<Int>

  init(range: Range<Int>) { self.range = range }
}

/// The expected result of a run.
package struct ExpectedRun: Sendable {
  package enum Status: String, Sendable, CaseIterable {
    case succeeded, failed, cancelled, waiting
  }

  /// A failure that there must be.
  package struct Failure: Sendable {
    package let step: Written<String>
    package let item: Int?
    package let kind: String?
    package let status: Int?
    package let message: String?
    package let range: Range<Int>
  }

  /// `nil` if the test expects nothing else, and means a success.
  package let status: Written<Status>?
  package let outputs: JSONNode?
  package let isExact: Bool
  /// Values of the state that the run leaves.
  package let state: JSONNode?
  /// The content of saved files, by path: a text, or values of JSON.
  package let files: JSONNode?
  package let conditions: [Written<Condition>]
  package let failures: [Failure]

  /// What `error.kind` may be.
  package static let failureKinds = [
    "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file",
    "cancelled", "fail",
  ]
}
