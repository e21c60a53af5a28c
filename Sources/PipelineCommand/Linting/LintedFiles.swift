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

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let name = PathText.path(path, beside: file)
    let place: String
    do throws(FileError) {
      place = try FolderFiles(workflow: root, allowing: allowed).place(ofFileNamed: name)
    } catch {
      return .failure(FileLoadError(error.message))
    }
    do throws(PathProblem) {
      // A pipe is read only if the user names it.
      return .success(
        SourceFile(name: name, bytes: try files.readFile(place, WorkflowFiles.sizeLimit)))
    } catch {
      return .failure(FileLoadError("'\(path)' cannot be read: \(error.reason)"))
    }
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
