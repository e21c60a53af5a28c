import PipelineByteText
package import PipelineLint
package import PipelineSourceText

/// Why a name is not changed, in a phrase for its author.
package struct RenameRefusal: Error, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}

extension WorkflowAnalysis {
  /// The edits of this file that give a name another text, wherever it is given and read.
  ///
  /// - Parameter reanalysed: The analysis of the file with other bytes.
  /// - Throws: If the new text is not a name, or if the file would mean something else.
  package func renaming(
    _ occurrences: WorkflowOccurrences, to name: String, reanalysed: ([UInt8]) -> WorkflowAnalysis
  ) throws(RenameRefusal) -> [DiagnosticFix.Edit] {
    try Self.check(name, for: occurrences.kind)
    let places = occurrences.all.sorted { $0.lowerBound < $1.lowerBound }
    let edits = places.map { DiagnosticFix.Edit(range: $0, replacement: name) }
    guard !occurrences.name.equals(bytes: name), let first = places.first else { return edits }
    let fix = DiagnosticFix(message: "rename", edits: edits, isSafe: false)
    let after = reanalysed(file.applying([fix]).bytes)
    try Self.compare(findings, after.findings, name)
    // A name that hides another one, or is hidden, changes what is read without a finding.
    let shift = name.utf8.count - occurrences.name.utf8.count
    let moved = places.enumerated().map { $1.lowerBound + $0 * shift }
    guard let renamed = after.occurrences(at: first.lowerBound),
      renamed.all.map(\.lowerBound).sorted() == moved
    else {
      throw RenameRefusal(
        message: "'\(name)' is a name here already, and other values would be read")
    }
    return edits
  }

  private static func check(_ name: String, for kind: WorkflowNameKind) throws(RenameRefusal) {
    let bytes = Array(name.utf8)
    if case .environment = kind {
      guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
        throw RenameRefusal(message: "an environment has a name without quotes and '\\'")
      }
      return
    }
    func isLetter(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte & 0xDF)
    }
    guard let first = bytes.first, isLetter(first),
      bytes.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) })
    else {
      throw RenameRefusal(
        message: "'\(name)' is not a name: write a letter or '_', then letters, digits and '_'")
    }
  }

  /// Refuses what makes a file worse.
  package static func compare(
    _ before: [Diagnostic], _ after: [Diagnostic], _ name: String
  ) throws(RenameRefusal) {
    let known = Set(before.filter { $0.severity != .note }.map(\.message))
    let new = after.filter { $0.severity != .note }
    guard new.count > before.count(where: { $0.severity != .note }),
      let problem = new.first(where: { !known.contains($0.message) }) ?? new.first
    else { return }
    throw RenameRefusal(message: "'\(name)' cannot be the name: \(problem.message)")
  }
}
