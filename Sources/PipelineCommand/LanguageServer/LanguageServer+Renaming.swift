internal import PipelineByteText
internal import PipelineEditing
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineRPC
internal import PipelineSourceText

/// Names and their places in all files of the editor's folders.
extension LanguageServer {
  /// A file that an edit changes, as it is now.
  struct EditedFile {
    let name: String
    let text: EditedText
    var places: [Range<Int>]
  }

  // MARK: Answers

  func prepareRename(_ question: Question) throws(RPCError) -> JSONValue {
    let found = try renamed(question)
    guard
      let place = found.all.first(where: {
        $0.lowerBound <= question.offset && question.offset <= $0.upperBound
      })
    else { throw .requestFailed("nothing here has a name that can be changed") }
    return [
      "range": ProtocolValue.range(place, in: question.text), "placeholder": .string(found.name),
    ]
  }

  func rename(_ question: Question, to name: String) throws(RPCError) -> JSONValue {
    let found = try renamed(question)
    do throws(RenameRefusal) {
      let edits = try question.analysis.renaming(found, to: name) {
        folder.analysis(of: question.name, with: $0)
      }
      let related = relatedFiles(found, question)
      let own = EditedFile(
        name: question.name, text: question.text, places: edits.map(\.range))
      try check([own] + related, renamedTo: name)
      return workspaceEdit(
        ([own] + related).map { file in
          (file.name, file.text, file.places.map { .init(range: $0, replacement: name) })
        })
    } catch {
      throw .requestFailed(error.message)
    }
  }

  /// The name that is at a place and can be changed there.
  private func renamed(_ question: Question) throws(RPCError) -> WorkflowOccurrences {
    guard let found = question.analysis.occurrences(at: question.offset) else {
      throw .requestFailed("nothing here has a name that can be changed")
    }
    if let source = found.source {
      throw .requestFailed("'\(found.name)' is given in '\(source)'; rename it there")
    }
    return found
  }

  /// Refuses edits that make another file worse.
  private func check(_ files: [EditedFile], renamedTo name: String) throws(RenameRefusal) {
    var texts: [String: [UInt8]] = [:]
    for file in files {
      let edits = file.places.map { DiagnosticFix.Edit(range: $0, replacement: name) }
      let fix = DiagnosticFix(message: "rename", edits: edits, isSafe: false)
      texts[file.name] =
        SourceFile(name: file.name, bytes: file.text.bytes).applying([fix]).bytes
    }
    for file in files.dropFirst() where file.name.hasSuffix(bytes: ".json") {
      guard let bytes = texts[file.name] else { continue }
      let before = folder.analysis(of: file.name, with: file.text.bytes)
      let after = folder.analysis(of: file.name, with: bytes, beside: texts)
      do throws(RenameRefusal) {
        try WorkflowAnalysis.compare(before.findings, after.findings, name)
      } catch {
        throw RenameRefusal(message: "\(error.message), in '\(file.name)'")
      }
    }
  }

  // MARK: Related files

  /// The files that know a name of a file: those that run it or build on it, their tests, and
  /// recordings.
  func relatedFiles(_ found: WorkflowOccurrences, _ question: Question) -> [EditedFile] {
    if found.kind == .item { return [] }
    let name = FilePath.normalized(question.name)
    let neighbours = neighbours(of: question.name).map { file in
      (file, root: JSONDocument.parseRecovering(file.bytes).document.root)
    }
    let family = family(of: name, found.kind, neighbours)
    var related: [EditedFile] = []
    var recordings = LintRecordings(files: files).paths(beside: question.name).map { ($0, [""]) }
    for (file, root) in neighbours where !FilePath.normalized(file.name).equals(bytes: name) {
      func isMeant(_ path: String) -> Bool {
        family.contains(ExactText(FilePath.normalized(PathText.path(path, beside: file.name))))
      }
      let relation = RelatedFile(found, isMeant: isMeant)
      var places: [Range<Int>] = []
      if let tested = root["workflow"]?.string, let tests = root["tests"] {
        let paths = paths(to: family, from: PathText.path(tested, beside: file.name))
        guard !paths.isEmpty else { continue }
        places = relation.places(inTests: root, file, below: paths)
        for replay in tests.elements.compactMap({ $0["replay"]?.string }) {
          recordings.append((PathText.path(replay, beside: file.name), paths))
        }
      } else if Self.names(root, isMeant) {
        places = relation.places(inWorkflow: folder.analysis(of: file.name, with: file.bytes))
      }
      add(file, places, to: &related)
    }
    var seen: Set<String> = []
    for (path, paths) in recordings where seen.insert(FilePath.normalized(path)).inserted {
      guard let bytes = try? files.readFile(path, WorkflowFiles.sizeLimit) else { continue }
      let file = SourceFile(name: path, bytes: bytes)
      let root = JSONDocument.parseRecovering(bytes).document.root
      let relation = RelatedFile(found) { _ in false }
      add(file, relation.places(inRecording: root, file, below: paths), to: &related)
    }
    return related
  }

  /// A file, and for a name that others inherit, the files that build on it.
  private func family(
    of name: String, _ kind: WorkflowNameKind, _ neighbours: [(SourceFile, root: JSONNode)]
  ) -> Set<ExactText> {
    var family: Set<ExactText> = [ExactText(name)]
    guard kind == .input || kind == .environment else { return family }
    var count = 0
    while count < family.count {
      count = family.count
      for (file, root) in neighbours {
        guard let base = root["extends"]?.string,
          family.contains(ExactText(FilePath.normalized(PathText.path(base, beside: file.name))))
        else { continue }
        family.insert(ExactText(FilePath.normalized(file.name)))
      }
    }
    return family
  }

  private func add(_ file: SourceFile, _ places: [Range<Int>], to files: inout [EditedFile]) {
    guard !places.isEmpty else { return }
    files.append(
      EditedFile(
        name: file.name, text: EditedText(file.bytes, abilities.encoding),
        places: Set(places).sorted { $0.lowerBound < $1.lowerBound }))
  }

  /// The workflows and tests of the editor's folders, or of the file's folder if there are none.
  /// Open texts go before the files of the same names.
  private func neighbours(of name: String) -> [SourceFile] {
    let folders = roots.isEmpty ? [PathText.folder(of: name)] : roots
    return WorkflowFiles(files: files, kinds: [.workflows, .tests]).read(folders)
      .compactMap { result in
        guard case .success(let file) = result else { return nil }
        return folder.text(file.name).map { SourceFile(name: file.name, bytes: $0.bytes) } ?? file
      }
  }

  /// The steps that lead from a workflow to files that it runs. One of the files themselves is at no
  /// step.
  private func paths(to family: Set<ExactText>, from tested: String) -> [String] {
    func isMeant(_ path: String) -> Bool { family.contains(ExactText(FilePath.normalized(path))) }
    if isMeant(tested) { return [""] }
    guard
      let bytes = folder.text(tested)?.bytes
        ?? (try? files.readFile(tested, WorkflowFiles.sizeLimit)),
      Self.names(
        JSONDocument.parseRecovering(bytes).document.root,
        { isMeant(PathText.path($0, beside: tested)) })
    else { return [] }
    return folder.analysis(of: tested, with: bytes)
      .callers { isMeant(PathText.path($0, beside: tested)) }
  }

  /// Whether a workflow names a file that is meant.
  private static func names(_ root: JSONNode, _ isMeant: (String) -> Bool) -> Bool {
    var open = [root]
    while let node = open.popLast() {
      if node.kind == .array { open += node.elements }
      guard node.kind == .object else { continue }
      for member in node.members {
        if member.name == "workflow" || member.name == "extends", let path = member.value.string,
          isMeant(path)
        {
          return true
        }
        open.append(member.value)
      }
    }
    return false
  }
}
