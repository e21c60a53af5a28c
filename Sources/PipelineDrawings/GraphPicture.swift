internal import PipelineByteText
internal import PipelineSourceText

/// The place of everything in a drawn workflow, in pixels.
package struct GraphPicture: Sendable {
  package enum Flow: Sendable {
    case down, right
  }

  package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double
  }

  package struct Box: Sendable {
    package var node: WorkflowGraph.Node
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    package var lines: [Line]
    /// Its depth in blocks.
    package var depth: Int
  }

  /// One line of text in a box.
  package struct Line: Sendable, Hashable {
    package enum Role: String, Sendable {
      case name, action, collection, condition
    }

    package var role: Role
    package var text: String
    /// The method in front of an action.
    package var method: String?
  }

  package struct Curve: Sendable {
    package var from: String
    package var to: String
    package var reasons: [String]
    package var isImplied: Bool
    /// In pairs: straight within a pair, bent between one pair and the next.
    package var points: [Point]
    package var isCritical = false
  }

  package private(set) var boxes: [Box] = []
  package private(set) var curves: [Curve] = []
  package private(set) var width = 0.0
  package private(set) var height = 0.0
  package let flow: Flow

  /// The width of a character, by the size of a fixed-width font.
  static let nameCell = 7.9
  static let textCell = 6.65
  static let lineHeight = 17.0
  static let padding = 12.0
  /// How far the sheets of a collection are offset.
  static let sheet = 4.0
  private static let margin = 24.0
  private static let groupPadding = 18.0
  private static let mostCells = 30
  /// The longest row or column of steps before it is wrapped. It fits a small window.
  private static let widest = 1100.0
  private static let highest = 720.0

  /// Drawn down or to the right, whichever is larger on a screen.
  package static func fitting(_ graph: WorkflowGraph) -> GraphPicture {
    let (down, right) = (GraphPicture(graph, .down), GraphPicture(graph, .right))
    func reduction(_ picture: GraphPicture) -> Double {
      max(picture.width / 1280, picture.height / 800, 0.75)
    }
    return reduction(right) < reduction(down) ? right : down
  }

  package init(_ graph: WorkflowGraph, _ flow: Flow) {
    self.flow = flow
    let content = Content(graph, flow, depth: 0)
    add(content, x: Self.margin, y: Self.margin)
    width = content.width + 2 * Self.margin
    height = content.height + 2 * Self.margin
  }

  private mutating func add(_ content: Content, x: Double, y: Double) {
    for (edge, points) in zip(content.graph.edges, content.routes) {
      curves.append(
        Curve(
          from: content.graph.nodes[edge.from].path, to: content.graph.nodes[edge.to].path,
          reasons: edge.reasons, isImplied: edge.isImplied,
          points: points.map { Point(x: $0.x + x, y: $0.y + y) }, isCritical: edge.isCritical))
    }
    for item in content.items {
      var box = item.box
      box.x += x
      box.y += y
      boxes.append(box)
      if let inner = item.inner {
        let top = Self.headerHeight(of: box.lines)
        add(inner, x: box.x + (box.width - inner.width) / 2, y: box.y + top)
      }
    }
  }

  fileprivate static func headerHeight(of lines: [Line]) -> Double {
    Double(lines.count) * lineHeight + 20
  }

  /// One block, laid out by itself.
  private struct Content {
    let graph: WorkflowGraph
    var items: [(box: Box, inner: Content?)] = []
    var routes: [[Point]] = []
    var width = 0.0
    var height = 0.0

    init(_ graph: WorkflowGraph, _ flow: Flow, depth: Int) {
      self.graph = graph
      for node in graph.nodes { items.append(Self.item(node, flow, depth)) }
      let vertices = items.map { item in
        let (width, height) = (item.box.width, item.box.height)
        return LayeredLayout.Vertex(
          breadth: flow == .down ? width : height, depth: flow == .down ? height : width,
          isLast: item.box.node.isFinally)
      }
      let layout = LayeredLayout(
        vertices, graph.edges.map { LayeredLayout.Edge(from: $0.from, to: $0.to) },
        broadest: flow == .down ? GraphPicture.widest : GraphPicture.highest)
      func point(_ point: LayeredLayout.Point) -> Point {
        flow == .down
          ? Point(x: point.across, y: point.along) : Point(x: point.along, y: point.across)
      }
      for index in items.indices {
        let center = point(layout.centers[index])
        items[index].box.x = center.x - items[index].box.width / 2
        items[index].box.y = center.y - items[index].box.height / 2
      }
      routes = layout.routes.map { $0.map(point) }
      width = flow == .down ? layout.breadth : layout.depth
      height = flow == .down ? layout.depth : layout.breadth
    }

    private static func item(
      _ node: WorkflowGraph.Node, _ flow: Flow, _ depth: Int
    ) -> (Box, Content?) {
      let lines = GraphPicture.lines(of: node)
      let text =
        lines.map { line in
          Double(Cells.width(of: line.text) + (line.method.map { $0.count + 1 } ?? 0))
            * (line.role == .name ? nameCell : textCell)
        }.max() ?? 0
      var box = Box(
        node: node, x: 0, y: 0, width: max(84, text + 2 * padding),
        height: Double(lines.count) * lineHeight + 15, lines: lines, depth: depth)
      guard let graph = node.inner else { return (box, nil) }
      let content = Content(graph, flow, depth: depth + 1)
      box.width = max(box.width, content.width + 2 * groupPadding)
      box.height = headerHeight(of: lines) + content.height + groupPadding
      return (box, content)
    }
  }

  private static func lines(of node: WorkflowGraph.Node) -> [Line] {
    func short(_ text: String, _ cells: Int = mostCells) -> String {
      Cells.truncated(Cells.printable(text), to: cells)
    }
    var lines = [Line(role: .name, text: short(node.name))]
    if !node.action.isEmpty {
      let cells = mostCells - (node.method.map { $0.count + 1 } ?? 0)
      let action = node.kind == .request ? path(of: node.action) : node.action
      lines.append(Line(role: .action, text: short(action, cells), method: node.method))
    }
    if let collection = node.collection {
      lines.append(Line(role: .collection, text: short(collection)))
    }
    if let condition = node.condition {
      lines.append(Line(role: .condition, text: short("when " + condition)))
    }
    return lines
  }

  /// A URL without its scheme and host, which rarely tell steps apart.
  private static func path(of url: String) -> String {
    guard let mark = url.firstRange(bytes: "://") else { return url }
    return url[mark.upperBound...].firstIndex(ascii: "/").map { String(url[$0...]) } ?? url
  }
}
