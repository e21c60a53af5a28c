import Foundation

/// Programs in Python, where there is one.
enum Python {
  static func hasModule(_ name: String) -> Bool {
    (try? run("import \(name)", []))?.status == 0
  }

  /// Runs a program, and gives its exit status and what it printed, problems too.
  static func run(_ program: String, _ arguments: [String]) throws -> (
    status: Int32, output: String
  ) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
