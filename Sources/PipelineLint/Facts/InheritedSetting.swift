import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A request setting that a step has from the defaults.
struct InheritedSetting {
  let key: String
  /// The member of `key`, if only that one is inherited.
  let member: String?

  /// In a message: `'auth'`.
  var words: String { member.map { "'\($0)' of '\(key)'" } ?? "'\(key)'" }

  /// The text that drops it: `"auth": null`.
  var removal: String { "\"\(key)\": " + (member.map { "{\"\($0)\": null}" } ?? "null") }
}

extension Step {
  /// The inherited setting that contains `range`.
  func inheritedSetting(with range: Range<Int>) -> InheritedSetting? {
    guard case .request(let request) = action, !node.range.contains(range.lowerBound) else {
      return nil
    }
    if let auth = request.auth, auth.node.range.contains(range.lowerBound) {
      return InheritedSetting(key: "auth", member: nil)
    }
    if let body = request.body, body.node.range.contains(range.lowerBound) {
      return InheritedSetting(key: "body", member: nil)
    }
    let groups = [
      ("headers", request.headers), ("query", request.query), ("cookies", request.cookies),
    ]
    for (key, parameters) in groups {
      for parameter in parameters where parameter.node.range.contains(range.lowerBound) {
        return InheritedSetting(key: key, member: parameter.name)
      }
    }
    return nil
  }

  /// The fix that drops an inherited setting, if the step does not have the key. The author may
  /// have meant to keep it.
  func adding(_ setting: InheritedSetting) -> DiagnosticFix? {
    guard node[setting.key] == nil, let endpoint = node["endpoint"] else { return nil }
    let end = endpoint.range.upperBound
    return DiagnosticFix(
      message: "add \(setting.removal)",
      edits: [DiagnosticFix.Edit(range: end..<end, replacement: ", \(setting.removal)")],
      isSafe: false)
  }
}
