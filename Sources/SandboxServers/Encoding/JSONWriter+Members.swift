internal import JSONText

extension JSONWriter {
  mutating func member(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  /// `null` where there is no text.
  mutating func member(_ name: String, orNull text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  mutating func member(_ name: String, _ value: Int) {
    self.name(name)
    integer(value)
  }

  mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    boolean(value)
  }

  /// A number that keeps its digits: `1042.10`.
  mutating func member(_ name: String, digits: String) {
    self.name(name)
    number(digits)
  }

  mutating func member(_ name: String, _ write: (inout JSONWriter) -> Void) {
    self.name(name)
    object(write)
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

  mutating func object(_ write: (inout JSONWriter) -> Void) {
    beginObject()
    write(&self)
    endObject()
  }
}
