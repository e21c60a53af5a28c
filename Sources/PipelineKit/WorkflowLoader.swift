internal import PipelineByteText
package import PipelineLanguage
package import PipelineSourceText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads the files that a workflow names: files that it calls, and the one that it extends.
///
/// They are read once, when the `Pipeline` is made. Files that steps read during a run come from
/// `RunOptions.files`.
public struct WorkflowLoader: Sendable {
  let read: @Sendable (_ path: String) throws(FileError) -> [UInt8]

  /// Reads files with a function.
  ///
  /// - Parameter read: Given the path from the folder of the workflow, without `.` and `..` if
  ///   these can be taken out.
  public init(_ read: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8]) {
    self.read = read
  }

  /// The files below a folder, links followed: also of a bundle, which is a folder.
  ///
  /// - Parameter path: The path of the folder.
  public static func folder(_ path: String) -> WorkflowLoader {
    WorkflowLoader { name throws(FileError) in
      try contentOfFile(name.hasPrefix(bytes: "/") ? name : path + "/" + name, below: path)
    }
  }

  /// The files below the folder of a URL, such as `Bundle.module.resourceURL`.
  ///
  /// - Parameter url: The URL of the folder.
  public static func folder(_ url: URL) -> WorkflowLoader { folder(url.path) }

  /// Files in memory, by their paths.
  ///
  /// - Parameter files: The texts by their paths, as workflows write them.
  public static func memory(_ files: [String: String]) -> WorkflowLoader {
    let files = Dictionary(
      files.map { (ExactText(FilePath.normalized($0.key)), Array($0.value.utf8)) },
      uniquingKeysWith: { first, _ in first })
    return WorkflowLoader { path throws(FileError) in
      guard let file = files[ExactText(path)] else {
        throw FileError("'\(path)' cannot be read: no such file")
      }
      return file
    }
  }

  /// The files around one that is read by its path, named as that one is.
  static func around(_ path: String) -> WorkflowLoader {
    WorkflowLoader { name throws(FileError) in
      try contentOfFile(name, below: PathText.folder(of: path))
    }
  }

  private static func contentOfFile(
    _ path: String, below folder: String
  ) throws(FileError) -> [UInt8] {
    let files = try FolderFiles(workflow: folder + "/")
    return try files.read(try files.place(ofFileNamed: path))
  }
}

extension WorkflowLoader: FileLoader {
  package func load(
    _ path: String, relativeTo file: String
  ) -> Result<SourceFile, FileLoadError> {
    let name = FilePath.normalized(PathText.path(path, beside: file))
    do throws(FileError) {
      return .success(SourceFile(name: name, bytes: try read(name)))
    } catch {
      return .failure(FileLoadError(error.message))
    }
  }
}
