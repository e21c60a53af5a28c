/// The units that tasks carry out.
struct UnitTable {
  struct Running {
    enum Slot {
      /// It is a request, and takes one of the run's slots.
      case taken
      /// It is a request that waits, and gave its slot back for that time.
      case parked
      /// It is a wait, or it is refused. Neither needs a slot.
      case none
    }

    let place: StepPlace
    /// The position of its item, 0 if the step has no items.
    let item: Int
    let unit: Unit
    fileprivate(set) var slot: Slot
  }

  /// By the unit's id.
  private var units = Arena<Running?>(vacant: nil)
  private var count = 0

  /// The unit of an id; `nil` if the id is free.
  subscript(id: Int) -> Running? { units[id] }

  /// Adds a unit that is made with its id and serial number.
  mutating func add(
    at place: StepPlace, item: Int, slot: Running.Slot, _ make: (_ id: Int, _ serial: Int) -> Unit
  ) -> Unit {
    count += 1
    let id = units.reserve()
    let unit = make(id, count)
    units[id] = Running(place: place, item: item, unit: unit, slot: slot)
    return unit
  }

  /// The unit is done, and its id is free.
  mutating func take(_ id: Int) -> Running? {
    guard units[id] != nil else { return nil }
    return units.take(id)
  }

  /// The slot of a unit that is still at work; `nil` if it is not.
  func slot(of parking: Parking) -> Running.Slot? {
    guard let running = units[parking.unit], running.unit.serial == parking.serial else {
      return nil
    }
    return running.slot
  }

  mutating func setSlot(_ slot: Running.Slot, of id: Int) { units[id]?.slot = slot }

  /// The units of a step, in the order of their ids.
  func units(of place: StepPlace) -> [Unit] {
    units.numbers.compactMap { id in
      units[id].flatMap { $0.place == place ? $0.unit : nil }
    }
  }
}
