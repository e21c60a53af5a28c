package import PipelineJSONText

/// What an import did: what it translated, approximated and refused.
package struct ImportReport: Sendable {
  /// Something that is not in the workflow as it was in the file.
  package struct Entry: Sendable, Hashable {
    package let file: String
    /// From 1.
    package let line: Int
    package let message: String
  }

  /// The file that is being read.
  package var file = ""
  /// The number of requests that are in the workflow.
  package internal(set) var translated = 0
  /// What the workflow does in another way.
  package private(set) var approximated: [Entry] = []
  private var known: Set<Entry> = []
  /// What the workflow lacks.
  package private(set) var refused: [Entry] = []

  /// Where the request of each step is in the files, by the step's id.
  package internal(set) var places: [String: (file: String, line: Int)] = [:]

  /// What a recording holds apart from the requests of the workflow, with the number of entries.
  package internal(set) var leftOut: [(what: String, count: Int)] = []

  /// The keys that nothing was made of, by their names: which entry of `approximated` each is, and
  /// how many there are.
  private var unread: [String: (position: Int, count: Int)] = [:]

  /// - Parameter translated: The number of requests that are in a workflow already.
  package init(translated: Int = 0) { self.translated = translated }

  /// Names a key that nothing was made of. Keys of one name are one entry, at the first of them.
  mutating func approximate(key: String, line: Int) {
    let name = String(String.UnicodeScalarView(key.unicodeScalars.prefix(60)))
    let message = "the key '\(name)' has no effect here"
    guard let (position, count) = unread[name] else {
      unread[name] = (approximated.count, 1)
      approximated.append(Entry(file: file, line: line, message: message))
      return
    }
    unread[name] = (position, count + 1)
    let first = approximated[position]
    approximated[position] = Entry(
      file: first.file, line: first.line, message: message + " (\(count + 1) times)")
  }

  package mutating func approximate(_ line: Int, _ message: String) {
    let entry = Entry(file: file, line: line, message: message)
    if known.insert(entry).inserted { approximated.append(entry) }
  }

  package mutating func refuse(_ line: Int, _ message: String) {
    refused.append(Entry(file: file, line: line, message: message))
  }

  /// Refuses what a step would have been, at the place of its request.
  package mutating func refuse(step: String, _ message: String) {
    let place = places[step]
    refused.append(Entry(file: place?.file ?? file, line: place?.line ?? 1, message: message))
  }

  /// `translated 3 requests, approximated 1, refused 0`.
  package var summary: String {
    "translated \(translated) request\(translated == 1 ? "" : "s"), "
      + "approximated \(approximated.count), refused \(refused.count)"
  }

  /// The members of the report as JSON.
  package var members: [JSONValue.Member] {
    func list(_ entries: [Entry]) -> JSONValue {
      .array(
        entries.map { entry in
          .object([
            .init("file", .string(entry.file)), .init("line", JSONValue(entry.line)),
            .init("message", .string(entry.message)),
          ])
        })
    }
    return [
      .init("translated", JSONValue(translated)), .init("approximated", list(approximated)),
      .init("refused", list(refused)),
    ]
      + (leftOut.isEmpty
        ? [] : [.init("leftOut", .object(leftOut.map { .init($0.what, JSONValue($0.count)) }))])
  }
}
