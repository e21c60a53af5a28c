import PipelineJSONPaths
import PipelineTemplates
import PipelineLanguage
import PipelinePlanning

/// The shape of a query of the scope, if known before a run.
enum Reading {
  case shape(ValueShape)
  /// The first name does not exist. Resolution reports it.
  case unresolved
  /// A later part selects nothing, whatever happens.
  indirect case missing(Missing)

  /// The shape, which may be unknown.
  var shape: ValueShape {
    if case .shape(let shape) = self { shape } else { .unknown }
  }

  struct Missing: Sendable {
    /// The name or position that is not there.
    let name: String
    /// The value that does not have it.
    let owner: ValueShape
    /// The number of segments that lead to the owner; 1: the value that the query begins with.
    let depth: Int
    let definition: Definition
    let query: Query
    /// The value that the query begins with.
    let start: ValueShape
  }
}

extension LintContext {
  /// The result of a use in its step.
  func read(_ use: ResolvedUse, by step: LintStep) -> Reading {
    guard use.use.query.firstName != nil else { return read(use.use.query, in: step.number) }
    guard let definition = use.definition else { return .unresolved }
    return Self.walk(use.use.query, from: shape(of: definition, in: step), definition)
  }

  /// The result of a use in the outputs of a block.
  func read(_ use: ResolvedUse, inOutputsOf block: Int) -> Reading {
    guard use.use.query.firstName != nil else {
      return read(use.use.query, inOutputsOf: block)
    }
    guard let definition = use.definition else { return .unresolved }
    return Self.walk(
      use.use.query, from: shape(of: definition, block: block, index: nil), definition)
  }

  /// The result of a query of the scope in a step.
  func read(_ query: Query, in step: Int) -> Reading {
    read(query) { name in
      guard let definition = steps[step].definition(of: name) else { return nil }
      return (definition, shape(of: definition, in: steps[step]))
    }
  }

  /// The result of a query of the scope in the outputs of a block.
  func read(_ query: Query, inOutputsOf block: Int) -> Reading {
    let definitions = blocks[block].outputDefinitions
    return read(query) { name in
      guard let definition = definitions[name] else { return nil }
      return (definition, shape(of: definition, block: block, index: nil))
    }
  }

  private func read(
    _ query: Query, _ lookUp: (String) -> (Definition, ValueShape)?
  ) -> Reading {
    if let name = query.firstName {
      guard let (definition, shape) = lookUp(name) else { return .unresolved }
      return Self.walk(query, from: shape, definition)
    }
    let found = query.firstNames.compactMap(lookUp)
    guard !found.isEmpty else { return .unresolved }
    // Several names select a list of the results of the rest of the query in each.
    let selected = found.compactMap { definition, shape -> ValueShape? in
      guard case .shape(let shape) = Self.walk(query, from: shape, definition) else { return nil }
      guard case .list(let element) = shape.content, query.segments.dropFirst().hasMany else {
        return shape.absentNever
      }
      return element.secret(shape.isSecret)
    }
    let isSecret = found.contains { $0.1.isSecret }
    return .shape(ValueShape.list(.union(of: selected)).secret(isSecret))
  }

  /// The result of the part of a query before a segment, in a step or in the outputs of a block.
  func read(
    _ query: Query, upTo end: Int, in reader: Reader
  ) -> ValueShape {
    guard let name = query.firstName, query.anchor == .root, end > 0 else { return .unknown }
    let start: (Definition, ValueShape)? =
      switch reader {
      case .step(let number):
        steps[number].definition(of: name).map { ($0, shape(of: $0, in: steps[number])) }
      case .outputs(let block):
        blocks[block].outputDefinitions[name].map {
          ($0, shape(of: $0, block: block, index: nil))
        }
      }
    guard let (definition, shape) = start else { return .unknown }
    return Self.walk(query, from: shape, definition, end: end).shape
  }

  /// The reader: a step, or the outputs of a block.
  enum Reader {
    case step(Int)
    case outputs(Int)
  }

  func read(_ query: Query, in reader: Reader) -> Reading {
    switch reader {
    case .step(let number): read(query, in: number)
    case .outputs(let block): read(query, inOutputsOf: block)
    }
  }

  /// Follows a query's segments, beginning with number `first`, through a shape.
  ///
  /// - Parameter end: The segment before which it ends; `nil` for after the last.
  static func walk(
    _ query: Query, from start: ValueShape, _ definition: Definition, first: Int = 1,
    end: Int? = nil
  ) -> Reading {
    var shape = start
    var first = first
    let segments = query.segments.prefix(end ?? .max)
    if start.hasError, segments.count > first, segments[first].name == "error" {
      shape = collectionFailure
      first += 1
    }
    var way = ShapeWalk(shape)
    // By number: a segment is large to copy.
    for depth in first..<max(first, segments.count) {
      let owner = way.shape
      guard way.follow(segments[depth]) else {
        return .missing(
          Reading.Missing(
            name: ShapeWalk.words(for: segments[depth].selectors.first.kind), owner: owner,
            depth: depth, definition: definition, query: query, start: start))
      }
      if way.isLost { break }
    }
    return .shape(way.result)
  }

  // MARK: - Definitions

  func shape(of definition: Definition, in step: LintStep) -> ValueShape {
    switch definition {
    case .item(level: 0): return shapes[step.number].item
    case .carried(level: 0, let name): return shapes[step.number].item.member(name)
    case .pageValue(let name): return shape(ofPageValue: name, in: step)
    default: break
    }
    return shape(of: definition, block: step.block, index: step.index)
  }

  func shape(of definition: Definition, block: Int, index: Int?) -> ValueShape {
    switch definition {
    case .inputs: return inputs
    case .state: return state(in: block)
    case .run: return Self.run(isFinally: index.map { $0 >= blocks[block].mainCount } ?? false)
    case .itemIndex: return .integer
    case .pageValue: return .unknown
    case .item(let level):
      // Level 1 is the `forEach` of the step around.
      guard let parent = parent(of: block, level: level - 1) else { return .unknown }
      return shapes[parent].item
    case .carried(let level, let name):
      guard let parent = parent(of: block, level: level - 1) else { return .unknown }
      return shapes[parent].item.member(name)
    case .step(let level, let number):
      guard let around = ancestor(of: block, level: level) else { return .unknown }
      let shape = shapes[blocks[around].steps[number]].value
      // A `finally` step and its inner steps run however the others ended.
      let reader = self.index(of: block, index: index, level: level) ?? 0
      let main = blocks[around].mainCount
      return shape.absent(reader >= main && number < main)
    }
  }

  /// The block `level` levels further out.
  func ancestor(of block: Int, level: Int) -> Int? {
    var block = block
    for _ in 0..<level {
      guard let parent = blocks[block].parent else { return nil }
      block = steps[parent].block
    }
    return block
  }

  /// The number of the step that is or contains the reader, in the block `level` levels further
  /// out.
  private func index(of block: Int, index: Int?, level: Int) -> Int? {
    guard level > 0 else { return index }
    return parent(of: block, level: level - 1).map { steps[$0].index }
  }

  /// The step that holds the block `level` levels further out.
  func parent(of block: Int, level: Int) -> Int? {
    ancestor(of: block, level: level).flatMap { blocks[$0].parent }
  }

  private static func run(isFinally: Bool) -> ValueShape {
    var members: ShapeMembers = ["id": .string, "startedAt": .moment]
    if isFinally {
      members["ok"] = .boolean
      members["errors"] = .list(.present)
    }
    return .object(members)
  }
}

extension ValueShape {
  /// The shape of a member of an object.
  func member(_ name: String) -> ValueShape {
    guard case .object(let members, _) = content else { return .unknown }
    return members[name] ?? source?.other(name) ?? .unknown
  }
}

extension ArraySlice<Segment> {
  /// Whether one of them can select several nodes.
  fileprivate var hasMany: Bool { contains { !$0.isSingular } }
}
