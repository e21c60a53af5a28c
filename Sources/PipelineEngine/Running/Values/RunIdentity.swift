internal import PipelineJSONText

/// The identity of a run: its id, and the moment it began.
package struct RunIdentity: Sendable {
  let id: String
  /// Seconds since 1970-01-01T00:00:00Z.
  let startedAt: Double

  /// A new id: 16 hexadecimal digits.
  package static func randomID() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// `run` as steps see it; `ok` and `errors` from the `finally` steps on.
  func value(ok: Bool?, errors: [FailureReason]) -> ScopeValue {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("id")
    writer.string(id)
    writer.name("startedAt")
    writer.string(Timestamp(secondsSince1970: startedAt).text)
    if let ok {
      writer.name("ok")
      writer.boolean(ok)
      writer.name("errors")
      writer.beginArray()
      for error in errors { error.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
    return ScopeValue(text: writer.bytes)
  }
}

extension FailureReason {
  /// `{kind, status, message, body, details}`, as `error` shows a failure to a workflow.
  ///
  /// - Parameter items: The failures in the items of a collection, each with its number.
  func write(to writer: inout JSONWriter, items: [(item: Int, failure: FailureReason)]? = nil) {
    writer.beginObject()
    writeMembers(to: &writer)
    if let items {
      writer.name("items")
      writer.beginArray()
      for (item, failure) in items {
        writer.beginObject()
        writer.name("index")
        writer.integer(item)
        failure.writeMembers(to: &writer)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.name("kind")
    writer.string(kind.rawValue)
    if let status {
      writer.name("status")
      writer.integer(status)
    }
    writer.name("message")
    writer.string(message)
    if let excerpt {
      writer.name("body")
      writer.string(excerpt)
    }
    if let details {
      writer.name("details")
      writer.raw(details.utf8)
    }
  }
}
