/// A drawing of a graph in layers. Each vertex is in a later layer than all that it follows. Few
/// edges cross, and long edges run straight.
///
/// Numbers alone: it does not know what is drawn. *Across* runs along a layer, *along* from the
/// first layer to the last.
package struct LayeredLayout: Sendable {
  package struct Edge: Sendable, Hashable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  package struct Vertex: Sendable {
    /// The size across the flow and along it.
    package var breadth: Double
    package var depth: Double
    /// Comes after all vertices for which this is `false`.
    package var isLast: Bool

    package init(breadth: Double, depth: Double, isLast: Bool = false) {
      self.breadth = breadth
      self.depth = depth
      self.isLast = isLast
    }
  }

  package struct Point: Sendable, Hashable {
    package var across: Double
    package var along: Double
  }

  /// The middle of each vertex.
  package private(set) var centers: [Point] = []
  /// The corners of each edge, from one vertex's rim to the other's. Between layers, from each
  /// second point to the next, an edge may bend.
  package private(set) var routes: [[Point]] = []
  /// For each vertex its layer, from 0.
  package let layers: [Int]
  package private(set) var breadth = 0.0
  package private(set) var depth = 0.0
  /// How many edges cross between neighbouring layers.
  package let crossings: Int

  static let layerGap = 52.0
  /// How straight an edge arrives, so that its head points at the vertex.
  private static let stub = 10.0
  /// More bends than this are not made: such long edges run straight.
  private static let mostBends = 40_000

  /// - Parameters:
  ///   - edges: Without cycles, each pair at most once.
  ///   - broadest: How broad a layer may be before it is wrapped into several.
  package init(_ vertices: [Vertex], _ edges: [Edge], broadest: Double = .infinity) {
    let stages = Layering.layers(of: vertices, edges)
    let layers = Layering.wrapped(stages, vertices, broadest: broadest)
    self.layers = layers
    let bends = edges.reduce(0) { $0 + max(0, layers[$1.to] - layers[$1.from] - 1) }
    var chains = LayerChains(vertices: vertices, layers: layers)
    for (edge, bundle) in zip(edges, Self.bundles(edges, stages, layers)) {
      chains.add(edge, bends: bends <= Self.mostBends, in: bundle)
    }
    var order = LayerOrder(chains)
    order.reduceCrossings()
    crossings = order.crossings
    var arranged = LayerPlaces(chains, order.rows)
    // Rows of a wrapped layer would follow the edges past them to one side.
    if layers != stages { arranged.center() }
    let places = arranged.across
    place(vertices, chains, places)
    route(vertices, edges, chains, places)
  }

  /// The layer of each vertex, if only that is of interest.
  package static func stages(_ isLast: [Bool], _ edges: [Edge]) -> [Int] {
    Layering.layers(of: isLast.map { Vertex(breadth: 0, depth: 0, isLast: $0) }, edges)
  }

  /// The edges that an edge past rows of a wrapped layer joins: those of the end that has more.
  private static func bundles(
    _ edges: [Edge], _ stages: [Int], _ layers: [Int]
  ) -> [LayerChains.Bundle?] {
    var leaving = [Int](repeating: 0, count: layers.count)
    var arriving = leaving
    for edge in edges {
      leaving[edge.from] += 1
      arriving[edge.to] += 1
    }
    return edges.map { edge in
      let isStretched = layers[edge.to] - layers[edge.from] > stages[edge.to] - stages[edge.from]
      guard isStretched else { return nil }
      return leaving[edge.from] >= arriving[edge.to] ? .from(edge.from) : .to(edge.to)
    }
  }

  /// Where each layer begins and ends.
  private func extents(_ vertices: [Vertex]) -> [(start: Double, end: Double)] {
    var depths = [Double](repeating: 0, count: (layers.max() ?? -1) + 1)
    for (vertex, layer) in zip(vertices, layers) {
      depths[layer] = max(depths[layer], vertex.depth)
    }
    var start = 0.0
    return depths.map { depth in
      defer { start += depth + Self.layerGap }
      return (start, start + depth)
    }
  }

  private mutating func place(_ vertices: [Vertex], _ chains: LayerChains, _ places: [Double]) {
    let extents = extents(vertices)
    let left = places.indices.map { places[$0] - chains.breadths[$0] / 2 }.min() ?? 0
    let right = places.indices.map { places[$0] + chains.breadths[$0] / 2 }.max() ?? 0
    centers = vertices.indices.map { number in
      let extent = extents[layers[number]]
      return Point(across: places[number] - left, along: (extent.start + extent.end) / 2)
    }
    breadth = right - left
    depth = extents.last?.end ?? 0
  }

  private mutating func route(
    _ vertices: [Vertex], _ edges: [Edge], _ chains: LayerChains, _ places: [Double]
  ) {
    let extents = extents(vertices)
    let left = places.indices.map { places[$0] - chains.breadths[$0] / 2 }.min() ?? 0
    let ports = Ports(vertices, edges, chains, places)
    routes = edges.indices.map { number in
      let (from, to) = (edges[number].from, edges[number].to)
      let start = places[from] - left + ports.exits[number]
      let end = places[to] - left + ports.entries[number]
      var points = [
        Point(across: start, along: centers[from].along + vertices[from].depth / 2),
        Point(across: start, along: extents[layers[from]].end),
      ]
      for bend in chains.bends[number] {
        let extent = extents[chains.layers[bend]]
        points.append(Point(across: places[bend] - left, along: extent.start))
        points.append(Point(across: places[bend] - left, along: extent.end))
      }
      points.append(Point(across: end, along: extents[layers[to]].start - Self.stub))
      points.append(Point(across: end, along: centers[to].along - vertices[to].depth / 2))
      return points
    }
  }
}

/// The layer of each vertex: as early as its dependencies allow.
private enum Layering {
  static func layers(of vertices: [LayeredLayout.Vertex], _ edges: [LayeredLayout.Edge]) -> [Int] {
    var following = [[Int]](repeating: [], count: vertices.count)
    var waiting = [Int](repeating: 0, count: vertices.count)
    for edge in edges {
      following[edge.from].append(edge.to)
      waiting[edge.to] += 1
    }
    var layers = [Int](repeating: 0, count: vertices.count)
    var ready = vertices.indices.filter { waiting[$0] == 0 }
    while let vertex = ready.popLast() {
      for next in following[vertex] {
        layers[next] = max(layers[next], layers[vertex] + 1)
        waiting[next] -= 1
        if waiting[next] == 0 { ready.append(next) }
      }
    }
    return behindTheOthers(layers, vertices, edges)
  }

  /// The layers with each that is too broad split into several of about the same breadth.
  static func wrapped(
    _ layers: [Int], _ vertices: [LayeredLayout.Vertex], broadest: Double
  ) -> [Int] {
    var rows = [[Int]](repeating: [], count: (layers.max() ?? -1) + 1)
    for (vertex, layer) in layers.enumerated() { rows[layer].append(vertex) }
    var result = layers
    var layer = 0
    for row in rows {
      let breadth = row.reduce(0) { $0 + vertices[$1].breadth + LayerPlaces.vertexGap }
      let share = breadth / max((breadth / broadest).rounded(.up), 1)
      var used = 0.0
      for vertex in row {
        let next = vertices[vertex].breadth + LayerPlaces.vertexGap
        if used > 0, used + next / 2 > share {
          layer += 1
          used = 0
        }
        used += next
        result[vertex] = layer
      }
      layer += 1
    }
    return result
  }

  private static func behindTheOthers(
    _ layers: [Int], _ vertices: [LayeredLayout.Vertex], _ edges: [LayeredLayout.Edge]
  ) -> [Int] {
    guard vertices.contains(where: \.isLast), vertices.contains(where: { !$0.isLast }) else {
      return layers
    }
    // Among the last, only edges between them count.
    var own = [Int](repeating: 0, count: vertices.count)
    let inner = edges.filter { vertices[$0.from].isLast && vertices[$0.to].isLast }
      .sorted { layers[$0.from] < layers[$1.from] }
    for edge in inner { own[edge.to] = max(own[edge.to], own[edge.from] + 1) }
    let start = vertices.indices.filter { !vertices[$0].isLast }.map { layers[$0] }.max() ?? 0
    return vertices.indices.map { vertices[$0].isLast ? start + 1 + own[$0] : layers[$0] }
  }
}

/// Where on the rim of its vertices each edge begins and ends, counted from the middle.
private struct Ports {
  private(set) var exits: [Double]
  private(set) var entries: [Double]

  private static let distance = 12.0

  init(
    _ vertices: [LayeredLayout.Vertex], _ edges: [LayeredLayout.Edge], _ chains: LayerChains,
    _ places: [Double]
  ) {
    exits = [Double](repeating: 0, count: edges.count)
    entries = exits
    var outgoing = [[Int]](repeating: [], count: vertices.count)
    var incoming = outgoing
    for (number, edge) in edges.enumerated() {
      outgoing[edge.from].append(number)
      incoming[edge.to].append(number)
    }
    for vertex in vertices.indices {
      let room = vertices[vertex].breadth * 0.7
      let leaving = outgoing[vertex].sorted {
        places[chains.bends[$0].first ?? edges[$0].to]
          < places[chains.bends[$1].first ?? edges[$1].to]
      }
      for (rank, edge) in leaving.enumerated() {
        exits[edge] = Self.offset(rank, of: leaving.count, room)
      }
      let arriving = incoming[vertex].sorted {
        places[chains.bends[$0].last ?? edges[$0].from]
          < places[chains.bends[$1].last ?? edges[$1].from]
      }
      for (rank, edge) in arriving.enumerated() {
        entries[edge] = Self.offset(rank, of: arriving.count, room)
      }
    }
  }

  private static func offset(_ rank: Int, of count: Int, _ room: Double) -> Double {
    guard count > 1 else { return 0 }
    return (Double(rank) - Double(count - 1) / 2) * min(distance, room / Double(count - 1))
  }
}
