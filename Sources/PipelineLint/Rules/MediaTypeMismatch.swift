import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A header that contradicts the body, or what is expected.
enum MediaTypeMismatch: LintRule {
  static let explanation = Explanation(
    "media-type-mismatch", .warning, PackageResources.media_type_mismatch_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
    if let type = step.step.expect.contentType, !type.value.contains(bytes: "/") {
      let meant = names[type.value.lowercased()] ?? "application/json"
      var finding = finding(
        "'\(type.value)' is not a media type; write \"\(meant)\"", at: type.range,
        fix: .replacing(type.range, with: "\"\(meant)\"", isSafe: false))
      finding.isInherited = !step.step.node.range.contains(type.range.lowerBound)
      found.append(finding)
    }
    for header in request.headers {
      guard let text = header.value.literal?.string else { continue }
      let type = text.prefix(before: ";").lowercased()
      if header.name.equalsIgnoringASCIICase("content-type") {
        guard let body = request.body, let problem = problem(type, text, body) else { continue }
        found.append(
          finding(
            problem + "; leave the header out",
            at: header.isInherited ? body.node.range : header.node.range,
            fix: header.isInherited
              ? nil
              : .suggesting(
                "remove '\(header.name)'", [step.step.node.removing(header.name, from: "headers")]))
        )
      } else if header.name.equalsIgnoringASCIICase("accept"), !header.isInherited,
        let expected = step.step.expect.contentType, !type.contains(bytes: "*"),
        !text.contains(bytes: ","), type.contains(bytes: "/"),
        !expected.value.prefix(before: ";").lowercased().equals(bytes: type)
      {
        found.append(
          finding(
            "'Accept' asks for '\(text)', but 'expect' has 'contentType': \"\(expected.value)\"",
            at: header.node.range))
      }
    }
  }

  /// Media types as people call them.
  private static let names = [
    "json": "application/json", "html": "text/html", "xml": "application/xml", "csv": "text/csv",
    "text": "text/plain", "plain": "text/plain", "pdf": "application/pdf", "png": "image/png",
  ]

  private static func problem(_ type: String, _ text: String, _ body: Body) -> String? {
    switch body.content {
    case .json, .graphQL:
      return type.contains(bytes: "json") ? nil : "the body is JSON, but the header says '\(text)'"
    case .form:
      return type.equals(bytes: "application/x-www-form-urlencoded")
        ? nil : "the body is a form, but the header says '\(text)'"
    case .multipart:
      // The request that is sent names the boundary.
      return type.equals(bytes: "multipart/form-data")
        ? nil : "the body is multipart, but the header says '\(text)'"
    case .text, .madeText, .file: return nil
    }
  }
}
