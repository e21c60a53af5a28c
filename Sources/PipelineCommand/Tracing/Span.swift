/// Work that took time, as OpenTelemetry has it.
package struct Span: Sendable {
  /// What it is to whoever reads the trace.
  package enum Kind: Int, Sendable {
    case `internal` = 1
    case server = 2
    case client = 3
  }

  package enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
  }

  package var name: String
  package var kind = Kind.internal
  package var id: UInt64
  /// `nil`: the trace begins with it.
  package var parent: UInt64?
  /// In nanoseconds since 1970-01-01T00:00:00Z.
  package var start: UInt64
  package var end: UInt64
  package var attributes: [(name: String, value: Value)] = []
  /// What went wrong; `nil`: nothing did.
  package var error: String?
}
