import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// An `Authorization` header that `auth` would write.
enum CredentialsByHand: LintRule {
  static let explanation = Explanation(
    "credentials-by-hand", .note, PackageResources.credentials_by_hand_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.auth == nil else { return }
    for header in request.headers where header.name.equalsIgnoringASCIICase("authorization") {
      guard let text = header.node.string, let blank = text.firstIndex(ascii: " "),
        let message = message(
          text[..<blank].lowercasedASCII, Template.parse(text.dropFirst(through: blank)).template),
        isCertain(header, step, context)
      else { continue }
      var finding = finding(message.text, at: header.node.range)
      finding.isInherited = header.isInherited
      if let auth = message.auth, !header.isInherited {
        finding.fix = fix(auth, instead: header.name, of: step.step.node)
      }
      found.append(finding)
    }
  }

  /// Whether what the header inserts is a secret, and is there: `auth` is left out with an absent value.
  private static func isCertain(
    _ header: Request.Parameter, _ step: LintStep, _ context: LintContext
  ) -> Bool {
    let readings = zip(step.uses, context.readings[step.number])
      .filter { header.node.range.contains($0.0.use.range.lowerBound) }
    return !readings.isEmpty
      && readings.allSatisfy { _, reading in
        guard case .shape(let shape) = reading else { return false }
        return !shape.maybeAbsent
      }
      && readings.contains { $0.1.shape.isSecret }
  }

  /// The edits that write `auth` in the place of a header.
  private static func fix(_ auth: String, instead header: String, of step: JSONNode)
    -> DiagnosticFix?
  {
    let message = "write \"auth\": \(auth)"
    guard let headers = step.members.first(where: { $0.name == "headers" }),
      headers.value.count == 1
    else {
      return .suggesting(
        message, [step.removing(header, from: "headers"), step.setting("auth", to: auth)])
    }
    let range = headers.nameRange.lowerBound..<headers.value.range.upperBound
    return .suggesting(message, [.init(range: range, replacement: "\"auth\": \(auth)")])
  }

  /// - Returns: The message, and the value of `auth` if it is known.
  private static func message(
    _ scheme: String, _ credentials: Template
  ) -> (text: String, auth: String?)? {
    switch scheme {
    case "bearer":
      guard let token = credentials.whole else { return nil }
      let auth = "{\"bearer\": \"{{\(token.text)}}\"}"
      return ("\"auth\": \(auth) writes this header", auth)
    case "basic":
      guard credentials.whole == nil else {
        return (
          "\"auth\": {\"basic\": {\"user\": …, \"password\": …}} writes this header,"
            + " and encodes the user and the password itself", nil
        )
      }
      guard case .reference(let user)? = credentials.parts.first,
        case .reference(let password)? = credentials.parts.last, credentials.parts.count == 3,
        case .text(":") = credentials.parts[1]
      else { return nil }
      let auth =
        "{\"basic\": {\"user\": \"{{\(user.text)}}\", \"password\": \"{{\(password.text)}}\"}}"
      return (
        "a user and a password are sent in base64; write \"auth\": \(auth), which encodes them",
        auth
      )
    default: return nil
    }
  }
}

extension String {
  /// What follows a position.
  fileprivate func dropFirst(through index: Index) -> String {
    String(self[utf8.index(after: index)...])
  }
}
