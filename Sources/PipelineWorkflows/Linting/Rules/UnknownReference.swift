import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A reference to something that does not exist.
enum UnknownReference: LintRule {
  static let explanation = Explanation(
    "unknown-reference", .error,
    what: "A template, query or condition reads a step, input or value that does not exist.",
    why: """
      A step can read the inputs, the state, its loop names, and the other steps of its own and \
      all enclosing blocks. From a step it can read the values that the step extracts, computes or \
      returns. The message suggests the closest name.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "login",
            "endpoint": "POST https://api.example.com/login",
            "extract": { "token": { "body": "$.token", "secret": true } }
          },
          {
            "id": "user",
            "endpoint": "GET https://api.example.com/user",
            "auth": { "bearer": "{{login.tokn}}" }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "login",
            "endpoint": "POST https://api.example.com/login",
            "extract": { "token": { "body": "$.token", "secret": true } }
          },
          {
            "id": "user",
            "endpoint": "GET https://api.example.com/user",
            "auth": { "bearer": "{{login.token}}" }
          }
        ]
      }
      """)

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
        let words = position < outputCount ? "an output" : "a state's 'next'"
        judge(
          use, reading, by: Reader(words: words, block: number, step: nil), context, &found)
      }
    }
    return found
  }

  /// The reader and its place.
  private struct Reader: Sendable {
    let words: String
    let block: Int
    let step: Int?
  }

  private static func isSuspect(_ use: ResolvedUse, _ reading: Reading) -> Bool {
    if case .missing = reading { return true }
    return use.outcome == .unknown || use.outcome == .runsLater
  }

  private static func judge(
    _ use: ResolvedUse, _ reading: Reading, by reader: Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    let message: String
    var advice: (@Sendable () -> String)?
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
      if isAdvised(missing) { advice = { proposal(for: missing) } }
      name = missing.name
    }
    var finding = finding(message, at: Self.place(of: name, in: use.use.range, context))
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
      let node = context.step(level: level, index: index, from: reader.block)?.node["onError"]
    else { return false }
    return !["fail", "continue", "recover"].contains(bytes: node.string ?? "") && !node.isNull
  }

  /// Whether `state` is read, whose declaration has a misspelt key, which is reported by itself.
  private static func isOfUnreadState(_ name: String, _ context: LintContext) -> Bool {
    name == "state"
      && context.workflow.document.root.members.contains { member in
        context.incomplete.contains(member.value.index)
          && Spelling.nearest(to: member.name, among: [name]) != nil
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
      || context.isUnread("extract", of: step.node)
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
        at: place(of: header, in: use.use.range, context)))
  }

  /// Where a name is in a reference: the whole reference, if that is not certain.
  private static func place(
    of name: String, in range: Range<Int>, _ context: LintContext
  ) -> Range<Int> {
    let (file, part) = context.workflow.place(of: range)
    let bytes = file.bytes[part.clamped(to: 0..<file.bytes.count)]
    let name = Array(name.utf8)
    let places = bytes.indices.filter { start in
      guard bytes[start...].starts(with: name) else { return false }
      return [start - 1, start + name.count].allSatisfy { index in
        !bytes.indices.contains(index) || !isNameByte(bytes[index])
      }
    }
    guard let place = places.first, places.count == 1 else { return range }
    let start = place + range.lowerBound - part.lowerBound
    return start..<start + name.count
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte & 0xDF)
  }

  // MARK: - An unknown first name

  private static func proposal(
    for query: Query, at range: Range<Int>, to reader: Reader, _ context: LintContext
  ) -> String {
    guard let name = query.firstName else { return "" }
    let inputs = context.workflow.inputs.map(\.name)
    if let step = reader.step, let path = ofResponse(query, at: range, context.steps[step].step) {
      return "; the response is '@' here: write '\(path)'"
    }
    if name == "item" || name == "index", let loop = loop(around: reader, context) {
      if name == "item" { return "; the item is called '\(loop.itemName)' here" }
      return loop.indexName.map { "; the item's number is called '\($0.value)' here" }
        ?? "; write \"indexAs\": \"index\" beside 'forEach' to name the item's number"
    }
    if let input = inputOfOtherTool(query, inputs) { return "; \(input)" }
    if inputs.contains(name) { return "; did you mean 'inputs.\(name)'?" }
    if context.workflow.state.contains(where: { $0.name == name }) {
      return "; did you mean 'state.\(name)'?"
    }
    if name == "state" {
      return "; declare values that a run leaves to the next run in 'state', at the top of the file"
    }
    let environments: Set<String> = [
      "env", "secrets", "process", "os", "sys", "system", "environ", "ENV",
    ]
    if environments.contains(name) {
      return "; declare an input with 'env', and write 'inputs.NAME'"
    }
    if ["response", "body", "headers", "status"].contains(name) {
      return "; a response is read in 'extract', or with '@' in 'expect'"
    }
    let visible = context.visibleNames(block: reader.block, step: reader.step)
    if let path = Self.withoutForeignWords(query, visible) {
      return "; a step is read by its id: write '\(path)'"
    }
    if let near = Spelling.nearest(to: name, among: visible) { return "; did you mean '\(near)'?" }
    // A value that is named without its step.
    for number in context.blocks[reader.block].steps where number != reader.step {
      guard context.shapes[number].row.memberNames.contains(name) else { continue }
      let step = context.steps[number].step
      return "; did you mean '\(step.id.value)\(step.forEach == nil ? "" : "[0]").\(name)'?"
    }
    for number in context.blocks[reader.block].steps {
      let step = context.steps[number]
      guard let inner = step.inner, context.blocks[inner].resolution.step(named: name) != nil else {
        continue
      }
      let id = step.step.id.value
      return step.step.forEach == nil
        ? "; it is in step '\(id)': write '\(id).\(name)'"
        : "; it is in step '\(id)', once for each item: write '\(id)[0].\(name)'"
    }
    if name == "item" || context.steps.contains(where: { $0.step.forEach?.itemName == name }) {
      return "; an item can be read only in the step with its 'forEach'"
    }
    if let near = Spelling.nearest(to: name, among: inputs) {
      return "; did you mean 'inputs.\(near)'?"
    }
    if query.segments.count == 1, let member = ForeignDialect.memberOfRun(named: name) {
      return "; write 'run.\(member.name)', \(member.meaning)"
    }
    return query.segments.count == 1
      ? "; a value from outside is an input, read as 'inputs.\(name)'" : ""
  }

  /// `@.body.total` for `$.total` in a condition on the response.
  private static func ofResponse(_ query: Query, at range: Range<Int>, _ step: Step) -> String? {
    guard case .request = step.action, query.anchor == .root, query.text.hasPrefix(bytes: "$."),
      step.node.members.contains(where: { member in
        ["expect", "poll", "paginate", "retry"].contains(member.name)
          && member.value.range.contains(range.lowerBound)
      })
    else { return nil }
    let path = query.text.dropFirst(bytes: 2)
    let parts = ["body", "status", "headers", "text", "cookies", "url", "elapsed", "values"]
    return parts.contains(query.firstName ?? "") ? "@.\(path)" : "@.body.\(path)"
  }

  /// The nearest `forEach` whose names the reader sees.
  private static func loop(around reader: Reader, _ context: LintContext) -> Iteration? {
    var step = reader.step
    var block = reader.block
    while true {
      if let loop = step.flatMap({ context.steps[$0].step.forEach }) { return loop }
      guard let parent = context.blocks[block].parent else { return nil }
      step = parent
      block = context.steps[parent].block
    }
  }

  /// The replacement of a value from outside in the form of other tools: `_.base`,
  /// `config['base']`.
  private static func inputOfOtherTool(_ query: Query, _ inputs: [String]) -> String? {
    let owners: Set<String> = [
      "_", "vars", "var", "variables", "config", "params", "param", "input", "args", "context",
      "github", "workflow", "parameters", "globals", "settings", "data", "self", "this",
    ]
    guard let name = query.firstName, owners.contains(name), query.segments.count > 1,
      let member = query.segments[1].name
    else { return nil }
    if inputs.contains(member) { return "did you mean 'inputs.\(member)'?" }
    return "a value from outside is declared in 'inputs', and read as 'inputs.\(member)'"
  }

  /// `list.total` for `steps.list.outputs.total`, as other tools write it.
  private static func withoutForeignWords(_ query: Query, _ visible: [String]) -> String? {
    let names = query.segments.map { $0.name ?? "" }
    let owners: Set<String> = [
      "step", "steps", "jobs", "nodes", "tasks", "outputs", "output", "results", "result",
      "responses", "ctx", "prev", "previous",
    ]
    guard names.count > 1, owners.contains(names[0]),
      visible.contains(names[1]), !names.contains("")
    else { return nil }
    let rest = names.dropFirst(2).drop { ["outputs", "output", "response"].contains($0) }
    return ([names[1]] + rest).joined(separator: ".")
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
    guard missing.depth == 1 else { return within }
    switch missing.definition {
    case .inputs: return "\(reads), which is not an input"
    case .state: return "\(reads), which is not a state value"
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
    case .item, .itemIndex: return within
    }
  }

  /// The name that was probably meant, or the existing names, if they are few.
  private static func proposal(for missing: Reading.Missing) -> String {
    let names = missing.owner.memberNames
    if asksLength(missing) {
      let path = "$.\(missing.ownerPath)"
      return "; write 'length(\(path))' in a condition, or {\"$count\": \"\(path)\"} in data"
    }
    if case .step = missing.definition, missing.depth == 1, !names.contains(missing.name),
      foreignOwners.contains(missing.name),
      let member = missing.query.segments.dropFirst(2).compactMap(\.name).first(where: {
        names.contains($0)
      })
    {
      return "; write '\(missing.ownerPath).\(member)'"
    }
    if case .step = missing.definition, missing.depth == 1,
      ["path", "size"].contains(missing.name), !names.contains("path")
    {
      return "; only a step with 'save' has it"
    }
    if let near = Spelling.nearest(to: missing.name, among: names) {
      return "; did you mean '\(near)'?"
    }
    if case .step = missing.definition, missing.depth == 1, missing.name == "error" {
      return "; a step has it only under \"onError\": \"recover\""
    }
    guard missing.depth == 1, case .step = missing.definition, (1...4).contains(names.count) else {
      return ""
    }
    return "; it has " + names.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// What other tools have between a step and its values.
  private static let foreignOwners: Set<String> = [
    "outputs", "output", "values", "extract", "extracted", "result", "results", "response", "body",
    "json", "data", "captures", "vars", "variables", "return",
  ]

  /// Whether the length of a list or text is read as if it were a member.
  private static func asksLength(_ missing: Reading.Missing) -> Bool {
    guard ["length", "size", "count", "len"].contains(missing.name) else { return false }
    return missing.owner.isList || missing.owner.contentKind == .string
  }

  /// Whether the message ends with the name that was probably meant.
  private static func isAdvised(_ missing: Reading.Missing) -> Bool {
    if asksLength(missing) { return true }
    let isObject = missing.owner.contentKind == .object
    guard missing.depth == 1 else { return isObject }
    switch missing.definition {
    case .inputs, .state: return true
    case .run: return false
    case .step: return !missing.owner.isList
    case .item, .itemIndex: return isObject
    }
  }

  private static func verb(of step: Step?) -> String {
    switch step?.action {
    case .request: "extract"
    case .values: "compute"
    case .call: "return"
    case .block(let block):
      block.isChoice ? "give" : block.outputs == nil ? "contain" : "return"
    case .wait, .fail, nil: "have"
    }
  }
}

extension Reading.Missing {
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

extension LintContext {
  /// Every name that can be read in a block, nearest first; `step`: by this step.
  func visibleNames(block: Int, step: Int?) -> [String] {
    var names: [String] = []
    var loop = step.flatMap { steps[$0].step.forEach }
    var around: Int? = block
    var inside = step
    while let number = around {
      names += [loop?.itemName, loop?.indexName?.value].compactMap { $0 }
      if !blocks[number].resolution.block.isChoice {
        names += blocks[number].steps.filter { $0 != inside }.map { steps[$0].step.id.value }
      }
      inside = blocks[number].parent
      loop = inside.flatMap { steps[$0].step.forEach }
      around = inside.map { steps[$0].block }
    }
    return names + ["inputs", "run"] + (workflow.block.keepsState ? ["state"] : [])
  }

  /// The step that a definition stands for, seen from a block.
  func step(level: Int, index: Int, from block: Int) -> Step? {
    ancestor(of: block, level: level).map { steps[blocks[$0].steps[index]].step }
  }
}
