import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// Names and values at places where the language takes any: those that are likely there.
extension WorkflowAnalysis {
  /// The keys that the name of another tool's key means here.
  func foreignKeys(
    _ keys: [WorkflowCompletion], in kind: LanguageObject.Kind, after prefix: String
  ) -> [WorkflowCompletion] {
    guard prefix.utf8.count >= Self.shortestForeignWord else { return [] }
    return LanguageAliases.keys(for: prefix, in: kind).compactMap { found in
      guard let key = keys.first(where: { $0.text == found.key }),
        !key.text.hasPrefix(bytes: prefix)
      else { return nil }
      return WorkflowCompletion(
        kind: .key, text: key.text, detail: "'\(found.name)' elsewhere. \(key.detail)",
        typed: found.name)
    }
  }

  private static let shortestForeignWord = 2

  /// The names that the members of an object may have whose keys the author chooses.
  func memberNames(of path: DocumentPath, at offset: Int) -> [WorkflowCompletion] {
    switch path.key {
    case "inputs":
      return inputs(at: offset).map { input in
        WorkflowCompletion(
          kind: .name, text: input.name, detail: input.description ?? "input '\(input.name)'")
      }
    case "ignore":
      return Explanation.all.filter { $0.severity != .error }.map {
        WorkflowCompletion(kind: .name, text: $0.code, detail: $0.text.what)
      }
    case "headers":
      return FieldName.ofRequests.map {
        WorkflowCompletion(kind: .name, text: $0, detail: "header")
      }
    default: return []
    }
  }

  /// The inputs of the workflow that a test runs, or of the file that a step calls.
  private func inputs(at offset: Int) -> [Input] {
    if isTest { return tested?.inputs ?? [] }
    guard let context, let number = context.viewpoint(at: offset).step,
      case .call(let call) = context.steps[number].step.action
    else { return [] }
    return context.callees[ExactText(call.path.value)]?.workflow?.inputs ?? []
  }

  /// The texts that a key takes which the language does not list.
  func knownValues(of path: DocumentPath, after prefix: String) -> [WorkflowCompletion] {
    if path.type == .endpoint, !prefix.contains(bytes: " ") {
      return ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].map {
        WorkflowCompletion(kind: .value, text: $0 + " ", detail: "'endpoint'")
      }
    }
    if isTest, path.key == "environment" {
      return (tested?.environments ?? []).map {
        WorkflowCompletion(
          kind: .name, text: $0.name.value, detail: "environment of the workflow")
      }
    }
    return []
  }

  /// What is written of a file's path before a place; `nil` if no path is there.
  package func writtenPath(at offset: Int) -> (text: String, kind: WrittenFileKind)? {
    let path = DocumentPath(document, to: offset, root: root)
    guard path.member == nil, path.node.kind == .string else { return nil }
    let kind: WrittenFileKind
    switch path.key {
    case "workflow", "extends": kind = .workflow
    case "replay": kind = .recording
    case "$file": kind = .any
    default:
      guard path.type == .path else { return nil }
      kind = .any
    }
    let start = min(path.node.range.lowerBound + 1, offset)
    let text = file.text(start..<offset)
    return text.contains(bytes: "{{") ? nil : (text, kind)
  }
}

/// The files that a key may name.
package enum WrittenFileKind: Sendable {
  case workflow, recording, any

  /// Whether a file of this name may be meant.
  package func takes(_ name: String) -> Bool {
    switch self {
    case .workflow: name.hasSuffix(bytes: ".json") && !name.hasSuffix(bytes: ".test.json")
    case .recording: name.hasSuffix(bytes: ".har")
    case .any: true
    }
  }
}
