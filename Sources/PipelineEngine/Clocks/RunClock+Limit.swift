extension RunClock {
  /// What `work` comes to; `nil` if that takes longer than `limit`. Then its task is cancelled, and
  /// awaited until it returns.
  ///
  /// - Parameter executor: Where it is done; `nil` for the executor of the calling task.
  package func limiting<Value: Sendable>(
    to limit: Duration, on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    await withTaskGroup(of: Race<Value>.self) { group in
      group.addTask(executorPreference: executor) { .ended(await work()) }
      group.addTask(executorPreference: executor) {
        do {
          try await self.sleep(for: limit)
          return .late
        } catch {
          return .isCancelled
        }
      }
      for await runner in group {
        switch runner {
        case .ended(let value):
          group.cancelAll()
          return value
        case .late:
          group.cancelAll()
          return nil
        // The work ends soon, too, and says what it came to.
        case .isCancelled: continue
        }
      }
      return nil
    }
  }
}

private enum Race<Value: Sendable>: Sendable {
  case ended(Value)
  case late
  case isCancelled
}
