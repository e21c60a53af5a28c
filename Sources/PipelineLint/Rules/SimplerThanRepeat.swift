import PipelineHTTPTerms
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A `repeat` that another key says in fewer words.
enum SimplerThanRepeat: LintRule {
  static let explanation = Explanation(
    "simpler-than-repeat", .note, PackageResources.simpler_than_repeat_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step),
      let message = poll(loop, context) ?? pages(loop, context) ?? numbers(loop)
    else { return }
    let key = step.step.node.members.first { $0.name == "repeat" }
    found.append(finding(message, at: key?.nameRange ?? loop.rounds.node.range))
  }

  /// One request that is the same in each round, where only the last answer counts.
  private static func poll(_ loop: LintRounds, _ context: LintContext) -> String? {
    guard loop.rounds.carried.isEmpty, let only = loop.onlyStep(context),
      let request = only.request, request.poll == nil, request.paginate == nil,
      only.step.forEach == nil, HTTPMethod.isIdempotent(request.method),
      context.readsOnlyTheLastRow(of: loop.step)
    else { return nil }
    return "each round asks the same; write \"poll\": {\"until\": …, \"attempts\":"
      + " \(loop.rounds.maxRounds)} in '\(only.step.id.value)', without 'repeat'"
  }

  /// One request with a cursor out of its own body.
  private static func pages(_ loop: LintRounds, _ context: LintContext) -> String? {
    guard let only = loop.onlyStep(context), let request = only.request,
      request.poll == nil, request.paginate == nil, request.save == nil,
      only.step.forEach == nil, HTTPMethod.isIdempotent(request.method),
      loop.rounds.carried.count == 1, case let value = loop.rounds.carried[0],
      value.first == nil, let query = value.next?.value.wholeReference,
      query.segments.count == 2, query.firstName == only.step.id.value,
      let extractor = request.extract.first(where: { $0.name == query.segments[1].name }),
      case .body(let cursor) = extractor.source, cursor.value.isSingular
    else { return nil }
    let reads = context.reads(ofRoundsOf: loop.step)
    guard reads.count == 1, reads[0].use.isWhole, case .parameter = reads[0].use.site,
      let parameter = request.query.first(where: {
        $0.value.node.range.contains(reads[0].use.range.lowerBound)
      })
    else { return nil }
    return "these are the pages of one request; write \"paginate\": {\"cursor\":"
      + " \"\(cursor.value.text)\", \"param\": \"\(parameter.name)\"} in '\(only.step.id.value)',"
      + " without 'repeat'"
  }

  /// A number that only counts.
  private static func numbers(_ loop: LintRounds) -> String? {
    guard loop.rounds.carried.count == 1, loop.rounds.every == nil,
      case let value = loop.rounds.carried[0],
      let first = value.first?.literal?.number?.int, let next = value.next?.node,
      next.kind == .object, let sum = next["$sum"], sum.kind == .array, sum.count == 2
    else { return nil }
    let parts = Array(sum.elements)
    guard parts.contains(where: { $0.string == "{{\(value.name)}}" }),
      let by = parts.compactMap({ $0.number?.int }).first, by != 0, abs(by) < 1 << 32,
      abs(first) < 1 << 32
    else { return nil }
    let last = first + (loop.rounds.maxRounds - 1) * by
    return "'\(value.name)' only counts; write \"forEach\": {\"from\": \(first), \"to\": \(last)"
      + (by == 1 ? "" : ", \"by\": \(by)") + "}, \"as\": \"\(value.name)\", \"concurrency\": 1 and"
      + " \"until\" in place of 'repeat'"
  }
}
