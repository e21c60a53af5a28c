import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

extension LintContext {
  /// Where the names of a group are read in templates, queries and `dependsOn`, by the bytes of the
  /// name, in the order of the file.
  func reads(of group: GivenGroup) -> [Range<Int>] {
    var found: Set<Range<Int>> = []
    for step in steps {
      let viewpoint = Viewpoint(block: step.block, step: step.number)
      for use in step.uses { collect(use.use, from: viewpoint, group, &found) }
      if case .step = group.kind {
        let block = blocks[step.block]
        for name in step.step.dependsOn {
          guard let index = block.resolution.step(named: name.value),
            group.anchors.contains(steps[block.steps[index]].step.id.range)
          else { continue }
          found.insert(name.range)
        }
      }
    }
    for (number, block) in blocks.enumerated() {
      let viewpoint = Viewpoint(block: number, step: nil)
      for use in block.resolution.endUses { collect(use.use, from: viewpoint, group, &found) }
    }
    if let owner = group.owner {
      found.formUnion(ownReads(of: group.name, by: owner))
      let id = steps[owner].step.id.value
      found.formUnion(rowReads(of: group.name, after: "@.\(id).", around: owner))
    } else if case .step = group.kind,
      let step = steps.first(where: { group.anchors.contains($0.step.id.range) })
    {
      found.formUnion(rowReads(of: group.name, after: "@.", around: step.number))
    }
    if group.kind == .environment, let name = workflow.defaultEnvironment,
      name.value.equals(bytes: group.name), name.range.upperBound <= workflow.document.bytes.count
    {
      found.insert(name.range)
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }

  private func collect(
    _ use: Use, from viewpoint: Viewpoint, _ group: GivenGroup, _ found: inout Set<Range<Int>>
  ) {
    guard use.range.upperBound <= workflow.document.bytes.count else { return }
    let owner = group.owner.map { steps[$0].step.id.range }
    var start = use.range.lowerBound
    for segment in use.query.segments {
      guard let name = segment.name else {
        // A filter may hold the names that follow it, too.
        start = brackets(at: start, in: use.range)?.upperBound ?? start
        continue
      }
      guard let word = word(name, in: start..<use.range.upperBound) else { return }
      start = word.upperBound
      // The part of the query up to this name.
      let length = segment.range.upperBound - use.query.range.lowerBound
      let prefix = String(decoding: use.query.text.utf8.prefix(length), as: UTF8.self)
      guard let query = WrittenPath.query(prefix.scopePath) else { continue }
      let place = place(of: query, from: viewpoint)?.range
      // The rows of a collection may be filtered by a value.
      if let place, place == owner, let filter = brackets(at: start, in: use.range) {
        found.formUnion(members(group.name, after: "@.", in: filter))
      }
      // What follows the name are members of the value. An input that another file gives has no
      // place in this one.
      let isMeant =
        place.map { group.anchors.contains($0) }
        ?? (group.kind == .input && prefix.scopePath.equals(bytes: "inputs." + group.name))
      if isMeant, name.equals(bytes: group.name) {
        found.insert(word)
        return
      }
    }
  }

  /// What is in brackets at a place of a query: `[?@.name == 'x']`, `[*]`.
  private func brackets(at start: Int, in range: Range<Int>) -> Range<Int>? {
    let bytes = workflow.document.bytes
    guard start < range.upperBound, bytes[start] == UInt8(ascii: "[") else { return nil }
    var depth = 0
    var isQuoted = false
    for index in start..<range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "'"): isQuoted.toggle()
      case UInt8(ascii: "[") where !isQuoted: depth += 1
      case UInt8(ascii: "]") where !isQuoted:
        depth -= 1
        if depth == 0 { return start..<index + 1 }
      default: break
      }
    }
    return nil
  }

  /// Where the step with the block around a step reads it, or a value of it, as a part of its row.
  private func rowReads(
    of name: String, after mark: String, around number: Int
  ) -> [Range<Int>] {
    let block = blocks[steps[number].block]
    guard !block.resolution.block.isChoice, block.resolution.block.outputs == nil,
      let holder = block.parent.map({ steps[$0].step })
    else { return [] }
    let nodes = [
      holder.node["until"], holder.forEach?.rounds?.node["until"], holder.node["expect"],
    ]
    return nodes.compactMap(\.self).flatMap { strings(in: $0) }
      .flatMap { members(name, after: mark, in: $0) }
  }

  /// Where a step reads one of its own values, as a member of `@`.
  private func ownReads(of name: String, by number: Int) -> [Range<Int>] {
    let step = steps[number].step
    var found: [Range<Int>] = []
    func add(_ key: String, _ mark: String) {
      guard let node = step.node[key] ?? step.forEach?.rounds?.node[key] else { return }
      for text in strings(in: node) { found += members(name, after: mark, in: text) }
    }
    add("until", "@.")
    if case .request = step.action {
      for key in ["expect", "poll", "retry", "paginate"] { add(key, "@.values.") }
    } else {
      add("expect", "@.")
    }
    if case .block(let block) = step.action, block.isChoice, let inner = steps[number].inner {
      found += blocks[inner].steps.flatMap { ownReads(of: name, by: $0) }
    }
    return found
  }

  private func strings(in node: JSONNode) -> [Range<Int>] {
    switch node.kind {
    case .string: [node.range]
    case .array: node.elements.flatMap { strings(in: $0) }
    case .object: node.members.flatMap { strings(in: $0.value) }
    case .number, .boolean, .null: []
    }
  }

  /// Where a name follows a mark such as `@.`.
  private func members(_ name: String, after mark: String, in range: Range<Int>) -> [Range<Int>] {
    let bytes = workflow.document.bytes
    let text = Array((mark + name).utf8)
    return range.filter { start in
      let end = start + text.count
      return end <= range.upperBound && bytes[start..<end].elementsEqual(text)
        && (end == bytes.count || !bytes[end].isNameByte)
    }.map { $0 + mark.utf8.count..<$0 + text.count }
  }

  /// The first place of a name in a part of the file.
  private func word(_ name: String, in range: Range<Int>) -> Range<Int>? {
    let bytes = workflow.document.bytes
    let name = Array(name.utf8)
    return range.first { start in
      start + name.count <= range.upperBound && bytes[start...].starts(with: name)
        && (start + name.count == bytes.count || !bytes[start + name.count].isNameByte)
        && (start == 0 || !bytes[start - 1].isNameByte)
    }.map { $0..<$0 + name.count }
  }
}

extension String {
  /// A query's text without `$.`: `list.total`.
  fileprivate var scopePath: String { hasPrefix(bytes: "$.") ? String(dropFirst(bytes: 2)) : self }
}
