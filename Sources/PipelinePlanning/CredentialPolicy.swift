package import PipelineLanguage
package import PipelineTemplates
package import PipelineURIs

/// Decides which credentials the target of a request may see: only those that the author wrote for
/// its origin (language.md, "Who gets which credential").
///
/// A pure function of origins, without knowledge of a run or a step. Runs, `plan` and lint ask it.
package struct CredentialPolicy: Sendable, Hashable {
  /// The writer of a credential.
  package enum Writer: Sendable, Hashable {
    /// The step itself: for the origin of its endpoint.
    case step
    /// The file's `defaults`: for the origin of the base URL.
    case defaults

    package init(isInherited: Bool) { self = isInherited ? .defaults : .step }
  }

  /// The origin of the step's own endpoint; `nil` if a response decides it.
  package var own: Origin?
  /// The origin of the base URL; `nil` if there is none, or a response decides it.
  package var base: Origin?
  /// What `sendCredentials` lists: these origins may see everything.
  package var listed: Set<Origin>

  package init(own: Origin?, base: Origin?, listed: Set<Origin> = []) {
    self.own = own
    self.base = base
    self.listed = listed
  }

  /// Whether `origin` may see what `writer` wrote.
  package func mayHave(_ writer: Writer, _ origin: Origin) -> Bool {
    switch writer {
    case .step where origin == own, .defaults where origin == base: true
    case .step, .defaults: listed.contains(origin)
    }
  }
}

extension Request {
  /// The origins that `sendCredentials` lists.
  ///
  /// - Parameter expand: The URL of one that reads inputs; `nil` if it gets nothing.
  package func listedOrigins(_ expand: (Written<BaseURL>) -> String?) -> Set<Origin> {
    if sendCredentials.isEmpty { return [] }
    return Set(
      sendCredentials.compactMap { origin in
        let isFixed = origin.value.url.references.isEmpty
        return (isFixed ? origin.value.url.text : expand(origin)).flatMap { Origin(of: $0) }
      })
  }
}
