import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// The places of one name in a file.
package struct WorkflowOccurrences: Sendable {
  /// Where it is given, without quotes. A value may be given twice: by `extract` and `otherwise`.
  package let definitions: [Range<Int>]
  /// Where it is read, in the order of the file.
  package let reads: [Range<Int>]

  /// Every place, the first definition first.
  package var all: [Range<Int>] { definitions + reads }
}

extension WorkflowAnalysis {
  /// Where the name at a place is given and read; `nil` if this file does not give it.
  package func occurrences(at offset: Int) -> WorkflowOccurrences? {
    let given: Range<Int>?
    switch symbol(at: offset) {
    case .name(let name): given = name.range
    case .reference(let reference): given = reference.definition
    case .key, nil: given = dependency(at: offset)
    }
    // A name with an escape is not found by its text.
    guard let context, let given, let name = context.givenName(at: given),
      unquoted(given).map({ file.text($0).equals(bytes: name.name) }) == true
    else { return nil }
    let definitions = [given] + context.furtherDefinitions(of: given, name.name)
    return WorkflowOccurrences(
      definitions: definitions.compactMap { unquoted($0) },
      reads: context.references(to: given).compactMap { unquoted($0) })
  }

  /// The definition of the step that `dependsOn` names at a place.
  private func dependency(at offset: Int) -> Range<Int>? {
    guard let context else { return nil }
    for step in context.steps {
      for name in step.step.dependsOn
      where name.range.lowerBound <= offset && offset <= name.range.upperBound {
        let block = context.blocks[step.block]
        guard let index = block.resolution.step(named: name.value) else { return nil }
        return context.steps[block.steps[index]].step.id.range
      }
    }
    return nil
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

extension LintContext {
  /// The other places that give the same value of a step: `otherwise` beside `extract`.
  func furtherDefinitions(of range: Range<Int>, _ name: String) -> [Range<Int>] {
    for step in steps {
      guard case .request(let request) = step.step.action,
        request.extract.contains(where: { $0.nameRange == range })
      else { continue }
      return (step.step.otherwise ?? []).filter { $0.name.equals(bytes: name) }.map(\.nameRange)
    }
    return []
  }
}
