internal import PipelineByteText
internal import PipelineJSONText

/// A step that is made of one exchange or of several that are alike.
struct TrafficStep {
  /// The origin of the items of a step with `forEach`.
  enum Items: Hashable {
    /// The elements of a list in the response of an exchange.
    case list(exchange: Int, list: String)
    /// The rows of another step with `forEach`.
    case rows(step: Int)
  }

  enum Form {
    case single
    case items(Items)
    case pages(ImportedPages)
  }

  /// The exchanges in their order.
  var positions: [Int]
  var form = Form.single
  /// What a slot of an item takes of the item: a path, empty for the item itself.
  var itemPaths: [Int: String] = [:]
  /// What the list holds of which only the first were requested.
  var length: Int?
}

/// Finds exchanges that are one step: items of a list, and pages.
struct TrafficSteps {
  let traffic: Traffic
  let fills: [[Int: Correlation]]
  private(set) var steps: [TrafficStep] = []
  /// The step of each exchange.
  private(set) var stepOf: [Int]

  /// - Parameter apart: Numbers of entries that stay steps of their own.
  init(_ traffic: Traffic, _ correlations: [Correlation], apart: Set<Int>) {
    self.traffic = traffic
    var fills = [[Int: Correlation]](repeating: [:], count: traffic.exchanges.count)
    for correlation in correlations { fills[correlation.consumer][correlation.slot] = correlation }
    self.fills = fills
    stepOf = [Int](repeating: -1, count: traffic.exchanges.count)
    var alike: [String: [Int]] = [:]
    for number in traffic.exchanges.indices where !apart.contains(entry(number)) {
      if let skeleton = skeleton(number) { alike[skeleton, default: []].append(number) }
    }
    for number in traffic.exchanges.indices where stepOf[number] < 0 {
      let group = skeleton(number).flatMap { alike[$0] } ?? []
      let step =
        apart.contains(entry(number))
        ? nil : pages(from: number) ?? (group.first == number ? items(group) : nil)
      add(step ?? TrafficStep(positions: [number]))
    }
  }

  private func entry(_ position: Int) -> Int { traffic.exchanges[position].first.number }

  private mutating func add(_ step: TrafficStep) {
    for position in step.positions { stepOf[position] = steps.count }
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
    guard group.count > 1 else { return nil }
    var origin: TrafficStep.Items?
    var paths: [Int: String] = [:]
    for slot in fills[group[0]].keys.sorted() {
      let found = group.compactMap { fills[$0][slot]?.producer }
      guard found.count == group.count else { return nil }
      if found.allSatisfy({ $0.exchange == found[0].exchange && $0.source == found[0].source }) {
        continue
      }
      guard let (items, path) = rows(found) ?? list(found), origin == nil || origin == items else {
        return nil
      }
      origin = items
      paths[slot] = path
    }
    guard let origin else { return nil }
    var step = TrafficStep(positions: group, form: .items(origin), itemPaths: paths)
    if case .list(let exchange, let list) = origin {
      let root = traffic.root(of: traffic.exchanges[exchange])
      guard let count = root.flatMap({ ResponsePath(list).value(in: $0) })?.count,
        count >= group.count
      else { return nil }
      if count > group.count { step.length = count }
    }
    return step
  }

  /// The rows of an earlier step, one for each exchange.
  private func rows(_ found: [ProducedValue]) -> (TrafficStep.Items, String)? {
    let number = stepOf[found[0].exchange]
    guard number >= 0, case .items = steps[number].form, steps[number].length == nil,
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

  private func isSingle(_ step: Int) -> Bool {
    if case .single = steps[step].form { true } else { false }
  }
}
