internal import PipelineByteText
internal import PipelineLanguage
internal import PipelineReports
internal import PipelineSourceText

/// The findings of lint in one file.
struct Findings: Sendable {
  let file: SourceFile
  var diagnostics: [Diagnostic]
  /// Whether the file was read. If not, it has a single diagnostic without a place.
  let isReadable: Bool

  init(file: SourceFile, diagnostics: [Diagnostic]) {
    self.file = file
    self.diagnostics = diagnostics
    isReadable = true
  }

  init(_ problem: PathProblem) {
    file = SourceFile(name: problem.path, bytes: [])
    diagnostics = [
      Diagnostic(
        code: "file", severity: .error, message: "cannot be read: \(problem.reason)", range: 0..<0)
    ]
    isReadable = false
  }
}

extension [Findings] {
  /// Leaves out what files repeat of one that they build on: it is reported in that file, or else in
  /// the first of them.
  mutating func removeRepeatsOfBases() {
    guard contains(where: { $0.diagnostics.contains(where: \.isOfBase) }) else { return }
    var seen: Set<String> = []
    for findings in self {
      let name = FilePath.normalized(findings.file.name)
      for finding in findings.diagnostics where !finding.isOfBase {
        let position = findings.file.position(at: finding.range.lowerBound)
        seen.insert("\(name):\(position.line):\(position.column): \(finding.message)")
      }
    }
    for index in indices {
      self[index].diagnostics.removeAll { $0.isOfBase && !seen.insert($0.message).inserted }
    }
  }
}

/// Findings, counted by severity.
struct FindingCounts: Sendable, Hashable {
  var files = 0
  /// Files with at least one finding.
  var affectedFiles = 0
  var errors = 0
  var warnings = 0
  var notes = 0
  /// Findings with a fix that may be made without asking.
  var fixable = 0
  /// Findings with a fix that is only a suggestion.
  var suggested = 0

  init(_ all: [Findings]) {
    files = all.count
    for findings in all {
      if !findings.diagnostics.isEmpty { affectedFiles += 1 }
      for diagnostic in findings.diagnostics {
        switch diagnostic.severity {
        case .error: errors += 1
        case .warning: warnings += 1
        case .note: notes += 1
        }
        if let fix = diagnostic.fix {
          if fix.isSafe { fixable += 1 } else { suggested += 1 }
        }
      }
    }
  }

  /// `2 errors, 1 warning in 1 of 3 files`, `No problems in 1 file`.
  var summary: String {
    var parts: [String] = []
    if errors > 0 { parts.append(errors.counting("error")) }
    if warnings > 0 { parts.append(warnings.counting("warning")) }
    if notes > 0 { parts.append(notes.counting("note")) }
    guard !parts.isEmpty else { return "No problems in " + files.counting("file") }
    let place = affectedFiles == files ? "" : "\(affectedFiles.grouped) of "
    return parts.joined(separator: ", ") + " in " + place + files.counting("file")
  }
}

/// How findings are written.
enum FindingsFormat: String, WordChoice {
  case text, json, sarif, github
}

extension FindingsFormat {
  /// All of `findings`, as bytes for stdout.
  func bytes(
    _ findings: [Findings], renderer: DiagnosticRenderer, version: String,
    paths: AnnotationPaths? = nil
  ) -> [UInt8] {
    switch self {
    case .text: Array(FindingsText(renderer: renderer).text(findings).utf8)
    case .json: FindingsJSON().bytes(findings)
    case .sarif: FindingsSARIF(version: version).bytes(findings)
    case .github: Array(FindingsGitHub(paths: paths).text(findings).utf8)
    }
  }
}

/// For people: each finding with its source line and carets.
struct FindingsText: Sendable {
  let renderer: DiagnosticRenderer

  func text(_ all: [Findings]) -> String {
    var text = ""
    for findings in all {
      for diagnostic in findings.diagnostics {
        guard findings.isReadable else {
          text += unplaced(diagnostic, in: findings.file)
          continue
        }
        text += renderer.render(diagnostic, in: findings.file)
      }
    }
    return text
  }

  /// A finding about the file as a whole.
  private func unplaced(_ diagnostic: Diagnostic, in file: SourceFile) -> String {
    var line = Line(file.name + ": ", .bold)
    line.append("error: ", .bad)
    line.append(diagnostic.message)
    line.append(" [\(diagnostic.code)]", .dim)
    return line.text(colored: renderer.style == .colored) + "\n"
  }
}

/// For GitHub: workflow commands that annotate the lines of a pull request.
///
/// One command per finding. Notes are notices.
struct FindingsGitHub: Sendable {
  /// How files are named; `nil` if it is as the command does.
  var paths: AnnotationPaths?

  func text(_ all: [Findings]) -> String {
    var text = ""
    for findings in all {
      for diagnostic in findings.diagnostics { text += command(diagnostic, in: findings) }
    }
    return text
  }

  private func command(_ diagnostic: Diagnostic, in findings: Findings) -> String {
    let name =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let file = findings.file.name
    var text = "::\(name) file=\(property(paths?.path(file) ?? file))"
    if findings.isReadable {
      let region = Region(diagnostic.range, in: findings.file)
      text += ",line=\(region.start.line),endLine=\(region.end.line)"
      // GitHub accepts columns only if the range stays on its line.
      if region.start.line == region.end.line {
        text += ",col=\(region.start.column),endColumn=\(region.end.column)"
      }
    }
    return text + ",title=\(property(diagnostic.code))::\(escaped(diagnostic.message))\n"
  }

  private func escaped(_ text: String) -> String {
    Cells.printableLines(text.replacing(bytes: "\r", with: "")).replacing(bytes: "%", with: "%25")
      .replacing(bytes: "\n", with: "%0A")
  }

  private func property(_ text: String) -> String {
    escaped(Cells.printable(text)).replacing(bytes: ":", with: "%3A").replacing(
      bytes: ",", with: "%2C")
  }
}

/// A range as lines and columns. The end is the first place after it.
struct Region: Sendable {
  let start: SourcePosition
  let end: SourcePosition

  init(_ range: Range<Int>, in file: SourceFile) {
    start = file.position(at: range.lowerBound)
    end = file.position(at: range.upperBound)
  }
}
