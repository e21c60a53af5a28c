package import PipelineJSONPaths
package import PipelineJSONText

extension DataTemplate {
  /// The failures that are certain before a run: those of parts that read only what is known then.
  ///
  /// - Parameters:
  ///   - source: Has the values that are known.
  ///   - isKnown: Whether it has the value of a query.
  /// - Complexity: O(bytes · depth of forms in forms).
  package func knownFailures(
    from source: any DataSource, _ isKnown: @escaping (Query) -> Bool
  ) -> [DataError] {
    var ahead = EvaluationAhead(writing: DataWriting(source: source), isKnown: isKnown)
    _ = ahead.judge(root)
    return ahead.failures
  }

  /// The value, if all that it reads is known before a run, and it can be made.
  package func knownValue(
    from source: any DataSource, _ isKnown: @escaping (Query) -> Bool
  ) -> JSONNode? {
    var ahead = EvaluationAhead(writing: DataWriting(source: source), isKnown: isKnown)
    guard ahead.judge(root) == .known else { return nil }
    return try? value(from: source)
  }
}

/// Evaluates what is known before a run by the functions that the run calls.
private struct EvaluationAhead {
  let writing: DataWriting
  let isKnown: (Query) -> Bool
  private(set) var failures: [DataError] = []

  enum Standing {
    case known
    case unknown
    /// A part of it fails, so that it does.
    case fails
  }

  init(writing: DataWriting, isKnown: @escaping (Query) -> Bool) {
    self.writing = writing
    self.isKnown = isKnown
  }

  mutating func judge(_ node: DataTemplate.Node) -> Standing {
    switch node {
    case .literal: return .known
    case .reference(let reference, _): return isKnown(reference.query) ? .known : .unknown
    case .query(let query, _): return isKnown(query) ? .known : .unknown
    case .text(let template, _):
      guard template.references.allSatisfy({ isKnown($0.query) }) else { return .unknown }
      return evaluate(node)
    case .object(let members): return judge(members.map(\.value))
    case .array(let items): return judge(items)
    case .form(let form):
      switch judge(form.parts.map(\.value)) {
      case .fails: return .fails
      case .known where form.isFoundAhead: return evaluate(node)
      case .known, .unknown: return check(form)
      }
    }
  }

  private mutating func judge(_ nodes: [DataTemplate.Node]) -> Standing {
    var standing = Standing.known
    for node in nodes {
      switch judge(node) {
      case .known: break
      case .unknown: if standing == .known { standing = .unknown }
      case .fails: standing = .fails
      }
    }
    return standing
  }

  private mutating func evaluate(_ node: DataTemplate.Node) -> Standing {
    do throws(DataError) {
      _ = try writing.value(of: node)
      return .known
    } catch {
      failures.append(error)
      return .fails
    }
  }

  private mutating func check(_ form: any DataForm) -> Standing {
    do throws(DataError) {
      try form.checkKnown(reads, by: writing)
      return .unknown
    } catch {
      failures.append(error)
      return .fails
    }
  }

  /// Whether a value reads only what is known.
  private func reads(_ node: DataTemplate.Node) -> Bool {
    switch node {
    case .literal: true
    case .reference(let reference, _): isKnown(reference.query)
    case .query(let query, _): isKnown(query)
    case .text(let template, _): template.references.allSatisfy { isKnown($0.query) }
    case .object(let members): members.allSatisfy { reads($0.value) }
    case .array(let items): items.allSatisfy(reads)
    case .form(let form): form.isFoundAhead && form.parts.allSatisfy { reads($0.value) }
    }
  }
}
