internal import PipelineByteText
package import PipelineJSONText

/// Why a body cannot be read in its format: a phrase that follows "the body".
package struct BodyProblem: Error, Hashable, Sendable {
  package let message: String
  /// Whether the server answered something else than the format, such as a page to log in.
  package let isOtherKind: Bool

  init(_ message: String, isOtherKind: Bool = false) {
    self.message = message
    self.isOtherKind = isOtherKind
  }
}

extension BodyFormat {
  /// What a body says, as JSON text; `nil` if there is nothing.
  ///
  /// A body of gzip is unpacked first.
  ///
  /// - Parameters:
  ///   - charset: The encoding that the author names.
  ///   - contentType: The header of the response; empty if there is none.
  ///   - limit: The maximum number of unpacked bytes.
  /// - Complexity: O(bytes).
  package func json(
    of body: [UInt8], charset: Charset?, contentType: String, limit: Int
  ) throws(BodyProblem) -> [UInt8]? {
    let bytes = try unpacked(body, limit: limit)
    if bytes.isEmpty { return givesRows ? Array("[]".utf8) : nil }
    try refuseOtherKind(contentType)
    do throws(FormatProblem) {
      if case .xml(let format) = self {
        return try XMLReader.json(
          of: bytes, charset: Charset.label(in: contentType).flatMap(Charset.init(label:)), format)
      }
      let text = try text(of: bytes, charset, contentType)
      switch self {
      case .text:
        var json: [UInt8] = []
        text.withUnsafeBufferPointer { json.append(quoted: $0) }
        return json
      case .json:
        do throws(JSONSyntaxError) {
          _ = try JSONDocument.parse(text)
        } catch {
          throw text.withUnsafeBufferPointer {
            FormatProblem(error.message, at: error.range.lowerBound, of: $0)
          }
        }
        return text
      case .separated, .lines, .events, .xml:
        return try rows(of: text, limit: RowText.limit(ofBody: limit))
      }
    } catch {
      throw BodyProblem("is not \(words): \(error)")
    }
  }

  /// What a body says, as a document. A body that says nothing is a problem.
  package func document(
    of body: [UInt8], charset: Charset?, contentType: String = "", limit: Int
  ) throws(BodyProblem) -> JSONDocument {
    guard let json = try json(of: body, charset: charset, contentType: contentType, limit: limit)
    else { throw BodyProblem("is empty, and not \(words)") }
    do throws(JSONSyntaxError) {
      return try JSONDocument.parse(json)
    } catch {
      throw BodyProblem("is not \(words): \(error.message)")
    }
  }

  /// The names of the columns that the beginning of a table gives. One without names, and one whose
  /// beginning cannot be read, has none.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes.
  package func columnNames(of beginning: [UInt8], limit: Int) -> [String] {
    guard var reader = RowReader(self), let bytes = try? unpacked(beginning, limit: limit),
      let text = try? text(of: bytes, nil, "")
    else { return [] }
    var rows = RowText(.list)
    try? reader.read(text, to: &rows)
    if reader.columnNames == nil { try? reader.finish(to: &rows) }
    return reader.columnNames ?? []
  }

  private func unpacked(_ body: [UInt8], limit: Int) throws(BodyProblem) -> [UInt8] {
    do throws(GzipReader.Problem) {
      return try GzipReader.unpack(body, limit: limit) ?? body
    } catch {
      throw BodyProblem(error.message)
    }
  }

  /// A page to log in is not a table, and neither is an error in JSON.
  private func refuseOtherKind(_ contentType: String) throws(BodyProblem) {
    guard isRefused(contentType: contentType) else { return }
    let type = contentType.prefix(before: ";").trimmed.lowercasedASCII
    throw BodyProblem("calls itself '\(type)', but the step reads \(words)", isOtherKind: true)
  }

  /// Whether a body that calls itself so is not read in this format.
  package func isRefused(contentType: String) -> Bool {
    let type = contentType.prefix(before: ";").trimmed.lowercasedASCII
    let isJSON =
      type == "application/json" || type == "text/json"
      || type.hasSuffix(bytes: "+json")
    switch self {
    case .json, .text, .lines: return false
    case .separated, .xml, .events: return isJSON || type == "text/html"
    }
  }

  private func text(
    of bytes: [UInt8], _ charset: Charset?, _ contentType: String
  ) throws(FormatProblem) -> [UInt8] {
    // The standard reads events as UTF-8, whatever their type says.
    if case .events = self { return bytes }
    let label = Charset.label(in: contentType)
    guard let charset = charset ?? label.map({ Charset(label: $0) }) ?? .utf8 else {
      throw FormatProblem(
        "the charset '\((label ?? "").prefix(40))' cannot be read", line: 1, column: 1)
    }
    var decoder = TextDecoder(charset)
    let text = try decoder.decode(bytes, isLast: true)
    // Rows and JSON are judged where they are read.
    guard case .text = self else { return text }
    if let problem = text.withUnsafeBufferPointer({ text in
      text.firstFaultOfUTF8.map {
        FormatProblem("this byte is not of a text in UTF-8", at: $0, of: text)
      }
    }) {
      throw problem
    }
    return text
  }

  /// The format as people write it.
  package var words: String {
    switch self {
    case .json: "JSON"
    case .text: "text"
    case .separated(let format): format.kind == .csv ? "CSV" : "TSV"
    case .lines: "NDJSON"
    case .xml: "XML"
    case .events: "server-sent events"
    }
  }

  /// The format that a media type names; `nil` if it is none that has to be asked for.
  package init?(mediaType: String) {
    switch mediaType {
    case "text/csv", "application/csv": self = .separated(SeparatedFormat(.csv))
    case "text/tab-separated-values": self = .separated(SeparatedFormat(.tsv))
    case "application/x-ndjson", "application/ndjson", "application/jsonl",
      "application/x-jsonlines", "application/jsonlines":
      self = .lines
    case "text/event-stream": self = .events
    case "application/xml", "text/xml": self = .xml(XMLFormat())
    default:
      guard mediaType.hasSuffix(bytes: "+xml"), mediaType != "image/svg+xml",
        mediaType != "application/xhtml+xml"
      else { return nil }
      self = .xml(XMLFormat())
    }
  }

  /// The format that the end of a file's name says, before a `.gz`; `nil` if it says none.
  package init?(fileName: String) {
    let name = fileName.lowercasedASCII
    let plain = name.hasSuffix(bytes: ".gz") ? String(name.dropLast(bytes: 3)) : name
    let formats: [(String, BodyFormat)] = [
      (".json", .json), (".csv", .separated(SeparatedFormat(.csv))),
      (".tsv", .separated(SeparatedFormat(.tsv))), (".ndjson", .lines), (".jsonl", .lines),
      (".xml", .xml(XMLFormat())),
    ]
    guard let format = formats.first(where: { plain.hasSuffix(bytes: $0.0) }) else { return nil }
    self = format.1
  }
}
