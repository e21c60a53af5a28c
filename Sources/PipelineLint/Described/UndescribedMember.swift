import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A part of a response that the API does not describe.
enum UndescribedMember: DescribedScopeRule {
  static let explanation = Explanation(
    "undescribed-member", .warning,
    what: "A workflow reads a part of a response that the API does not describe.",
    why: """
      The step fails if the part is not there. It is an error if the schema rules the part out. Correct \
      the name, or silence this if the description is not complete. Extractors, conditions of 'expect' \
      and later reads of the extracted values are compared with the schemas of the expected responses.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "pet",
            "endpoint": "GET https://api.example.com/pets/7",
            "extract": { "name": "$.nmae" }
          }
        ],
        "outputs": { "name": "{{pet.name}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "pet",
            "endpoint": "GET https://api.example.com/pets/7",
            "extract": { "name": "$.name" }
          }
        ],
        "outputs": { "name": "{{pet.name}}" }
      }
      """,
    described: ExampleDescription.readPet)

  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic]) {
    for (number, call) in scope.calls.sorted(by: { $0.key < $1.key }) {
      let shape = call.responseShape
      guard !shape.isUnknown else { continue }
      for extractor in call.request.extract {
        guard case .body(let query) = extractor.source else { continue }
        let mayBeAbsent = extractor.isOptional || extractor.defaultValue != nil
        add(
          shape.reading(query.value.segments), query.value, at: query, "'\(extractor.name)' reads",
          onlyIfNear: mayBeAbsent, &found)
      }
      for check in scope.context.steps[number].step.expect.checks {
        let walk = ConditionWalk(check.condition.value.expression)
        for query in walk.queries where query.anchor == .current && query.firstName == "body" {
          let reading = shape.reading(query.segments.dropFirst())
          guard let missing = reading.missing else { continue }
          // A test asks whether a part is there.
          if walk.tests.contains(query), near(missing) == nil { continue }
          let range = check.condition.range(of: query.range)
          var finding = finding(missing, "'\(query.text)' reads", at: range, scope.context)
          finding.severity = .warning
          found.append(finding)
        }
      }
    }
    for step in scope.context.steps {
      let conditions = step.parts.conditions.map(\.written.range)
      for use in step.uses {
        let isAsked = conditions.contains { $0.overlaps(use.use.range) }
        add(use, block: step.block, step: step.number, scope, mayBeAbsent: isAsked, &found)
      }
    }
    for (number, block) in scope.context.blocks.enumerated() {
      for use in block.resolution.endUses {
        add(use, block: number, step: nil, scope, mayBeAbsent: false, &found)
      }
    }
  }

  /// A read of a value that was extracted.
  private static func add(
    _ use: ResolvedUse, block: Int, step: Int?, _ scope: DescribedScope, mayBeAbsent: Bool,
    _ found: inout [Diagnostic]
  ) {
    let mayBeAbsent = mayBeAbsent || use.use.mode != .needs
    guard let definition = use.definition,
      let start = scope.start(of: use.use.query, definition, block: block, step: step),
      let missing = start.reading?.missing
    else { return }
    if mayBeAbsent, near(missing) == nil { return }
    let text = use.use.query.text
    var finding = finding(missing, "'\(text)' reads", at: use.use.range, scope.context)
    if mayBeAbsent { finding.severity = .warning }
    found.append(finding)
  }

  private static func add(
    _ reading: SchemaShape.QueryReading, _ query: Query, at written: Written<Query>,
    _ words: String,
    onlyIfNear: Bool, _ found: inout [Diagnostic]
  ) {
    guard let missing = reading.missing else { return }
    let near = near(missing)
    if onlyIfNear, near == nil { return }
    var finding = finding(missing, words, at: written.range, nil)
    if onlyIfNear { finding.severity = .warning }
    if let near, let name = missing.segment.name {
      let start = missing.segment.range
      let text = Array(query.text.utf8)[start.clamped(to: 0..<query.text.utf8.count)]
      let old = String(decoding: text, as: UTF8.self)
      // Only a name that is written as it is.
      if old.equals(bytes: "." + name), near.utf8.allSatisfy(plainBytes.contains) {
        finding.fix = WorkflowDecoder.fix("." + near, for: start, in: written.node, isSafe: false)
      }
    }
    found.append(finding)
  }

  private static let plainBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_"))

  private static func near(_ missing: SchemaShape.Gap) -> String? {
    missing.segment.name.flatMap { name in
      Spelling.nearest(to: name, among: missing.owner.properties.map(\.name))
    }
  }

  private static func finding(
    _ missing: SchemaShape.Gap, _ words: String, at range: Range<Int>, _ context: LintContext?
  ) -> Diagnostic {
    let owner = missing.owner
    let names = owner.properties.map(\.name)
    var message: String
    var proposal = Proposal.none
    if let name = missing.segment.name {
      message = "\(words) '\(name)', which the API does not describe there"
      if names.isEmpty, let type = owner.words {
        message = "\(words) '\(name)' of \(type)"
      } else if let near = near(missing) {
        proposal = .didYouMean(near, at: context?.place(of: name, in: range))
      } else {
        proposal = .oneOf(names, at: nil, "it has")
      }
    } else {
      message = "\(words) elements of \(owner.words ?? "a value that is no list")"
    }
    var finding = finding(
      message + proposal.text, at: range,
      related: owner.node.map { [$0.related("the value is described here")] } ?? [],
      fix: proposal.fix)
    if missing.isRuledOut { finding.severity = .error }
    return finding
  }
}
