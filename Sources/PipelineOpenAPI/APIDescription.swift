internal import PipelineByteText
internal import PipelineJSONText
internal import Synchronization

/// A description of an HTTP API: Swagger 2.0 or OpenAPI 3.0 to 3.2, in one file or several.
///
/// Nothing is expanded. References are resolved when they are followed, along one way, and a way that
/// leads back to itself ends there.
package final class APIDescription: Sendable {
  package enum Version: String, Sendable {
    case swagger2 = "Swagger 2.0"
    case openAPI30 = "OpenAPI 3.0"
    case openAPI31 = "OpenAPI 3.1"
    case openAPI32 = "OpenAPI 3.2"
  }

  package let version: Version
  /// The file that the others are reached from.
  package let file: DescriptionFile
  let load: @Sendable (String) -> [UInt8]?
  let followed = Mutex(Followed())

  /// Where references led.
  struct Followed {
    /// The files; `nil` for those that cannot be read.
    var files: [String: DescriptionFile?] = [:]
    var targets: [String: DescribedNode?] = [:]
  }

  /// Reads a description.
  ///
  /// - Parameters:
  ///   - path: The path of the main file.
  ///   - bytes: The main file's content.
  ///   - load: Reads another file; `nil` if it cannot be read. Nothing is fetched from a network.
  package init(
    path: String, bytes: [UInt8], load: @escaping @Sendable (String) -> [UInt8]?
  ) throws(DescriptionProblem) {
    file = try DescriptionFile(path: path, bytes: bytes)
    self.load = load
    version = try Self.version(of: file)
    followed.withLock { $0.files[path] = file }
  }

  private static func version(of file: DescriptionFile) throws(DescriptionProblem) -> Version {
    guard let node = file.root["openapi"] ?? file.root["swagger"] else {
      throw DescriptionProblem(
        path: file.path, place: nil,
        message: "it is not a description of an API; 'openapi' and 'swagger' are missing")
    }
    // A number if the quotes are missing in YAML.
    let text = node.string ?? node.text
    let parts = text.split(ascii: ".").prefix(2).joined(separator: ".")
    switch parts {
    case "2.0": return .swagger2
    case "3.0": return .openAPI30
    case "3.1": return .openAPI31
    case "3.2": return .openAPI32
    default:
      throw DescriptionProblem(
        path: file.path, place: nil,
        message: "version '\(text)' is not supported; Swagger 2.0 and OpenAPI 3.0 to 3.2 are")
    }
  }

  /// What is odd in the files that were read so far, by their paths.
  package var problems: [DescriptionProblem] {
    followed.withLock { $0.files }.values.compactMap(\.self).sorted { $0.path < $1.path }.flatMap(
      \.problems)
  }

  /// The root of the main file.
  package var root: DescribedNode { DescribedNode(node: file.root, file: file) }

  /// The name of the API.
  package var title: String? { file.root["info"]?["title"]?.string }

  /// The value that a node refers to, or the node itself if it is not a reference.
  ///
  /// - Returns: `nil` if a reference leads nowhere, or back to itself.
  package func resolved(_ start: DescribedNode) -> DescribedNode? {
    var current = start
    var visited: Set<DescribedNode.Place> = []
    while let reference = current.node["$ref"]?.string {
      guard visited.insert(current.place).inserted,
        let next = target(of: reference, from: current)
      else { return nil }
      current = next
    }
    return current
  }

  /// The member of this name, resolved.
  package func member(_ name: String, of node: DescribedNode) -> DescribedNode? {
    node[name].flatMap { resolved($0) }
  }
}
