public import JSONPaths
public import JSONText

/// One step of a workflow: an action, and what surrounds it.
public struct Step: Sendable {
  /// What a step's failure does to the run.
  public enum OnError: String, Sendable, CaseIterable {
    /// Cancels what runs and skips the rest.
    case fail
    /// Skips the dependents; the others go on; the run ends failed.
    case `continue`
    /// The step's values come from `otherwise`; the run may succeed.
    case recover
  }

  public var id: Written<String>
  public var description: String?
  public var action: Action
  public var dependsOn: [Written<String>] = []
  public var when: Written<Condition>?
  public var otherwise: [Field]?
  public var onError = OnError.fail
  public var priority = 0
  public var forEach: Iteration?
  public var expect = Expectation()
  /// The whole step.
  public let node: JSONNode

  public init(id: Written<String>, action: Action, node: JSONNode) {
    self.id = id
    self.action = action
    self.node = node
  }

  /// The one thing that a step does; indirect, for steps are copied often and a request is large.
  public indirect enum Action: Sendable {
    case request(Request)
    case call(Call)
    case block(Block)
    case values([Field])
    case wait(Written<Duration>)
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
