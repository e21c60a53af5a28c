import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText

/// A small workflow with one defect, or with none, and where lint must find it.
///
/// A case is a title behind `===` with its kind and, behind `::`, the words of which the finding has one.
/// Its lines begin with `> ` where the defect is, and with two blanks elsewhere:
///
/// - `- {…}`: a step,
/// - `inputs: {…}`: any other member of the file,
/// - `file u.json: {…}`: a file that it calls,
/// - `bare`: the file gets no `defaults` of its own,
/// - `{…}`: the whole file.
///
/// A case with several defects on its lines says how many behind another `::`.
struct RecallCase: Sendable {
  enum Kind: String, Sendable {
    /// Fails for certain, or is what the docs promise to find.
    case certain
    /// Runs, and hardly does what was meant.
    case advice
    /// Runs and does what it says: nothing is to be found.
    case valid
  }

  let title: String
  let kind: Kind
  /// The finding has one of these.
  let words: [String]
  let text: String
  /// The lines with the defect, from 1.
  private(set) var marked: Set<Int> = []
  private let defects: Int?
  private var files: [String: String] = [:]

  private init(
    title: String, kind: Kind, words: [String], defects: Int?, lines: [Substring]
  ) {
    self.defects = defects
    self.title = title
    self.kind = kind
    self.words = words
    var members: [(String, Bool)] = []
    var steps: [(String, Bool)] = []
    var isBare = false
    var whole: String?
    for line in lines where !line.isEmpty {
      let isMarked = line.hasPrefix(">")
      let content = String(line.dropFirst(2))
      if content.hasPrefix("- ") {
        steps.append((String(content.dropFirst(2)), isMarked))
      } else if content == "bare" {
        isBare = true
      } else if content.hasPrefix("{") {
        whole = content
      } else if let colon = content.firstIndex(of: ":") {
        let key = content[..<colon]
        let value = content[content.index(after: colon)...]
        if key.hasPrefix("file ") {
          files[String(key.dropFirst(5))] = String(value)
        } else {
          members.append(("\"\(key)\":\(value)", isMarked))
          isBare = isBare || key == "defaults"
        }
      }
    }
    guard whole == nil else {
      text = whole ?? ""
      marked = [1]
      return
    }
    var out = ["{"]
    let base = ("\"defaults\": {\"baseURL\": \"https://api.example.com\"}", false)
    members.insert(contentsOf: isBare ? [] : [base], at: 0)
    for (index, (line, isMarked)) in members.enumerated() {
      if isMarked { marked.insert(out.count + 1) }
      out.append("  " + line + (index + 1 < members.count || !steps.isEmpty ? "," : ""))
    }
    if !steps.isEmpty { out.append("  \"steps\": [") }
    for (index, (line, isMarked)) in steps.enumerated() {
      if isMarked { marked.insert(out.count + 1) }
      out.append("    " + line + (index + 1 < steps.count ? "," : ""))
    }
    if !steps.isEmpty { out.append("  ]") }
    text = (out + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The cases that a file of them holds.
  static func all(in text: String) -> [RecallCase] {
    text.split(separator: "=== ").map { part in
      let lines = part.split(separator: "\n")
      let title = lines[0]
      let kind = Kind(rawValue: String(title.prefix { $0 != ":" })) ?? .certain
      let halves = String(title.drop { $0 != ":" }.dropFirst(2)).splitOnce(" :: ")
      let (words, defects) = halves.1.splitOnce(" :: ")
      return RecallCase(
        title: halves.0, kind: kind, words: words.split(separator: "|").map(String.init),
        defects: Int(defects), lines: Array(lines.dropFirst()))
    }
  }

  /// What lint says of the case.
  struct Outcome {
    /// The lines and messages of all findings.
    var findings: [(line: Int, message: String)] = []
    /// Whether one is on a marked line and has one of the words.
    var isFound = false
    /// How many there are beyond one for each marked line.
    var surplus = 0
  }

  var file: SourceFile { SourceFile(name: "case.json", bytes: Array(text.utf8)) }

  func lint() -> LintedWorkflow { lint(file) }

  /// What lint says of another version of the file.
  func lint(_ file: SourceFile) -> LintedWorkflow {
    Linter(loader: Loader(files: files)).lint(file)
  }

  var outcome: Outcome {
    let file = file
    var outcome = Outcome()
    var onMarked = 0
    for found in lint().diagnostics {
      let line = file.position(at: found.range.lowerBound).line
      outcome.findings.append((line, "[\(found.code)] \(found.message)"))
      guard marked.contains(line) else { continue }
      onMarked += 1
      let text = (found.message + " " + (found.fix?.message ?? "")).lowercased()
      if words.contains(where: { text.containsText($0.lowercased()) }) { outcome.isFound = true }
    }
    outcome.surplus =
      outcome.findings.count - min(onMarked, kind == .valid ? 0 : defects ?? marked.count)
    return outcome
  }

  private struct Loader: FileLoader {
    let files: [String: String]

    func isMissing(_ path: String, relativeTo file: String) -> Bool {
      files[path.hasPrefix("./") ? String(path.dropFirst(2)) : path] == nil
    }

    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
      guard let text = files[name] else {
        return .failure(FileLoadError("'\(path)' cannot be read: no such file"))
      }
      return .success(SourceFile(name: name, bytes: Array(text.utf8)))
    }
  }
}

extension String {
  fileprivate func splitOnce(_ mark: String) -> (String, String) {
    let bytes = Array(utf8)
    let wanted = Array(mark.utf8)
    for start in bytes.indices where bytes[start...].starts(with: wanted) {
      return (
        String(decoding: bytes[..<start], as: UTF8.self),
        String(decoding: bytes[(start + wanted.count)...], as: UTF8.self)
      )
    }
    return (self, "")
  }

  fileprivate func containsText(_ other: String) -> Bool {
    let bytes = Array(utf8)
    let wanted = Array(other.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
