import PipelineByteText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A scheme in a token, which the program writes itself.
enum SchemeTwice: LintRule {
  static let explanation = Explanation("scheme-twice", .warning, PackageResources.scheme_twice_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard case .bearer(let bearer)? = step.request?.auth?.scheme, let token = bearer.token else {
      return
    }
    let text = token.value.text
    guard let blank = text.firstIndex(ascii: " ") else { return }
    let scheme = text[..<blank]
    guard ["bearer", "token", "basic"].contains(bytes: scheme.lowercasedASCII) else { return }
    let isBearer = scheme.lowercasedASCII.equals(bytes: "bearer")
    var finding = finding(
      "'bearer' writes 'Bearer' itself, so this sends 'Bearer \(scheme) …'; "
        + (isBearer
          ? "write the token only"
          : "write \"headers\": {\"Authorization\": \"\(scheme) …\"} instead of 'auth'"),
      at: token.range,
      fix: isBearer
        ? WorkflowDecoder.fix("", for: 0..<scheme.utf8.count + 1, in: token.node, isSafe: false)
        : nil)
    finding.isInherited = step.request?.auth?.isInherited ?? false
    found.append(finding)
  }
}
