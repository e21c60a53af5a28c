internal import PipelineJournals

// Where units that were held back belong in the list of an earlier process.
extension CarriedOutRequests {
  static func collection(of unit: Unit) -> Place {
    Place(step: unit.label.id, place: unit.place.dropLast())
  }

  /// The place behind another one; `nil` if that is in no list.
  static func follower(of place: [Int]) -> [Int]? {
    place.last.map { place.dropLast() + [$0 &+ 1] }
  }

  /// Where in the journal's list the item stood that followed the one taken last, or the first one;
  /// `nil` if a unit is of no list.
  func follower(of unit: Unit) -> [Int]? {
    guard !unit.place.isEmpty else { return nil }
    return followers[Self.collection(of: unit)] ?? unit.place.dropLast() + [0]
  }

  /// By the key of a unit that is held back, where it would be in the journal's list: behind what
  /// the unit before it stands for.
  ///
  /// - Parameter chosen: The groups that the units stand for so far.
  func behind(_ units: [Held], _ chosen: [Int?]) -> [UnitKey: [Int]] {
    var places: [UnitKey: [Int]] = [:]
    var last: [Place: Int] = [:]
    for (number, held) in units.enumerated() {
      var place = held.follower
      let collection = Self.collection(of: held.unit)
      // Else a unit between them was taken from the journal.
      if let before = last[collection], units[before].follower == held.follower {
        place =
          chosen[before].flatMap { Self.follower(of: groups[$0].key.place) }
          ?? places[units[before].key]
      }
      places[held.key] = place
      last[collection] = number
    }
    return places
  }

  /// The free groups of the items that followed each other in the journal's list where a unit would
  /// be, the first one at the end.
  func between(_ held: Held, _ behind: [UnitKey: [Int]]) -> [Int]? {
    var positions: [Int] = []
    var place = behind[held.key]
    while let next = place,
      let position = first(byPlace[Place(step: held.key.step, place: next)])
    {
      positions.append(position)
      place = Self.follower(of: next)
    }
    return positions.reversed()
  }
}
