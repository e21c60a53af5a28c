public import JSONText
public import SourceText
public import Templates

/// A workflow file as its author wrote it: decoded, with defaults merged into each step, and every
/// part knowing its place in the file.
public struct Workflow: Sendable {
  public let source: SourceFile
  public let document: JSONDocument
  /// For people; the file's name without its ending where the file gives none.
  public var name: String
  public var description: String?
  /// The file that this one builds on, as written.
  public var extends: Written<String>?
  /// That file, once read.
  public var base: Base?
  public var inputs: [Input] = []
  /// The values that a successful run leaves to the next run.
  public var state: [StateValue] = []
  public var environments: [Environment] = []
  public var defaultEnvironment: Written<String>?
  /// The address that endpoints without a scheme are appended to.
  public var baseURL: Written<BaseURL>?
  public var limits = Limits()
  /// The members of `limits` that an author set.
  public var limitNames: Set<String> = []
  /// The steps, and what the run returns.
  public var block = Block()

  public init(source: SourceFile, document: JSONDocument, name: String) {
    self.source = source
    self.document = document
    self.name = name
  }

  /// A file that another builds on.
  ///
  /// What comes from it has ranges that lie behind the end of the file that builds on it, so that
  /// no place is taken for another.
  public struct Base: Sendable {
    public let source: SourceFile
    /// What such a range has to be reduced by.
    public let offset: Int

    public init(source: SourceFile, offset: Int) {
      self.source = source
      self.offset = offset
    }
  }

  /// The file that a range of the workflow lies in, and where in it.
  public func place(of range: Range<Int>) -> (file: SourceFile, range: Range<Int>) {
    guard let base, range.lowerBound >= base.offset else { return (source, range) }
    return (base.source, range.lowerBound - base.offset..<range.upperBound - base.offset)
  }

  /// A named set of input values, chosen by `--environment`.
  public struct Environment: Sendable {
    public let name: Written<String>
    /// Input name → value, as written.
    public let values: [Member]

    public init(name: Written<String>, values: [Member]) {
      self.name = name
      self.values = values
    }
  }

  /// A member of a map whose keys the author chooses.
  public struct Member: Sendable {
    public let name: String
    public let nameRange: Range<Int>
    public let value: JSONNode

    public init(name: String, nameRange: Range<Int>, value: JSONNode) {
      self.name = name
      self.nameRange = nameRange
      self.value = value
    }
  }
}
