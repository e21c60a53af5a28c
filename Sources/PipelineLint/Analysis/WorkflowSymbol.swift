/// The thing at a place of a workflow file, for someone who points at it.
package enum WorkflowSymbol: Sendable, Hashable {
  /// A key of the language.
  case key(Key)
  /// A name that reads the scope: `total` of `{{list.total}}`.
  case reference(Reference)
  /// A name if it is given: of a step, an input, a value, an item.
  case name(Name)
  /// The endpoint of a request that an API's description has.
  case operation(Operation)

  package struct Key: Sendable, Hashable {
    package let name: String
    /// Bytes of the file, with the quotes.
    package let range: Range<Int>
    /// The meaning of the key, in a sentence.
    package let meaning: String
    /// Its possible values, in words: `duration`.
    package let type: String
    /// The value that applies if the key is left out, as JSON text.
    package let defaultValue: String?
    /// A value, as JSON text.
    package let example: String
    package let isRequired: Bool
  }

  package struct Reference: Sendable, Hashable {
    /// The read, up to the name that is pointed at: `list.total`.
    package let path: String
    /// The bytes of that name.
    package let range: Range<Int>
    /// Its definition: `'total', which step 'list' extracts`.
    package let meaning: String
    /// The known facts about its value before any run: `a whole number, may be absent`.
    package let type: String
    /// Where the name is given; `nil` if the file does not say it.
    package let definition: Range<Int>?
    /// The author's description of it.
    package let description: String?
  }

  package struct Name: Sendable, Hashable {
    package let name: String
    /// Bytes of the file, with the quotes.
    package let range: Range<Int>
    /// `step 'list'`, `'total', which step 'list' extracts`.
    package let meaning: String
    /// The known facts about its value before any run.
    package let type: String
    /// The bytes of the name wherever it is read, in the order of the file.
    package let references: [Range<Int>]
  }

  package struct Operation: Sendable, Hashable {
    /// The method and the path, as the API describes them.
    package let signature: String
    /// Bytes of the file, with the quotes.
    package let range: Range<Int>
    /// What the description says of it, in a sentence.
    package let summary: String?
    /// Its parameters, each with its place and type: `limit (query, a whole number)`.
    package let parameters: [String]
    /// The statuses of its responses, with the types of their bodies.
    package let responses: [String]
    package let isDeprecated: Bool
    /// Where it is described: `petstore.yaml:41`.
    package let position: String
  }

  /// The bytes that are meant.
  package var range: Range<Int> {
    switch self {
    case .key(let key): key.range
    case .reference(let reference): reference.range
    case .name(let name): name.range
    case .operation(let operation): operation.range
    }
  }
}

/// A proposal for a place of a workflow file.
package struct WorkflowCompletion: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A key of the language.
    case key
    /// A name of the scope, or of a value in it.
    case name
    /// A value that a key takes.
    case value
    /// The path of a file or, with a `/` at its end, of a folder.
    case file
  }

  package let kind: Kind
  /// The text, without quotes.
  package let text: String
  /// Its meaning or its type, in a phrase.
  package let detail: String
  /// What was typed and stands for it: the name of the key in another tool. `nil` for the text
  /// itself.
  package let typed: String?

  package init(kind: Kind, text: String, detail: String, typed: String? = nil) {
    self.kind = kind
    self.text = text
    self.detail = detail
    self.typed = typed
  }
}
