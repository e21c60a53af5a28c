internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage

/// Reads secrets from their sources.
struct SecretReader: Sendable {
  /// The variables of the process.
  let environment: [String: String]
  /// The folder of the configuration, to which paths in it are relative.
  let folder: String
  /// The variables that hold secrets themselves, and that no program is started with.
  let withheld: Set<String>
  /// The program that reads the keychain; `nil` if the system has none.
  var keychainProgram = SecretReader.systemKeychain

  #if canImport(Darwin)
    static let systemKeychain: String? = "/usr/bin/security"
  #else
    static let systemKeychain: String? = nil
  #endif

  /// The maximum size of a secret.
  private static let limit = 1 << 16

  /// The value of a source.
  func value(of source: SecretSource) async throws(SecretProblem) -> String {
    let bytes: [UInt8]
    switch source {
    case .variable(let name):
      guard let value = environment[name] else { throw Self.problem("it is not set") }
      bytes = Array(value.utf8)
    case .file(let path): bytes = Self.trimmed(try content(of: absolute(path)))
    case .dotenv(let path, let name): bytes = try variable(name, in: absolute(path))
    case .command(let words, let timeout):
      bytes = Self.trimmed(try await output(of: words, within: timeout).output)
    case .keychain(let service, let account): bytes = try await password(of: service, account)
    case .credential(let name):
      guard let folder = SecretSource.credentialFolder(environment) else {
        throw Self.problem("CREDENTIALS_DIRECTORY is not set")
      }
      bytes = Self.trimmed(try content(of: folder + "/" + name))
    }
    if bytes.isEmpty { throw Self.problem("it is empty") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Self.problem("it is not UTF-8")
    }
    return text
  }

  private static func problem(_ reason: String) -> SecretProblem {
    SecretProblem(description: reason)
  }

  // MARK: Files

  /// A path of the configuration: `~/` is the user's folder.
  private func absolute(_ path: String) -> String {
    if path.hasPrefix(bytes: "~/"), let home = environment["HOME"] {
      return home + String(path.dropFirst(bytes: 1))
    }
    return path.hasPrefix(bytes: "/") ? path : folder + "/" + path
  }

  private func content(of path: String) throws(SecretProblem) -> [UInt8] {
    do throws(PathProblem) {
      return try FileSystem.system.readFile(path, Self.limit)
    } catch {
      throw Self.problem(error.reason)
    }
  }

  private func variable(_ name: String, in path: String) throws(SecretProblem) -> [UInt8] {
    let bytes = try content(of: path)
    let file: Dotenv
    do throws(Dotenv.Problem) {
      file = try Dotenv(bytes)
    } catch {
      throw Self.problem("line \(error.line): \(error.reason)")
    }
    guard let value = file.values[name] else { throw Self.problem("there is no such line") }
    return Array(value.utf8)
  }

  /// Without the line break at the end, which editors and programs add.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.last == UInt8(ascii: "\n") else { return bytes }
    let rest = bytes.dropLast()
    return Array(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest)
  }

  // MARK: Programs

  private func output(
    of words: [String], within timeout: Duration
  ) async throws(SecretProblem) -> ChildProgram.Output {
    let name = words[0].contains(bytes: "/") ? absolute(words[0]) : words[0]
    guard let path = ChildProgram.path(of: name, in: environment) else {
      throw Self.problem(
        words[0].contains(bytes: "/")
          ? "there is no program of this name that may be started"
          : "no absolute folder of PATH has a program of this name")
    }
    let program = ChildProgram(
      path: path, arguments: Array(words.dropFirst()),
      environment: environment.filter { !withheld.contains($0.key) }, timeout: timeout,
      limit: Self.limit)
    let result: ChildProgram.Output
    do throws(ChildProgram.Failure) {
      result = try await program.run()
    } catch {
      switch error {
      case .notStarted(let reason): throw Self.problem("it cannot be started: \(reason.message)")
      case .timedOut:
        throw Self.problem(
          "it has not ended within \(Quantities.text(of: timeout)); it cannot ask at the terminal,"
            + " and 'timeout' lets it take longer")
      case .tooMuch: throw Self.problem("it printed more than \(Self.limit >> 10) kB")
      }
    }
    guard result.status == 0 else { throw ended(result) }
    return result
  }

  /// How a program failed, with the last line that it wrote for people.
  private func ended(_ result: ChildProgram.Output) -> SecretProblem {
    var reason =
      result.status > 128
      ? "signal \(result.status - 128) ended it" : "it ended with status \(result.status)"
    // A program that fails late may have printed the secret, and may repeat it.
    let printed = Self.trimmed(result.output)
    let lines = String(decoding: result.error, as: UTF8.self).split(ascii: "\n")
    if printed.isEmpty, let line = lines.map({ String($0).trimmed }).last(where: { !$0.isEmpty }) {
      reason += ": " + line.shortened(to: 200)
    }
    let missing = withheld.filter { environment[$0]?.isEmpty == false }.sorted()
    if !missing.isEmpty {
      reason +=
        "; it is started without " + missing.joined(separator: ", ")
        + (missing.count == 1 ? ", which holds a secret" : ", which hold secrets")
    }
    return Self.problem(reason)
  }

  /// A password of the keychain. `security -g` tells text from hexadecimal digits; `-w` does not.
  private func password(
    of service: String, _ account: String?
  ) async throws(SecretProblem) -> [UInt8] {
    guard let program = keychainProgram else {
      throw Self.problem(
        "only macOS has it; use 'command' with the program of your keyring, such as secret-tool")
    }
    let result = try await output(
      of: [program, "find-generic-password", "-g", "-s", service]
        + (account.map { ["-a", $0] } ?? []), within: SecretSource.usualTimeout)
    let text = String(decoding: result.error, as: UTF8.self)
    guard let line = text.split(ascii: "\n").first(where: { $0.hasPrefix(bytes: "password: ") })
    else { throw Self.problem("'security' printed no password") }
    let shown = String(line.dropFirst(bytes: "password: ".utf8.count))
    if shown.hasPrefix(bytes: "\""), shown.hasSuffix(bytes: "\""), shown.utf8.count > 1 {
      return Array(shown.utf8.dropFirst().dropLast())
    }
    guard shown.hasPrefix(bytes: "0x"),
      let bytes = Hexadecimal.decode(String(shown.dropFirst(bytes: 2).prefix(before: " ")))
    else { throw Self.problem("'security' printed no password") }
    return bytes
  }
}
