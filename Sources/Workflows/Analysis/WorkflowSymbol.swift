/// What stands at a place of a workflow file, for whoever points at it.
public enum WorkflowSymbol: Sendable, Hashable {
  /// A key of the language.
  case key(Key)
  /// A name that reads the scope: `total` of `{{list.total}}`.
  case reference(Reference)
  /// A name where it is given: of a step, an input, a value, an item.
  case name(Name)

  public struct Key: Sendable, Hashable {
    public let name: String
    /// Bytes of the file, with the quotes.
    public let range: Range<Int>
    /// What the key means, in a sentence.
    public let meaning: String
    /// What its value may be, in words: `duration`.
    public let type: String
    /// What holds where the key is left out, as JSON text.
    public let defaultValue: String?
    /// A value, as JSON text.
    public let example: String
    public let isRequired: Bool
  }

  public struct Reference: Sendable, Hashable {
    /// What is read, up to the name that is pointed at: `list.total`.
    public let path: String
    /// The bytes of that name.
    public let range: Range<Int>
    /// What it stands for: `'total', which step 'list' extracts`.
    public let meaning: String
    /// What is known of its value before any run: `a whole number, may be absent`.
    public let type: String
    /// Where the name is given; `nil` where the file does not say it.
    public let definition: Range<Int>?
    /// What the author says of it.
    public let description: String?
  }

  public struct Name: Sendable, Hashable {
    public let name: String
    /// Bytes of the file, with the quotes.
    public let range: Range<Int>
    /// `step 'list'`, `'total', which step 'list' extracts`.
    public let meaning: String
    /// What is known of its value before any run.
    public let type: String
    /// The bytes of the name wherever it is read, in the order of the file.
    public let references: [Range<Int>]
  }

  /// The bytes that are meant.
  public var range: Range<Int> {
    switch self {
    case .key(let key): key.range
    case .reference(let reference): reference.range
    case .name(let name): name.range
    }
  }
}

/// What may be written at a place of a workflow file.
public struct WorkflowCompletion: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A key of the language.
    case key
    /// A name of the scope, or of a value in it.
    case name
    /// A value that a key takes.
    case value
  }

  public let kind: Kind
  /// What is written, without quotes.
  public let text: String
  /// Its meaning or its type, in a phrase.
  public let detail: String
}
