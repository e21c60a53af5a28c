/// Where the program keeps data between runs: in a folder, or nowhere.
enum StoreLocation: Sendable, Hashable {
  /// `isNamed`: the user named this folder.
  case folder(String, isNamed: Bool)
  /// Nothing is kept.
  case off
  /// The environment variables give no place.
  case unknown

  var isFolder: Bool { if case .folder = self { true } else { false } }

  /// From `--store` and `--no-store`, else `PIPELINE_STORE`, else the system's folder for state.
  init(_ options: StoreOptions, environment: [String: String]) throws(UsageError) {
    if options.isOff {
      guard options.folder == nil else {
        throw UsageError(message: "--store and --no-store contradict each other")
      }
      self = .off
    } else if let folder = options.folder {
      self = .folder(folder, isNamed: true)
    } else if let folder = environment["PIPELINE_STORE"], !folder.isEmpty {
      self = folder == "off" ? .off : .folder(folder, isNamed: true)
    } else {
      self = Self.standard(environment)
    }
  }

  /// The XDG base directory for state. A relative one is ignored, as that specification asks.
  static func standard(_ environment: [String: String]) -> StoreLocation {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }
    if let state = absolute("XDG_STATE_HOME") {
      return .folder(state + "/pipeline", isNamed: false)
    }
    guard let home = absolute("HOME") else { return .unknown }
    #if canImport(Darwin)
      return .folder(home + "/Library/Application Support/pipeline", isNamed: false)
    #else
      return .folder(home + "/.local/state/pipeline", isNamed: false)
    #endif
  }
}
