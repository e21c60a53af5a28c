internal import PipelineLanguage

/// The part of the work that all units of a step at work have in common.
final class SharedWork: Sendable {
  /// The fingerprint of the work, and of the reads that are the same for all items.
  let fingerprint: Fingerprint
  /// The parts that read the item, without secrets.
  let own: [Use]
  /// Whether the request carries a file.
  let hasFiles: Bool

  init(_ fingerprint: Fingerprint, own: [Use], hasFiles: Bool) {
    self.fingerprint = fingerprint
    self.own = own
    self.hasFiles = hasFiles
  }
}
