internal import PipelineByteText
internal import PipelineJSONText

/// A step that is made of one exchange or of several that are alike.
struct TrafficStep {
  /// The origin of the items of a step with `forEach`.
  enum Items: Hashable {
    /// The elements of a list in the response of an exchange.
    case list(exchange: Int, list: String)
    /// The names of the members of an object in the response of an exchange.
    case keys(exchange: Int, object: String)
    /// The elements of a list in each row of another step with `forEach`.
    case nested(step: Int, list: String)
    /// The rows of another step with `forEach`.
    case rows(step: Int)
    /// The elements of a list in the response of another step of its block.
    case inner(step: Int, list: String)
  }

  enum Form {
    case single
    case items(Items)
    case pages(ImportedPages)
  }

  /// What a slot takes of an item.
  struct ItemPart: Hashable {
    /// The step whose item it is; `nil` if it is that of the step itself.
    let owner: Int?
    /// A path in the item, empty for the item itself.
    let path: String
  }

  /// The exchanges in their order.
  var positions: [Int]
  var form = Form.single
  /// The slots that take a part of an item.
  var itemParts: [Int: ItemPart] = [:]
  /// The content of a list when only its first elements were requested.
  var length: Int?
  /// The step with items with which it is in a block, so that it is carried out for each of them.
  var owner: Int?
  /// The positions of the items of each exchange, from the outermost owner to its own.
  var places: [[Int]] = []

  /// Whether it has items itself.
  var hasItems: Bool {
    if case .items = form { true } else { false }
  }
}

/// Finds exchanges that are one step: items of a list, and pages.
struct TrafficSteps {
  let traffic: Traffic
  let fills: [[Int: Correlation]]
  private(set) var steps: [TrafficStep] = []
  /// The step of each exchange.
  private(set) var stepOf: [Int]
  /// The place of each exchange in the items of its step.
  private(set) var placeOf: [[Int]]
  /// Whether only data orders the steps.
  let isRelaxed: Bool
  /// Requests that are alike, but no items: the first of them, how many they are, and why.
  private(set) var unlisted: [(first: Int, count: Int, reason: NoBlock)] = []
  /// The exchanges that take a value of each exchange's response.
  let consumers: [[Int]]
  /// The exchange up to which links lead to no last page.
  var linksWithoutEnd = -1

  /// - Parameter apart: Numbers of entries that stay steps of their own.
  init(_ traffic: Traffic, _ correlations: [Correlation], apart: Set<Int>, isRelaxed: Bool) {
    self.traffic = traffic
    self.isRelaxed = isRelaxed
    var fills = [[Int: Correlation]](repeating: [:], count: traffic.exchanges.count)
    var consumers = [[Int]](repeating: [], count: traffic.exchanges.count)
    for correlation in correlations {
      fills[correlation.consumer][correlation.slot] = correlation
      consumers[correlation.producer.exchange].append(correlation.consumer)
    }
    self.fills = fills
    self.consumers = consumers
    stepOf = [Int](repeating: -1, count: traffic.exchanges.count)
    placeOf = [[Int]](repeating: [], count: traffic.exchanges.count)
    var alike: [String: [Int]] = [:]
    for number in traffic.exchanges.indices where !apart.contains(entry(number)) {
      if let skeleton = skeleton(number) { alike[skeleton, default: []].append(number) }
    }
    for number in traffic.exchanges.indices where stepOf[number] < 0 {
      let group = skeleton(number).flatMap { alike[$0] } ?? []
      var step: TrafficStep?
      if !apart.contains(entry(number)) {
        step = pages(from: number)
        if step == nil, group.first == number, group.count > 1 {
          step = items(group) ?? inner(group, number)
        }
      }
      add(step ?? TrafficStep(positions: [number]))
    }
  }

  private mutating func inner(_ group: [Int], _ first: Int) -> TrafficStep? {
    do throws(NoBlock) {
      return try inner(group)
    } catch {
      if takesRows(group) { unlisted.append((first, group.count, error)) }
      return nil
    }
  }

  /// Whether exchanges take different values of the responses to the items of a step.
  private func takesRows(_ group: [Int]) -> Bool {
    fills[group[0]].keys.contains { slot in
      let found = group.compactMap { fills[$0][slot]?.producer }
      return found.count == group.count && !Self.isConstant(found)
        && found.allSatisfy { stepOf[$0.exchange] >= 0 && !placeOf[$0.exchange].isEmpty }
    }
  }

  private func entry(_ position: Int) -> Int { traffic.exchanges[position].first.number }

  private mutating func add(_ step: TrafficStep) {
    var step = step
    if step.hasItems, step.places.isEmpty { step.places = step.positions.indices.map { [$0] } }
    for (number, position) in step.positions.enumerated() {
      stepOf[position] = steps.count
      if !step.places.isEmpty { placeOf[position] = step.places[number] }
    }
    steps.append(step)
  }

  // MARK: Items

  /// What exchanges of one list have in common; `nil` if no response decides anything in it.
  private func skeleton(_ number: Int) -> String? {
    let exchange = traffic.exchanges[number]
    guard !fills[number].isEmpty, exchange.poll == nil else { return nil }
    var text = exchange.slotted.method + " " + exchange.slotted.origin
    for (slot, part) in exchange.slotted.slots.enumerated() {
      text += "\n\(part.kind) "
      if part.kind != .path { text += part.title + " " }
      guard let fill = fills[number][slot] else {
        text += part.text
        continue
      }
      text +=
        part.text.equals(bytes: fill.value)
        ? "\u{0}" : part.text.replacing(bytes: fill.value, with: "\u{0}")
    }
    return text
  }

  /// A step with `forEach` of exchanges that are alike; `nil` if no list gives them.
  private func items(_ group: [Int]) -> TrafficStep? {
    var group = group
    var origin: TrafficStep.Items?
    var rowSources: Set<ImportedSource> = []
    var parts: [Int: TrafficStep.ItemPart] = [:]
    for slot in fills[group[0]].keys.sorted() {
      let found = group.compactMap { fills[$0][slot]?.producer }
      guard found.count == group.count else { return nil }
      if Self.isConstant(found) { continue }
      // A client may have gone through the rows in another order.
      if origin == nil, let order = nested(found)?.order { group = order.map { group[$0] } }
      let sorted = group.compactMap { fills[$0][slot]?.producer }
      guard let (items, path) = rows(sorted) ?? list(sorted) ?? keys(sorted) ?? rows(of: sorted),
        origin == nil || origin == items
      else { return nil }
      origin = items
      if case .rows = items { rowSources.insert(sorted[0].source) }
      parts[slot] = .init(owner: nil, path: path)
    }
    guard let origin, rowSources.count <= 1 else { return nil }
    var step = TrafficStep(positions: group, form: .items(origin), itemParts: parts)
    if case .list(let exchange, let list) = origin {
      let root = traffic.root(of: traffic.exchanges[exchange])
      guard let count = root.flatMap({ ResponsePath(list).value(in: $0) })?.count,
        count >= group.count
      else { return nil }
      if count > group.count { step.length = count }
    }
    return step
  }

  static func isConstant(_ found: [ProducedValue]) -> Bool {
    found.allSatisfy { $0.exchange == found[0].exchange && $0.source == found[0].source }
  }

  /// The rows of an earlier step, one for each exchange.
  private func rows(_ found: [ProducedValue]) -> (TrafficStep.Items, String)? {
    let number = stepOf[found[0].exchange]
    guard number >= 0, steps[number].hasItems, steps[number].length == nil,
      steps[number].positions == found.map(\.exchange),
      found.allSatisfy({ $0.source == found[0].source })
    else { return nil }
    return (.rows(step: number), "")
  }

  /// The elements of a list, from the first one on.
  private func list(_ found: [ProducedValue]) -> (TrafficStep.Items, String)? {
    guard case .body(let first) = found[0].source else { return nil }
    for open in ResponsePath(first).opened where open.index == 0 {
      let isList = found.enumerated().allSatisfy { number, value in
        guard value.exchange == found[0].exchange, case .body(let path) = value.source else {
          return false
        }
        return ResponsePath(path).opened.contains(
          .init(list: open.list, index: number, rest: open.rest))
      }
      if isList, stepOf[found[0].exchange] >= 0, isSingle(stepOf[found[0].exchange]) {
        return (.list(exchange: found[0].exchange, list: open.list), open.rest)
      }
    }
    return nil
  }

  /// The names of all members of an object.
  private func keys(_ found: [ProducedValue]) -> (TrafficStep.Items, String)? {
    guard case .key(let object, 0) = found[0].source, isSingle(stepOf[found[0].exchange]) else {
      return nil
    }
    let exchange = found[0].exchange
    let isAll = found.enumerated().allSatisfy {
      $1.exchange == exchange && $1.source == .key(of: object, index: $0)
    }
    let root = traffic.root(of: traffic.exchanges[exchange])
    let count = root.flatMap { ResponsePath(object).value(in: $0) }?.count
    return isAll && count == found.count
      ? (.keys(exchange: exchange, object: object), ".key") : nil
  }

  /// The elements of all lists in the rows of a step, row by row.
  private func rows(of found: [ProducedValue]) -> (TrafficStep.Items, String)? {
    guard let nested = nested(found), nested.order == Array(found.indices) else { return nil }
    return (.nested(step: nested.step, list: nested.list), nested.rest)
  }

  /// Lists in the rows of a step that have just these values.
  ///
  /// - Returns: With the values' positions in the order of the rows and their lists.
  private func nested(
    _ found: [ProducedValue]
  ) -> (step: Int, list: String, rest: String, order: [Int])? {
    let number = stepOf[found[0].exchange]
    guard number >= 0, steps[number].hasItems, steps[number].length == nil,
      found.allSatisfy({ stepOf[$0.exchange] == number }), case .body(let first) = found[0].source
    else { return nil }
    let rows = Dictionary(
      uniqueKeysWithValues: steps[number].positions.enumerated().map { ($1, $0) })
    for open in ResponsePath(first).opened {
      var places: [(row: Int, index: Int, position: Int)] = []
      for (position, value) in found.enumerated() {
        guard case .body(let path) = value.source,
          let row = rows[value.exchange],
          let own = ResponsePath(path).opened.first(where: {
            $0.list.equals(bytes: open.list) && $0.rest.equals(bytes: open.rest)
          })
        else { break }
        places.append((row, own.index, position))
      }
      guard places.count == found.count else { continue }
      places.sort { ($0.row, $0.index) < ($1.row, $1.index) }
      let all = steps[number].positions.enumerated().flatMap { row, exchange in
        let root = traffic.root(of: traffic.exchanges[exchange])
        let count = root.flatMap { ResponsePath(open.list).value(in: $0) }?.count ?? 0
        return (0..<count).map { [row, $0] }
      }
      if all == places.map({ [$0.row, $0.index] }) {
        return (number, open.list, open.rest, places.map(\.position))
      }
    }
    return nil
  }

  private func isSingle(_ step: Int) -> Bool {
    if step >= 0, steps[step].owner == nil, case .single = steps[step].form { true } else { false }
  }
}
