internal import PipelineByteText
internal import PipelineJSONText

/// Where the steps of requests are: in which blocks, and which of their items a request was.
struct RequestPlaces {
  /// A block for the items of a step, with that step and others.
  struct Block {
    let id: String
    /// The name of the item in the block.
    let itemName: String
    /// The step in whose block it is.
    let owner: Int?
    var items: JSONValue = "$"
  }

  private var ids: [String] = []
  private var owners: [Int?] = []
  /// Whether a step has items that no block goes through.
  private var hasItems: [Bool] = []
  /// The steps of each block, and those outside of blocks.
  private var inner: [Int?: [Int]] = [:]
  /// The steps and places of requests by their names.
  private var named: [String: [(step: Int, place: [Int])]] = [:]
  /// By the steps that have the items.
  var blocks: [Int: Block] = [:]

  init() {}

  init(_ requests: [ImportedRequest], _ ids: [String], _ names: inout ImportedName) {
    self.ids = ids
    for (step, request) in requests.enumerated() {
      let own = ([request.name] + request.rows).enumerated()
      for (number, name) in own {
        guard let name else { continue }
        let place = request.places.isEmpty ? [] : request.places[number]
        named[name, default: []].append((step, place))
      }
      owners.append(request.owner.flatMap { named[$0]?.last?.step })
    }
    let isOwner = Set(owners.compactMap(\.self))
    for (step, request) in requests.enumerated() {
      hasItems.append(request.items != nil && !isOwner.contains(step))
      inner[owners[step], default: []].append(step)
      guard isOwner.contains(step) else { continue }
      let word = request.itemWord.flatMap { $0.isEmpty ? nil : $0 } ?? "item"
      let name = ([word] + (request.itemPart.map { [$0] } ?? [])).joined(separator: " ")
      blocks[step] = Block(
        id: names.next(for: "each " + word, otherwise: "each"),
        itemName: names.next(for: name, otherwise: "item"), owner: owners[step])
    }
  }

  /// The steps of a block in their order, its owner first, or those outside of blocks.
  func steps(in owner: Int?) -> [Int] { (owner.map { [$0] } ?? []) + (inner[owner] ?? []) }

  /// The owner of the block in which a step is: itself, if others are in a block with it.
  func owner(of step: Int) -> Int? { blocks[step] == nil ? owners[step] : step }

  /// What the item of a request is called.
  func itemName(of request: String) -> String {
    named[request]?.last.flatMap { blocks[$0.step] }?.itemName ?? "item"
  }

  /// The step and the place of the latest request with a name.
  func find(_ name: String, before step: Int) -> (step: Int, place: [Int])? {
    named[name]?.last { $0.step < step }
  }

  // MARK: Names

  /// The owners of the blocks in which a step is and another place is not, from the outside.
  private func blocks(of step: Int, notAround place: Int?) -> ArraySlice<Int> {
    func chain(_ owner: Int?) -> [Int] {
      owner.map { sequence(first: $0) { owners[$0] }.reversed() } ?? []
    }
    let all = chain(owner(of: step))
    let common = zip(all, chain(place)).prefix { $0 == $1 }.count
    return all[common...]
  }

  /// The step, or the outermost block in which it is, by its name in another block.
  func unit(of step: Int, seenFrom owner: Int?) -> String {
    blocks(of: step, notAround: owner).first.flatMap { blocks[$0]?.id } ?? ids[step]
  }

  /// The names of the blocks on the way to a step, with the positions of their items.
  func way(to step: Int, _ place: [Int], seenFrom owner: Int?) -> String {
    let ways = blocks(of: step, notAround: owner)
    return zip(ways, ways.indices).map { block, depth in
      let index = depth < place.count ? "\(place[depth])" : "0"
      return "\(blocks[block]?.id ?? "")[\(index)]."
    }.joined()
  }

  /// One row of a step, as another block reads it.
  func path(to step: Int, _ place: [Int], seenFrom owner: Int?) -> String {
    way(to: step, place, seenFrom: owner) + ids[step]
      + (hasItems[step] ? "[\(place.last ?? 0)]" : "")
  }

  /// Whether another block reads single rows of a step.
  func isOfSomeRows(_ step: Int, seenFrom owner: Int?) -> Bool {
    hasItems[step] || !blocks(of: step, notAround: owner).isEmpty
  }

  /// All rows of a step, as another block reads them.
  func path(toAllOf step: Int, seenFrom owner: Int?) -> String {
    blocks(of: step, notAround: owner).map { "\(blocks[$0]?.id ?? "")[*]." }.joined() + ids[step]
      + (hasItems[step] ? "[*]" : "")
  }
}
