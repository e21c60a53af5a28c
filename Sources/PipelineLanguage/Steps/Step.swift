package import PipelineJSONPaths
package import PipelineJSONText
package import PipelineTemplates

/// One step of a workflow: an action, and its conditions and settings.
///
/// By reference: a step is large, never changes, and everything from lint to the run hands it on.
package final class Step: Sendable {
  /// The effect of the step's failure on the run.
  package typealias OnError = FailureEffect

  package let id: Written<String>
  package let description: String?
  package let action: Action
  package let dependsOn: [Written<String>]
  package let when: Written<Condition>?
  package let otherwise: [Field]?
  package let onError: OnError
  /// The failures that it recovers from; `nil` for all of them.
  package let recovers: [RecoveryCause]?
  /// The number of a branch of a choice, from 1; `nil` if the step is none.
  package let branch: Int?
  package let priority: Int
  /// The collection that it runs over: a `forEach`, or the rounds of a `repeat`.
  package let forEach: Iteration?
  /// The attempts of a block or a called file; `nil` if there is one.
  package let retry: RetryPolicy?
  package let expect: Expectation
  /// The whole step.
  package let node: JSONNode

  /// The reads of the step itself, without those of its `forEach` or of the steps of its block.
  package let uses: [Use]
  /// The reads of the step's `forEach`, before there is an item.
  package let iterationUses: [Use]

  init(
    id: Written<String>, description: String?, action: Action, dependsOn: [Written<String>],
    when: Written<Condition>?, otherwise: [Field]?, onError: OnError,
    recovers: [RecoveryCause]? = nil, branch: Int? = nil, priority: Int, forEach: Iteration?,
    retry: RetryPolicy? = nil, expect: Expectation, node: JSONNode
  ) {
    self.retry = retry
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
    // Gathered once: planning, lint and the run ask for them again and again.
    var collector = UseCollector()
    Self.forEachPart(
      when: when, action: action, expect: expect, otherwise: otherwise, iteration: forEach
    ) { collector.add($0) }
    uses = collector.uses
    collector = UseCollector()
    forEach?.forEachPart { collector.add($0) }
    iterationUses = collector.uses
  }

  /// Whether the step's other items go on after one has failed, so that others may read the rows
  /// although the step failed.
  package var collectsFailures: Bool {
    forEach?.onItemError == .collect && onError != .recover
  }

  /// Whether each of its items has state of its own.
  package var hasItemState: Bool {
    if case .block(let block) = action { !block.itemState.isEmpty } else { false }
  }

  /// The single action of a step. Large and rare cases are indirect.
  package enum Action: Sendable {
    case request(Request)
    indirect case call(Call)
    indirect case block(Block)
    case values([Field])
    indirect case wait(Written<Duration>)
    indirect case fail(IntendedFailure)
    /// Shows a text to people.
    indirect case say(Written<Template>)
    case ask(Question)
  }
}

/// Runs another workflow file.
package struct Call: Sendable {
  /// The file's path as written, relative to the file that contains it.
  package var path: Written<String>
  package var inputs: [Field]

  package init(path: Written<String>, inputs: [Field]) {
    self.path = path
    self.inputs = inputs
  }
}
