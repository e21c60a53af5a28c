import Templates

/// A handler in Swift that a step calls.
package struct HandlerUse: Sendable, Hashable {
  /// The name of the handler.
  package let name: String
  /// The id of the step.
  package let step: String
}

extension Plan {
  /// The handlers that the steps call, and those of the called files, each once.
  package var handlers: [HandlerUse] {
    var seen: Set<String> = []
    return root.handlers.filter { seen.insert($0.name).inserted }
  }
}

extension BlockPlan {
  fileprivate var handlers: [HandlerUse] {
    steps.flatMap { step -> [HandlerUse] in
      if case .request(let request) = step.step.action, let name = request.handler {
        return [HandlerUse(name: name, step: step.step.id.value)]
      }
      return step.inner?.handlers ?? step.callee?.root.handlers ?? []
    }
  }
}
