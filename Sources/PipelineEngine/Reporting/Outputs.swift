internal import PipelineByteText
public import PipelineJSONText
internal import PipelineLanguage

/// The outputs of a run: a value for each, in the order of the workflow file, secrets hidden.
///
/// The rows of a collection may be as many as memory holds. If an output is all the rows, they stay
/// where the run put them. Its `elements` make no second copy. Reading it, or all outputs, as one
/// value does.
public struct Outputs: Sendable, Sequence {
  private var outputs: [Output]

  init(_ outputs: [Output]) {
    self.outputs = outputs
  }

  /// No outputs.
  public init() {
    outputs = []
  }

  /// Whether there is no output.
  public var isEmpty: Bool { outputs.isEmpty }
  /// The number of outputs.
  public var count: Int { outputs.count }

  /// The outputs in the order of the file.
  public func makeIterator() -> some IteratorProtocol<Output> { outputs.makeIterator() }

  /// The value of an output; `nil` if the run did not give it.
  ///
  /// - Parameter name: The name of an output.
  public subscript(_ name: String) -> JSONNode? {
    output(named: name)?.value
  }

  package func output(named name: String) -> Output? {
    outputs.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Whether texts in them may be masks of secrets.
  package var hideSecrets: Bool { outputs.contains(where: \.hidesSecrets) }

  /// The outputs except some.
  package func leavingOut(_ names: some Sequence<String>) -> Outputs {
    Outputs(outputs.filter { !names.contains(bytes: $0.name) })
  }

  /// All outputs as one object.
  ///
  /// - Complexity: O(bytes), each time.
  public var node: JSONNode {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for output in outputs {
      writer.name(output.name)
      writer.value(output.value)
    }
    writer.endObject()
    return writer.document().root
  }

  /// The JSON text of that object, without white space.
  public var text: String { node.text }

  /// The outputs with no secret in their texts.
  ///
  /// - Parameter fields: As declared: an author may have asked to see one as it is.
  func redacted(by redactor: Redactor, revealing fields: [Field]) -> Outputs {
    guard redactor.isActive else { return self }
    let revealed = Set(fields.filter(\.isRevealed).map(\.name))
    return Outputs(
      outputs.map { revealed.contains($0.name) ? $0 : $0.redacted(by: redactor) })
  }
}

extension Outputs: ExpressibleByDictionaryLiteral {
  /// Outputs with these values, in their order, such as for a preview.
  public init(dictionaryLiteral values: (String, JSONValue)...) {
    outputs = values.map { Output(name: $0.0, value: $0.1.node) }
  }
}

extension Outputs: CustomStringConvertible {
  /// The JSON text of all outputs as one object.
  public var description: String { text }
}
