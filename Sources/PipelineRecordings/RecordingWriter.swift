public import PipelineJSONText

/// The values that a recorded run began with, if its requests depend on them.
public struct RecordedRun: Sendable {
  /// The run's id.
  public var id: String?
  /// Seconds since 1970-01-01T00:00:00Z.
  public var startedAt: Double?
  /// The state that the last run left, as an object.
  public var state: JSONNode?
  /// The answers of a person that are not secret, by their names, as an object.
  public var answers: JSONNode?

  /// The record of the run; `nil` if it is unknown.
  public init(
    id: String? = nil, startedAt: Double? = nil, state: JSONNode? = nil, answers: JSONNode? = nil
  ) {
    self.answers = answers
    self.id = id
    self.startedAt = startedAt
    self.state = state
  }
}

/// Writes a recording: the frame of a HAR 1.2 file, and the entries as they come.
public struct RecordingWriter {
  private var writer = JSONWriter(style: .pretty)
  /// How many bytes were passed on.
  private var passed = 0

  /// The text of an entry, as `add(text:to:)` takes it.
  package static func text(of exchange: RecordedExchange) -> [UInt8] {
    var writer = JSONWriter(style: .pretty, inside: 3)
    exchange.write(to: &writer)
    return writer.bytes
  }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - shapes: The shapes of the secrets that responses gave, by name.
  ///   - run: The values that the run began with.
  public init(
    shapes: [(name: String, shape: String)] = [], run: RecordedRun? = nil
  ) {
    writer.beginObject()
    writer.name("log")
    writer.beginObject()
    writer.member("version", "1.2")
    writer.name("creator")
    writer.beginObject()
    writer.member("name", "pipeline")
    writer.member("version", "1")
    writer.endObject()
    writer.name("_pipeline")
    writer.beginObject()
    writer.member("version", 1)
    if let run {
      writer.name("run")
      writer.beginObject()
      if let id = run.id { writer.member("id", id) }
      if let start = run.startedAt, let number = JSONNumber("\(start)") {
        writer.name("startedAt")
        writer.number(number)
      }
      if let state = run.state {
        writer.name("state")
        writer.value(state)
      }
      if let answers = run.answers {
        writer.name("answers")
        writer.value(answers)
      }
      writer.endObject()
    }
    if !shapes.isEmpty {
      writer.name("secrets")
      writer.beginObject()
      for (name, shape) in shapes { writer.member(name, shape) }
      writer.endObject()
    }
    writer.endObject()
    writer.name("entries")
    writer.beginArray()
  }

  /// Adds an entry, given as JSON text, and passes the text on.
  ///
  /// - Parameters:
  ///   - entry: The entry as HAR has it.
  ///   - sink: Receives a part of the file.
  public mutating func add(_ entry: JSONNode, to sink: ([UInt8]) -> Void) {
    var count = 0
    func pass(_ bytes: [UInt8]) {
      count += bytes.count
      sink(bytes)
    }
    writer.value(entry, handingOnTo: pass)
    if writer.bytes.count >= 1 << 16 { writer.handOn(to: pass) }
    passed += count
  }

  /// Adds the text of an entry as it is, and passes the text on.
  ///
  /// - Returns: Where the entry is in the file.
  package mutating func add(
    text: ArraySlice<UInt8>, to sink: ([UInt8]) -> Void
  ) -> Range<Int> {
    writer.raw(text)
    let end = passed + writer.bytes.count
    if writer.bytes.count >= 1 << 16 {
      writer.handOn(to: sink)
      passed = end
    }
    return end - text.count..<end
  }

  /// Ends the file.
  public mutating func finish(to sink: ([UInt8]) -> Void) {
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.endLine()
    writer.handOn(to: sink)
  }
}
