internal import PipelineByteText

/// The names of files in annotations. GitHub takes them for relative to the repository's folder,
/// wherever a command is run.
package struct AnnotationPaths: Sendable {
  private let repository: [Substring]
  private let folder: [Substring]

  /// - Parameters:
  ///   - repository: The absolute path of the repository.
  ///   - folder: The absolute path of the current folder.
  package init(repository: String, folder: String) {
    self.repository = Self.parts(of: repository, in: [])
    self.folder = Self.parts(of: folder, in: [])
  }

  /// The name of a file that the process knows as `name`. Outside of the repository it is the same.
  package func path(_ name: String) -> String {
    let parts = Self.parts(of: name, in: name.hasPrefix(bytes: "/") ? [] : folder)
    guard parts.count > repository.count,
      zip(parts, repository).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
    else { return name }
    return parts.dropFirst(repository.count).joined(separator: "/")
  }

  private static func parts(of path: String, in folder: [Substring]) -> [Substring] {
    var parts = folder
    for part in path.split(ascii: "/") {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return parts
  }
}
