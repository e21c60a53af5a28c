internal import Templates
internal import Workflows

/// Where `save` writes the body of a response.
struct BodyFile {
  let path: Written<Template>
  let scope: Scope
  let context: RunContext

  /// Writes the whole body, or nothing.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let text = try Evaluation.text(path, at: .text, in: scope)
    do throws(FileError) {
      try context.options.files.save(bytes, to: text)
    } catch {
      throw Failure(.file, error.message, at: path.range)
    }
  }
}
