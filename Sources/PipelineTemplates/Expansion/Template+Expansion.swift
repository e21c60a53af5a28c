package import PipelineJSONText

extension Template {
  /// The text with every reference replaced by its value: strings, numbers and booleans only.
  package func text(_ resolve: (Template.Reference) -> JSONNode?) throws(ExpansionError) -> String {
    try expand(at: .text, resolve)
  }

  /// The text with every reference replaced by its value as `position` takes it.
  package func expand(
    at position: Position, _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) -> String {
    if let literal { return literal }
    var bytes: [UInt8] = []
    try append(to: &bytes, at: position, resolve)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the expanded text in UTF-8. Allocates nothing else unless a string has escapes.
  package func append(
    to bytes: inout [UInt8], at position: Position, _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) {
    for part in parts {
      switch part {
      case .text(let text): bytes.append(contentsOf: text.utf8)
      case .reference(let reference):
        try position.append(resolve(reference), of: reference, to: &bytes)
      }
    }
  }
}
