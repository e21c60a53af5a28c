internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import Synchronization

/// Gives the secret inputs of a workflow their values from where a team keeps them.
///
/// A source is named after the `env` of the input. The environment itself comes before it, and the
/// credentials of systemd after it. Each is read once in a process, when a run needs it.
final class SecretLookup: Sendable {
  private let environment: [String: String]
  private let values = Mutex<[ExactText: String]>([:])

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// A secret input that has a source and no value yet.
  struct Found: Sendable {
    let input: String
    let variable: String
    let entry: SecretEntry
    /// Whether anything in the plan reads it.
    let isRead: Bool

    /// For people: where its value comes from.
    var words: String { "\(entry.source.words) (\(entry.place))" }
  }

  /// The secret inputs that have a source and no value yet.
  ///
  /// - Parameters:
  ///   - given: The names of the inputs that the command line gives.
  ///   - named: The file of `--secrets`; it is judged even if nothing is taken from it.
  func sources(
    of plan: Plan, given: some Collection<String>, named: String?
  ) throws(SecretProblem) -> [Found] {
    try find(plan, Set(given), named).found
  }

  /// Reads the secrets that a plan reads and that have no value yet.
  ///
  /// - Parameters:
  ///   - options: Gets the values as variables.
  ///   - given: The names of the inputs that the command line gives.
  ///   - named: The file of `--secrets`; `nil` for the usual one.
  func fill(
    _ options: inout RunOptions, of plan: Plan, given: some Collection<String>, named: String?
  ) async throws(SecretProblem) {
    let (found, file) = try find(plan, Set(given), named)
    for secret in found where !secret.isRead { options.unneededInputs.insert(secret.input) }
    let reader = reader(of: plan, file)
    for secret in found where secret.isRead {
      options.variables[secret.variable] = try await value(of: secret, reader)
    }
  }

  /// Reads nothing: what has a source is not missed by work that sends nothing.
  ///
  /// - Parameters:
  ///   - options: Gets the inputs as ones that are not needed.
  ///   - given: The names of the inputs that the command line gives.
  ///   - named: The file of `--secrets`; `nil` for the usual one.
  func leaveOut(
    _ options: inout RunOptions, of plan: Plan, given: some Collection<String>, named: String?
  ) throws(SecretProblem) {
    for secret in try find(plan, Set(given), named).found {
      options.unneededInputs.insert(secret.input)
    }
  }

  private func find(
    _ plan: Plan, _ given: Set<String>, _ named: String?
  ) throws(SecretProblem) -> (found: [Found], file: SecretsFile?) {
    let open = plan.workflow.inputs.filter { input in
      guard input.isSecret, let variable = input.variable?.value else { return false }
      return !given.contains(input.name) && environment[variable] == nil
    }
    if open.isEmpty, named == nil { return ([], nil) }
    let file = try SecretsFile.find(named, environment: environment)
    let read = plan.inputsRead
    let found: [Found] = open.compactMap { input in
      let variable = input.variable?.value ?? ""
      guard let entry = file?.entries[ExactText(variable)] ?? credential(variable) else {
        return nil
      }
      return Found(
        input: input.name, variable: variable, entry: entry,
        isRead: read?.contains(ExactText(input.name)) ?? true)
    }
    return (found, file)
  }

  private func value(
    of secret: Found, _ reader: SecretReader
  ) async throws(SecretProblem) -> String {
    let name = ExactText(secret.variable)
    if let known = values.withLock({ $0[name] }) { return known }
    do throws(SecretProblem) {
      let value = try await reader.value(of: secret.entry.source)
      values.withLock { $0[name] = value }
      return value
    } catch {
      throw SecretProblem(
        description: "\(secret.entry.place): the secret '\(secret.variable)' cannot be read from "
          + "\(secret.entry.source.words): \(error.description)")
    }
  }

  private func reader(of plan: Plan, _ file: SecretsFile?) -> SecretReader {
    var withheld = Set(plan.workflow.inputs.filter(\.isSecret).compactMap { $0.variable?.value })
    for (name, entry) in file?.entries ?? [:] {
      withheld.insert(name.text)
      if case .variable(let other) = entry.source { withheld.insert(other) }
    }
    return SecretReader(
      environment: environment, folder: file.map { PathText.folder(of: $0.path) } ?? ".",
      withheld: withheld)
  }

  /// The credential of systemd that has the name of a variable.
  private func credential(_ variable: String) -> SecretEntry? {
    guard SecretSource.isCredentialName(variable),
      let folder = SecretSource.credentialFolder(environment),
      case .file? = try? FileSystem.system.kind(folder + "/" + variable)
    else { return nil }
    return SecretEntry(source: .credential(variable), place: folder)
  }
}
