internal import PipelineByteText
internal import PipelineJSONText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RunTrace {
  /// A trace that was written by `json`.
  package init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(RunTrace.self, from: Data(json))
    guard Self.isSmall(try JSONDocument.parse(json).root), isConsistent else { throw Damaged() }
  }

  private struct Damaged: Error {}

  /// Whether reports can compute with all numbers, which no trace of a run exceeds.
  private static func isSmall(_ node: JSONNode) -> Bool {
    switch node.kind {
    case .object: node.members.allSatisfy { isSmall($0.value) }
    case .array: node.elements.allSatisfy(isSmall)
    case .number: node.number.map { $0.double.magnitude <= Double(FileNumber.most) } ?? false
    default: true
    }
  }

  /// Whether what names a step by its number names one that is there.
  private var isConsistent: Bool {
    func isStep(_ number: Int?) -> Bool { number.map(steps.indices.contains) ?? true }
    // A step comes after the one around it.
    return steps.enumerated().allSatisfy { number, step in
      step.parent.map { (0..<number).contains($0) } ?? true
        && step.failure.map(failures.indices.contains) ?? true
        && step.latency.isConsistent && (step.density?.isConsistent ?? true)
    } && path.allSatisfy { isStep($0.step) } && requests.allSatisfy { isStep($0.step) }
      && density.isConsistent
  }
}

/// Reads a file of events, piece by piece.
package struct EventsReader {
  private var builder = TraceBuilder()
  private var rest: [UInt8] = []
  private var count = 0

  package init() {}

  package mutating func read(_ bytes: some Collection<UInt8>) {
    rest += bytes
    var start = 0
    while let end = rest[start...].firstIndex(of: 0x0A) {
      add(rest[start..<end])
      start = end + 1
    }
    rest.removeFirst(start)
  }

  /// Lines that are not events are left out.
  private mutating func add(_ line: ArraySlice<UInt8>) {
    guard let document = try? JSONDocument.parse(Array(line)),
      let event = TraceEvent(document.root)
    else { return }
    builder.receive(event)
    count += 1
  }

  /// The trace of the events read; `nil` if there were none.
  package mutating func finish() -> RunTrace? {
    add(rest[...])
    rest = []
    return count == 0 ? nil : builder.finish()
  }
}
