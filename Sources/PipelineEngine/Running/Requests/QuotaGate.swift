internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineURIs
internal import Synchronization

/// Counts requests against quotas, and ends the run where one is reached.
///
/// Requests are taken from the keeper in batches, so that not each one is written down. What is left
/// of them is given back at the end. Of a run that is killed, it stays counted.
final class QuotaGate: Sendable {
  private struct Key: Hashable {
    let origin: Origin
    let quota: Limits.Rate
  }

  private struct Batch {
    var left = 0
    var slice = 0
  }

  private let keeper: any QuotaKeeping
  /// The sandbox forgets everything, so it has a quota for each run.
  private let sandbox: String?
  private let own = RunQuotas()
  private let clock: any RunClock
  private let controls: RunControls
  private let batches = Mutex<[Key: Batch]>([:])
  private let end = Mutex<FailureReason?>(nil)

  init(_ options: RunOptions, _ controls: RunControls) {
    keeper = options.quotas ?? own
    sandbox = options.sandboxOrigin
    clock = options.clock
    self.controls = controls
  }

  /// - Throws: A failure if a quota has been reached.
  func check() throws(FailureReason) {
    if let reason = end.withLock({ $0 }) { throw reason }
  }

  /// Counts a request that is about to leave.
  ///
  /// - Throws: A failure if the quota leaves none, or cannot be kept. The run ends then.
  func count(_ origin: Origin, _ quota: Limits.Rate) throws(FailureReason) {
    let failure = batches.withLock { batches -> FailureReason? in
      var batch = batches[Key(origin: origin, quota: quota)] ?? Batch()
      if batch.left == 0 {
        let size = min(max(1, quota.count / 100), 100)
        do throws(FileError) {
          switch try keeper(of: origin).take(
            size, of: quota, to: origin.description, at: clock.wallTime)
          {
          case .taken(let count, let slice): batch = Batch(left: count, slice: slice)
          case .none(let time): return Self.reached(origin, quota, until: time)
          }
        } catch {
          return FailureReason(
            .file, "the requests of 'limits.quota' cannot be kept: \(error.message)")
        }
      }
      batch.left -= 1
      batches[Key(origin: origin, quota: quota)] = batch
      return nil
    }
    guard let failure else { return }
    end.withLock { $0 = $0 ?? failure }
    controls.send(.stop(failure))
    throw failure
  }

  private func keeper(of origin: Origin) -> any QuotaKeeping {
    sandbox?.equals(bytes: origin.description) == true ? own : keeper
  }

  private static func reached(
    _ origin: Origin, _ quota: Limits.Rate, until time: Double
  ) -> FailureReason {
    let moment = Timestamp(secondsSince1970: time.rounded(.up)).text
    return FailureReason(
      .limit,
      "'\(origin)' has had \(quota.count) request\(quota.count == 1 ? "" : "s") in"
        + " \(quota.per.text), which 'limits.quota' allows; resume the run after \(moment)")
  }

  /// Gives back what has been taken and not used.
  func giveBack() {
    let left = batches.withLock { batches in
      defer { batches = [:] }
      return batches
    }
    for (key, batch) in left where batch.left > 0 {
      keeper(of: key.origin).giveBack(
        batch.left, to: batch.slice, of: key.quota, to: key.origin.description)
    }
  }
}
