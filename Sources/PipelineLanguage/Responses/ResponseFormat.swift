package import PipelineFormats
package import PipelineJSONPaths
package import PipelineJSONText
import PipelineSourceText

/// How the bytes of a body become data (`read`).
///
/// By reference: few requests have one.
package final class ResponseFormat: Sendable {
  package let format: BodyFormat
  /// The encoding of the text; `nil` if what the response says.
  package let charset: Charset?
  /// The condition that the last event meets; `nil` if the stream ends by itself.
  package let until: Written<Condition>?
  package let node: JSONNode

  init(
    _ format: BodyFormat, charset: Charset? = nil, until: Written<Condition>? = nil,
    node: JSONNode
  ) {
    self.format = format
    self.charset = charset
    self.until = until
    self.node = node
  }

  /// The formats that need no options.
  enum Name: String, Sendable, CaseIterable {
    case json, text, csv, tsv, ndjson, xml, sse

    var format: BodyFormat {
      switch self {
      case .json: .json
      case .text: .text
      case .csv: .separated(SeparatedFormat(.csv))
      case .tsv: .separated(SeparatedFormat(.tsv))
      case .ndjson: .lines
      case .xml: .xml(XMLFormat())
      case .sse: .events
      }
    }
  }
}

/// The value of `read`: the name of a format, or an object with its options.
struct ResponseFormatType: ValueType {
  var description: LanguageType {
    .either([ChoiceType<ResponseFormat.Name>().description, .object(.reading)])
  }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> ResponseFormat? {
    switch node.kind {
    case .object:
      return ObjectType<ReadingOptions>(kind: .reading).read(node, name, &decoder).map {
        ResponseFormat($0.format, charset: $0.charset, until: $0.until, node: node)
      }
    case .string:
      let format: ResponseFormat.Name? = decoder.choice(node, name)
      return format.map { ResponseFormat($0.format, node: node) }
    default:
      decoder.mistyped(
        node, name, "a format such as \"csv\", or an object such as {\"csv\": {}}")
      return nil
    }
  }
}

/// `read` with options.
struct ReadingOptions: DeclaredObject {
  let format: BodyFormat
  let charset: Charset?
  let until: Written<Condition>?

  init?(_ keys: inout Keys) {
    keys.advise([
      .says(
        "type format kind as",
        "the format is the key, or the whole value: 'read': {\"csv\": {\"delimiter\": \";\"}}"),
      .says("ndjson jsonl lines", "it has no options, so write the word alone: \"ndjson\""),
      .says("json", "it has no options, so write the word alone: \"json\""),
      .says("text", "it has no options, so write the word alone: \"text\""),
    ])
    let read: (BodyFormat, Charset?, Written<Condition>?)? = keys.one(of: [
      (
        "csv",
        { keys in
          keys.optional(
            "csv", .object(.csv, SeparatedOptions.CSV.self), "Lines of fields (RFC 4180).",
            example: #"{"delimiter": ";"}"#
          ).map { (BodyFormat.separated($0.options.format), $0.options.charset, nil) }
        }
      ),
      (
        "tsv",
        { keys in
          keys.optional(
            "tsv", .object(.tsv, SeparatedOptions.TSV.self),
            "Lines of fields with tabs between them, and `\\t`, `\\n`, `\\r`, `\\\\` and `\\N` in them.",
            example: #"{"columns": {"qty": "integer"}}"#, foreign: ["tabs"]
          ).map { (BodyFormat.separated($0.options.format), $0.options.charset, nil) }
        }
      ),
      (
        "xml",
        { keys in
          keys.optional(
            "xml", .object(.xml, XMLOptions.self), "XML as an object with the root element.",
            example: #"{"lists": ["Entry"]}"#, foreign: ["soap atom rss"]
          ).map { (BodyFormat.xml($0.format), nil, nil) }
        }
      ),
      (
        "sse",
        { keys in
          keys.optional(
            "sse", .object(.sse, EventOptions.self), "Server-sent events (HTML Standard).",
            example: #"{"until": "@.data == '[DONE]'"}"#,
            foreign: ["events eventStream eventSource"]
          ).map { (BodyFormat.events, nil, $0.until) }
        }
      ),
    ])
    guard let read else { return nil }
    (format, charset, until) = read
  }
}

/// The options of `csv` and `tsv`.
struct SeparatedOptions {
  let format: SeparatedFormat
  let charset: Charset?

  struct CSV: DeclaredObject {
    let options: SeparatedOptions

    init?(_ keys: inout Keys) {
      let delimiter = keys.value(
        "delimiter", DelimiterType(), default: UInt8(ascii: ","),
        "The character between two fields.", example: #"";""#,
        foreign: ["separator sep fieldSeparator delim fieldDelimiter"])
      options = SeparatedOptions(.csv, delimiter, &keys)
    }
  }

  struct TSV: DeclaredObject {
    let options: SeparatedOptions

    init?(_ keys: inout Keys) { options = SeparatedOptions(.tsv, nil, &keys) }
  }

  /// How the encoding of a text is written.
  enum CharsetName: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
    case windows1252 = "windows-1252"
  }

  private init(_ kind: SeparatedFormat.Kind, _ delimiter: UInt8?, _ keys: inout Keys) {
    var format = SeparatedFormat(kind)
    if let delimiter { format.delimiter = delimiter }
    format.hasHeader = keys.value(
      "header", BooleanType(), default: true,
      "Whether the first line has the names of the columns.",
      example: "false", foreign: ["headers hasHeader headerRow"])
    let columns = keys.optional(
      "columns", ColumnsType(),
      "The types of columns by name, or without a header the names of all columns.",
      example: #"{"qty": "integer"}"#, foreign: ["types schema fields names dtype dtypes"])
    format.columns = columns?.list ?? []
    format.isTyped = keys.value(
      "typed", BooleanType(), default: false,
      "Whether a field that is JSON is that value, as sinks write it.",
      example: "true", foreign: ["inferTypes infer dynamicTyping convert"])
    let charset = keys.optional(
      "charset", .choice(CharsetName.self),
      "The encoding of the text. By default, what a byte order mark or the response says, else UTF-8.",
      example: #""windows-1252""#, foreign: ["encoding codepage"])
    if format.hasHeader, columns?.hasNamesOnly == true {
      keys.conflict(
        "columns",
        "a list of 'columns' decides nothing beside a header; write \"header\": false, or types:"
          + " {\"qty\": \"integer\"}")
    }
    self.format = format
    self.charset = charset.flatMap { Charset(label: $0.rawValue) }
  }
}

/// The options of `sse`.
struct EventOptions: DeclaredObject {
  let until: Written<Condition>

  init?(_ keys: inout Keys) {
    let until = keys.required(
      "until", .condition(of: .event),
      "Reading ends with the first event for which this holds; `@` is the event.",
      example: #""@.data == '[DONE]'""#, foreign: ["stop end done last terminator"])
    guard let until else { return nil }
    self.until = until
  }
}

/// The options of `xml`.
struct XMLOptions: DeclaredObject {
  let format: XMLFormat

  init?(_ keys: inout Keys) {
    var format = XMLFormat()
    format.lists = Set(
      keys.optional(
        "lists", TextListType(), "The elements that are lists even if one comes alone.",
        example: #"["Entry"]"#,
        foreign: ["array list forceList forceArray"])
        ?? [])
    let namespaces = keys.optional(
      "namespaces", TextMapType(),
      "Prefixes of your own and the URIs that they are for, in place of the server's; `\"\"` means no"
        + " prefix.",
      example: #"{"s": "http://schemas.xmlsoap.org/soap/envelope/"}"#,
      foreign: ["namespace ns xmlns prefixes"])
    format.prefixes = Dictionary(
      (namespaces ?? []).map { ($0.text, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.format = format
  }
}
