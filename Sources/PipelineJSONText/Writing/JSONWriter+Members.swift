extension JSONWriter {
  /// A member whose value is a text.
  package mutating func member(_ name: String, _ value: String) {
    self.name(name)
    string(value)
  }

  /// A member whose value is a number.
  package mutating func member(_ name: String, _ value: Int) {
    self.name(name)
    integer(value)
  }

  /// A member whose value is `true` or `false`.
  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    boolean(value)
  }

  /// An object with the members that a closure writes.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// A member whose value is an object.
  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  /// A member whose value is a list that a closure writes.
  package mutating func list(_ name: String, _ elements: (inout JSONWriter) -> Void) {
    self.name(name)
    beginArray()
    elements(&self)
    endArray()
  }
}
