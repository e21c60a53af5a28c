internal import PipelineLanguage
internal import PipelineTemplates

/// Where `save` writes the body of a response.
struct BodyFile {
  let path: Written<Template>
  let unit: Unit
  let journal: UnitJournal?

  /// Writes the whole body, or nothing. Returns its path below the output directory.
  func write(_ bytes: [UInt8]) async throws(FailureReason) -> String {
    let text = try Evaluation.path(path, in: unit.scope)
    let isOwn = try await begin(text)
    let files = unit.files
    do throws(FileError) {
      if isOwn { try files.replace(text, with: bytes) } else { try files.save(bytes, to: text) }
    } catch {
      throw FailureReason(.file, error.message, at: path.range)
    }
    return text
  }

  /// Writes down that the file is about to be saved. Returns whether it may be replaced.
  ///
  /// A file that the run did not write never becomes the run's, and one that another item saved
  /// never this item's.
  private func begin(_ text: String) async throws(FailureReason) -> Bool {
    guard let journal else { return false }
    let saved = journal.savedFile(text, unit)
    if let owner = saved?.owner, let saved, !journal.owns(unit, saved), unit.files.exists(text) {
      throw FailureReason(
        .file, "'\(text)' cannot be saved: '\(owner)' of this run has saved a file there",
        at: path.range)
    }
    do throws(JournalError) {
      if saved != nil || !unit.files.exists(text) {
        try await journal.beginSaving(text, unit, instead: saved)
      }
    } catch {
      throw FailureReason(.file, "'\(text)' cannot be saved: \(error.message)", at: path.range)
    }
    return saved != nil
  }
}
