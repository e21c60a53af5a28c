internal import Templates
internal import Workflows

/// Where `save` writes the body of a response.
struct BodyFile {
  let path: Written<Template>
  let scope: Scope
  let files: any FileAccess

  /// Writes the whole body, or nothing.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let text = try Evaluation.path(path, in: scope)
    do throws(FileError) {
      try files.save(bytes, to: text)
    } catch {
      throw Failure(.file, error.message, at: path.range)
    }
  }
}
