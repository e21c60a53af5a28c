/// The six kinds of value of RFC 8259 §3.
public enum JSONKind: String, Sendable, Hashable, CaseIterable {
  case object, array, string, number, boolean, null
}
