import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineTemplates

/// What a workflow reads of a described response.
struct DescribedRead {
  /// Where it is written.
  enum Form {
    /// The query of an extractor.
    case extractor(Extractor, Written<Query>)
    /// A query that leads from page to page. Without what it finds, the pages end.
    case page(PageQuery)
    /// A query in a condition of `expect`.
    case check(isTest: Bool)
    /// A query or a template that reads an extracted value.
    case later
  }

  let form: Form
  let query: Query
  let range: Range<Int>
  /// Whether the reader is content if there is no such part.
  let mayBeAbsent: Bool
  /// The step whose response is read.
  let step: Int
  /// The way to it from the body of the response.
  let path: [DescribedSource.BodyStep]
  let reading: DescribedReading
}

extension DescribedScope {
  /// All that the workflow reads of described responses: by extractors and conditions of `expect`, and
  /// later of the values of extractors.
  var reads: [DescribedRead] {
    var found: [DescribedRead] = []
    for (number, call) in calls.sorted(by: { $0.key < $1.key }) {
      found += reads(of: call, in: number)
    }
    for step in context.steps {
      let conditions = step.parts.conditions.map(\.written.range)
      for use in step.uses {
        let isAsked = conditions.contains { $0.overlaps(use.use.range) }
        if let read = read(use, block: step.block, step: step.number, isAsked: isAsked) {
          found.append(read)
        }
      }
    }
    for (number, block) in context.blocks.enumerated() {
      found += block.resolution.endUses.compactMap {
        read($0, block: number, step: nil, isAsked: false)
      }
    }
    return found
  }

  private func reads(of call: DescribedCall, in number: Int) -> [DescribedRead] {
    let body = call.body ?? .unknown
    var found: [DescribedRead] = []
    for extractor in call.request.extract {
      guard case .body(let query) = extractor.source else { continue }
      found.append(
        DescribedRead(
          form: .extractor(extractor, query), query: query.value, range: query.range,
          mayBeAbsent: extractor.isOptional || extractor.defaultValue != nil, step: number,
          path: query.value.segments.map(DescribedSource.BodyStep.segment),
          reading: DescribedReading(query.value.segments, from: body)))
    }
    for page in call.request.paginate?.queries ?? [] {
      let query = page.query
      found.append(
        DescribedRead(
          form: .page(page), query: query.value, range: query.range, mayBeAbsent: false,
          step: number, path: query.value.segments.map(DescribedSource.BodyStep.segment),
          reading: DescribedReading(query.value.segments, from: body)))
    }
    for check in context.steps[number].step.expect.checks {
      let walk = ConditionWalk(check.condition.value.expression)
      for query in walk.queries where query.anchor == .current && query.firstName == "body" {
        let isTest = walk.tests.contains(query)
        found.append(
          DescribedRead(
            form: .check(isTest: isTest), query: query,
            range: check.condition.range(of: query.range), mayBeAbsent: isTest, step: number,
            path: query.segments.dropFirst().map(DescribedSource.BodyStep.segment),
            reading: DescribedReading(query.segments.dropFirst(), from: body)))
      }
    }
    return found
  }

  /// A read of a value that was extracted.
  private func read(
    _ use: ResolvedUse, block: Int, step: Int?, isAsked: Bool
  ) -> DescribedRead? {
    guard let definition = use.definition else { return nil }
    let start =
      step.map { context.shape(of: definition, in: context.steps[$0]) }
      ?? context.shape(of: definition, block: block, index: nil)
    var way = ShapeWalk(start)
    var rest = use.use.query.segments.dropFirst()
    // The way through the scope, to the described value.
    while way.shape.described == nil {
      guard let segment = rest.popFirst(), way.follow(segment), !way.isLost else { return nil }
    }
    guard let described = way.shape.described else { return nil }
    return DescribedRead(
      form: .later, query: use.use.query, range: use.use.range,
      mayBeAbsent: isAsked || use.use.mode != .needs, step: described.step,
      path: described.path + rest.map(DescribedSource.BodyStep.segment),
      reading: DescribedReading(rest, from: way.shape))
  }
}
