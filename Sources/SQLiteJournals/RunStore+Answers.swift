internal import PipelineByteText
internal import PipelineFiles
package import PipelineJournals

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

  /// Where an index of a recording may be kept that is not in the store; `nil` if nothing can be
  /// written. Those that were made last stay.
  package func index(ofRecording path: String) -> String? {
    let folder = self.path + "/.recordings"
    guard (try? makeFolders()) != nil, mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      return nil
    }
    let name = Hexadecimal.encode(SHA256.hash(Array(path.utf8)).prefix(16)) + ".index"
    let others = ((try? folderEntries(folder)) ?? []).filter { !$0.equals(bytes: name) }
    let oldest = others.map { (age: Self.age(of: folder + "/" + $0), name: $0) }
      .sorted { $0.age > $1.age }.prefix(max(0, others.count - Self.mostIndexes + 1))
    for other in oldest { PrivateFile.remove(folder + "/" + other.name) }
    return folder + "/" + name
  }

  /// How many recordings have an index at most.
  private static let mostIndexes = 32

  /// In seconds.
  private static func age(of path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Clock.now - Double(status.modified) : .infinity
  }

  /// The path of the recorded answers of a run; `nil` if there are none.
  package func answers(ofRun id: String) -> String? {
    let place = path + "/" + id + "/" + Self.answersName
    return isName(id) && access(place, R_OK) == 0 ? place : nil
  }
}
