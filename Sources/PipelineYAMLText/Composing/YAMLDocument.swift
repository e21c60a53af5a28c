package import PipelineJSONText

/// A YAML text as the JSON document that it stands for, with the places of its values.
///
/// The document's own bytes are JSON that was made from the text, so offsets in it are not offsets in
/// the file: `range(of:)` gives those.
package final class YAMLDocument: Sendable {
  /// What the text stands for by the core schema (YAML 1.2.2 §10.3). `.inf` and `.nan`, which JSON
  /// lacks, are strings.
  package let document: JSONDocument
  /// Findings that do not keep the document from being read: duplicate keys, merge keys.
  package let problems: [YAMLProblem]
  /// The start and end in the text of each element of the tape.
  private let places: [UInt64]

  init(document: JSONDocument, places: [UInt64], problems: [YAMLProblem]) {
    self.document = document
    self.places = places
    self.problems = problems
  }

  /// Parses a text of exactly one document.
  /// - Throws: The first thing wrong.
  /// - Complexity: O(n), and O(n) memory. Recurses to the limit of the depth.
  package static func parse(
    _ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()
  ) throws(YAMLProblem) -> YAMLDocument {
    let documents = try parseAll(bytes, limits: limits)
    guard documents.count < 2 else {
      let second = documents[1].range(at: 0)
      throw YAMLProblem(
        "a second document begins here; a file of one is expected",
        range: second.lowerBound..<second.lowerBound, code: .documents)
    }
    guard let document = documents.first else {
      throw YAMLProblem("the text has no value", range: 0..<0, code: .documents)
    }
    return document
  }

  /// Parses a text of any number of documents.
  package static func parseAll(
    _ bytes: [UInt8], limits: YAMLLimits = YAMLLimits()
  ) throws(YAMLProblem) -> [YAMLDocument] {
    guard bytes.count <= limits.size else {
      throw YAMLProblem(
        "the text is longer than \(limits.size) bytes", range: 0..<0, code: .tooLarge)
    }
    let parsed = bytes.withUnsafeBufferPointer { input -> Result<[YAMLDocument], YAMLProblem> in
      do throws(YAMLProblem) {
        var parser = YAMLParser(input, limits: limits)
        try parser.parse()
        return .success(try composed(parser))
      } catch {
        return .failure(error)
      }
    }
    return try parsed.get()
  }

  private static func composed(_ parser: YAMLParser) throws(YAMLProblem) -> [YAMLDocument] {
    try parser.text.withUnsafeBufferPointer { text in
      var composer = YAMLComposer(parser, text: text)
      return Result { () throws(YAMLProblem) in try composer.documents() }
    }.get()
  }

  /// The bytes of the text that a value was made from. What an alias stands for was written at its
  /// anchor.
  package func range(of node: JSONNode) -> Range<Int> { range(at: node.index) }

  private func range(at index: Int) -> Range<Int> {
    let place = places[index]
    return Int(place >> 32)..<Int(place & 0xFFFF_FFFF)
  }
}
