package import PipelineJSONText
package import PipelineSourceText
package import PipelineTemplates

/// A workflow file as its author wrote it: decoded, with defaults merged into each step, and every
/// part knowing its place in the file.
package struct Workflow: Sendable {
  package let source: SourceFile
  package let document: JSONDocument
  /// For people. Without one, the file's name without its extension.
  package var name: String
  package var description: String?
  /// The file that this one builds on, as written.
  package var extends: Written<String>?
  /// The file that this one extends, once it is read.
  package var base: Base?
  package var inputs: [Input] = []
  /// The values that a successful run leaves to the next run: the file's own, then those of items.
  package var state: [StateValue] = []
  /// Whether a run that succeeds leaves state. One that ends at a step does not.
  package var leavesState = true
  package var environments: [Environment] = []
  package var defaultEnvironment: Written<String>?
  /// The address that endpoints without a scheme are appended to.
  package var baseURL: Written<BaseURL>?
  package var limits = Limits()
  /// The members of `limits` that an author set.
  package var limitNames: Set<String> = []
  /// The descriptions of the APIs that it calls, for lint and editors.
  package var api: [AttachedDescription] = []
  /// The columns that rows have when they leave the run.
  package var contracts: [Contract] = []
  /// The steps, and the outputs of the run.
  package var block = Block()

  package init(source: SourceFile, document: JSONDocument, name: String) {
    self.source = source
    self.document = document
    self.name = name
  }

  /// A file that another builds on.
  ///
  /// Its parts have ranges past the end of the file that builds on it, so that places differ.
  package struct Base: Sendable {
    package let source: SourceFile
    /// The offset of these ranges.
    package let offset: Int

    package init(source: SourceFile, offset: Int) {
      self.source = source
      self.offset = offset
    }
  }

  /// The file that contains a range of the workflow, and the place in it.
  package func place(of range: Range<Int>) -> (file: SourceFile, range: Range<Int>) {
    guard let base, range.lowerBound >= base.offset else { return (source, range) }
    return (base.source, range.lowerBound - base.offset..<range.upperBound - base.offset)
  }

  /// A named set of input values, chosen by `--environment`.
  package struct Environment: Sendable {
    package let name: Written<String>
    /// Input name → value, as written.
    package let values: [Member]

    package init(name: Written<String>, values: [Member]) {
      self.name = name
      self.values = values
    }
  }

  /// A member of a map whose keys the author chooses.
  package struct Member: Sendable {
    package let name: String
    package let nameRange: Range<Int>
    package let value: JSONNode

    package init(name: String, nameRange: Range<Int>, value: JSONNode) {
      self.name = name
      self.nameRange = nameRange
      self.value = value
    }
  }
}
