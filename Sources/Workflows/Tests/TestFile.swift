public import JSONPaths
public import JSONText
public import SourceText

/// A decoded `*.test.json`: a workflow, and what must come of running it.
public struct TestFile: Sendable {
  public let source: SourceFile
  /// The workflow's path as written, relative to this file.
  public let workflow: Written<String>
  public let tests: [WorkflowTest]
}

/// One test of a workflow.
public struct WorkflowTest: Sendable {
  public let name: Written<String>
  public var inputs: [String: JSONValue] = [:]
  public var environment: Written<String>?
  public var state: [String: JSONValue] = [:]
  public var concurrency: Int?
  public var respond: [StepAnswers] = []
  /// The recording's path as written, relative to the test file.
  public var replay: Written<String>?
  public var orders = 1
  public var ignored: [Query] = []
  public var expected = ExpectedRun()
  /// The whole test.
  public let node: JSONNode

  init(name: Written<String>, node: JSONNode) {
    self.name = name
    self.node = node
  }

  /// What answers a step; `nil`: nothing written here does.
  public func answers(for step: String) -> StepAnswers? {
    respond.first { $0.steps.contains(step) }
  }
}

/// What answers the requests of a step, or of several that share a list.
public struct StepAnswers: Sendable {
  public enum Form: Sendable {
    /// One answer for all requests.
    case all(TestAnswer)
    /// One after the other: for each item, or among the steps that share them.
    case listed([TestAnswer])
    /// For each item one after the other; the last answer of a single one serves all.
    case items([[TestAnswer]], areLists: [Bool])
  }

  public let steps: [String]
  public let range: Range<Int>
  public let form: Form

  /// Whether several steps are answered in the order in which they ask.
  public var isShared: Bool { steps.count > 1 }
}

/// What a request is answered with.
public struct TestAnswer: Sendable {
  /// Ways in which no answer comes.
  public enum Fault: String, Sendable, CaseIterable {
    case refused, reset, timeout, truncated, dns, tls
  }

  public enum Content: Sendable {
    case none
    case json(JSONNode)
    case text(String)
    case file(Written<String>)
    case fault(Fault)
    /// The step's values, without a request.
    case values(JSONNode)
  }

  public var content = Content.none
  public var status = 200
  public var headers: [(name: String, value: String)] = []
  public var delay = Duration.zero
  public let range: Range<Int>

  init(range: Range<Int>) { self.range = range }
}

/// What must come of a run.
public struct ExpectedRun: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case succeeded, failed, cancelled
  }

  /// A failure that there must be.
  public struct Failure: Sendable {
    public var step: Written<String>
    public var item: Int?
    public var kind: String?
    public var status: Int?
    public var message: String?
    public let range: Range<Int>
  }

  /// `nil`: as the author of a test that expects nothing else means it.
  public var status: Written<Status>?
  public var outputs: JSONNode?
  public var isExact = false
  public var conditions: [Written<Condition>] = []
  public var failures: [Failure] = []

  /// What `error.kind` may be.
  static let failureKinds = [
    "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file",
    "cancelled",
  ]
}
