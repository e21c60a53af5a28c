internal import PipelineByteText

// The steps and their dependencies, with their outcomes.
extension HTMLReport {
  private struct Box {
    let step: Int
    var x = 0
    var y = 0
    var width = 0
  }

  private enum Size {
    static let height = 46
    static let gap = 18
    static let between = 56
    static let margin = 8
  }

  mutating func graph() {
    let steps = trace.steps.indices.filter { trace.steps[$0].parent == nil }
    guard steps.count > 1, steps.count <= Most.graphSteps,
      trace.steps.contains(where: { !$0.after.isEmpty })
    else { return }
    let boxes = layout(steps)
    let width = (boxes.values.map { $0.x + $0.width }.max() ?? 0) + Size.margin
    let height = (boxes.values.map(\.y).max() ?? 0) + Size.height + Size.margin
    section(
      "graph", "Graph", "Each step follows those left of it. Heavy lines are the critical path.")
    beginScroll()
    html +=
      "<svg class=\"graph\""
      + " viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\""
      + " height=\"\(height)\" role=\"group\" aria-label=\"The graph of the steps\">\n"
    let heavy = criticalEdges
    for (isHeavy, step) in [false, true].flatMap({ isHeavy in steps.map { (isHeavy, $0) } }) {
      for other in followed(step) where heavy.contains([other, step]) == isHeavy {
        guard let from = boxes[other], let to = boxes[step] else { continue }
        let (x1, y1) = (from.x + from.width, from.y + Size.height / 2)
        let (x2, y2) = (to.x, to.y + Size.height / 2)
        let bend = max(20, (x2 - x1) / 2)
        html +=
          "<path class=\"edge\(isHeavy ? " heavy" : "")\" d=\"M\(x1) \(y1)C\(x1 + bend) \(y1)"
          + " \(x2 - bend) \(y2) \(x2) \(y2)\"/>\n"
      }
    }
    for step in steps { if let box = boxes[step] { draw(box) } }
    html += "</svg>\n</div>\n</section>\n"
  }

  private mutating func draw(_ box: Box) {
    let step = trace.steps[box.step]
    let outcome = Self.className(step.outcome.rawValue)
    var more = step.start == nil ? step.outcome.rawValue : step.time.timeText
    if step.outcome == .none { more = "not begun" }
    if let items = step.itemsText { more += " · " + items }
    html +=
      "<a href=\"#s\(box.step)\"><g class=\"node \(outcome)\"><rect x=\"\(box.x)\" y=\"\(box.y)\""
      + " width=\"\(box.width)\" height=\"\(Size.height)\" rx=\"8\"/>"
      + "<rect class=\"edge-mark\" x=\"\(box.x)\" y=\"\(box.y)\" width=\"5\""
      + " height=\"\(Size.height)\" rx=\"2\"/>"
    html +=
      "<text class=\"id\" x=\"\(box.x + 14)\" y=\"\(box.y + 20)\">"
      + Self.escaped(step.id.cut(to: 28)) + "</text><text x=\"\(box.x + 14)\" y=\"\(box.y + 36)\">"
      + Self.escaped(more) + "</text></g></a>\n"
  }

  private func followed(_ step: Int) -> [Int] {
    trace.steps[step].after.compactMap { id in
      trace.steps.firstIndex { $0.parent == nil && $0.id.equals(bytes: id) }
    }
  }

  /// The edges along which the critical path goes.
  private var criticalEdges: Set<[Int]> {
    func top(_ step: Int) -> Int {
      var step = step
      while let parent = trace.steps[step].parent { step = parent }
      return step
    }
    var edges: Set<[Int]> = []
    var last: Int?
    for step in trace.path.compactMap(\.step).map(top) {
      if let last, last != step { edges.insert([last, step]) }
      last = step
    }
    return edges
  }

  /// Columns by the longest chain of steps before; `finally` steps come last.
  private func layout(_ steps: [Int]) -> [Int: Box] {
    var columns: [Int: Int] = [:]
    // Steps may be written in any order: a chain has at most as many links as there are steps.
    for _ in steps {
      var hasChanged = false
      for step in steps {
        let column = (followed(step).compactMap { columns[$0] }.max() ?? -1) + 1
        if columns[step] != column, column <= steps.count {
          columns[step] = column
          hasChanged = true
        }
      }
      if !hasChanged { break }
    }
    let isLast = { (step: Int) in trace.steps[step].isFinally }
    let end = (steps.filter { !isLast($0) }.compactMap { columns[$0] }.max() ?? -1) + 1
    var boxes: [Int: Box] = [:]
    var x = Size.margin
    let grouped = Dictionary(grouping: steps) { step in
      (columns[step] ?? 0) + (isLast(step) ? end : 0)
    }
    let tallest = grouped.values.map(\.count).max() ?? 1
    for column in grouped.keys.sorted() {
      let members = grouped[column] ?? []
      let width = members.map(boxWidth).max() ?? 100
      let offset = (tallest - members.count) * (Size.height + Size.gap) / 2
      for (row, step) in members.enumerated() {
        boxes[step] = Box(
          step: step, x: x, y: Size.margin + offset + row * (Size.height + Size.gap), width: width)
      }
      x += width + Size.between
    }
    return boxes
  }

  private func boxWidth(_ step: Int) -> Int {
    let name = min(28, trace.steps[step].id.unicodeScalars.count) * 8
    let more = trace.steps[step].items == nil ? 70 : 150
    return max(name, more) + 30
  }
}
