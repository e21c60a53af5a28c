internal import PipelineByteText

/// The browser of the person at this machine.
struct Browser: Sendable {
  let environment: [String: String]
  /// The names of variables that hold secrets, which no other program gets.
  let withheld: Set<String>

  /// The program that opens an address; `nil` if there is none, or if this machine has no screen.
  private var program: String? {
    #if canImport(Darwin)
      ChildProgram.path(of: "open", in: environment)
    #else
      // Without a screen, xdg-open starts a browser in the terminal, or none.
      ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "WSL_DISTRO_NAME"].contains { name in
        environment[name].map { !$0.isEmpty } ?? false
      } ? ChildProgram.path(of: "xdg-open", in: environment) : nil
    #endif
  }

  /// Opens an http or https address. It is not waited for.
  ///
  /// - Returns: Whether a program was started for it.
  func open(_ address: String) -> Bool {
    guard address.hasPrefix(bytes: "https://") || address.hasPrefix(bytes: "http://"),
      let program
    else { return false }
    return ChildProgram(
      path: program, arguments: [address],
      environment: environment.filter { !withheld.contains($0.key) }, timeout: .zero, limit: 0
    ).launch()
  }
}
