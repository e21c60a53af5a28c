import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// Writes data from the sample scope.
struct DataFixture: DataSource {
  let scope: Scope
  var files: [String: String] = [:]

  var queries: QueryContext { QueryContext(scope.root) }

  func files(_ pattern: String) throws(DataSourceError) -> [String] {
    files.keys.filter { $0.hasSuffix(pattern.dropFirst()) }.sorted()
  }

  func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
    guard let text = files[path] else { throw DataSourceError("'\(path)' does not exist") }
    if reading != .json { return JSONValue.string("\(reading) of \(text)").node }
    do throws(JSONSyntaxError) {
      return try JSONDocument.parse(Array(text.utf8)).root
    } catch {
      throw DataSourceError("'\(path)' is no JSON")
    }
  }

  static func parse(
    _ json: String, _ queries: Queries = .allowed
  ) throws -> (data: DataTemplate, problems: [DataProblem]) {
    let node = try JSONDocument.parse(Array(json.utf8)).root
    return DataTemplate.parse(node, allowsQueries: queries == .allowed)
  }

  enum Queries {
    case allowed, literal
  }

  /// The text written, `absent`, or the reason of the error.
  static func written(
    _ json: String, _ queries: Queries = .allowed, files: [String: String] = [:]
  ) throws -> String {
    let (data, problems) = try parse(json, queries)
    if let problem = problems.first { return "problem: \(problem.message)" }
    let source = DataFixture(scope: try Scope.sample(), files: files)
    var writer = JSONWriter(style: .compact)
    do throws(DataError) {
      guard try data.write(to: &writer, from: source) else {
        let value = try data.value(from: source)
        return value == nil ? "absent" : "a value that is not written"
      }
      let text = String(decoding: writer.bytes, as: UTF8.self)
      var copy = JSONWriter(style: .compact)
      if let value = try data.value(from: source) { copy.value(value) }
      return copy.bytes == writer.bytes ? text : "written and value differ"
    } catch {
      return "error: \(error.reason)"
    }
  }
}
