internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning

/// The requests that earlier processes carried out and that must not be sent twice, by the units
/// that sent them. Each stands for one unit of this process. So do requests that were under way and
/// whose outcome their units find out.
///
/// It is consulted only for units that have no exact counterpart in `RecordedUnits`.
struct CarriedOutRequests {
  /// The requests of one unit: one, or one for each page.
  struct Group {
    let key: UnitKey
    let items: Fingerprint?
    let around: Fingerprint?
    /// In the order in which they were sent.
    var records: [SendingRecord]
    /// Whether a person wants them sent again.
    let isAgain: Bool
    var isTaken = false
    /// Whether the workflow no longer has the step.
    let isGone: Bool
    let isOfCleanUp: Bool
    /// What a person said that the unit came to.
    var settlement: UnitRecord?

    /// The step of the workflow that the requests are of.
    var step: String? { isGone ? nil : key.step }

    func has(_ request: Fingerprint) -> Bool { records.contains { $0.request == request } }

    /// Whether its outcome is unknown.
    var isUnderWay: Bool { records[0].isOpen }
  }

  struct Place: Hashable {
    let step: String
    let place: [Int]
  }

  private struct Target: Hashable {
    let method: String
    let url: String

    init(_ record: SendingRecord) { (method, url) = (record.method, record.url) }

    init(_ form: RequestForm) { (method, url) = (form.method, form.url) }
  }

  private struct StepItems: Hashable {
    let step: String
    let items: Fingerprint
  }

  private(set) var groups: [Group] = []
  private var byKey: [UnitKey: [Int]] = [:]
  private(set) var byPlace: [Place: [Int]] = [:]
  private var byItems: [StepItems: [Int]] = [:]
  private var byRequest: [Fingerprint: [Int]] = [:]
  private var byTarget: [Target: [Int]] = [:]
  /// By step, how many groups are free. `nil` is a step that is gone.
  private var freeCounts: [Target: [String?: Int]] = [:]
  /// Groups of steps that are gone, and of lists.
  private var elsewhere: [Fingerprint: [Int]] = [:]
  /// Groups of steps that are gone, by the parts of their items.
  private var goneByPart: [[UInt8]: [Int]] = [:]
  /// By step, how many units the workflow has now for the same items that were not taken.
  private var present: [String: [Fingerprint: Int]] = [:]
  /// The items around them.
  private var presentAround: Set<Fingerprint> = []
  /// By collection, where in the journal's list the item stood that follows the one taken last.
  private(set) var followers: [Place: [Int]] = [:]

  /// The units that were taken from the journal before the requests were read, in short: there may
  /// be millions.
  private var takenBefore: Set<Fingerprint> = []
  /// Whether the journal's requests were read.
  private(set) var isRead = false

  /// Whether the unit of a request was taken from the journal before the requests are read. There
  /// is no question about it then.
  func wasTaken(_ record: SendingRecord) -> Bool {
    record.state != .again && takenBefore.contains(Self.short(record.unit))
  }

  private static func short(_ key: UnitKey) -> Fingerprint {
    let digest = key.digest ?? .none
    return Fingerprint(high: digest.high, low: digest.low ^ key.placeHash)
  }

  /// Takes in the requests of the journal whose units were not taken before.
  ///
  /// - Parameters:
  ///   - underWay: Requests whose outcome their units find out.
  ///   - sends: Whether the step of this path sends such requests now, in as many collections. Under
  ///     the id of a step that is gone there may be a step of another kind.
  ///   - settlement: What a person said that a unit came to; `nil` if a unit has taken it.
  mutating func read(
    _ records: [SendingRecord], underWay: [SendingRecord],
    sends: (_ path: String, _ collections: Int) -> Bool,
    settlement: (SendingRecord) -> UnitRecord?
  ) {
    isRead = true
    takenBefore = []
    struct Owner: Hashable {
      let key: UnitKey
      let items: Fingerprint?
      let isAgain: Bool
    }
    var positions: [Owner: Int] = [:]
    struct Form: Hashable {
      let step: String
      let collections: Int
    }
    var known: [Form: Bool] = [:]
    for record in records + underWay {
      // An earlier page already stands for its unit.
      if record.isOpen, byKey[record.unit] != nil { continue }
      let settlement = record.state == .settled ? settlement(record) : nil
      if record.state == .settled, settlement == nil { continue }
      let owner = Owner(key: record.unit, items: record.items, isAgain: record.state == .again)
      if let position = positions[owner], !owner.isAgain,
        !groups[position].has(record.request ?? .none)
      {
        groups[position].records.append(record)
        groups[position].settlement = settlement ?? groups[position].settlement
        if let request = record.request { byRequest[request, default: []].append(position) }
        continue
      }
      let position = groups.count
      positions[owner] = position
      let step = record.unit.step
      let form = Form(step: step, collections: record.unit.place.count)
      let isGone = !(known[form] ?? sends(step, form.collections))
      known[form] = !isGone
      groups.append(
        Group(
          key: record.unit, items: record.items, around: record.around, records: [record],
          isAgain: owner.isAgain, isGone: isGone, isOfCleanUp: record.isOfCleanUp,
          settlement: settlement))
      byKey[record.unit, default: []].append(position)
      byPlace[Place(step: step, place: record.unit.place), default: []].append(position)
      if let items = record.items {
        byItems[StepItems(step: step, items: items), default: []].append(position)
      }
      if let request = record.request { byRequest[request, default: []].append(position) }
      byTarget[Target(record), default: []].append(position)
      freeCounts[Target(record), default: [:]][groups[position].step, default: 0] += 1
      if let items = record.items, isGone || !record.unit.place.isEmpty {
        elsewhere[items, default: []].append(position)
      }
      if isGone {
        for part in Self.parts(of: record.item) { goneByPart[part, default: []].append(position) }
      }
    }
  }

  /// A unit was taken from the journal, where it has this key.
  mutating func take(_ key: UnitKey, by unit: Unit) {
    present[unit.label.id]?[unit.items]? -= 1
    if let follower = Self.follower(of: key.place) {
      followers[Self.collection(of: unit)] = follower
    }
    guard isRead else {
      takenBefore.insert(Self.short(key))
      return
    }
    if let position = first(byKey[key]) { claim(position) }
  }

  private mutating func claim(_ position: Int) {
    groups[position].isTaken = true
    freeCounts[Target(groups[position].records[0])]?[groups[position].step]? -= 1
  }

  /// A unit goes on at its place with the request that it had under way, as it was written. `false`:
  /// there is none, or the unit would send another one.
  ///
  /// - Parameter form: The request that it would begin with.
  mutating func takeUnderWay(
    by unit: Unit, _ key: UnitKey, _ form: () -> RequestForm?
  ) -> Bool {
    guard let position = first(byKey[key], where: \.isUnderWay), let form = form(),
      form.goesOn(with: groups[position].records[0], in: unit)
    else { return false }
    take(key, by: unit)
    return true
  }

  /// A unit has come to what a person said.
  mutating func take(settled record: UnitRecord, by unit: Unit) {
    present[unit.label.id]?[unit.items]? -= 1
    let place = byPlace[Place(step: record.key.step, place: record.key.place)]
    let position = first(place) { $0.settlement?.key == record.key && $0.items == record.items }
    if let position { claim(position) }
  }

  /// The workflow has this unit now.
  mutating func note(_ unit: Unit) {
    present[unit.label.id, default: [:]][unit.items, default: 0] += 1
    presentAround.insert(unit.frame.lineage)
  }

  /// The last of some groups that is still free and for which this holds.
  ///
  /// - Parameter onlyMain: Whether those that cleaned up are passed over.
  func first(
    _ positions: [Int]?, onlyMain: Bool = false, where isWanted: (Group) -> Bool = { _ in true }
  ) -> Int? {
    positions?.last { position in
      let group = groups[position]
      return !group.isTaken && !(onlyMain && group.isOfCleanUp) && isWanted(group)
    }
  }

  /// The last of some groups that may be the work of a unit, unless a person wants it sent again.
  private func first(
    _ positions: [Int]?, of held: Held, where isWanted: (Group) -> Bool = { _ in true }
  ) -> Int? {
    first(positions, onlyMain: held.onlyMain) { !$0.isAgain && isWanted($0) }
  }

  // MARK: Decisions

  /// Whether something was carried out that may be the work of a unit.
  ///
  /// - Parameters:
  ///   - onlyMain: Whether nothing stands for it that cleaned up.
  ///   - form: The request that it would begin with. It takes time to make.
  func mayHaveDone(_ unit: Unit, onlyMain: Bool, _ form: () -> RequestForm?) -> RequestForm? {
    guard !groups.isEmpty, let form = form() else { return nil }
    let step = unit.label.id
    let mayHave =
      first(byPlace[Place(step: step, place: unit.place)], onlyMain: onlyMain) != nil
      || follower(of: unit).map {
        first(byPlace[Place(step: step, place: $0)], onlyMain: onlyMain) != nil
      } == true
      || first(byItems[StepItems(step: step, items: unit.items)], onlyMain: onlyMain) != nil
      || first(byRequest[form.digest], onlyMain: onlyMain) != nil
      || freeCounts[Target(form)]?.contains { $0.key != step && $0.value > 0 } == true
      || first(elsewhere[unit.items], onlyMain: onlyMain, where: { $0.step != step }) != nil
    return mayHave ? form : nil
  }

  /// How many items there are with each fingerprint that have not begun: of a collection, and of the
  /// one around it.
  typealias Remaining = (items: [Fingerprint: Int], around: [Fingerprint: Int])

  /// Decides about units that are held back, when all that can be taken has been taken.
  ///
  /// - Parameters:
  ///   - remaining: What remains of a unit's collection, and of the one around it.
  ///   - mayCome: Whether a unit may still begin for the items of a group: one of its own step, or
  ///     of any, if that is gone.
  mutating func decide(
    _ units: [Held], remaining: (Unit) -> Remaining, mayCome: (Group) -> Bool
  ) -> [Decision] {
    var decisions = [Decision?](repeating: nil, count: units.count)
    /// The group that each unit stands for.
    var chosen = [Int?](repeating: nil, count: units.count)
    /// The best match first: each pass sees all units before the next one begins.
    func pass(_ find: (Held) -> Int?, _ decide: (Held, Group) -> Decision) {
      for (number, held) in units.enumerated() where decisions[number] == nil {
        guard let position = find(held) else { continue }
        claim(position)
        present[held.key.step]?[held.items]? -= 1
        decisions[number] = decide(held, groups[position])
        chosen[number] = position
      }
    }
    /// A pass whose requests are other ones. An author may let them be sent all the same.
    func ask(_ find: (Held) -> Int?) {
      pass({ $0.mayRepeat ? nil : find($0) }, { .ask(Self.question($0, $1)) })
    }
    func near(_ held: Held) -> [Int]? {
      byItems[StepItems(step: held.key.step, items: held.items)]
    }
    func there(_ held: Held) -> [Int]? {
      byPlace[Place(step: held.key.step, place: held.key.place)]
    }
    // A person has decided this.
    pass(
      { held in
        first(
          near(held), onlyMain: held.onlyMain,
          where: { $0.isAgain && $0.key.place == held.key.place })
          ?? first(near(held), onlyMain: held.onlyMain, where: \.isAgain)
          ?? first(there(held), onlyMain: held.onlyMain, where: { $0.isAgain && $0.items == nil })
      }, { _, group in .send(group.records[0].id) })
    // The same items and the same request.
    pass(
      { held in
        first(
          near(held), onlyMain: held.onlyMain,
          where: { $0.has(held.form.digest) && $0.key.place == held.key.place })
          ?? first(near(held), onlyMain: held.onlyMain, where: { $0.has(held.form.digest) })
      }, { Self.reading($0, $1) })
    // The step has another name, or has been moved.
    pass(
      { held in
        let known = byRequest[held.form.digest]
        return first(known, of: held) { $0.isGone && $0.items == held.items }
          ?? first(known, of: held, where: \.isGone)
      }, { Self.reading($0, $1, isMoved: true) })
    // Another step sent it, which may still want it.
    pass(
      { held in first(byRequest[held.form.digest], of: held) { $0.key.step != held.key.step } },
      { .ask(Self.question($0, $1)) })
    // The same items, and another request.
    ask { held in
      first(near(held), of: held) { $0.key.place == held.key.place }
        ?? first(near(held), of: held)
    }
    var left: [ObjectIdentifier: Remaining] = [:]
    /// Whether the workflow no longer has the item that a group was for.
    func isOrphan(_ group: Group, _ held: Held) -> Bool {
      guard let items = group.items else { return true }
      let step = group.key.step
      let free = byItems[StepItems(step: step, items: items)]?.count { !groups[$0].isTaken } ?? 0
      if let count = present[step]?[items], count >= free { return false }
      let shared = ObjectIdentifier(held.unit.scope.shared)
      let others = left[shared] ?? remaining(held.unit)
      left[shared] = others
      if others.items[items] != nil { return false }
      guard let around = group.around, around != held.unit.frame.lineage else { return true }
      return !presentAround.contains(around) && others.around[around] == nil
    }
    // An item has changed, and its request has not.
    pass(
      { held in
        first(byRequest[held.form.digest], of: held) {
          $0.key.step == held.key.step && isOrphan($0, held)
        }
      }, { Self.reading($0, $1) })
    // An item has changed, and so has its request: it stands where it stood, or between the same
    // neighbours, or anywhere if it is alike. What a person said counts for an item that is alike.
    func successor(_ positions: [Int]?, of held: Held, alike: Bool) -> Int? {
      first(positions, of: held) {
        (alike ? held.isAlike($0.records[0]) : $0.settlement == nil) && isOrphan($0, held)
      }
    }
    let behind = behind(units, chosen)
    for alike in [true, false] {
      ask { successor(there($0), of: $0, alike: alike) }
      ask { successor(between($0, behind), of: $0, alike: alike) }
    }
    if decisions.contains(where: { $0 == nil }) {
      let free = Dictionary(
        grouping: groups.indices.filter { !groups[$0].isTaken }, by: { groups[$0].key.step })
      ask { successor(free[$0.key.step], of: $0, alike: true) }
    }
    // A step that is gone did it in another way, or another step did it with other header fields.
    func elsewhereAtTarget(_ held: Held) -> [Int]? {
      let target = Target(held.form)
      let isElsewhere = freeCounts[target]?.contains { $0.key != held.key.step && $0.value > 0 }
      return isElsewhere == true ? byTarget[target] : nil
    }
    ask { held in
      first(elsewhere[held.items], of: held) { group in
        let record = group.records[0]
        let isSameBody = record.content == held.form.content
        return group.isGone
          ? record.method == held.form.method && (isSameBody || record.url == held.form.url)
          : group.step != held.key.step && !mayCome(group)
            && (isSameBody || Target(record) == Target(held.form))
      }
    }
    ask { held in
      first(elsewhereAtTarget(held), of: held) { group in
        group.step != held.key.step && group.records[0].content == held.form.content
      }
    }
    ask { held in
      held.parts.compactMap { part in
        first(goneByPart[part], of: held) {
          Target($0.records[0]) == Target(held.form) && !mayCome($0)
        }
      }.max()
    }
    ask { held in first(elsewhereAtTarget(held), of: held) { $0.isGone && !mayCome($0) } }
    return decisions.map { $0 ?? .send(nil) }
  }
}
