import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// What a name of a workflow is the name of.
package enum WorkflowNameKind: Sendable, Hashable {
  case input, state, environment, output
  /// The name of a loop's item, or of its number.
  case item
  /// By the ids that lead to it: `each.user`.
  case step(String)
  /// A value of a step.
  case value(step: String)
}

/// The places of one name in a file.
package struct WorkflowOccurrences: Sendable {
  package let kind: WorkflowNameKind
  package let name: String
  /// Where it is given, without quotes. A value may be given several times: by `extract`, by
  /// `otherwise`, by the branches of a choice.
  package let definitions: [Range<Int>]
  /// Where it is read, in the order of the file.
  package let reads: [Range<Int>]
  /// The file that gives it, as it is named here, if it is another one.
  package let source: String?

  /// Every place, the first definition first.
  package var all: [Range<Int>] { definitions + reads }
}

extension WorkflowAnalysis {
  /// Where the name at a place is given and read; `nil` if there is none.
  package func occurrences(at offset: Int) -> WorkflowOccurrences? {
    guard let context else { return nil }
    func holds(_ range: Range<Int>) -> Bool {
      range.lowerBound <= offset && offset <= range.upperBound
    }
    let groups = context.givenGroups
    if let group = groups.first(where: { $0.definitions.contains(where: holds) }) {
      return occurrences(of: group)
    }
    let path = DocumentPath(document, to: offset, root: root)
    let anchor = path.member == nil ? anchor(at: offset, in: path) : nil
    // A read that has no anchor is found among the reads: `dependsOn`, `@.found`.
    for group in groups
    where anchor.map({ group.anchors.contains($0.range) && $0.name == group.name }) ?? true {
      let found = occurrences(of: group)
      if let found, found.reads.contains(where: holds) { return found }
    }
    return nil
  }

  /// Where a name of a kind is given and read.
  package func occurrences(of kind: WorkflowNameKind, _ name: String) -> WorkflowOccurrences? {
    context?.givenGroups.first { $0.kind == kind && $0.name.equals(bytes: name) }
      .flatMap { occurrences(of: $0) }
  }

  /// Where every name of the file is given and read.
  ///
  /// - Complexity: O(names × bytes of the file).
  package var allOccurrences: [WorkflowOccurrences] {
    context?.givenGroups.compactMap { occurrences(of: $0) } ?? []
  }

  /// The type that an input needs in order to take the value of a path such as `list.ids`, and
  /// whether the value is secret. `nil` as the type: any.
  package func inputType(for path: String) -> (type: String?, isSecret: Bool) {
    guard let context, let query = WrittenPath.query(path) else { return (nil, false) }
    let shape = context.reading(of: query, from: Viewpoint(block: 0, step: nil)).shape
    let type: String? =
      switch shape.content {
      case .string: "string"
      case .integer: "integer"
      case .number: "number"
      case .boolean: "boolean"
      case .list: "array"
      case .object: "object"
      case .unknown, .null, .choice: nil
      }
    return (shape.maybeList || shape.maybeNull ? nil : type, shape.isSecret)
  }

  /// The key whose value a place is in.
  package func key(at offset: Int) -> String? {
    DocumentPath(document, to: offset, root: root).key
  }

  /// The names of the steps that run a file.
  package func callers(of isMeant: (String) -> Bool) -> [String] {
    context?.callers(of: isMeant) ?? []
  }

  private func occurrences(of group: GivenGroup) -> WorkflowOccurrences? {
    guard let context else { return nil }
    let definitions = group.definitions.compactMap { unquoted($0) }
    var reads = Set(context.reads(of: group).compactMap { unquoted($0) })
    for place in candidates(group.name) where !definitions.contains(place) {
      let path = DocumentPath(document, to: place.lowerBound, root: root)
      guard path.member == nil, let anchor = anchor(at: place.lowerBound, in: path),
        group.anchors.contains(anchor.range), anchor.name == group.name
      else { continue }
      reads.insert(place)
    }
    // A name with an escape is not found by its text.
    let all = definitions + reads
    guard !all.isEmpty, all.allSatisfy({ file.text($0).equals(bytes: group.name) }) else {
      return nil
    }
    return WorkflowOccurrences(
      kind: group.kind, name: group.name, definitions: definitions,
      reads: reads.sorted { $0.lowerBound < $1.lowerBound }, source: group.source)
  }

  /// The place that gives the name at a place, and the name. Reads also what could not be decoded.
  private func anchor(at offset: Int, in path: DocumentPath) -> (range: Range<Int>, name: String)? {
    guard let context, let written = written(at: offset, in: path), !written.word.isEmpty,
      let query = WrittenPath.query(written.text)
    else { return nil }
    let viewpoint = context.viewpoint(at: offset)
    guard let place = context.place(of: query, from: viewpoint)?.range else { return nil }
    // What follows a name are members of its value.
    if let owner = written.owner.flatMap({ WrittenPath.query($0) }),
      context.place(of: owner, from: viewpoint)?.range == place
    {
      let isCall = context.steps.contains { step in
        if case .call(let call) = step.step.action { call.path.range == place } else { false }
      }
      guard isCall, owner.segments.count == 1 else { return nil }
    }
    return (place, file.text(written.word))
  }

  /// Wherever the bytes of a name are, as a word.
  private func candidates(_ name: String) -> [Range<Int>] {
    let name = Array(name.utf8)
    guard let first = name.first else { return [] }
    let bytes = file.bytes
    var found: [Range<Int>] = []
    for start in bytes.indices where bytes[start] == first {
      let end = start + name.count
      guard end <= bytes.count, bytes[start..<end].elementsEqual(name),
        start == 0 || !bytes[start - 1].isNameByte,
        end == bytes.count || !bytes[end].isNameByte
      else { continue }
      found.append(start..<end)
    }
    return found
  }

  /// The text of a string without its quotes, or a bare name.
  private func unquoted(_ range: Range<Int>) -> Range<Int>? {
    guard range.upperBound <= file.bytes.count, !range.isEmpty else { return nil }
    let quote = UInt8(ascii: "\"")
    guard file.bytes[range.lowerBound] == quote else { return range }
    guard range.count >= 2, file.bytes[range.upperBound - 1] == quote else { return nil }
    return range.lowerBound + 1..<range.upperBound - 1
  }
}
