import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineSourceText

/// A computed key that can name nothing.
enum ComputedKey: LintRule {
  static let explanation = Explanation("computed-key", .error, PackageResources.computed_key_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (query, node, isOfBody) in parts.keyedQueries {
      for (depth, segment) in query.segments.enumerated() {
        for key in segment.keys {
          let shape = context.read(key.query, in: reader).shape
          guard let kinds = shape.possibleKinds else { continue }
          let owners = isOfBody ? nil : context.read(query, upTo: depth, in: reader).possibleKinds
          guard let problem = problem(with: kinds, owners) else { continue }
          found.append(
            finding(
              "'\(key.query.text)' is \(shape.words), but \(problem)",
              at: node.sourceRange(ofDecoded: key.range)))
        }
      }
    }
  }

  /// - Parameter owners: The possible owners of the key; `nil` for any.
  private static func problem(
    with kinds: Set<JSONKind>, _ owners: Set<JSONKind>?
  ) -> String? {
    guard kinds.contains(.string) || kinds.contains(.number) else {
      return "a key is a text or a whole number"
    }
    guard let owners, !kinds.contains(.string) || !kinds.contains(.number) else { return nil }
    if kinds.contains(.string), owners == [.array] { return "the key of a list is a whole number" }
    if kinds.contains(.number), owners == [.object] {
      return "the key of an object is a text, and nothing is converted"
    }
    return nil
  }
}
