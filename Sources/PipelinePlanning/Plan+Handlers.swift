import PipelineByteText
import PipelineLanguage
import PipelineTemplates

/// A handler in Swift that a step calls.
package struct HandlerUse: Sendable {
  /// The name of the handler.
  package let name: String
  /// The id of the step.
  package let step: String

  /// The handlers of the steps and of the called files, each once.
  ///
  /// A file may be called often, so each knows its own.
  static func uses(in block: BlockPlan) -> [HandlerUse] {
    var uses: [HandlerUse] = []
    var seen: Set<ExactText> = []
    var files: Set<ObjectIdentifier> = []
    func add(_ block: BlockPlan) {
      for step in block.steps {
        if case .request(let request) = step.step.action, let name = request.handler {
          add(HandlerUse(name: name, step: step.step.id.value))
        }
        if let inner = step.inner { add(inner) }
        if let callee = step.callee, files.insert(ObjectIdentifier(callee)).inserted {
          for use in callee.handlers { add(use) }
        }
      }
    }
    func add(_ use: HandlerUse) {
      if seen.insert(ExactText(use.name)).inserted { uses.append(use) }
    }
    add(block)
    return uses
  }
}
