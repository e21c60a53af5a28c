import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates
import PipelineURIs

/// A step that does not get a credential that others get.
enum StepWithoutCredentials: LintRule {
  static let explanation = Explanation(
    "step-without-credentials", .note, PackageResources.step_without_credentials_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var withheld: [Int: (forecast: CredentialForecast, settings: [InheritedSetting])] = [:]
    for credential in context.inheritedCredentials where !credential.isSentNowhere {
      for (step, forecast) in credential.steps where forecast.outcome(.defaults) == .withheld {
        withheld[step.number, default: (forecast, [])].settings.append(credential.setting)
      }
    }
    return withheld.keys.sorted().compactMap { number in
      guard let (forecast, settings) = withheld[number] else { return nil }
      return finding(context.steps[number], forecast, settings)
    }
  }

  private static func finding(
    _ step: LintStep, _ forecast: CredentialForecast, _ settings: [InheritedSetting]
  ) -> Diagnostic? {
    guard let endpoint = step.request?.endpoint, let first = settings.first else { return nil }
    let (target, base) = (forecast.target?.description, forecast.policy.base?.description)
    let words = settings.map(\.words).joined(separator: ", ")
    let (verb, other) = settings.count == 1 ? ("is", "it") : ("are", "them")
    return finding(
      "\(words) of 'defaults' \(verb) \(base.map { "for \($0), and " } ?? "")not sent to "
        + "\(target ?? "this origin"); write \(other) here, list the origin in 'sendCredentials', "
        + "or say \(first.removal)", at: endpoint.range(of: endpoint.value.urlRange),
      fix: settings.count == 1 ? step.step.adding(first) : nil)
  }
}
