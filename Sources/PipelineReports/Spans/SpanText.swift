internal import PipelineJSONText
internal import PipelineEngine

/// Spans as OTLP/JSON: the body of a request to a collector, or a line of a file.
package struct SpanText: Sendable {
  package let traceID: [UInt8]
  package let state: String?
  /// The program that made the spans.
  package let resource: [(name: String, value: String)]
  package let version: String

  package init(
    traceID: [UInt8], state: String?, resource: [(name: String, value: String)], version: String
  ) {
    self.traceID = traceID
    self.state = state
    self.resource = resource
    self.version = version
  }

  package func bytes(of spans: some Sequence<Span>) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("resourceSpans")
    writer.beginArray()
    writer.beginObject()
    writer.name("resource")
    writer.beginObject()
    Self.write(resource.map { ($0.name, .string($0.value)) }, to: &writer)
    writer.endObject()
    writer.name("scopeSpans")
    writer.beginArray()
    writer.beginObject()
    writer.name("scope")
    writer.beginObject()
    writer.name("name")
    writer.string("pipeline")
    writer.name("version")
    writer.string(version)
    writer.endObject()
    writer.name("spans")
    writer.beginArray()
    for span in spans { write(span, to: &writer) }
    writer.endArray()
    Self.writeSchema(to: &writer)
    writer.endObject()
    writer.endArray()
    Self.writeSchema(to: &writer)
    writer.endObject()
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// The version of the conventions that the names of attributes follow.
  private static func writeSchema(to writer: inout JSONWriter) {
    writer.name("schemaUrl")
    writer.string("https://opentelemetry.io/schemas/1.34.0")
  }

  private func write(_ span: Span, to writer: inout JSONWriter) {
    func member(_ name: String, _ text: String) {
      writer.name(name)
      writer.string(text)
    }
    writer.beginObject()
    // OTLP/JSON has ids as hexadecimal digits, unlike other JSON of Protobuf.
    member("traceId", TraceContext.hexadecimal(traceID))
    member("spanId", TraceContext.hexadecimal(span.id))
    if let state { member("traceState", state) }
    if let parent = span.parent { member("parentSpanId", TraceContext.hexadecimal(parent)) }
    member("name", span.name)
    writer.name("kind")
    writer.integer(span.kind.rawValue)
    // Integers of 64 bits are strings.
    member("startTimeUnixNano", String(span.start))
    member("endTimeUnixNano", String(max(span.start, span.end)))
    Self.write(span.attributes, to: &writer)
    if let error = span.error {
      writer.name("status")
      writer.beginObject()
      writer.name("code")
      writer.integer(2)
      if !error.isEmpty { member("message", error) }
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(
    _ attributes: [(name: String, value: Span.Value)], to writer: inout JSONWriter
  ) {
    writer.name("attributes")
    writer.beginArray()
    for attribute in attributes {
      writer.beginObject()
      writer.name("key")
      writer.string(attribute.name)
      writer.name("value")
      writer.beginObject()
      switch attribute.value {
      case .string(let text):
        writer.name("stringValue")
        writer.string(text)
      case .integer(let number):
        writer.name("intValue")
        writer.string(String(number))
      case .boolean(let value):
        writer.name("boolValue")
        writer.boolean(value)
      }
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
  }
}
