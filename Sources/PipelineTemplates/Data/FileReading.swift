package import PipelineFormats

/// How the content of a file becomes a value: `as` beside `$file`.
package enum FileReading: Sendable, Hashable {
  /// The JSON that it holds.
  case json
  /// Its text, in UTF-8.
  case text
  /// Its bytes in base64.
  case base64
  /// How many bytes it has, whatever they are.
  case size
  /// Rows, or the tree of XML. The encoding of the text; `nil` for UTF-8, or what its first bytes
  /// say.
  case format(BodyFormat, Charset?)

  /// The readings that need no options.
  package enum Name: String, Sendable, CaseIterable {
    case json, text, base64, size, csv, tsv, ndjson, xml

    package var reading: FileReading {
      switch self {
      case .json: .json
      case .text: .text
      case .base64: .base64
      case .size: .size
      case .csv: .format(.separated(SeparatedFormat(.csv)), nil)
      case .tsv: .format(.separated(SeparatedFormat(.tsv)), nil)
      case .ndjson: .format(.lines, nil)
      case .xml: .format(.xml(XMLFormat()), nil)
      }
    }
  }
}
