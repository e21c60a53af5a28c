internal import PipelineByteText
internal import PipelineReports
internal import PipelineSourceText

/// The reports that a command line asks for, and their destinations. They are checked before
/// anything is sent.
struct ReportFiles: Sendable {
  private struct Target: Sendable {
    let kind: ReportKind
    /// `nil` for stderr.
    let file: AtomicFile?
  }

  private var targets: [Target] = []

  static let none = ReportFiles()

  private init() {}

  /// - Parameter texts: Each `KIND=FILE`, or several with commas between.
  /// - Throws: `UsageError` if a kind is unknown, `PathProblem` if a file cannot be written.
  init(_ texts: [String], command: String) throws {
    for text in texts {
      for (name, path) in Self.pairs(in: text, isKind: { ReportKind(rawValue: $0) != nil }) {
        guard let kind = ReportKind(rawValue: name) else {
          throw UsageError(
            message: "--report takes \(Self.forms), not '\(name)'"
              + Spelling.didYouMean(name, among: ReportKind.allCases.map(\.rawValue)),
            command: command)
        }
        if path.isEmpty, kind != .github {
          throw UsageError(
            message: "--report \(name) needs a file: --report \(name)=FILE", command: command)
        }
        targets.append(
          Target(kind: kind, file: path.isEmpty ? nil : try AtomicFile(path: path)))
      }
    }
  }

  private static var forms: String {
    let kinds = ReportKind.allCases.filter { $0 != .github }.map { "\($0.rawValue)=FILE" }
    return kinds.joined(separator: ", ") + " or github"
  }

  /// The reports that a text names. A comma ends a file's name if a kind follows.
  static func pairs(
    in text: String, isKind: (String) -> Bool
  ) -> [(name: String, path: String)] {
    var parts: [String] = []
    for part in text.split(ascii: ",", omittingEmptySubsequences: false) {
      let name = String(part.prefix(before: "="))
      let isNew = part.contains(bytes: "=") || isKind(name)
      if parts.isEmpty || isNew {
        parts.append(String(part))
      } else {
        parts[parts.count - 1] += "," + part
      }
    }
    return parts.map { part in
      let name = String(part.prefix(before: "="))
      return (name, String(part.dropFirst(bytes: min(part.utf8.count, name.utf8.count + 1))))
    }
  }

  var isEmpty: Bool { targets.isEmpty }

  /// The files, each with its option.
  var files: [(path: String, option: String)] {
    targets.compactMap { target in
      target.file.map { ($0.path, "--report \(target.kind.rawValue)") }
    }
  }

  /// Writes all reports. Returns whether that succeeded. If not, the reason is reported.
  func write(_ trace: RunTrace, in program: Program) -> Bool {
    let console = program.console
    let surroundings = program.reportSurroundings
    var isWell = true
    for target in targets {
      let text = target.kind.text(of: trace, in: surroundings)
      guard let file = target.file else {
        console.error.write(commands: text)
        continue
      }
      do throws(PathProblem) {
        try file.write(Self.beginning(of: file, console) + Array(text.utf8))
      } catch {
        console.complain("cannot write '\(error.path)': \(error.reason)")
        isWell = false
      }
    }
    return isWell
  }

  /// The old content of the file, which is kept: a job's summary on GitHub collects the text of all
  /// its commands.
  static func beginning(of file: AtomicFile, _ console: Console) -> [UInt8] {
    guard let summary = console.environment["GITHUB_STEP_SUMMARY"], summary.equals(bytes: file.path)
    else { return [] }
    return (try? console.files.readFile(file.path, 1 << 20)) ?? []
  }
}

extension Program {
  /// What reports say that is not of a run.
  var reportSurroundings: ReportKind.Surroundings {
    ReportKind.Surroundings(version: table.version, paths: console.annotationPaths)
  }
}

extension Console {
  /// How annotations name files; `nil` if it is as the command does.
  var annotationPaths: AnnotationPaths? {
    guard let repository = environment["GITHUB_WORKSPACE"], repository.hasPrefix(bytes: "/") else {
      return nil
    }
    return AnnotationPaths(repository: repository, folder: WorkflowPath.currentFolder)
  }
}
