import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A value that may be absent, if one is needed.
enum OptionalInText: LintRule {
  static let explanation = Explanation(
    "optional-in-text", .warning, PackageResources.optional_in_text_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    judgeCarried(step, context, &found)
    for use in step.uses {
      if case .pageValue? = use.definition { judge(pageValue: use, step, context, &found) }
      let isCollection = step.step.forEach?.collection == use.use.query
      guard use.use.mode == .needs, isCollection || use.use.needsValue,
        use.use.query.segments.count == 2,
        let owner = use.use.query.firstName, let name = use.use.query.segments[1].name
      else { continue }
      let isOptional: Bool
      switch use.definition {
      case .inputs?:
        isOptional = context.inputs.mayLack(name)
      case .step(let level, let index)?:
        guard let block = context.ancestor(of: step.block, level: level) else { continue }
        let number = context.blocks[block].steps[index]
        // Nothing is known about an extractor that could not be read.
        let isUnread = context.steps[number].request?.extract.contains {
          $0.name.equals(bytes: name) && context.incomplete.contains($0.node.index)
        }
        isOptional =
          isUnread != true && context.ofRequest(number)?.mayLack(name) ?? false
      case .item?, .itemIndex?, .carried?, .pageValue?, .run?, .state?, nil: continue
      }
      guard isOptional, !isTested(owner, name, step, context) else { continue }
      let path = "\(owner).\(name)"
      var finding = finding(
        "'\(path)' is optional, and \(isCollection ? "'forEach'" : use.use.site.words) needs it;"
          + " write \"when\": \"$.\(path)\", or give it a 'default'",
        at: use.use.range, fix: context.condition("$.\(path)", on: step.step))
      finding.isInherited = !step.step.node.range.contains(use.use.range.lowerBound)
      found.append(finding)
    }
  }

  /// A value that a page hands to the next one, so that the first page may have none.
  private static func judge(
    pageValue use: ResolvedUse, _ step: LintStep, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    guard use.use.mode == .needs, use.use.needsValue,
      let value = step.step.pageValues.first(where: { $0.name == use.name }), value.first == nil
    else { return }
    var finding = finding(
      "'\(use.name)' is absent for the first page, and \(use.use.site.words) needs it; write"
        + " \"default\" beside \"next\"", at: use.use.range)
    finding.isInherited = !step.step.node.range.contains(use.use.range.lowerBound)
    found.append(finding)
  }

  /// Values that a round hands to the next one, so that the first round may have none.
  private static func judgeCarried(
    _ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    guard let loop = LintRounds(step) else { return }
    for value in loop.rounds.carried where value.first == nil {
      let read = context.reads(ofRoundsOf: step).first { read in
        read.name == value.name && read.use.mode == .needs && read.use.needsValue
          && read.by.map { $0.step.when == nil } ?? true
      }
      guard let read else { continue }
      found.append(
        finding(
          "'\(value.name)' is absent in the first round, and \(read.use.site.words) needs it; write"
            + " \"default\" beside \"next\"", at: read.use.range,
          related: [.init(range: value.nameRange, message: "'\(value.name)' is carried here")]))
    }
  }

  /// Whether a condition of the step, or of a step around it, looks at the value first.
  private static func isTested(
    _ owner: String, _ name: String, _ step: LintStep, _ context: LintContext
  ) -> Bool {
    var step = step
    while true {
      let reads = step.step.when?.value.references.contains {
        $0.query.segments.count > 1 && $0.query.firstName == owner
          && $0.query.segments[1].name == name
      }
      if reads == true { return true }
      guard let parent = context.blocks[step.block].parent else { return false }
      step = context.steps[parent]
    }
  }
}

extension Iteration {
  /// The query of the list, if it is one.
  fileprivate var collection: Query? {
    if case .query(let query) = source.value { query.value } else { nil }
  }
}

extension Use {
  /// Whether an absent value cannot be left out where this one goes.
  fileprivate var needsValue: Bool {
    switch site {
    case .url(.path), .url(.authority), .url(.start), .bound: true
    // A list that inserts nothing leaves the parameter of a URL empty.
    case .url, .parameter, .query, .credential, .file: false
    case .header, .cookie, .field, .data, .text: !isWhole
    }
  }
}

extension LintContext {
  /// The values of a step that sends a request.
  fileprivate func ofRequest(_ step: Int) -> ValueShape? {
    steps[step].request == nil ? nil : shapes[step].row
  }
}

extension ValueShape {
  /// Whether a member is known that may be absent.
  fileprivate func mayLack(_ name: String) -> Bool {
    if case .object(let members, _) = content { members[name]?.maybeAbsent ?? false } else { false }
  }
}
