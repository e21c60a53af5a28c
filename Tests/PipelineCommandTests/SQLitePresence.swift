import PipelineTestSupport
import SQLiteJournals

/// Whether this machine has SQLite, without which nothing is kept.
let hasSQLite: Bool = {
  let folder = TemporaryFolder()
  return (try? SQLiteJournal(path: folder.path + "/journal.sqlite")) != nil
}()
