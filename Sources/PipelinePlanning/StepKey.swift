/// A step of a block of a plan.
struct StepKey: Hashable, Sendable {
  let block: ObjectIdentifier
  let step: Int
}
