import PipelineByteText
package import PipelineLanguage
package import PipelineLint
package import PipelineSourceText

/// The files around the open texts.
package protocol EditingFiles: Sendable {
  /// Reads the files that a text names. The open texts go before the files of the same names.
  func loader(for name: String, over open: [String: [UInt8]]) -> any FileLoader

  /// The recorded answers that lint compares a workflow with.
  func recorded(beside name: String) -> RecordedAnswers
}

/// The texts that are open in an editor, by the paths of their files, and what is known of each.
///
/// A text is analysed when something is asked about it, and again after it or a file that it names
/// may have changed. Performs no I/O but through `EditingFiles`.
package struct EditingFolder: Sendable {
  /// A text that is open.
  private struct OpenText {
    var text: EditedText
    /// The editor's number of this state of the text.
    var version: Int
    var recorded: RecordedAnswers
    var analysis: WorkflowAnalysis?
  }

  private var texts: [ExactText: OpenText] = [:]
  /// Counts what may have changed findings: texts that are opened, edited or closed, and files.
  package private(set) var generation = 0
  private let files: any EditingFiles
  private let shelf = DescriptionShelf()
  private let encoding: PositionEncoding

  package init(_ files: any EditingFiles, _ encoding: PositionEncoding) {
    self.files = files
    self.encoding = encoding
  }

  /// The paths of the open texts, sorted.
  package var names: [String] {
    texts.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package mutating func open(_ name: String, _ text: String, version: Int) {
    generation += 1
    texts[ExactText(name)] = OpenText(
      text: EditedText(Array(text.utf8), encoding), version: version,
      recorded: files.recorded(beside: name))
    forgetReaders(of: name)
  }

  package mutating func close(_ name: String) {
    generation += 1
    texts[ExactText(name)] = nil
    forgetReaders(of: name)
  }

  /// Makes the changes, each on the result of the one before it.
  package mutating func change(_ name: String, _ changes: [TextChange], version: Int) {
    let key = ExactText(name)
    guard texts[key] != nil else { return }
    generation += 1
    for change in changes { texts[key]?.text.apply(change) }
    texts[key]?.version = version
    texts[key]?.analysis = nil
    forgetReaders(of: name)
  }

  /// Files on the disk may have changed.
  package mutating func forgetFiles() {
    shelf.clear()
    generation += 1
    for key in texts.keys {
      let recorded = files.recorded(beside: key.text)
      texts[key]?.recorded = recorded
      texts[key]?.analysis = nil
    }
  }

  package func text(_ name: String) -> EditedText? { texts[ExactText(name)]?.text }

  package func version(of name: String) -> Int? { texts[ExactText(name)]?.version }

  /// The facts about an open text; `nil` if it is not open.
  ///
  /// - Complexity: That of linting the file, the first time after a change.
  package mutating func analysis(of name: String) -> WorkflowAnalysis? {
    let key = ExactText(name)
    guard let open = texts[key] else { return nil }
    if let analysis = open.analysis { return analysis }
    let analysis = WorkflowAnalysis(
      SourceFile(name: name, bytes: open.text.bytes), loader: loader(for: name),
      recorded: open.recorded, shelf: shelf)
    texts[key]?.analysis = analysis
    return analysis
  }

  /// A file with other bytes, analysed in place of it.
  ///
  /// - Parameter others: The bytes of further files that differ, by their paths.
  package func analysis(
    of name: String, with bytes: [UInt8], beside others: [String: [UInt8]] = [:]
  ) -> WorkflowAnalysis {
    WorkflowAnalysis(
      SourceFile(name: name, bytes: bytes), loader: loader(for: name, beside: others),
      recorded: texts[ExactText(name)]?.recorded ?? RecordedAnswers(), shelf: shelf)
  }

  /// A file that is not open, with its recorded answers.
  ///
  /// - Complexity: That of linting the file.
  package func analysis(ofFile file: SourceFile) -> WorkflowAnalysis {
    WorkflowAnalysis(
      file, loader: loader(for: file.name), recorded: files.recorded(beside: file.name),
      shelf: shelf)
  }

  private func loader(for name: String, beside others: [String: [UInt8]] = [:]) -> any FileLoader {
    let open = texts.map { (FilePath.normalized($0.key.text), $0.value.text.bytes) }
    let other = others.map { (FilePath.normalized($0.key), $0.value) }
    return files.loader(
      for: name, over: Dictionary(other + open, uniquingKeysWith: { first, _ in first }))
  }

  /// A file that names no other cannot depend on a change of one.
  private mutating func forgetReaders(of name: String) {
    for key in texts.keys where key.text != name {
      if texts[key]?.analysis?.namesFiles ?? false { texts[key]?.analysis = nil }
    }
  }
}
