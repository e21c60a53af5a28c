import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineURIs

/// A credential in `defaults` that no request carries.
enum UnsentCredentials: LintRule {
  static let explanation = Explanation(
    "unsent-credentials", .warning, PackageResources.unsent_credentials_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    let withheld = context.inheritedCredentials.filter(\.isSentNowhere).map { credential in
      let base = credential.steps.first?.forecast.policy.base
      let reason =
        base.map { "it is for \($0), and no step that inherits it sends a request there" }
        ?? "it is for the origin of 'baseURL', and there is none"
      return finding(
        "no step sends \(credential.setting.words): \(reason); write it into the steps that need it, "
          + "or list their origins in 'sendCredentials'", at: credential.range)
    }
    // A scheme that is not read is reported by itself.
    let unread = context.workflow.document.root["defaults"]?["auth"].flatMap { auth in
      let isUnread =
        context.isUnread("auth", of: context.workflow.document.root["defaults"] ?? auth)
        || context.hasUnread(in: auth)
        || auth.members.contains { context.hasUnread(in: $0.value) }
        || context.steps.contains { context.isUnread("auth", of: $0.step.node) }
      return isUnread ? auth.range : nil
    }
    let unused = context.uninheritedCredentials.filter { $0.range != unread }.map { credential in
      finding(
        "no step sends \(credential.setting.words): each that sends a request has its own, or none; "
          + "leave it out here", at: credential.range)
    }
    return withheld + unused
  }
}
