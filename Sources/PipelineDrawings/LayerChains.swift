/// A layered graph in which every edge leads from one layer to the next. A long edge has a bend, a
/// vertex without a size, in each layer between.
struct LayerChains: Sendable {
  private(set) var layers: [Int]
  private(set) var breadths: [Double]
  /// How many of the vertices are not bends. These come first.
  let vertexCount: Int
  /// For each edge its bends.
  private(set) var bends: [[Int]] = []
  /// The neighbours of each vertex in the layers before and after.
  private(set) var before: [[Int]]
  private(set) var behind: [[Int]]

  private static let bendBreadth = 4.0

  init(vertices: [LayeredLayout.Vertex], layers: [Int]) {
    self.layers = layers
    breadths = vertices.map(\.breadth)
    vertexCount = vertices.count
    before = [[Int]](repeating: [], count: vertices.count)
    behind = before
  }

  func isBend(_ vertex: Int) -> Bool { vertex >= vertexCount }

  /// Which edges share their bends: those that leave one vertex, or those that arrive at one.
  enum Bundle: Hashable {
    case from(Int), to(Int)
  }

  /// The bends of a bundle, by layer.
  private var bundles: [Bundle: [Int: Int]] = [:]

  /// - Parameter bundle: The bundle that the edge belongs to; `nil` if it runs by itself.
  mutating func add(_ edge: LayeredLayout.Edge, bends hasBends: Bool, in bundle: Bundle?) {
    var chain: [Int] = []
    if hasBends {
      for layer in stride(from: layers[edge.from] + 1, to: layers[edge.to], by: 1) {
        if let bundle, let bend = bundles[bundle]?[layer] {
          chain.append(bend)
          continue
        }
        if let bundle { bundles[bundle, default: [:]][layer] = layers.count }
        chain.append(layers.count)
        layers.append(layer)
        breadths.append(Self.bendBreadth)
        before.append([])
        behind.append([])
      }
    }
    bends.append(chain)
    guard !chain.isEmpty || layers[edge.to] == layers[edge.from] + 1 else { return }
    for (from, to) in zip([edge.from] + chain, chain + [edge.to]) {
      if bundle != nil, behind[from].contains(to) { continue }
      behind[from].append(to)
      before[to].append(from)
    }
  }
}

/// The order of the vertices in each layer.
struct LayerOrder: Sendable {
  private let chains: LayerChains
  private(set) var rows: [[Int]]
  private var rank: [Int]

  private static let sweeps = 24
  /// With more vertices than this, neighbours are not tried against each other.
  private static let mostSwapped = 3000

  init(_ chains: LayerChains) {
    self.chains = chains
    rank = [Int](repeating: 0, count: chains.layers.count)
    rows = [[Int]](repeating: [], count: (chains.layers.max() ?? -1) + 1)
    // Depth first, so that what hangs together begins side by side.
    var isSeen = [Bool](repeating: false, count: chains.layers.count)
    for root in 0..<chains.vertexCount where chains.before[root].isEmpty {
      var stack = [root]
      while let vertex = stack.popLast() {
        if isSeen[vertex] { continue }
        isSeen[vertex] = true
        rows[chains.layers[vertex]].append(vertex)
        stack += chains.behind[vertex].reversed()
      }
    }
    for vertex in isSeen.indices where !isSeen[vertex] {
      rows[chains.layers[vertex]].append(vertex)
    }
    for row in rows.indices { setRanks(of: row) }
  }

  private mutating func setRanks(of row: Int) {
    for (position, vertex) in rows[row].enumerated() { rank[vertex] = position }
  }

  /// Sweeps forth and back, each vertex towards the middle of its neighbours, and keeps the best.
  mutating func reduceCrossings() {
    var best = rows
    var fewest = crossings
    var unchanged = 0
    for sweep in 0..<Self.sweeps where fewest > 0 {
      let isForth = sweep % 2 == 0
      let indices = isForth ? Array(rows.indices.dropFirst()) : rows.indices.dropLast().reversed()
      for row in indices { sort(row, by: isForth ? chains.before : chains.behind) }
      if chains.layers.count <= Self.mostSwapped { swapNeighbours() }
      let count = crossings
      unchanged = count < fewest ? 0 : unchanged + 1
      if count < fewest {
        fewest = count
        best = rows
      }
      if unchanged > 6 { break }
    }
    rows = best
    for row in rows.indices { setRanks(of: row) }
  }

  private mutating func sort(_ row: Int, by neighbours: [[Int]]) {
    let keyed = rows[row].enumerated().map { position, vertex in
      let ranks = neighbours[vertex].map { rank[$0] }
      let middle =
        ranks.isEmpty ? Double(position) : Double(ranks.reduce(0, +)) / Double(ranks.count)
      return (vertex, middle, position)
    }
    rows[row] = keyed.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
    setRanks(of: row)
  }

  /// Exchanges neighbours while that saves crossings.
  private mutating func swapNeighbours() {
    for _ in 0..<4 {
      var isBetter = false
      for row in rows.indices where rows[row].count > 1 {
        for position in 0..<(rows[row].count - 1) {
          let (left, right) = (rows[row][position], rows[row][position + 1])
          guard crossings(right, left) < crossings(left, right) else { continue }
          rows[row].swapAt(position, position + 1)
          rank[left] = position + 1
          rank[right] = position
          isBetter = true
        }
      }
      if !isBetter { return }
    }
  }

  /// The crossings between the edges of two neighbours, `left` standing before `right`.
  private func crossings(_ left: Int, _ right: Int) -> Int {
    var count = 0
    for neighbours in [chains.before, chains.behind] {
      for one in neighbours[left] {
        for other in neighbours[right] where rank[one] > rank[other] { count += 1 }
      }
    }
    return count
  }

  /// All crossings between neighbouring layers. O(edges · log vertices).
  var crossings: Int {
    var count = 0
    for row in rows.indices.dropLast() {
      let size = rows[row + 1].count
      var tree = [Int](repeating: 0, count: size + 1)
      var seen = 0
      for vertex in rows[row] {
        let targets = chains.behind[vertex].map { rank[$0] }
        for target in targets {
          var (index, notAfter) = (target + 1, 0)
          while index > 0 {
            notAfter += tree[index]
            index &= index - 1
          }
          count += seen - notAfter
        }
        for target in targets {
          seen += 1
          var index = target + 1
          while index <= size {
            tree[index] += 1
            index += index & -index
          }
        }
      }
    }
    return count
  }
}

/// The place of each vertex across the flow.
///
/// In each layer, every vertex goes as near to the middle of its neighbours as order and gaps
/// allow. Isotonic regression finds the best places at once.
struct LayerPlaces: Sendable {
  private(set) var across: [Double]
  private let chains: LayerChains
  private let rows: [[Int]]

  static let vertexGap = 26.0
  private static let bendGap = 14.0
  /// Between edges that run side by side.
  private static let bundleGap = 6.0
  private static let rounds = 12

  init(_ chains: LayerChains, _ rows: [[Int]]) {
    self.chains = chains
    self.rows = rows
    across = [Double](repeating: 0, count: chains.layers.count)
    for row in rows {
      let offsets = offsets(of: row)
      let middle = (offsets.last ?? 0) / 2
      for (vertex, offset) in zip(row, offsets) { across[vertex] = offset - middle }
    }
    for round in 0..<Self.rounds {
      let usesBoth = round >= Self.rounds - 4
      for row in rows.dropFirst() { place(row, before: true, behind: usesBoth) }
      for row in rows.dropLast().reversed() { place(row, before: usesBoth, behind: true) }
    }
  }

  /// Moves each row so that its middle is that of all others.
  mutating func center() {
    for row in rows {
      let left = row.map { across[$0] - chains.breadths[$0] / 2 }.min() ?? 0
      let right = row.map { across[$0] + chains.breadths[$0] / 2 }.max() ?? 0
      for vertex in row { across[vertex] -= (left + right) / 2 }
    }
  }

  /// The distance of each vertex of a row from the first if all are as close as allowed.
  private func offsets(of row: [Int]) -> [Double] {
    var offsets: [Double] = []
    for (position, vertex) in row.enumerated() {
      guard position > 0, let last = offsets.last else {
        offsets.append(0)
        continue
      }
      let other = row[position - 1]
      let gap =
        switch (chains.isBend(vertex), chains.isBend(other)) {
        case (true, true): Self.bundleGap
        case (false, false): Self.vertexGap
        default: Self.bendGap
        }
      offsets.append(last + (chains.breadths[vertex] + chains.breadths[other]) / 2 + gap)
    }
    return offsets
  }

  private mutating func place(_ row: [Int], before: Bool, behind: Bool) {
    let offsets = offsets(of: row)
    // Neighbours that want to be too close form a block, which goes to the place that suits its
    // members best.
    var blocks: [(weight: Double, sum: Double, count: Int)] = []
    for (position, vertex) in row.enumerated() {
      let (target, weight) = wish(of: vertex, before: before, behind: behind)
      var block = (weight: weight, sum: weight * (target - offsets[position]), count: 1)
      while let last = blocks.last, last.sum / last.weight > block.sum / block.weight {
        block = (block.weight + last.weight, block.sum + last.sum, block.count + last.count)
        blocks.removeLast()
      }
      blocks.append(block)
    }
    var position = 0
    for block in blocks {
      for _ in 0..<block.count {
        across[row[position]] = block.sum / block.weight + offsets[position]
        position += 1
      }
    }
  }

  /// Where a vertex wants to be, and how much. Bends of one edge hold together, so that it is
  /// straight.
  private func wish(of vertex: Int, before: Bool, behind: Bool) -> (target: Double, weight: Double)
  {
    let neighbours =
      (before ? chains.before[vertex] : []) + (behind ? chains.behind[vertex] : [])
    guard !neighbours.isEmpty else { return (across[vertex], 0.1) }
    var (sum, weight) = (0.0, 0.0)
    for neighbour in neighbours {
      let pull =
        chains.isBend(vertex) && chains.isBend(neighbour)
        ? 8.0 : chains.isBend(vertex) || chains.isBend(neighbour) ? 2 : 1
      sum += pull * across[neighbour]
      weight += pull
    }
    return (sum / weight, weight)
  }
}
