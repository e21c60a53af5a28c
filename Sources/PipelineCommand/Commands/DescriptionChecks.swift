internal import PipelineKit
internal import PipelineLint
internal import PipelineSourceText

/// What `--check-api` does with a response that is not as the description of the API says.
enum DescriptionChecks: String, WordChoice {
  case warn, fail

  /// What is compared of the responses of a run. Complains if there is nothing to compare with.
  ///
  /// - Parameter allowed: Further folders that files may lie in.
  func checks(
    of linted: LintedWorkflow, allowing allowed: [String], _ console: Console
  ) -> ResponseChecks? {
    let loader = LintedFiles(root: linted.file.name, allowed: allowed, files: console.files)
    let checks = ResponseChecks(linted, loader, fails: self == .fail)
    guard checks.hasDescriptions else {
      console.complain(
        "--check-api compares responses with the descriptions that 'api' names, and"
          + " '\(linted.file.name)' names none")
      return nil
    }
    for (file, problem) in checks.problems {
      let position = file.position(at: problem.range.lowerBound)
      console.complain(
        "\(file.name):\(position.line):\(position.column): \(problem.message)")
    }
    guard checks.problems.isEmpty else { return nil }
    guard checks.count > 0 else {
      console.complain(
        "--check-api finds no request of '\(linted.file.name)' in the descriptions that 'api' names;"
          + " 'pipeline lint' says why")
      return nil
    }
    return checks
  }
}

extension Arguments {
  /// `--check-api`.
  mutating func descriptionChecks() -> DescriptionChecks? {
    choice(
      "check-api", "MODE",
      help: "Compare what is read of responses with the descriptions that 'api' names: 'warn' notes"
        + " differences, 'fail' fails the step")
  }
}
