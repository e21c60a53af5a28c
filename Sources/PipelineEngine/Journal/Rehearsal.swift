/// What a resumed run would do, found out without sending anything.
public struct Rehearsal: Sendable {
  /// Why a unit would be carried out.
  public enum Reason: String, Sendable, CaseIterable {
    /// It has not been carried out with success.
    case unfinished
    /// The unit was carried out, and its step, or what it reads, has changed since.
    case changed
    /// The unit was carried out, and its result is secret and not kept.
    case secret
  }

  /// One step with requests or waits.
  public struct Step: Sendable {
    /// The step's id after the ids of the blocks and calls around it, joined with dots.
    public let id: String
    /// Units whose values would be taken from the journal.
    public internal(set) var taken = 0
    /// Units whose recorded answers would be read again, because the step is different now.
    public internal(set) var readAgain = 0
    /// Units that would not be carried out before a person has said what becomes of them.
    public internal(set) var waiting = 0
    /// Units that would be carried out, by reason.
    public internal(set) var carriedOut: [Reason: Int] = [:]
  }

  /// In the order in which they would begin. Steps that read what is not known yet are not among
  /// them.
  public internal(set) var steps: [Step] = []
  /// The requests that were carried out, and in whose place the workflow would send others now.
  public internal(set) var changed: [SendingRecord] = []
  private var positions: [String: Int] = [:]

  init() {}

  mutating func take(_ step: String) { steps[position(of: step)].taken += 1 }

  mutating func readAgain(_ step: String) { steps[position(of: step)].readAgain += 1 }

  mutating func wait(_ step: String) { steps[position(of: step)].waiting += 1 }

  mutating func carryOut(_ step: String, _ reason: Reason) {
    steps[position(of: step)].carriedOut[reason, default: 0] += 1
  }

  private mutating func position(of step: String) -> Int {
    if let known = positions[step] { return known }
    steps.append(Step(id: step))
    positions[step] = steps.count - 1
    return steps.count - 1
  }
}
