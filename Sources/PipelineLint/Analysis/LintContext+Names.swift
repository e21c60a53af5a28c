import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning

/// A name if it is given.
struct GivenName {
  let name: String
  let meaning: String
  let shape: ValueShape
}

extension LintContext {
  /// The name that is given at exactly these bytes: of an input, a state value, a step, a value,
  /// an item.
  func givenName(at range: Range<Int>) -> GivenName? {
    for input in workflow.inputs
    where input.nameRange == range && input.node.document === workflow.document {
      return named("inputs." + input.name, Viewpoint(block: 0, step: nil), input.name)
    }
    for value in workflow.state where value.nameRange == range {
      return named("state." + value.name, Viewpoint(block: 0, step: nil), value.name)
    }
    for step in steps {
      let viewpoint = Viewpoint(block: step.block, step: step.number)
      let id = step.step.id.value
      if step.step.id.range == range { return named(id, viewpoint, id) }
      if let forEach = step.step.forEach {
        if let name = forEach.name, name.range == range {
          return named(name.value, viewpoint, name.value)
        }
        if let name = forEach.indexName, name.range == range {
          return named(name.value, viewpoint, name.value)
        }
      }
      for (name, place) in values(of: step) where place == range {
        guard let place = self.place(of: [name], in: step.number) else { continue }
        let shape = Self.member(name, of: shapes[step.number].row)
        return GivenName(name: name, meaning: place.meaning, shape: shape)
      }
    }
    return nil
  }

  private func named(_ path: String, _ viewpoint: Viewpoint, _ name: String) -> GivenName? {
    guard let query = WrittenPath.query(path), let place = place(of: query, from: viewpoint) else {
      return nil
    }
    return GivenName(
      name: name, meaning: place.meaning, shape: reading(of: query, from: viewpoint).shape)
  }

  /// The values that a step gives itself, with their places.
  private func values(of step: LintStep) -> [(String, Range<Int>)] {
    switch step.step.action {
    case .request(let request): request.extract.map { ($0.name, $0.nameRange) }
    case .values(let fields): fields.map { ($0.name, $0.nameRange) }
    case .block(let block): (block.outputs ?? []).map { ($0.name, $0.nameRange) }
    case .call, .wait, .fail: []
    }
  }

  private static func member(_ name: String, of shape: ValueShape) -> ValueShape {
    if case .object(let members, _) = shape.content { members[name] ?? .unknown } else { .unknown }
  }

  // MARK: - References

  /// Wherever a name that is given at these bytes is read, in the order of the file.
  func references(to range: Range<Int>) -> [Range<Int>] {
    var found: Set<Range<Int>> = []
    for step in steps {
      let viewpoint = Viewpoint(block: step.block, step: step.number)
      for use in step.uses { collect(use.use, from: viewpoint, range, &found) }
    }
    for (number, block) in blocks.enumerated() {
      let viewpoint = Viewpoint(block: number, step: nil)
      for use in block.resolution.endUses { collect(use.use, from: viewpoint, range, &found) }
    }
    for step in steps {
      let block = blocks[step.block]
      for name in step.step.dependsOn {
        guard let index = block.resolution.step(named: name.value),
          steps[block.steps[index]].step.id.range == range
        else { continue }
        found.insert(name.range)
      }
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }

  private func collect(
    _ use: Use, from viewpoint: Viewpoint, _ range: Range<Int>, _ found: inout Set<Range<Int>>
  ) {
    guard use.range.upperBound <= workflow.document.bytes.count else { return }
    var start = use.range.lowerBound
    for segment in use.query.segments {
      guard let name = segment.name else { continue }
      guard let word = self.word(name, in: start..<use.range.upperBound) else { return }
      start = word.upperBound
      // The part of the query up to this name.
      let length = segment.range.upperBound - use.query.range.lowerBound
      let prefix = String(decoding: use.query.text.utf8.prefix(length), as: UTF8.self)
      guard let query = WrittenPath.query(prefix.scopePath),
        place(of: query, from: viewpoint)?.range == range
      else { continue }
      found.insert(word)
    }
  }

  /// The first place of a name in a part of the file.
  private func word(_ name: String, in range: Range<Int>) -> Range<Int>? {
    let bytes = workflow.document.bytes
    let name = Array(name.utf8)
    return range.first { start in
      start + name.count <= range.upperBound && bytes[start...].starts(with: name)
        && (start + name.count == bytes.count || !Self.isNameByte(bytes[start + name.count]))
        && (start == 0 || !Self.isNameByte(bytes[start - 1]))
    }.map { $0..<$0 + name.count }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }
}

extension String {
  /// A query's text without `$.`: `list.total`.
  fileprivate var scopePath: String { hasPrefix(bytes: "$.") ? String(dropFirst(bytes: 2)) : self }
}
