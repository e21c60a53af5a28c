import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A value that is read and that a new version of the API describes in another way.
enum ChangedResponse: ExplainedRule {
  static let explanation = Explanation(
    "changed-response", .warning, PackageResources.changed_response_md)

  static func findings(_ old: DescribedScope, _ new: DescribedScope) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, call) in old.calls.sorted(by: { $0.key < $1.key }) {
      guard let now = new.calls[number] else { continue }
      guard let before = call.body, let after = now.body else { continue }
      for extractor in call.request.extract {
        guard case .body(let query) = extractor.source else { continue }
        let segments = query.value.segments
        let old = DescribedReading(segments, from: before).shape
        let new = DescribedReading(segments, from: after).shape
        guard let was = old.described?.schema, let became = new.described?.schema else { continue }
        let message: String?
        if let words = changedType(was, became) {
          message = "'\(extractor.name)' was \(words.old) in the API, and is \(words.new) now"
        } else if !extractor.isOptional, extractor.defaultValue == nil,
          isRequired(segments, call.responseShape), !isRequired(segments, now.responseShape)
        {
          message = "'\(extractor.name)' is no longer required in the API, and may be absent"
        } else {
          message = nil
        }
        guard let message else { continue }
        found.append(
          finding(
            message, at: query.range,
            related: [
              became.node.map { $0.related("the new version describes it here") },
              was.node.map { $0.related("the old version describes it here") },
            ].compactMap(\.self)))
      }
    }
    return found
  }

  /// The types before and after, if a value may now have a type that it did not have.
  private static func changedType(
    _ old: SchemaShape, _ new: SchemaShape
  ) -> (old: String, new: String)? {
    guard let was = old.types, let became = new.types, !was.isEmpty,
      let before = old.words, let after = new.words
    else { return nil }
    // Each whole number is a number.
    let allowed = was.contains("number") ? was.union(["integer"]) : was
    return became.isSubset(of: allowed) ? nil : (before, after)
  }

  /// Whether each member that a query names is required in every branch.
  private static func isRequired(_ segments: [Segment], _ shape: SchemaShape) -> Bool {
    var shape = shape
    for segment in segments {
      guard let name = segment.name, !shape.isUnknown, !shape.isEmpty else { return false }
      let isRequired = shape.branches.allSatisfy { branch in
        branch.parts.contains { part in
          part.node["required"]?.elements.contains { $0.string == name } ?? false
        }
      }
      guard isRequired else { return false }
      shape = shape.member(name).shape
    }
    return !segments.isEmpty
  }
}
