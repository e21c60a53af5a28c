internal import PipelineByteText
internal import PipelineEditing
internal import PipelineLanguage
internal import PipelineLint

/// The files of a folder in which texts are edited.
struct EditedFiles: EditingFiles {
  let files: FileSystem

  func loader(for name: String, over open: [String: [UInt8]]) -> any FileLoader {
    LintedFiles(
      root: name, files: files.showing(open),
      new: open.filter { (try? files.kind($0.key)) == nil })
  }

  func recorded(beside name: String) -> RecordedAnswers {
    LintRecordings(files: files).answers(beside: name)
  }
}

extension FileSystem {
  /// The same files, but some with other bytes, by normalized path.
  func showing(_ texts: [String: [UInt8]]) -> FileSystem {
    var files = self
    let (readFile, kind) = (self.readFile, self.kind)
    files.readFile = { path, limit throws(PathProblem) in
      if let bytes = texts[FilePath.normalized(path)] { return bytes }
      return try readFile(path, limit)
    }
    files.kind = { path throws(PathProblem) in
      texts[FilePath.normalized(path)] == nil ? try kind(path) : .file
    }
    return files
  }
}
