import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A reference to something that does not exist.
enum UnknownReference: LintRule {
  static let explanation = Explanation(
    "unknown-reference", .error, PackageResources.unknown_reference_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let readings = context.readings[step.number]
    for number in readings.indices {
      judgeHeader(step.uses[number], block: step.block, context, &found)
    }
    for number in readings.indices where Self.isSuspect(step.uses[number], readings[number]) {
      let (use, reading) = (step.uses[number], readings[number])
      let reader = Reader(
        words: "step '\(step.step.id.value)'", block: step.block, step: step.number)
      judge(use, reading, by: reader, context, &found)
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() {
      let outputCount = block.resolution.outputUses.count
      for use in block.resolution.endUses {
        judgeHeader(use, block: number, context, &found)
      }
      let uses = zip(block.resolution.endUses, context.outputReadings[number])
      for (position, (use, reading)) in uses.enumerated() where Self.isSuspect(use, reading) {
        let isRound =
          block.resolution.block.next.count > 0 && number > 0
          && block.resolution.block.itemState.isEmpty
        let words =
          position < outputCount
          ? "an output" : isRound ? "a carried value's 'next'" : "a state's 'next'"
        judge(
          use, reading, by: Reader(words: words, block: number, step: nil), context, &found)
      }
    }
    return found
  }

  /// The reader and its place.
  struct Reader: Sendable {
    let words: String
    let block: Int
    let step: Int?
  }

  private static func isSuspect(_ use: ResolvedUse, _ reading: Reading) -> Bool {
    // What a response lacks by its description is another finding.
    if case .missing(let missing) = reading { return missing.owner.source == nil }
    return use.outcome == .unknown || use.outcome == .runsLater
  }

  private static func judge(
    _ use: ResolvedUse, _ reading: Reading, by reader: Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    let message: String
    var advice: (@Sendable () -> Proposal)?
    var name = use.name
    switch use.outcome {
    case .itself: return
    case .runsLater:
      message =
        "\(reader.words) reads '\(use.name)', a step of 'finally', which runs after all others"
    case .unknown where isOfUnreadState(use.name, context): return
    case .unknown:
      message =
        "\(reader.words) reads '\(use.name)', which is not a step, input or loop name"
      let range = use.use.range
      advice = { proposal(for: use.use.query, at: range, to: reader, context) }
    case .found:
      guard use.use.query.firstName != nil, case .missing(let missing) = reading,
        !isErrorOfUnread(missing, reader, context), !isOfUnreadKey(missing, reader, context)
      else { return }
      message = self.message(missing, reader, context)
      let range = use.use.range
      if isAdvised(missing) { advice = { proposal(for: missing, at: range, context) } }
      name = missing.name
    }
    let place = context.place(of: name, in: use.use.range) ?? use.use.range
    var finding = finding(message, at: place)
    finding.advice = advice.map { Advice($0) }
    finding.isInherited =
      reader.step.map { step in
        !context.steps[step].step.node.range.contains(use.use.range.lowerBound)
      } ?? false
    found.append(finding)
  }

  /// Whether the error of a step is read whose `onError` could not be.
  private static func isErrorOfUnread(
    _ missing: Reading.Missing, _ reader: Reader, _ context: LintContext
  ) -> Bool {
    guard missing.name == "error", missing.depth == 1,
      case .step(let level, let index) = missing.definition,
      let step = context.step(level: level, index: index, from: reader.block)
    else { return false }
    return context.isUnread("onError", of: step.node)
  }

  /// Whether `state` is read, whose declaration has a misspelt key, which is reported by itself.
  private static func isOfUnreadState(_ name: String, _ context: LintContext) -> Bool {
    guard name == "state" else { return false }
    let owners = [context.workflow.document.root] + context.steps.map(\.step.node)
    return owners.contains { owner in
      owner.members.contains { member in
        context.incomplete.contains(member.value.index)
          && Spelling.nearest(to: member.name, among: [name]) != nil
      }
    }
  }

  /// Whether a value is read of a step that extracts under the key of another tool.
  private static func isOfUnreadKey(
    _ missing: Reading.Missing, _ reader: Reader, _ context: LintContext
  ) -> Bool {
    if missing.definition == .inputs, missing.depth == 1 {
      return context.isUnread("inputs", of: context.workflow.document.root)
    }
    guard case .step(let level, let index) = missing.definition,
      let step = context.step(level: level, index: index, from: reader.block)
    else { return false }
    return context.has("extract", asOtherToolsCallIt: step)
      || context.has("outputs", asOtherToolsCallIt: step)
      || ["extract", "answers"].contains { context.isUnread($0, of: step.node) }
      || ["path", "size"].contains(missing.name) && context.isUnread("save", of: step.node)
  }

  /// Finds a header of `"headers": true` by a name with capitals: those names are in lower case.
  private static func judgeHeader(
    _ use: ResolvedUse, block: Int, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    let segments = use.use.query.segments
    guard segments.count > 2, case .step(let level, let index)? = use.definition,
      let header = segments[2].name,
      header.utf8.contains(where: { (0x41...0x5A).contains($0) }), let name = segments[1].name,
      let step = context.step(level: level, index: index, from: block), step.forEach == nil,
      case .request(let request) = step.action,
      request.extract.contains(where: { extractor in
        if case .headers = extractor.source { extractor.name == name } else { false }
      })
    else { return }
    found.append(
      finding(
        "'\(name)' has the names of headers in lower case; write '\(header.lowercasedASCII)'",
        at: context.place(of: header, in: use.use.range) ?? use.use.range,
        fix: context.place(of: header, in: use.use.range).map {
          .replacing($0, with: header.lowercasedASCII, isSafe: false)
        }))
  }

  // MARK: - A member that is not there

  private static func message(
    _ missing: Reading.Missing, _ reader: Reader, _ context: LintContext
  ) -> String {
    let reads = "\(reader.words) reads '\(missing.name)'"
    let first = missing.query.firstName ?? ""
    let isObject = missing.owner.contentKind == .object
    let within =
      "\(reads) of '\(missing.ownerPath)', which "
      + (isObject ? "does not have it" : "is \(missing.owner.words)")
    if let member = missing.memberOfOneObject {
      return "\(reader.words) reads '\(member)' of each '\(first)', but '\(first)' is one object"
    }
    guard missing.depth == 1 else { return within }
    switch missing.definition {
    case .inputs: return "\(reads), which is not an input"
    case .state:
      guard let value = context.workflow.state.first(where: { $0.name == missing.name }),
        let owner = context.owner(of: value)
      else { return "\(reads), which is not a state value" }
      return "\(reads) of the state, which each item of step '\(owner.id.value)' has for itself, so"
        + " only the steps inside it can read it"
    case .run:
      let names = missing.owner.memberNames
      if ["ok", "errors"].contains(missing.name) {
        return "\(reads) of the run, which is known only in 'finally'"
      }
      return "\(reads) of the run, which has " + names.map { "'\($0)'" }.joined(separator: ", ")
    case .step where missing.owner.isList && asksLength(missing):
      return "\(reads) of '\(first)', which is a list of rows"
    case .step where missing.owner.isList:
      return "\(reads) of '\(first)', which is a list of rows; "
        + "write '\(first)[0].\(missing.name)', or the query '$.\(first)[*].\(missing.name)'"
    case .step(let level, let index):
      let step = context.step(level: level, index: index, from: reader.block)
      return "\(reads), which step '\(first)' does not \(Self.verb(of: step))"
    case .item, .itemIndex, .carried, .pageValue: return within
    }
  }

  /// The name that was probably meant, or the existing names, if they are few.
  private static func proposal(
    for missing: Reading.Missing, at range: Range<Int>, _ context: LintContext
  ) -> Proposal {
    if let member = missing.memberOfOneObject {
      return ofOneObject(missing, member, at: range, context)
    }
    let names = missing.owner.memberNames
    let place = context.place(of: missing.name, in: range)
    if asksLength(missing) {
      return length(of: "$.\(missing.ownerPath)", missing, at: range, context)
    }
    if case .step = missing.definition, missing.depth == 1, !names.contains(missing.name),
      ForeignNames.has(missing.name, for: .values),
      let member = missing.query.segments.dropFirst(2).compactMap(\.name).first(where: {
        names.contains($0)
      })
    {
      let path = "\(missing.ownerPath).\(member)"
      return Proposal(
        "; write '\(path)'",
        fix: context.place(of: "\(missing.name).\(member)", in: range).map {
          .replacing($0, with: member, isSafe: false)
        })
    }
    if case .step = missing.definition, missing.depth == 1,
      ["path", "size"].contains(missing.name), !names.contains("path")
    {
      return "; only a step with 'save' has it"
    }
    if let near = Spelling.nearest(to: missing.name, among: names) {
      return .didYouMean(near, at: place)
    }
    if case .step = missing.definition, missing.depth == 1, missing.name == "error" {
      return "; a step has it only under \"onError\": \"recover\""
    }
    guard missing.depth == 1 else { return .none }
    switch missing.definition {
    case .step:
      guard (1...5).contains(names.count) else { return .none }
      return Proposal(
        "; it has " + names.map { "'\($0)'" }.joined(separator: ", "),
        fix: names.count == 1 ? place.map { .replacing($0, with: names[0], isSafe: false) } : nil)
    case .inputs:
      // After a name was changed, nothing reads the new one.
      let unread = names.filter { !context.readsInput($0) }
      return .oneOf(unread.count == 1 ? unread : names, at: place, "the inputs are")
    case .state: return .oneOf(names, at: place, "the state has")
    case .run, .item, .itemIndex, .carried, .pageValue: return .none
    }
  }

  /// The length of a list: a function in a condition, and a form in data.
  private static func length(
    of path: String, _ missing: Reading.Missing, at range: Range<Int>, _ context: LintContext
  ) -> Proposal {
    let isLast = missing.query.segments.count == missing.depth + 1
    let isCondition = context.steps.contains { step in
      step.parts.conditions.contains { $0.written.range.contains(range.lowerBound) }
    }
    if isCondition {
      let call = "length(\(path))"
      let isPlain = isLast && context.text(in: range) == missing.query.text
      return Proposal(
        "; write '\(call)'",
        fix: isPlain ? .replacing(range, with: call, isSafe: false) : nil)
    }
    let count = "{\"$count\": \"\(path)\"}"
    let (file, place) = context.workflow.place(of: range)
    let whole = [("\"", "\""), ("\"{{", "}}\"")].first { opening, closing in
      file.bytes[..<place.lowerBound].reversed().starts(with: opening.utf8.reversed())
        && file.bytes[place.upperBound...].starts(with: closing.utf8)
    }
    return Proposal(
      "; write \(count)",
      fix: isLast
        ? whole.map {
          let start = range.lowerBound - $0.0.utf8.count
          return .replacing(start..<range.upperBound + $0.1.utf8.count, with: count, isSafe: false)
        } : nil)
  }

  /// The way without a position: `$.list.ids` for `$.list[*].ids`.
  private static func ofOneObject(
    _ missing: Reading.Missing, _ member: String, at range: Range<Int>, _ context: LintContext
  ) -> Proposal {
    let query = missing.query
    guard context.text(in: range) == query.text else {
      return Proposal("; write '\(query.firstName ?? "").\(member)'")
    }
    let position = query.segments[1].range
    let bytes = query.text.utf8
    let start = query.range.lowerBound
    let path =
      String(decoding: bytes.prefix(position.lowerBound - start), as: UTF8.self)
      + String(decoding: bytes.dropFirst(position.upperBound - start), as: UTF8.self)
    return Proposal("; write '\(path)'", fix: .replacing(range, with: path, isSafe: false))
  }

  /// Whether the length of a list or text is read as if it were a member.
  private static func asksLength(_ missing: Reading.Missing) -> Bool {
    guard ForeignNames.has(missing.name, for: .length) else { return false }
    return missing.owner.isList || missing.owner.contentKind == .string
  }

  /// Whether the message ends with the name that was probably meant.
  private static func isAdvised(_ missing: Reading.Missing) -> Bool {
    if asksLength(missing) { return true }
    if missing.memberOfOneObject != nil { return true }
    let isObject = missing.owner.contentKind == .object
    guard missing.depth == 1 else { return isObject }
    switch missing.definition {
    case .inputs, .state: return true
    case .run: return false
    case .step: return !missing.owner.isList
    case .item, .itemIndex, .carried, .pageValue: return isObject
    }
  }

  private static func verb(of step: Step?) -> String {
    switch step?.action {
    case .request: "extract"
    case .values: "compute"
    case .call: "return"
    case .block(let block):
      block.isChoice ? "give" : block.outputs == nil ? "contain" : "return"
    case .ask: "ask for"
    case .wait, .fail, .say, nil: "have"
    }
  }
}

extension Reading.Missing {
  /// The member that is read of an object as if that were a list of objects.
  fileprivate var memberOfOneObject: String? {
    guard depth <= 2, query.segments.count > 2, query.segments[1].name == nil,
      start.contentKind == .object, let name = query.segments[2].name,
      start.memberNames.contains(bytes: name)
    else { return nil }
    return name
  }

  /// The way to the owner: `list.rows`.
  fileprivate var ownerPath: String {
    query.segments[..<depth].reduce("") { path, segment in
      switch segment.selectors.first.kind {
      case .name(let name): path.isEmpty ? name.text : path + "." + name.text
      case .index(let index): path + "[\(index)]"
      default: path + "[*]"
      }
    }
  }
}
