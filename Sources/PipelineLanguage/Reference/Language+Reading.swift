// How bodies become data.

extension LanguageObject {
  /// `read` with options.
  static let reading = LanguageObject(
    .reading, "reading", place: "in 'read'", of: ReadingOptions.self)

  static let csv = LanguageObject(
    .csv, "CSV", place: "in 'csv'", of: SeparatedOptions.CSV.self)

  static let tsv = LanguageObject(
    .tsv, "TSV", place: "in 'tsv'", of: SeparatedOptions.TSV.self)

  static let xml = LanguageObject(.xml, "XML", place: "in 'xml'", of: XMLOptions.self)

  static let sse = LanguageObject(.sse, "events", place: "in 'sse'", of: EventOptions.self)
}
