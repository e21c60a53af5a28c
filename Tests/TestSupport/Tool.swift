import Foundation

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
    ProcessInfo.processInfo.environment[name]
  }

  /// Whether Python has a module.
  package static func hasModule(_ name: String) -> Bool {
    isInstalled("python3")
      && run(["python3", "-c", "import \(name)"], in: TemporaryFolder()).status == 0
  }

  package static func path(of name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").components(separatedBy: ":")
      .map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program in a folder until it ends.
  ///
  /// - Parameter tools: Folders whose programs come before all others.
  package static func run(
    _ words: [String], in folder: TemporaryFolder, _ variables: [String: String] = [:],
    tools: [String] = []
  ) -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    // The program under test may itself be started by a make, which passes its flags on.
    for name in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] { environment[name] = nil }
    let path = environment["PATH"] ?? ""
    environment["PATH"] = (tools + [path]).joined(separator: ":")
    environment.merge(variables) { $1 }
    process.environment = environment
    let output = TemporaryFolder()
    let streams = ["output", "error"].map { name -> FileHandle? in
      FileHandle(forWritingAtPath: output.write("", to: name))
    }
    process.standardOutput = streams[0]
    process.standardError = streams[1]
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return Outcome(status: -1, output: "", error: "\(error)")
    }
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: output.read("output") ?? "",
      error: output.read("error") ?? "")
  }
}
