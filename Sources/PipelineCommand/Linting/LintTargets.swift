internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineSourceText

/// The files that lint judges, and what each of them is.
struct LintTargets {
  private(set) var texts: [Result<WorkflowText, PathProblem>]
  /// The files that others among these build on.
  private var extended: Set<ExactText> = []
  /// The files that others among these run or test.
  private var called: Set<ExactText> = []
  /// The files that are judged as workflows.
  private(set) var workflows: Set<ExactText> = []

  /// The files of `paths`. A folder gives its workflows and tests, and the files in it that these run
  /// and build on. So a mistake in one of them is reported in that file.
  init(_ paths: [String], _ files: FileSystem) {
    texts = WorkflowFiles(files: files, kinds: [.workflows, .tests]).read(paths).map {
      $0.map(WorkflowText.init)
    }
    let folders = Self.folders(paths, files)
    var known = Set(texts.compactMap { try? $0.get() }.map { Self.key($0.source.name) })
    var index = 0
    while index < texts.count {
      defer { index += 1 }
      guard case .success(let text) = texts[index] else { continue }
      let name = text.source.name
      let called = text.calledPaths
      if let path = text.basePath { extended.insert(Self.key(path, beside: name)) }
      for path in called { self.called.insert(Self.key(path, beside: name)) }
      for path in called + [text.basePath].compactMap({ $0 }) {
        let key = Self.key(path, beside: name)
        guard !known.contains(key), folders.contains(where: { $0.holds(key.text) }),
          case .success(let file) = LintedFiles(root: name, files: files)
            .load(path, relativeTo: name)
        else { continue }
        known.insert(key)
        texts.append(.success(WorkflowText(SourceFile(name: key.text, bytes: file.bytes))))
      }
    }
    workflows = Set(
      texts.compactMap { try? $0.get() }.filter { !$0.isTest && !isBase($0) }
        .map { Self.key($0.source.name) })
  }

  /// Whether a file is judged as one that others build on.
  func isBase(_ text: WorkflowText) -> Bool {
    text.isBase && !called.contains(Self.key(text.source.name))
  }

  /// Whether a file among these builds on it.
  func isExtended(_ text: WorkflowText) -> Bool {
    extended.contains(Self.key(text.source.name))
  }

  /// A name of a file as it is compared.
  private static func key(_ name: String) -> ExactText { ExactText(FilePath.normalized(name)) }

  /// The same of a path that is written in another file.
  private static func key(_ path: String, beside file: String) -> ExactText {
    key(PathText.path(path, beside: file))
  }

  private static func folders(_ paths: [String], _ files: FileSystem) -> [Folder] {
    let operands = paths.isEmpty ? [WorkflowFiles(files: files).defaultFolder] : paths
    return operands.compactMap { path in
      guard let kind = try? files.kind(path), case .folder = kind else { return nil }
      return Folder(name: FilePath.normalized(path))
    }
  }

  private struct Folder {
    /// Without `.`; empty: the current one.
    let name: String

    /// Whether a file, by its normalized name, is below the folder.
    func holds(_ file: String) -> Bool {
      if name.isEmpty { return !file.hasPrefix(bytes: "/") && !file.hasPrefix(bytes: "../") }
      return file.hasPrefix(bytes: name.hasSuffix(bytes: "/") ? name : name + "/")
    }
  }
}
