internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The configuration of secrets: a file outside of the workflows that says where the secrets of
/// this user or machine are. It holds no secrets itself.
struct SecretsFile: Sendable {
  let path: String
  private(set) var entries: [ExactText: SecretEntry] = [:]

  private static let sizeLimit = 1 << 20

  /// The configuration of a command line: the file of `--secrets`, else of `PIPELINE_SECRETS`, else
  /// `pipeline/secrets.json` in the user's folder of configurations.
  ///
  /// - Parameter named: The file of `--secrets`.
  /// - Returns: `nil` if there is none.
  static func find(
    _ named: String?, environment: [String: String]
  ) throws(SecretProblem) -> SecretsFile? {
    if let named { return try SecretsFile(path: named) }
    if let variable = environment["PIPELINE_SECRETS"], !variable.isEmpty {
      return variable.equals(bytes: "off") ? nil : try SecretsFile(path: variable)
    }
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix(bytes: "/") ? $0 : nil }
    }
    guard let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" })
    else { return nil }
    let path = folder + "/pipeline/secrets.json"
    var status = stat()
    return stat(path, &status) == 0 ? try SecretsFile(path: path) : nil
  }

  /// Reads a configuration.
  init(path: String) throws(SecretProblem) {
    self.path = path
    let bytes = try Self.content(of: path)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    let file = SourceFile(name: path, bytes: bytes)
    func place(_ range: Range<Int>) -> String {
      let position = file.position(at: range.lowerBound)
      return "\(path):\(position.line):\(position.column)"
    }
    if let problem = problems.first {
      throw SecretProblem(
        description: "\(place(problem.range)): \(InputArguments.shown(problem))")
    }
    guard document.root.kind == .object else {
      throw SecretProblem(
        description: "\(path) is not an object of names and sources: "
          + #"{"API_TOKEN": {"command": ["op", "read", "…"]}}"#)
    }
    for member in document.root.members {
      do throws(SecretSource.Wrong) {
        entries[ExactText(member.name)] = SecretEntry(
          source: try SecretSource(member.value, of: member.name), place: place(member.nameRange))
      } catch {
        throw SecretProblem(description: "\(place(error.range)): '\(member.name)' \(error.message)")
      }
    }
  }

  /// The content, if no other user can have written it: it names programs that are started.
  private static func content(of path: String) throws(SecretProblem) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw SecretProblem(
        description: "the secrets file '\(path)' cannot be read: \(SystemError.last.message)")
    }
    guard status.st_uid == getuid() || status.st_uid == 0 else {
      throw SecretProblem(
        description: "the secrets file '\(path)' belongs to another user, who could have programs"
          + " started by it; use a file of your own")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw SecretProblem(
        description: "others may write the secrets file '\(path)', and so have programs started by"
          + " it; type: chmod go-w '\(path)'")
    }
    do throws(PathProblem) {
      return try FileSystem.system.readFile(path, sizeLimit)
    } catch {
      throw SecretProblem(
        description: "the secrets file '\(path)' cannot be read: \(error.reason)")
    }
  }
}
