public import PipelineJSONText

/// The values that a step, or an item of it, has given, as soon as they are there. Secrets are
/// hidden.
public struct StepValues: Sendable {
  /// The id of the step, after the ids of the blocks around it.
  public let step: String
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The position of the item, from 0; `nil` if the step is not a collection.
  public let item: Int?
  private let content: LazyText

  /// - Parameter text: A JSON object.
  init(step: String, path: [Int], item: Int?, text: [UInt8]) {
    self.step = step
    self.path = path
    self.item = item
    content = LazyText(text)
  }

  /// The values as compact JSON text.
  public var text: String { String(decoding: content.bytes, as: UTF8.self) }

  /// The values as one object.
  public var value: JSONValue { JSONValue(content.node) }

  /// The values, decoded as `JSONNode.decode(_:keys:)` says.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - keys: How names of members become keys of the type.
  /// - Throws: `DecodingError` if they are not a `Value`, or if the decoded part is a secret, which
  ///   is hidden.
  public func decode<Value: Decodable>(
    _ type: Value.Type, keys: DecodingKeys = .asWritten
  ) throws -> Value {
    try content.node.decode(type, DecodingSettings(keys: keys, mask: Redactor.mask))
  }

  /// The same without what is known to be secret.
  func redacted(by redactor: Redactor) -> StepValues {
    guard redactor.isActive else { return self }
    return StepValues(
      step: step, path: path, item: item, text: redactor.redact(json: content.bytes))
  }
}
