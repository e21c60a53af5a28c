internal import PipelineKit
internal import PipelineLanguage
internal import PipelineRecordings
internal import PipelineTesting
internal import SQLiteJournals

/// Whether a run is recorded, and whether it is answered out of a recording.
struct RecordingOptions: Sendable {
  /// The file that is written.
  let record: String?
  /// The file that answers.
  let replay: String?

  init(_ arguments: inout Arguments) {
    record = arguments.value(
      "record", "FILE", .file(ending: ".har"),
      help: "Write all requests and answers to FILE as HAR, secrets by their names")
    replay = arguments.value(
      "replay", "FILE", .file(ending: ".har"),
      help: "Answer requests out of FILE and open no socket; with --record, send only what FILE"
        + " does not have")
  }

  /// The options of a run that keeps its answers in the store.
  private init(record: String) {
    self.record = record
    replay = nil
  }

  /// The options of a run whose answers are kept in the store, beside its journal.
  ///
  /// - Throws: `UsageError` if another file is to have them, or nothing is to be kept.
  func keeping(
    answersOf run: String, in store: StoreOptions, _ console: Console
  ) throws -> RecordingOptions {
    guard record == nil, replay == nil else {
      throw UsageError(
        message: "--keep-answers and \(record == nil ? "--replay" : "--record") contradict each"
          + " other: one place has the answers", command: "run")
    }
    guard !store.isOff else {
      throw UsageError(
        message: "--keep-answers and --no-store contradict each other: answers are kept in the"
          + " store", command: "run")
    }
    return RecordingOptions(record: try RunStore.of(store, console).prepareAnswers(ofRun: run))
  }

  /// Opens the files, before anything is sent.
  func open() throws(PathProblem) -> OpenRecordings {
    var recording: Recording?
    if let replay {
      do throws(RecordingProblem) {
        recording = try Recording(RecordingFile(path: replay))
      } catch {
        throw PathProblem(path: replay, reason: error.message)
      }
    }
    var file: AtomicFile?
    var spool: (any RecordingSpool)?
    if let record {
      let target = try AtomicFile(privateAt: record)
      file = target
      do throws(RecordingProblem) {
        spool = try FileSpool(folder: PathText.folder(of: target.target))
      } catch {
        throw PathProblem(path: record, reason: error.message)
      }
    }
    return OpenRecordings(replayed: recording, file: file, spool: spool)
  }
}

/// The recordings of a run.
struct OpenRecordings: Sendable {
  let replayed: Recording?
  let file: AtomicFile?
  let spool: (any RecordingSpool)?
  /// What earlier processes of the run have recorded, which is kept as far as it was not sent again.
  var earlier: Recording?

  /// Records what a resumed run sends, into the recording of its answers.
  ///
  /// - Parameter path: The recording.
  init(continuing path: String) throws(PathProblem) {
    do throws(RecordingProblem) {
      earlier = try Recording(RecordingFile(path: path))
      spool = try FileSpool(folder: PathText.folder(of: path))
    } catch {
      throw PathProblem(path: path, reason: error.message)
    }
    replayed = nil
    file = try AtomicFile(privateAt: path)
  }

  init(replayed: Recording?, file: AtomicFile?, spool: (any RecordingSpool)?) {
    self.replayed = replayed
    self.file = file
    self.spool = spool
  }

  /// Whether nothing is sent.
  var isOffline: Bool { replayed != nil && file == nil }

  /// A transport that records and replays.
  func transport(
    over transport: () -> any Transport, sandbox: String?, clock: VirtualClock?
  ) -> RecordedTransports {
    let aliases = sandbox.map { [OriginAlias($0, alias: OriginAlias.sandbox)] } ?? []
    let recorder = spool.map { RecordingTransport(transport(), spool: $0, aliases: aliases) }
    let replayer = replayed.map {
      ReplayTransport($0, fallback: recorder, aliases: aliases, clock: clock)
    }
    return RecordedTransports(
      transport: replayer ?? recorder ?? transport(), recorder: recorder, replayer: replayer)
  }
}

/// A transport, and the parts of it that record and replay.
struct RecordedTransports: Sendable {
  let transport: any Transport
  let recorder: RecordingTransport?
  let replayer: ReplayTransport?
}
