public import JSONPaths
public import JSONText
public import Templates

/// One step of a workflow: an action, and what surrounds it.
///
/// By reference: a step is large, never changes, and everything from lint to the run hands it on.
public final class Step: Sendable {
  /// What a step's failure does to the run.
  public enum OnError: String, Sendable, CaseIterable {
    /// Cancels what runs and skips the rest.
    case fail
    /// Skips the dependents; the others go on; the run ends failed.
    case `continue`
    /// The step's values come from `otherwise`; the run may succeed.
    case recover
  }

  public let id: Written<String>
  public let description: String?
  public let action: Action
  public let dependsOn: [Written<String>]
  public let when: Written<Condition>?
  public let otherwise: [Field]?
  public let onError: OnError
  /// The failures that it recovers from; `nil`: from all.
  public let recovers: [RecoveryCause]?
  /// The number of a branch of a choice, from 1; `nil`: the step is none.
  public let branch: Int?
  public let priority: Int
  public let forEach: Iteration?
  public let expect: Expectation
  /// The whole step.
  public let node: JSONNode

  /// What the step itself reads, its `forEach` aside; not what the steps of its block read.
  public let uses: [Use]
  /// What the step's `forEach` reads, before there is an item.
  public let iterationUses: [Use]

  init(
    id: Written<String>, description: String?, action: Action, dependsOn: [Written<String>],
    when: Written<Condition>?, otherwise: [Field]?, onError: OnError,
    recovers: [RecoveryCause]? = nil, branch: Int? = nil, priority: Int, forEach: Iteration?,
    expect: Expectation, node: JSONNode
  ) {
    self.recovers = recovers
    self.branch = branch
    self.id = id
    self.description = description
    self.action = action
    self.dependsOn = dependsOn
    self.when = when
    self.otherwise = otherwise
    self.onError = onError
    self.priority = priority
    self.forEach = forEach
    self.expect = expect
    self.node = node
    // Gathered while the parts are at hand: all who ask what a step reads need no more than this.
    var collector = UseCollector()
    collector.add(when, .waits)
    collector.add(action)
    collector.add(expect)
    collector.add(otherwise, .waits)
    collector.add(forEach?.until, .waits)
    uses = collector.uses
    collector = UseCollector()
    if let forEach { collector.add(forEach) }
    iterationUses = collector.uses
  }

  /// The one thing that a step does; what is large and seldom is indirect.
  public enum Action: Sendable {
    case request(Request)
    indirect case call(Call)
    indirect case block(Block)
    case values([Field])
    indirect case wait(Written<Duration>)
    indirect case fail(IntendedFailure)
  }
}

/// A failure that the author asks for.
public struct IntendedFailure: Sendable {
  public var message: Written<Template>
  public var details: DataTemplate?

  public init(message: Written<Template>, details: DataTemplate?) {
    self.message = message
    self.details = details
  }
}

/// What a step recovers from.
public enum RecoveryCause: Sendable, Hashable {
  /// A kind of failure, as `error.kind` names it.
  case kind(String)
  /// A status that was not expected.
  case status(StatusPattern)

  /// The kinds that a step can recover from.
  public static let kinds = [
    "network", "timeout", "status", "expect", "extract", "schema", "limit", "value", "file", "fail",
  ]
}

/// Runs another workflow file.
public struct Call: Sendable {
  /// The file's path as written, relative to the file it stands in.
  public var path: Written<String>
  public var inputs: [Field]

  public init(path: Written<String>, inputs: [Field]) {
    self.path = path
    self.inputs = inputs
  }
}
