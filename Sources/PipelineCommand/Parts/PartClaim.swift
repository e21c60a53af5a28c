internal import PipelineKit

/// Takes a part for this process, once no other process is at work on its items.
struct PartClaim {
  let folder: PartFolder
  let files: PartFolder.Part
  /// `Plan.sourceDigest`
  let sources: String
  let program: Program
  let isQuiet: Bool

  /// The right to carry a part out, or how it ended if it is done.
  enum Answer {
    case lease(PartLease)
    case done(ExitStatus)
  }

  func answer() async throws -> Answer {
    var isTold = false
    while true {
      if let end = try folder.end(of: files, sources) { return .done(end) }
      do {
        let lease = try PartLease(path: files.leasePath) {
          folder.otherDivisions(than: files, having: "lease-").map(\.leasePath)
        }
        // It may have been done in between.
        return try folder.end(of: files, sources).map { .done($0) } ?? .lease(lease)
      } catch let holder as PartLease.Holder {
        if !isTold, !isQuiet {
          program.console.error.write(
            line: "waiting for process \(holder.process) on \(holder.host), which is at work on the"
              + " same items")
        }
        isTold = true
        try await program.clock.sleep(for: .milliseconds(500))
      }
    }
  }
}
