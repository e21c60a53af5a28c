internal import PipelineByteText
package import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

// The recorded answers of a run, beside its journal. They go when the run goes.
extension RunStore {
  /// The name of the recording in the folder of a run.
  static let answersName = "answers.har"
  static let indexName = "answers.index"

  /// A run by its whole id; `nil` if there is none, or it cannot be read.
  package func run(id: String) -> StoredRun? { isName(id) ? lookUp(id).run : nil }

  /// Makes the folder of a run that is about to begin, and gives the path for a recording of its
  /// answers. A folder without a run is removed after an hour.
  package func prepareAnswers(ofRun id: String) throws(JournalError) -> String {
    _ = try makeFolders()
    guard isName(id), mkdir(path + "/" + id, 0o700) == 0 else {
      throw JournalError("the store '\(path)' cannot be written: \(SystemError.last.message)")
    }
    return path + "/" + id + "/" + Self.answersName
  }

  /// Where an index of recorded answers may be kept, which goes with the run; `nil` if they are not
  /// those of a run in the store.
  package func index(ofAnswers path: String) -> String? {
    guard path.hasPrefix(bytes: self.path + "/"), path.hasSuffix(bytes: "/" + Self.answersName)
    else { return nil }
    return String(path.dropLast(bytes: Self.answersName.utf8.count)) + Self.indexName
  }

  /// The path of the recorded answers of a run; `nil` if there are none.
  package func answers(ofRun id: String) -> String? {
    let place = path + "/" + id + "/" + Self.answersName
    return isName(id) && access(place, R_OK) == 0 ? place : nil
  }
}
