internal import PipelineByteText
package import PipelineJSONText
package import PipelineRecordings
internal import PipelineURIs

/// What is needed to prove an imported recording: the responses, and the requests that must follow.
///
/// The workflow is run against the recording itself, twice: with its responses as they are, and with
/// a fresh value in place of each value that a request takes from a response. In the second run the
/// requests must be the recorded ones with the fresh values. So a value that was kept as a constant
/// is found, and an edge from the wrong place, without a network.
package struct TrafficReplay: Sendable {
  /// A request that was recorded.
  package struct Expected: Sendable {
    package let entry: TrafficEntry
    /// The position of the exchange.
    let position: Int
    /// The headers and cookies that the workflow sends.
    package let headers: [RecordedField]
    package let cookies: [RecordedField]
  }

  /// The requests in their order, redirects included.
  package let expected: [Expected]
  /// The content of files that the recording names, by the paths in the workflow.
  package let files: [String: [UInt8]]
  /// The values of inputs: what the file must not hold.
  package let inputs: [(name: String, value: JSONValue)]
  private let source: any RecordingSource
  private let correlations: [Correlation]
  /// The values that requests take, by the number of the entry whose response has them.
  private let produced: [Int: [Correlation]]
  /// The fresh value of each value that a request takes.
  private let fresh: [ExactText: String]
  /// Fresh values for those that are unlikely to occur by chance, wherever they are.
  private let freshening: TextReplacements
  /// The recorded values for the fresh ones, as each encoding writes them.
  private let recording: [Encoding: TextReplacements]
  /// The first entry of each exchange.
  private let starts: [Int]

  init(
    _ traffic: Traffic, _ correlations: [Correlation], inputs: [(name: String, value: JSONValue)]
  ) {
    source = traffic.source
    self.inputs = inputs
    var files: [String: [UInt8]] = [:]
    for exchange in traffic.exchanges {
      for (path, content) in exchange.slotted.files { files[path] = Array(content.utf8) }
    }
    self.files = files
    self.correlations = correlations
    let responders = traffic.exchanges.map(\.last.number)
    produced = Dictionary(grouping: correlations) { responders[$0.producer.exchange] }
    starts = traffic.exchanges.map(\.first.number)
    expected = traffic.exchanges.enumerated().flatMap { position, exchange in
      exchange.entries.map { entry in
        func fields(_ kind: RequestSlot.Kind) -> [RecordedField] {
          exchange.slotted.slots.filter { $0.kind == kind }.map { RecordedField($0.name, $0.text) }
        }
        // What a redirect is followed with depends on its origin.
        let isOwn = entry.number == exchange.first.number || exchange.poll != nil
        return Expected(
          entry: entry, position: position, headers: isOwn ? fields(.header) : [],
          cookies: isOwn ? fields(.cookie) : [])
      }
    }
    var fresh: [ExactText: String] = [:]
    for correlation in correlations where fresh[ExactText(correlation.value)] == nil {
      let isNumber = correlation.producer.isNumber
      fresh[ExactText(correlation.value)] = Self.fresh(
        for: correlation.value, isNumber: isNumber, fresh.count)
    }
    self.fresh = fresh
    freshening = TextReplacements(
      fresh.lazy.filter { ValueStrength.bits(of: $0.key.text) >= ValueStrength.strongBits }.map {
        (text: $0.key.text, replacement: $0.value)
      })
    recording = Dictionary(
      uniqueKeysWithValues: Encoding.allCases.map { encoding in
        (
          encoding,
          TextReplacements(
            fresh.map { (text: $0.value, replacement: encoding.written($0.key.text)) })
        )
      })
  }

  /// A value that occurs nowhere, of the same kind of characters.
  private static func fresh(for value: String, isNumber: Bool, _ count: Int) -> String {
    let number = String(731_000_017 + count * 1009)
    let isDigits = value.utf8.allSatisfy(ASCIISet.digits.contains)
    if isNumber || isDigits { return number }
    let shifted = value.utf8.map { byte -> UInt8 in
      switch byte {
      case 0x30...0x39: 0x30 + (byte - 0x30 + 3) % 10
      case 0x41...0x5A: 0x41 + (byte - 0x41 + 7) % 26
      case 0x61...0x7A: 0x61 + (byte - 0x61 + 7) % 26
      // A fresh value is written alike in URLs, JSON and headers.
      default: 0x78
      }
    }
    return "f" + number + String(decoding: shifted, as: UTF8.self)
  }

  /// The values that requests take from responses.
  package var values: [String] { correlations.map(\.value) }

  /// Whether anything would be replaced.
  package var hasEdges: Bool { !correlations.isEmpty }

  /// The response of a recorded request; `nil` if the recording has none.
  package func response(to expected: Expected) -> RecordedExchange.Response? {
    TrafficReader.exchange(source, at: expected.entry.place)?.response
  }

  // MARK: Fresh values

  /// The response with fresh values.
  package func perturbed(
    _ response: RecordedExchange.Response, to expected: Expected
  ) -> RecordedExchange.Response {
    var response = response
    let here = produced[expected.entry.number] ?? []
    for index in response.headers.indices {
      let field = response.headers[index]
      let own = here.filter {
        $0.producer.source.header?.equalsIgnoringASCIICase(field.name) == true
      }
      response.headers[index].value = replacing(field.value, own.map(\.value))
    }
    guard let document = try? JSONDocument.parse(response.body) else {
      if let body = String(validating: response.body, as: UTF8.self) {
        response.body = Array(replacing(body, here.map(\.value)).utf8)
      }
      return response
    }
    var paths: [String: String] = [:]
    var keys: [String: Set<ExactText>] = [:]
    for correlation in here {
      if case .key(let object, _) = correlation.producer.source {
        keys[object, default: []].insert(ExactText(correlation.value))
      }
      if case .body(let path) = correlation.producer.source.base {
        paths[path] = correlation.value
      }
    }
    var writer = JSONWriter(style: .compact)
    value(document.root, "$", paths, keys).write(to: &writer)
    response.body = writer.bytes
    return response
  }

  /// A text with fresh values in place of those that are unlikely to occur by chance, and of `own`.
  private func replacing(_ text: String, _ own: [String]) -> String {
    let weak = own.filter { ValueStrength.bits(of: $0) < ValueStrength.strongBits }
    return freshening.replaced(
      in: text, and: weak.map { (text: $0, replacement: fresh[ExactText($0)] ?? $0) })
  }

  private func value(
    _ node: JSONNode, _ path: String, _ paths: [String: String], _ keys: [String: Set<ExactText>]
  ) -> JSONValue {
    switch node.kind {
    case .object:
      return .object(
        node.members.map { member in
          let key = ExactText(member.name)
          let name = keys[path]?.contains(key) == true ? fresh[key] : nil
          return .init(
            name ?? freshening.replaced(in: member.name),
            value(member.value, JSONDifference.path(path, member.name), paths, keys))
        })
    case .array:
      return .array(node.elements.enumerated().map { value($1, "\(path)[\($0)]", paths, keys) })
    case .number:
      let text = node.text
      let given = paths[path] != nil ? fresh[ExactText(text)] : nil
      let isStrong = given == nil && ValueStrength.bits(of: text) >= ValueStrength.strongBits
      guard
        let number = (given ?? (isStrong ? fresh[ExactText(text)] : nil)).flatMap(JSONNumber.init)
      else { return JSONValue(node) }
      return .number(number)
    case .string:
      return .string(replacing(node.string ?? "", paths[path].map { [$0] } ?? []))
    default: return JSONValue(node)
    }
  }

  /// How a text is written.
  package enum Encoding: Sendable, CaseIterable {
    case plain, url, json

    fileprivate func written(_ text: String) -> String {
      switch self {
      case .plain: text
      case .url: URI.percentEncode(text)
      case .json: String(JSONValue.string(text).node.text.dropFirst(bytes: 1).dropLast(bytes: 1))
      }
    }
  }

  /// A text of a request with the recorded values in place of the fresh ones.
  package func recorded(_ text: String, _ encoding: Encoding) -> String {
    recording[encoding]?.replaced(in: text) ?? text
  }

  /// Whether a text of a request holds a recorded value that should have been followed.
  package func holdsRecordedValue(_ text: String) -> Bool { freshening.occur(in: text) }

  /// What to leave out after the request of `expected` did not follow.
  package func exclusions(
    after expected: Expected, _ known: TrafficImporter.Exclusions
  ) -> TrafficImporter.Exclusions {
    var next = known
    let number = starts[expected.position]
    // First the step by itself, then without its edges.
    if next.apart.insert(number).inserted { return next }
    for correlation in correlations where correlation.consumer == expected.position {
      next.places.insert(
        .init(entry: number, slot: correlation.slot, value: ExactText(correlation.value)))
    }
    return next
  }
}
