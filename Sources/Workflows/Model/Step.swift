package import JSONPaths
package import JSONText

/// One step of a workflow: an action, and what surrounds it.
///
/// By reference: a step is large, never changes, and everything from lint to the run hands it on.
package final class Step: Sendable {
  /// What a step's failure does to the run.
  package enum OnError: String, Sendable, CaseIterable {
    /// Cancels what runs and skips the rest.
    case fail
    /// Skips the dependents; the others go on; the run ends failed.
    case `continue`
    /// The step's values come from `otherwise`; the run may succeed.
    case recover
  }

  package let id: Written<String>
  package let description: String?
  package let action: Action
  package let dependsOn: [Written<String>]
  package let when: Written<Condition>?
  package let otherwise: [Field]?
  package let onError: OnError
  package let priority: Int
  package let forEach: Iteration?
  package let expect: Expectation
  /// The whole step.
  package let node: JSONNode

  /// What the step itself reads, its `forEach` aside; not what the steps of its block read.
  package let uses: [Use]
  /// What the step's `forEach` reads, before there is an item.
  package let iterationUses: [Use]

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
  package enum Action: Sendable {
    case request(Request)
    indirect case call(Call)
    indirect case block(Block)
    case values([Field])
    indirect case wait(Written<Duration>)
  }
}

/// Runs another workflow file.
package struct Call: Sendable {
  /// The file's path as written, relative to the file it stands in.
  package var path: Written<String>
  package var inputs: [Field]

  package init(path: Written<String>, inputs: [Field]) {
    self.path = path
    self.inputs = inputs
  }
}
