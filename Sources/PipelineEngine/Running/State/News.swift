/// The last report of the runner, as the cause of everything that begins after it.
struct News {
  /// How many there were before.
  private(set) var number = 0
  /// The work that it lets begin.
  private var kind = Release.Kind.slot
  private var giver: (label: StepLabel, item: Int?)?

  /// The wait of an item that ends because of it.
  var release: Release {
    Release(kind, step: giver?.label.id, path: giver?.label.path ?? [], item: giver?.item)
  }

  /// A unit has given its slot back.
  mutating func next(from unit: Unit) {
    number += 1
    kind = .slot
    giver = (unit.label, unit.item)
  }

  /// The run continues after a pause.
  mutating func nextIsResume() {
    number += 1
    kind = .resume
    giver = nil
  }

  /// Something else was reported.
  mutating func next() {
    number += 1
    kind = .slot
    giver = nil
  }
}
