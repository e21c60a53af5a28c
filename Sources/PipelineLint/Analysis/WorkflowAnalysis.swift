import PipelineJSONPaths
package import PipelineJSONText
package import PipelineLanguage
package import PipelinePlanning
package import PipelineSourceText
import PipelineTemplates

/// The facts about a workflow file by place, for an editor in which the file is written.
///
/// A file need not be whole. If it ends in the middle of a string, or lacks a comma, the part that
/// could be read is known. Offsets are bytes of the file. One at the end of a name belongs to it.
/// Performs no I/O but through its loader.
package struct WorkflowAnalysis: Sendable {
  package let file: SourceFile
  /// Whether it names other files, on which its findings depend.
  package let namesFiles: Bool
  /// Every finding of lint, sorted by position, each with its fix.
  package let findings: [Diagnostic]
  /// The readable parts of the file.
  package let document: JSONDocument
  /// The recorded responses of its steps.
  let recorded: RecordedAnswers
  /// What the descriptions of the APIs say that it calls.
  let described: DescribedScope?
  /// `nil` if the file holds no object at all.
  let context: LintContext?
  private let linted: LintedWorkflow?
  /// Whether it is a file of tests.
  let isTest: Bool
  /// The steps that its tests may answer.
  let testedSteps: [String]
  /// The workflow that they test.
  let tested: Workflow?

  /// The kind of file.
  var root: LanguageObject.Kind { isTest ? .tests : .file }

  /// Analyses a file.
  ///
  /// - Parameters:
  ///   - loader: Reads the files that it names.
  ///   - recorded: The recorded responses of its steps.
  ///   - shelf: Reads the descriptions of APIs that it names; `nil` if they are left alone.
  /// - Complexity: That of linting it.
  package init(
    _ file: SourceFile, loader: (any FileLoader)? = nil,
    recorded: RecordedAnswers = RecordedAnswers(), shelf: DescriptionShelf? = nil
  ) {
    self.file = file
    self.recorded = recorded
    let text = WorkflowText(file)
    namesFiles =
      text.basePath != nil || !text.calledPaths.isEmpty || text.document.root["api"] != nil
    let linter = Linter(loader: loader, recorded: recorded, shelf: shelf)
    isTest = text.isTest
    if isTest {
      let linted = linter.lintTests(text)
      findings = linted.diagnostics
      document = text.document
      context = nil
      described = nil
      self.linted = nil
      tested = linted.workflow?.workflow
      testedSteps = linted.workflow.map { TestNames($0).steps.map(\.id) } ?? []
      return
    }
    testedSteps = []
    tested = nil
    let (linted, described) = linter.lintDescribed(text)
    findings = text.isBase ? linter.lintBase(text, isNamed: true) : linted.diagnostics
    document = linted.document
    context = linted.context
    self.described = described
    self.linted = linted
  }

  /// The plan of the workflow; `nil` if it has errors.
  package var plan: Plan? { linted?.plan }

  /// The step whose `id` or `endpoint` is at a place, by the ids that lead to it.
  package func stepHead(at offset: Int) -> (path: String, range: Range<Int>)? {
    guard let context, let number = context.viewpoint(at: offset).step else { return nil }
    let node = context.steps[number].step.node
    for member in node.members where member.name == "id" || member.name == "endpoint" {
      for range in [member.nameRange, member.value.range]
      where range.lowerBound <= offset && offset <= range.upperBound {
        return (context.path(of: number), range)
      }
    }
    return nil
  }

  /// What reads a name, in words and in the order of the file: `step 'user'`, `the outputs`.
  package func readers(of name: WorkflowSymbol.Name) -> [String] {
    guard let context else { return [] }
    var readers: [String] = []
    for place in name.references {
      let viewpoint = context.viewpoint(at: place.lowerBound)
      let words: String
      if let number = viewpoint.step {
        words = "step '\(context.steps[number].step.pathID)'"
      } else {
        let member = document.root.members.first { $0.value.range.contains(place.lowerBound) }
        words = member.map { "'\($0.name)'" } ?? "the file"
      }
      if !readers.contains(words) { readers.append(words) }
    }
    return readers
  }

  /// The symbol at a place; `nil` if nothing there has a name or a meaning.
  package func symbol(at offset: Int) -> WorkflowSymbol? {
    let path = DocumentPath(document, to: offset, root: root)
    if let member = path.member {
      if let key = path.kind.flatMap({ $0.object[member.name] }) {
        return .key(
          WorkflowSymbol.Key(
            name: key.name, range: member.nameRange, meaning: key.meaning, type: key.type.words,
            defaultValue: key.defaultValue, example: key.example, isRequired: key.isRequired))
      }
      return name(at: member.nameRange).map { .name($0) }
    }
    guard path.node.kind == .string else { return nil }
    if let reference = reference(at: offset, in: path) { return .reference(reference) }
    if let operation = operation(at: offset) { return .operation(operation) }
    return name(at: path.node.range).map { .name($0) }
  }

  // MARK: - References

  private func reference(at offset: Int, in path: DocumentPath) -> WorkflowSymbol.Reference? {
    guard let context, let written = written(at: offset, in: path), !written.word.isEmpty,
      let query = WrittenPath.query(written.text)
    else { return nil }
    let viewpoint = context.viewpoint(at: offset)
    guard let place = context.place(of: query, from: viewpoint) else { return nil }
    return WorkflowSymbol.Reference(
      path: written.text, range: written.word, meaning: place.meaning,
      type: context.reading(of: query, from: viewpoint).shape.description,
      definition: place.range, description: place.description)
  }

  /// The read of the scope at a place of a string.
  func written(at offset: Int, in path: DocumentPath) -> WrittenPath? {
    guard path.node.kind == .string else { return nil }
    var content = path.node.range
    if content.count > 1, file.bytes[content.lowerBound] == UInt8(ascii: "\"") {
      content = content.lowerBound + 1..<content.upperBound
      if file.bytes[content.upperBound - 1] == UInt8(ascii: "\""), !content.isEmpty {
        content = content.lowerBound..<content.upperBound - 1
      }
    }
    return WrittenPath(
      file.bytes, in: content, at: offset, takesQueries: path.type?.readsScope ?? false)
  }

  // MARK: - Names

  /// The name that is given at exactly these bytes.
  private func name(at range: Range<Int>) -> WorkflowSymbol.Name? {
    guard let context, let given = context.givenName(at: range) else { return nil }
    return WorkflowSymbol.Name(
      name: given.name, range: range, meaning: given.meaning, type: given.shape.description,
      references: context.references(to: range))
  }
}

extension LanguageType {
  /// Whether a string that begins with `$` is a query of the scope there.
  fileprivate var readsScope: Bool {
    switch self {
    case .scopeQuery, .condition: true
    case .either(let types): types.contains(where: \.readsScope)
    case .list(let type), .several(let type), .map(let type): type.readsScope
    default: false
    }
  }
}
