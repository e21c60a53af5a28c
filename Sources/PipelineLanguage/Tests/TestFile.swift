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
  package var inputs: [String: JSONValue] = [:]
  package var environment: Written<String>?
  package var state: [String: JSONValue] = [:]
  package var concurrency: Int?
  package var respond: [StepAnswers] = []
  /// Where `respond` is written; `nil`: nowhere.
  package var respondRange: Range<Int>?
  /// The recording's path as written, relative to the test file.
  package var replay: Written<String>?
  package var orders = 1
  package var ignored: [Query] = []
  package var expected = ExpectedRun()
  /// The whole test.
  package let node: JSONNode

  init(name: Written<String>, node: JSONNode) {
    self.name = name
    self.node = node
  }

  /// The response to a step; `nil`: there is none here.
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
    case succeeded, failed, cancelled
  }

  /// A failure that there must be.
  package struct Failure: Sendable {
    package var step: Written<String>
    package var item: Int?
    package var kind: String?
    package var status: Int?
    package var message: String?
    package let range: Range<Int>
  }

  /// `nil`: as the author of a test that expects nothing else means it.
  package var status: Written<Status>?
  package var outputs: JSONNode?
  package var isExact = false
  /// Values of the state that the run leaves.
  package var state: JSONNode?
  /// The content of saved files, by path: a text, or values of JSON.
  package var files: JSONNode?
  package var conditions: [Written<Condition>] = []
  package var failures: [Failure] = []

  /// What `error.kind` may be.
  package static let failureKinds = [
    "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file",
    "cancelled", "fail",
  ]
}
