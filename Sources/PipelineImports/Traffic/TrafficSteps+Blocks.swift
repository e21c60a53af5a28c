internal import PipelineByteText
internal import PipelineJSONText

/// Why exchanges that are alike are not one step.
enum NoBlock: Error {
  case noList
  case incomplete
  case write
  case circle

  var message: String {
    switch self {
    case .noList: "no list gives what differs in them"
    case .incomplete: "not every item, or not every element of its list, was requested"
    case .write:
      "a request that changes something comes between them and those for their items; --relax allows"
        + " that"
    case .circle: "they need a response that needs all items"
    }
  }
}

/// Finds exchanges that are carried out for each item of another step, with values of that item and
/// of the responses to it: both are then in a block.
///
/// Of `/users`, `/users/1/orders` and `/users/1/orders/7`, the last one needs the user and a value
/// of the response to the user's request, so that no list alone gives its items.
extension TrafficSteps {
  /// What the exchanges of a block's step take at one slot.
  private enum Origin {
    /// The same value for all, from outside of the block.
    case constant
    /// A value of the response of a step of the block.
    case answer
    /// A part of the item of the step or of a step around it.
    case item(TrafficStep.ItemPart)
    /// The elements of a list in the response of a step of the block, each with its position.
    case list(step: Int, list: String, rest: String, indices: [Int])
  }

  /// A step of a block, which is carried out for each item of another step.
  func inner(_ group: [Int]) throws(NoBlock) -> TrafficStep {
    guard let (owner, places) = owner(of: group) else { throw .noList }
    var parts: [Int: TrafficStep.ItemPart] = [:]
    var items: (step: Int, list: String, rests: [Int: String], indices: [Int])?
    for slot in fills[group[0]].keys.sorted() {
      let found = group.compactMap { fills[$0][slot]?.producer }
      guard found.count == group.count, let origin = self.origin(found, owner, places) else {
        throw .noList
      }
      switch origin {
      case .constant, .answer: break
      case .item(let part): parts[slot] = part
      case .list(let step, let list, let rest, let indices):
        guard
          items == nil || items?.step == step && items?.list == list && items?.indices == indices
        else { throw .noList }
        items = (step, list, (items?.rests ?? [:]).merging([slot: rest]) { $1 }, indices)
      }
    }
    for (slot, rest) in items?.rests ?? [:] { parts[slot] = .init(owner: nil, path: rest) }
    var step = TrafficStep(positions: group, itemParts: parts, owner: owner)
    let wanted: [[Int]]
    if let items {
      step.form = .items(.inner(step: items.step, list: items.list))
      order(&step, by: zip(places, items.indices).map { $0 + [$1] })
      wanted = elements(of: items.step, items.list)
    } else {
      order(&step, by: places)
      wanted = steps[owner].places.sorted(by: Self.isBefore)
    }
    guard step.places == wanted else { throw .incomplete }
    try check(group, owner)
    return step
  }

  /// Brings the exchanges of a step into the order of their places.
  private func order(_ step: inout TrafficStep, by places: [[Int]]) {
    let sorted = zip(step.positions, places).sorted { Self.isBefore($0.1, $1.1) }
    step.positions = sorted.map(\.0)
    step.places = sorted.map(\.1)
  }

  private static func isBefore(_ one: [Int], _ other: [Int]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }

  /// The places of all elements of a list in the responses of a step of a block.
  private func elements(of step: Int, _ list: String) -> [[Int]] {
    zip(steps[step].positions, steps[step].places).flatMap { exchange, place in
      let root = traffic.root(of: traffic.exchanges[exchange])
      let count = root.flatMap { ResponsePath(list).value(in: $0) }?.count ?? 0
      return (0..<count).map { place + [$0] }
    }.sorted(by: Self.isBefore)
  }

  // MARK: Owners

  /// The innermost step with items of whose responses the exchanges take different values, and the
  /// place of each exchange in these items.
  private func owner(of group: [Int]) -> (step: Int, places: [[Int]])? {
    var best: (step: Int, places: [[Int]])?
    for slot in fills[group[0]].keys.sorted() {
      let found = group.compactMap { fills[$0][slot]?.producer }
      guard found.count == group.count, !Self.isConstant(found),
        found.allSatisfy({ stepOf[$0.exchange] >= 0 }),
        let owner = scope(of: stepOf[found[0].exchange]),
        found.allSatisfy({ scope(of: stepOf[$0.exchange]) == owner })
      else { continue }
      let depth = depth(of: owner)
      guard depth > best.map({ self.depth(of: $0.step) }) ?? 0 else { continue }
      best = (owner, found.map { Array(placeOf[$0.exchange].prefix(depth)) })
    }
    return best
  }

  /// The step in whose items a step's responses are: itself or its owner.
  private func scope(of step: Int) -> Int? { steps[step].hasItems ? step : steps[step].owner }

  private func depth(of owner: Int) -> Int { steps[owner].places.first?.count ?? 0 }

  /// A step and the owners around it, from the inside.
  private func chain(_ owner: Int) -> [Int] {
    Array(sequence(first: owner) { steps[$0].owner })
  }

  // MARK: Origins

  private func origin(
    _ found: [ProducedValue], _ owner: Int, _ places: [[Int]]
  ) -> Origin? {
    let step = stepOf[found[0].exchange]
    guard step >= 0 else { return nil }
    let chain = chain(owner)
    // A value of one row cannot be read from inside of the block.
    let isInside = scope(of: step).map { chain.contains(outermost($0)) } ?? false
    if Self.isConstant(found), !isInside || steps[step].places.isEmpty { return .constant }
    for level in chain {
      if let path = itemPath(found, level, places) {
        return .item(.init(owner: level, path: path))
      }
    }
    guard let level = scope(of: step), chain.contains(level),
      zip(found, places).allSatisfy({ value, place in
        stepOf[value.exchange] == step
          && placeOf[value.exchange].elementsEqual(place.prefix(depth(of: level)))
      })
    else { return nil }
    if found.allSatisfy({ $0.source == found[0].source }) { return .answer }
    return list(found, step)
  }

  func outermost(_ step: Int) -> Int { chain(step).last ?? step }

  /// The part of the items of a step that the values are; `nil` if they are something else.
  private func itemPath(_ found: [ProducedValue], _ level: Int, _ places: [[Int]]) -> String? {
    let step = steps[level]
    guard let slot = step.itemParts.first(where: { $0.value.owner == nil })?.key else { return nil }
    let depth = depth(of: level)
    let exchanges = Dictionary(
      zip(step.places, step.positions), uniquingKeysWith: { first, _ in first })
    var common: String?
    for (value, place) in zip(found, places) {
      guard let exchange = exchanges[Array(place.prefix(depth))],
        let own = fills[exchange][slot]?.producer, own.exchange == value.exchange,
        let path = Self.path(of: value.source, beside: own.source, step.form),
        common == nil || common == path
      else { return nil }
      common = path
    }
    return common
  }

  /// The path of a value in the item of which another value is known.
  private static func path(
    of source: ImportedSource, beside own: ImportedSource, _ form: TrafficStep.Form
  ) -> String? {
    switch form {
    case .items(.list(_, let list)), .items(.nested(_, let list)), .items(.inner(_, let list)):
      guard case .body(let path) = source, case .body(let known) = own,
        let place = ResponsePath(known).opened.first(where: { $0.list.equals(bytes: list) })
      else { return nil }
      return ResponsePath(path).opened.first {
        $0.list.equals(bytes: list) && $0.index == place.index
      }?.rest
    case .items(.keys): return source == own ? ".key" : nil
    case .items(.rows): return source == own ? "" : nil
    case .single, .pages: return nil
    }
  }

  /// A list in the responses of a step that has just these values.
  private func list(_ found: [ProducedValue], _ step: Int) -> Origin? {
    guard case .body(let first) = found[0].source else { return nil }
    for open in ResponsePath(first).opened {
      let indices = found.compactMap { value -> Int? in
        guard case .body(let path) = value.source else { return nil }
        return ResponsePath(path).opened.first {
          $0.list.equals(bytes: open.list) && $0.rest.equals(bytes: open.rest)
        }?.index
      }
      if indices.count == found.count {
        return .list(step: step, list: open.list, rest: open.rest, indices: indices)
      }
    }
    return nil
  }

  // MARK: The surroundings

  /// Checks that nothing for which the block would wait comes after a part of it, and that no request
  /// that changes something lies between its parts.
  private func check(_ group: [Int], _ owner: Int) throws(NoBlock) {
    let root = outermost(owner)
    let members = steps.indices.filter { outermost($0) == root }
    let inside = Set(members.flatMap { steps[$0].positions } + group)
    if !isRelaxed, let first = inside.min(), let last = inside.max() {
      let others = (first...last).lazy.filter { !inside.contains($0) }
      guard others.allSatisfy({ traffic.exchanges[$0].isSafe }) else { throw .write }
    }
    var seen: Set<Int> = []
    var open = group.flatMap { fills[$0].values.map { stepOf[$0.producer.exchange] } }
    while let step = open.popLast() {
      guard step >= 0 else { throw .circle }
      guard outermost(step) != root, seen.insert(step).inserted else { continue }
      for fill in steps[step].positions.flatMap({ fills[$0].values }) {
        let read = stepOf[fill.producer.exchange]
        if read >= 0, outermost(read) == root { throw .circle }
        open.append(read)
      }
    }
  }
}
