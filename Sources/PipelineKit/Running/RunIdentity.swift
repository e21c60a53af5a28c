internal import JSONText

/// What makes one run this run: its id, and the moment it began.
struct RunIdentity: Sendable {
  let id: String
  /// Seconds since 1970-01-01T00:00:00Z.
  let startedAt: Double

  /// `run` as steps see it; `ok` and `errors` from the `finally` steps on.
  func value(ok: Bool?, errors: [Failure]) -> ScopeValue {
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

extension Failure {
  /// `{kind, status, message, body}`, as `error` shows a failure to a workflow.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
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
    writer.endObject()
  }
}
