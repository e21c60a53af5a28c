package import PipelineJSONText
package import PipelineSourceText

/// A file that was parsed, to be judged as a workflow or as one that workflows build on.
package struct WorkflowText: Sendable {
  package let source: SourceFile
  package let document: JSONDocument
  /// Its problems as JSON.
  package let problems: [JSONSyntaxError]

  /// - Complexity: O(bytes).
  package init(_ source: SourceFile) {
    self.source = source
    (document, problems) = JSONDocument.parseRecovering(source.bytes)
  }

  /// Whether it is not a workflow but a base file. It has something to build on, no steps, and no
  /// key that could be meant for them.
  package var isBase: Bool {
    var hasShared = false
    for member in document.root.members {
      let name = member.name
      hasShared = hasShared || Self.shared.contains(name)
      guard
        LanguageObject.base.index(of: name) != nil || LanguageObject.isIgnored(name)
          || name == "$lint"
      else { return false }
    }
    return hasShared
  }

  /// The path of the file that it builds on, as it is written; `nil` if it builds on none.
  package var basePath: String? { document.root["extends"]?.string }

  /// The paths of the files that it runs, as they are written: those that its steps call, or the one
  /// that it tests.
  package var calledPaths: [String] {
    if isTest { return document.root["workflow"]?.string.map { [$0] } ?? [] }
    var paths: [String] = []
    Self.addCalls(in: document.root, to: &paths)
    return paths
  }

  private static func addCalls(in node: JSONNode, to paths: inout [String]) {
    for key in ["steps", "finally", "choose"] {
      guard let steps = node[key]?.elements else { continue }
      for step in steps {
        if let path = step["workflow"]?.string { paths.append(path) }
        addCalls(in: step, to: &paths)
      }
    }
  }

  private static let shared: Set<String> = [
    "inputs", "environments", "defaults", "limits", "api",
  ]
}
