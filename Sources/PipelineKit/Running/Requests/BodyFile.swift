internal import PipelineLanguage
internal import PipelineTemplates

/// Where `save` writes the body of a response.
struct BodyFile {
  let path: Written<Template>
  let scope: Scope
  let files: any FileAccess
  let journal: UnitJournal?

  /// Writes the whole body, or nothing. Returns its path below the output directory.
  func write(_ bytes: [UInt8]) async throws(FailureReason) -> String {
    let text = try Evaluation.path(path, in: scope)
    var isOwn = false
    if let journal {
      do throws(JournalError) {
        isOwn = journal.hasSaved(text)
        // A file that the run did not write never becomes the run's.
        if !isOwn, !files.exists(text) { try await journal.beginSaving(text) }
      } catch {
        throw FailureReason(.file, "'\(text)' cannot be saved: \(error.message)", at: path.range)
      }
    }
    do throws(FileError) {
      if isOwn { try files.replace(text, with: bytes) } else { try files.save(bytes, to: text) }
    } catch {
      throw FailureReason(.file, error.message, at: path.range)
    }
    return text
  }
}
