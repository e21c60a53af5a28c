internal import PipelineByteText
package import PipelineFormats
package import PipelineJSONPaths
internal import PipelineJSONText

/// The content of a file, JSON unless `as` says otherwise.
package struct FileForm: DeclaredForm {
  package static let title = FormTitle(
    FormTitle.fileName,
    "the JSON in a file, or with `as` beside it what that says: `\"text\"` in UTF-8, its bytes in "
      + "`\"base64\"`, the number of its bytes (`\"size\"`), the rows of `\"csv\"`, `\"tsv\"` and `\"ndjson\"`, or `\"xml\"`",
    example: #"{"$file": "data.json"}"#,
    takes: FormType("a path", [.string], written: [.string], isPath: true),
    synonyms: "include read load import", isAlwaysAlone: true, isTyped: false)

  package let path: FormPart
  package let reading: FileReading

  package init?(_ keys: inout FormKeys) {
    let known = keys.parser.problems.count
    reading = keys.fileReading() ?? .json
    path = keys.checkedValue(.path)
    if keys.parser.problems.count > known { return nil }
  }

  package var parts: [FormPart] { [path] }

  package func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    let name = try writing.path(path)
    do throws(DataSourceError) {
      return .node(try writing.source.file(name, as: reading))
    } catch {
      throw DataError(error, in: path.node)
    }
  }

  /// The bytes of the file, whatever it holds.
  func bytes(by writing: DataWriting) throws(DataError) -> [UInt8] {
    let name = try writing.path(path)
    do throws(DataSourceError) {
      return Base64.decode(try writing.source.file(name, as: .base64).string ?? "") ?? []
    } catch {
      throw DataError(error, in: path.node)
    }
  }

  package var isFoundAhead: Bool { false }

  package func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    if isKnown(path.value) { _ = try writing.path(path) }
  }

  package func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    switch reading {
    case .text, .base64: .string
    case .size: .number
    case .format(let format, _): ValueShape(format) ?? .present
    case .json: .present
    }
  }
}

extension DataTemplate {
  /// A file whose rows a value is.
  package struct FileOfRows {
    package let path: String
    package let format: BodyFormat
    /// The encoding of the text; `nil` for UTF-8, or what its first bytes say.
    package let charset: Charset?
    /// Where the workflow names it.
    package let range: Range<Int>
  }

  /// The file whose rows the value is; `nil` if it is another value.
  package func fileOfRows(from source: any DataSource) throws(DataError) -> FileOfRows? {
    guard case .form(let form as FileForm) = root,
      case .format(let format, let charset) = form.reading,
      format.givesRows
    else { return nil }
    let path = try DataWriting(source: source).path(form.path)
    return FileOfRows(
      path: path, format: format, charset: charset, range: form.path.node.range)
  }
}
