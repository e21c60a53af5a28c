#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Programs that the tests use if they are installed.
package enum Tool {
  package struct Outcome {
    package let status: Int32
    package let output: String
    package let error: String
  }

  package static func isInstalled(_ name: String) -> Bool { path(of: name) != nil }

  /// A variable of the environment.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether Python has a module.
  package static func hasModule(_ name: String) -> Bool {
    isInstalled("python3")
      && run(["python3", "-c", "import \(name)"], in: TemporaryFolder()).status == 0
  }

  package static func path(of name: String) -> String? {
    (variable("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  /// Runs a program in a folder until it ends.
  ///
  /// - Parameter tools: Folders whose programs come before all others.
  package static func run(
    _ words: [String], in folder: TemporaryFolder, _ variables: [String: String] = [:],
    tools: [String] = []
  ) -> Outcome {
    var environment = Spawning.environment
    // The program under test may itself be started by a make, which passes its flags on.
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] { environment[name] = nil }
    let path = environment["PATH"] ?? ""
    environment["PATH"] = (tools + [path]).joined(separator: ":")
    environment.merge(variables) { $1 }
    let output = TemporaryFolder()
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    let start = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + words
    let id = try? Spawning.start(start, environment: environment) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, output.path + "/output", writing, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, output.path + "/error", writing, 0o600)
    }
    guard let id else { return Outcome(status: -1, output: "", error: "cannot be started") }
    return Outcome(
      status: Spawning.end(of: id), output: output.read("output") ?? "",
      error: output.read("error") ?? "")
  }
}
