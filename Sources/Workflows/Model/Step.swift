public import JSONPaths
public import JSONText

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
    when: Written<Condition>?, otherwise: [Field]?, onError: OnError, priority: Int,
    forEach: Iteration?, expect: Expectation, node: JSONNode
  ) {
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
  }
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
