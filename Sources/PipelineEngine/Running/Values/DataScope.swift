internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineTemplates

/// The source of the data templates of a unit: its scope, and the run's files.
///
/// A class, since it is handed on at each field.
final class DataScope: DataSource {
  let queries: QueryContext
  let files: any FileAccess
  /// Queries with a filter that selected nothing, at most a few.
  private(set) var emptyQueries: [Query] = []

  private let scope: Scope

  init(scope: Scope, files: any FileAccess) {
    queries = scope.queryContext()
    self.scope = scope
    self.files = files
  }

  /// - Parameter view: What is read in place of the scope.
  init(scope: Scope, files: any FileAccess, seenThrough view: some QueryScope) {
    queries = QueryContext(root: .scope(view))
    self.scope = scope
    self.files = files
  }

  var place: String { scope.place }

  /// Hides what is made of a secret: a server may repeat it.
  func made(_ text: String, by form: any DataForm) {
    guard let owner = scope.shared.owner, let ranges = owner.secretRanges, !ranges.isEmpty else {
      return
    }
    let isSecret = form.parts.contains { part in
      ranges.contains { part.node.range.contains($0.lowerBound) }
    }
    guard isSecret else { return }
    // `digest.hash`
    let name = form.parts.first?.form.dropFirst(bytes: 1) ?? ""
    owner.redactor.hide(text, as: owner.name + "." + name)
  }

  func selectedNothing(_ query: Query) {
    if query.hasInner, emptyQueries.count < 4 { emptyQueries.append(query) }
  }

  func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
    let bytes: [UInt8]
    do throws(FileError) {
      if case .size = reading {
        return JSONDocument(integer: try files.read(path, from: 0, upTo: 0).size).root
      }
      bytes = try files.read(path)
    } catch {
      throw DataSourceError(error.message)
    }
    switch reading {
    case .json:
      do throws(JSONSyntaxError) {
        return try JSONDocument.parse(bytes).root
      } catch {
        throw DataSourceError("'\(path)' is not valid JSON: \(error.message)")
      }
    case .text:
      try Self.checkSize(bytes, of: path)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw DataSourceError(
          "'\(path)' is not text in UTF-8; \"as\": \"base64\" takes any bytes")
      }
      return JSONValue.string(text).node
    case .base64:
      try Self.checkSize(bytes, of: path)
      return JSONValue.string(Base64.encode(bytes[...])).node
    case .size: return JSONDocument(integer: bytes.count).root
    case .format(let format, let charset): return try Self.read(bytes, of: path, format, charset)
    }
  }

  private static func read(
    _ bytes: [UInt8], of path: String, _ format: BodyFormat, _ charset: Charset?
  ) throws(DataSourceError) -> JSONNode {
    do throws(BodyProblem) {
      return try format.document(of: bytes, charset: charset, limit: unpackedLimit).root
    } catch {
      throw DataSourceError("'\(path)' \(error.message)")
    }
  }

  /// The most bytes that a packed file is unpacked to.
  private static let unpackedLimit = 1 << 30

  /// The most bytes of a file that become one text, which in base64 or with escapes is longer.
  private static let textLimit = 32 << 20

  private static func checkSize(_ bytes: [UInt8], of path: String) throws(DataSourceError) {
    guard bytes.count <= textLimit else {
      throw DataSourceError(
        "'\(path)' is larger than \(textLimit >> 20) MB, too large for a value; 'file' in 'body'"
          + " sends it")
    }
  }

  func files(_ pattern: String) throws(DataSourceError) -> [String] {
    do throws(FileError) {
      return try files.list(pattern)
    } catch {
      throw DataSourceError(error.message)
    }
  }
}
