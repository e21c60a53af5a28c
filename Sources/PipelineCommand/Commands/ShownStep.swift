internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineRecordings
internal import PipelineSourceText
internal import PipelineTesting
internal import Synchronization

/// The response that `--show STEP` or `--show 'STEP[ITEM]'` asks for: that of the step's first
/// item, or of the named one. Of several requests, the last one is shown; of several pages, the
/// first.
final class ShownStep: Sendable {
  private struct State {
    var exchange: ShownExchange?
    var count = 0
    /// Why the step sends nothing, if an event says so.
    var reason: String?
    var isTold = false
  }

  /// The step's id after the ids of the blocks and calls around it.
  let step: String
  /// The positions of the items around and of the item; `nil` for the first.
  private let place: [Int]?
  private let state = Mutex(State())

  /// - Parameter option: The option's value on the command line.
  init(_ option: String) throws(UsageError) {
    guard let bracket = option.firstIndex(ascii: "[") else {
      step = option
      place = nil
      return
    }
    let numbers = option[option.utf8.index(after: bracket)...].dropLast(bytes: 1)
      .split(ascii: ".").map { Int($0) }
    guard option.hasSuffix(bytes: "]"), !numbers.isEmpty, !numbers.contains(nil) else {
      throw UsageError(
        message: "--show takes STEP or 'STEP[ITEM]', such as 'user[3]', and not '\(option)'")
    }
    step = String(option[..<bracket])
    place = numbers.compactMap { $0 }
  }

  /// Why the workflow has no such request; `nil` if it has.
  func problem(in linted: LintedWorkflow) -> String? {
    let names = TestNames(linted)
    let steps = names.steps
    guard let entry = names.step(named: step) else {
      return "--show: the workflow has no step '\(step)'"
        + Spelling.didYouMean(step, among: steps.map(\.id))
    }
    if case .request = entry.step.action {
      if entry.step.branch != nil {
        state.withLock { $0.reason = "another branch was chosen, or none" }
      }
      return nil
    }
    let inner = steps.lazy.filter { $0.id.hasPrefix(bytes: self.step + ".") }.map(\.id)
    return "--show: step '\(step)' sends no request"
      + (inner.isEmpty
        ? "" : "; the steps inside it are " + inner.prefix(5).joined(separator: ", "))
  }

  /// Why the steps that `--only` runs have no such request; `nil` if they have.
  func problem(inPart block: Block, of whole: Block) -> String? {
    let owner = step.prefix(before: ".")
    guard !(block.steps + block.finally).contains(where: { $0.id.value.equals(bytes: owner) })
    else { return nil }
    if whole.finally.contains(where: { $0.id.value.equals(bytes: owner) }) {
      return "--show: step '\(owner)' of 'finally' runs only with the steps that it reads"
    }
    return "--show: --only leaves step '\(owner)' out; add --only \(owner)"
  }

  /// Notes why the step, or one around it, sends nothing.
  func receive(_ event: RunEvent) {
    guard case .stepFinished(let end) = event.kind,
      end.step.equals(bytes: step) || step.hasPrefix(bytes: end.step + ".")
    else { return }
    let words = end.step.equals(bytes: step) ? "it" : "step '\(end.step)'"
    let reason: String
    switch end.outcome {
    case .skipped(let why): reason = "\(words) was skipped: \(why)"
    case .cancelled: reason = "the run was stopped before"
    case .failed(let failure), .recovered(let failure):
      reason = "\(words) failed: \(failure.failure.message)"
    case .succeeded:
      guard let items = end.items else { return }
      if items == 0 {
        reason = "\(words) had no items"
      } else if end.path.isEmpty, let wanted = place?.first, wanted >= items {
        reason = "\(words) had \(items.counting("item")), and the first is 0"
      } else {
        return
      }
    }
    state.withLock { state in
      // The events of inner steps come first, and say more.
      if !state.isTold { (state.reason, state.isTold) = (reason, true) }
    }
  }

  /// A transport whose responses this one sees.
  ///
  /// - Parameter sandbox: The origin of the sandbox, which is shown as authors write it.
  func watching(_ transport: any Transport, sandbox: String?) -> any Transport {
    let aliases = sandbox.map { [OriginAlias($0, alias: "sandbox:")] } ?? []
    return WatchedTransport(transport) { [self] request, result in
      guard let key = request.asker?.key, isMeant(key) else { return }
      let isWanted = state.withLock { state in
        state.count += 1
        return state.exchange.map { Self.isBefore(key, $0.key) } ?? true
      }
      guard isWanted, let exchange = ShownExchange(request, result, aliases) else { return }
      state.withLock { state in
        if state.exchange.map({ Self.isBefore(key, $0.key) }) ?? true { state.exchange = exchange }
      }
    }
  }

  private func isMeant(_ key: RecordingKey) -> Bool {
    key.step.equals(bytes: step) && (place.map { $0 == key.place } ?? true)
  }

  /// Whether an exchange is shown instead of another one.
  private static func isBefore(_ one: RecordingKey, _ other: RecordingKey) -> Bool {
    if one.place != other.place { return one.place.lexicographicallyPrecedes(other.place) }
    if one.page != other.page { return one.page < other.page }
    return [other.poll, other.attempt, other.redirect]
      .lexicographicallyPrecedes([one.poll, one.attempt, one.redirect])
  }

  /// The response as lines, without saying whose it is.
  func plainText(colored: Bool) -> String? {
    state.withLock { $0.exchange }.map {
      ExchangeText(exchange: $0, title: nil, colored: colored).text
    }
  }

  /// The response as lines, once the run is over.
  func text(colored: Bool) -> String {
    let (exchange, count, reason) = state.withLock { ($0.exchange, $0.count, $0.reason) }
    guard let exchange else {
      let item = place.map { " for item \($0.map(String.init).joined(separator: "."))" } ?? ""
      let because = reason.map { "; \($0)" } ?? ""
      return "step '\(step)' sent no request\(item)\(because)\n"
    }
    let others = count - 1
    let title =
      exchange.key.description
      + (others == 0 ? "" : " · \(others.counting("other request")) of the step not shown")
    return "\n" + ExchangeText(exchange: exchange, title: title, colored: colored).text
  }
}

extension RecordingKey {
  /// The positions of the items around, and of the item.
  fileprivate var place: [Int] { path + (item.map { [$0] } ?? []) }
}
