internal import PipelineJSONText

extension JSONWriter {
  /// `null` if there is no text.
  mutating func member(_ name: String, orNull text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  /// A number that keeps its digits: `1042.10`.
  mutating func member(_ name: String, digits: String) {
    self.name(name)
    number(digits)
  }

  mutating func member<Element>(
    _ name: String, list elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
