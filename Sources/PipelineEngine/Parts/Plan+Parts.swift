package import PipelinePlanning

extension Plan {
  /// The plan that a part of a run follows; `nil` if the file has no such step.
  package func carriedOut(by part: RunPart) -> Plan? {
    switch part.work {
    case .step(let id): self.part(endingAt: id)?.limited(to: part.share)
    case .finish: limited(to: part.share)
    }
  }
}
