internal import JSONPaths
internal import JSONText
internal import Templates

/// What data templates of a unit are written from: its scope, and the run's files.
///
/// A class, since it is handed on at each field.
final class DataScope: DataSource {
  let queries: QueryContext
  let files: any FileAccess

  init(scope: Scope, files: any FileAccess) {
    queries = scope.queryContext()
    self.files = files
  }

  func file(_ path: String) throws(DataSourceError) -> JSONNode {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.read(path)
    } catch {
      throw DataSourceError(error.message)
    }
    do throws(JSONSyntaxError) {
      return try JSONDocument.parse(bytes).root
    } catch {
      throw DataSourceError("'\(path)' is not valid JSON: \(error.message)")
    }
  }
}
