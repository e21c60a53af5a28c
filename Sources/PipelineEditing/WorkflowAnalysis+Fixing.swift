package import PipelineLint
package import PipelineSourceText

extension WorkflowAnalysis {
  /// A single edit that makes all safe fixes; `nil` if there are none, or if more is wrong
  /// afterwards.
  ///
  /// - Parameter reanalysed: The analysis of the file with other bytes.
  package func safeFixes(reanalysed: ([UInt8]) -> WorkflowAnalysis) -> DiagnosticFix.Edit? {
    let (bytes, count) = file.applying(findings.compactMap(\.fix).filter(\.isSafe))
    guard count > 0, bytes != file.bytes else { return nil }
    let after = reanalysed(bytes)
    let isWorse = Diagnostic.Severity.allCases.dropLast().contains { severity in
      after.findings.count { $0.severity <= severity } > findings.count { $0.severity <= severity }
    }
    guard !isWorse else { return nil }
    return .difference(from: file.bytes, to: bytes)
  }
}

extension DiagnosticFix.Edit {
  /// The smallest replacement of one part that makes other bytes of some, at whole scalars.
  package static func difference(from old: [UInt8], to new: [UInt8]) -> DiagnosticFix.Edit {
    func isInScalar(_ bytes: [UInt8], _ place: Int) -> Bool {
      place < bytes.count && bytes[place] & 0xC0 == 0x80
    }
    var start = zip(old, new).prefix { $0 == $1 }.count
    while start > 0, isInScalar(old, start) || isInScalar(new, start) { start -= 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    while end > 0, isInScalar(old, old.count - end) || isInScalar(new, new.count - end) {
      end -= 1
    }
    return DiagnosticFix.Edit(
      range: start..<old.count - end,
      replacement: String(decoding: new[start..<new.count - end], as: UTF8.self))
  }
}
