internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineSourceText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files that lint reads because a workflow names them: those that a run could read.
struct LintedFiles: FileLoader {
  /// The file that is linted or run, as the user named it.
  let root: String
  /// Further folders that files may lie in, as the user named them.
  var allowed: [String] = []
  let files: FileSystem
  /// Files that are not on the disk yet, by normalized path.
  var new: [String: [UInt8]] = [:]

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let name = PathText.path(path, beside: file)
    if let bytes = new[FilePath.normalized(name)] {
      return .success(SourceFile(name: name, bytes: bytes))
    }
    let place: String
    do throws(FileError) {
      place = try FolderFiles(workflow: root, allowing: allowed).place(ofFileNamed: name)
    } catch {
      return .failure(FileLoadError(error.message, near: near(path, relativeTo: file)))
    }
    do throws(PathProblem) {
      // A pipe is read only if the user names it.
      return .success(
        SourceFile(name: name, bytes: try files.readFile(place, WorkflowFiles.sizeLimit)))
    } catch {
      return .failure(
        FileLoadError(
          "'\(path)' cannot be read: \(error.reason)", near: near(path, relativeTo: file)))
    }
  }

  func loadDescription(
    _ path: String, relativeTo file: String
  ) -> Result<SourceFile, FileLoadError> {
    let name = FilePath.normalized(PathText.path(path, beside: file))
    do throws(PathProblem) {
      return .success(
        SourceFile(name: name, bytes: try files.readFile(name, DescribedAPI.sizeLimit)))
    } catch {
      return .failure(
        FileLoadError(
          "'\(path)' cannot be read: \(error.reason)",
          near: near(path, relativeTo: file, [".json", ".yaml", ".yml"])))
    }
  }

  /// The path of a file with nearly the same name as one that is missing, in the same folder.
  private func near(
    _ path: String, relativeTo file: String, _ endings: [String] = [".json"]
  ) -> String? {
    guard isMissing(path, relativeTo: file) else { return nil }
    let place = PathText.path(path, beside: file)
    let start = path.lastIndex(ascii: "/").map { path.utf8.index(after: $0) } ?? path.startIndex
    let names = try? files.names(PathText.folder(of: place))
    let files = (names ?? []).filter { name in
      endings.contains { name.hasSuffix(bytes: $0) }
        && !name.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
    }
    return Spelling.nearest(to: String(path[start...]), among: files).map { path[..<start] + $0 }
  }

  /// A workflow may lie anywhere, beside its tests or not. It reads the files of its own folder, as
  /// in a run.
  func forWorkflow(at path: String, testedBy file: String) -> any FileLoader {
    LintedFiles(root: PathText.path(path, beside: file), allowed: allowed, files: files)
  }

  func isMissing(_ path: String, relativeTo file: String) -> Bool {
    let name = PathText.path(path, beside: file)
    do throws(PathProblem) {
      _ = try files.kind(name)
      return false
    } catch {
      // A folder that may not be searched says nothing of the files in it.
      return error.reason.equals(bytes: SystemError(ENOENT).message)
    }
  }
}
