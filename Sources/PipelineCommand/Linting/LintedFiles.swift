internal import SourceText
internal import Workflows

/// The files that lint reads because a workflow names them: those that a run of it could read.
struct LintedFiles: FileLoader {
  let files: FileSystem

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    do throws(PathProblem) {
      let place = try ConfinedFiles(workflow: file, allowing: []).place(of: path)
      let folder = AtomicFile.folder(of: file)
      let name = path.hasPrefix("/") || folder == "." ? path : folder + "/" + path
      let bytes = try files.read(place, WorkflowFiles.sizeLimit)
      return .success(SourceFile(name: name, bytes: bytes))
    } catch {
      return .failure(FileLoadError("'\(path)' cannot be read: \(error.reason)"))
    }
  }
}
