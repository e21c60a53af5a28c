import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

// What was meant by a first name that stands for nothing.

extension UnknownReference {
  /// A reference as it is in the file.
  private struct Written {
    let query: Query
    let range: Range<Int>
    let context: LintContext

    /// The first name's place, if that is certain.
    var name: Range<Int>? {
      query.firstName.flatMap { context.place(of: $0, in: range) }
    }

    /// `; did you mean 'NAME'?`, in the place of the first name.
    func didYouMean(_ name: String) -> Proposal { .didYouMean(name, at: self.name) }

    /// The edit that writes another start for the first names of the query.
    func start(_ count: Int, as text: String) -> DiagnosticFix? {
      replacement(of: count, with: text).map {
        DiagnosticFix(message: "write \(text)", edits: [$0], isSafe: false)
      }
    }

    private func replacement(of count: Int, with text: String) -> DiagnosticFix.Edit? {
      guard query.segments.count >= count, let first = name else { return nil }
      // The rest follows the last of these names, up to the end of its brackets.
      let length =
        query.segments[count - 1].range.upperBound - query.segments[0].range.upperBound
      let end = first.upperBound + length
      let names = query.segments[..<count].compactMap(\.name)
      guard names.count == count, end <= range.upperBound,
        names.dropFirst().allSatisfy({
          context.text(in: first.upperBound..<end).contains(bytes: $0)
        })
      else { return nil }
      return DiagnosticFix.Edit(range: first.lowerBound..<end, replacement: text)
    }

    /// The edits that declare an input, and read it in the place of the first names.
    ///
    /// - Parameter variable: The name that it has outside.
    func declared(
      _ variable: String, as declaration: String, insteadOf count: Int
    ) -> DiagnosticFix? {
      let isUpper = !variable.utf8.contains { (0x61...0x7A).contains($0) }
      let words = isUpper ? variable.lowercased().replacing(bytes: "_", with: "-") : variable
      guard let name = WorkflowDecoder.nearestName(to: words),
        let input = context.declaring(input: name, as: declaration),
        let edit = replacement(of: count, with: "inputs.\(name)")
      else { return nil }
      return DiagnosticFix(
        message: "declare the input '\(name)', and read it", edits: [input, edit], isSafe: false)
    }
  }

  static func proposal(
    for query: Query, at range: Range<Int>, to reader: Reader, _ context: LintContext
  ) -> Proposal {
    guard let name = query.firstName else { return .none }
    let written = Written(query: query, range: range, context: context)
    let inputs = context.workflow.inputs.map(\.name)
    if let step = reader.step, let path = ofResponse(query, at: range, context.steps[step].step) {
      let isPlain = context.text(in: range) == query.text
      return Proposal(
        "; the response is '@' here: write '\(path)'",
        fix: isPlain ? .replacing(range, with: path, isSafe: false) : nil)
    }
    if let path = ofRound(query, at: range, reader, context) {
      return Proposal(
        "; the round's row is '@' here: write '\(path)'",
        fix: context.text(in: range) == query.text
          ? .replacing(range, with: path, isSafe: false) : nil)
    }
    let loop = loopStep(around: reader, context)?.forEach
    if name == "item" || name == "index", let loop, loop.rounds == nil {
      let own = name == "item" ? loop.itemName : loop.indexName?.value
      guard let own else {
        return Proposal(
          "; write \"indexAs\": \"index\" beside 'forEach' to name the item's number",
          fix: loopStep(around: reader, context)?.node.suggesting("indexAs", "\"index\""))
      }
      return Proposal(
        "; the item\(name == "item" ? "" : "'s number") is called '\(own)' here",
        fix: written.start(1, as: own))
    }
    if let input = inputOfOtherTool(query, inputs, written) { return input }
    if inputs.contains(name) { return written.didYouMean("inputs.\(name)") }
    if context.workflow.state.contains(where: { $0.name == name }) {
      return written.didYouMean("state.\(name)")
    }
    if name == "state" {
      return "; declare values that a run leaves to the next run in 'state', at the top of the file"
    }
    if ForeignNames.has(name, for: .environment) {
      let variable = query.segments.count == 2 ? query.segments[1].name : nil
      let secret = name == "secrets" ? ", \"secret\": true" : ""
      return Proposal(
        "; declare an input with 'env', and write 'inputs.NAME'",
        fix: variable.flatMap {
          written.declared($0, as: "{ \"env\": \"\($0)\"\(secret) }", insteadOf: 2)
        })
    }
    if name == RequestPart.scopeName {
      return "; the request is known in 'auth' only: write \"auth\": {\"sign\": {\"headers\": …}}"
    }
    if ForeignNames.has(name, for: .response) {
      return "; a response is read in 'extract', or with '@' in 'expect'"
    }
    let visible = context.visibleNames(block: reader.block, step: reader.step)
    if let (path, count) = withoutForeignNames(query, visible, reader, context) {
      return Proposal(
        "; a step is read by its id: write '\(path)'", fix: written.start(count, as: path))
    }
    if let near = Spelling.nearest(to: name, among: visible) { return written.didYouMean(near) }
    // A value that is named without its step.
    for number in context.blocks[reader.block].steps where number != reader.step {
      guard context.shapes[number].row.memberNames.contains(name) else { continue }
      let step = context.steps[number].step
      return written.didYouMean("\(step.id.value)\(step.forEach == nil ? "" : "[0]").\(name)")
    }
    for number in context.blocks[reader.block].steps {
      let step = context.steps[number]
      guard let inner = step.inner, context.blocks[inner].resolution.step(named: name) != nil else {
        continue
      }
      let id = step.step.id.value
      let path = step.step.forEach == nil ? "\(id).\(name)" : "\(id)[0].\(name)"
      return Proposal(
        step.step.forEach == nil
          ? "; it is in step '\(id)': write '\(path)'"
          : "; it is in step '\(id)', once for each item: write '\(path)'",
        fix: written.start(1, as: path))
    }
    if name == "item" || context.steps.contains(where: { $0.step.forEach?.itemName == name }) {
      return "; an item can be read only in the step with its 'forEach'"
    }
    if let near = Spelling.nearest(to: name, among: inputs) {
      return written.didYouMean("inputs.\(near)")
    }
    if query.segments.count == 1, let member = ForeignDialect.memberOfRun(named: name) {
      return Proposal(
        "; write 'run.\(member.name)', \(member.meaning)",
        fix: written.start(1, as: "run.\(member.name)"))
    }
    return renamed(query, written, loop, reader)
  }

  /// What is left to be meant after a name was changed: the only step that has the value, the loop's
  /// name that nothing reads, or a few names.
  private static func renamed(
    _ query: Query, _ written: Written, _ loop: Iteration?, _ reader: Reader
  ) -> Proposal {
    let context = written.context
    let steps = context.blocks[reader.block].steps.filter { $0 != reader.step }
    guard query.segments.count > 1 else {
      let name = query.firstName ?? ""
      let isLoopUnread = reader.step.map { step in
        !context.steps[step].uses.contains { $0.name == loop?.itemName }
      }
      if let item = loop?.itemName, isLoopUnread == true {
        return Proposal("; the item is called '\(item)' here", fix: written.start(1, as: item))
      }
      return Proposal(
        "; a value from outside is an input, read as 'inputs.\(name)'",
        fix: written.declared(name, as: "{ \"type\": \"string\" }", insteadOf: 1))
    }
    let member = query.segments[1].name ?? query.segments.dropFirst(2).first?.name
    if let member {
      let owners = steps.filter { context.shapes[$0].row.memberNames.contains(member) }
      if !owners.isEmpty {
        return .oneOf(
          owners.map { context.steps[$0].step.id.value }, at: written.name, "'\(member)' is in")
      }
    }
    let ids = steps.map { context.steps[$0].step.id.value }
    guard (1...5).contains(ids.count) else { return .none }
    let start = ids.count == 1 ? "; the only step to read is " : "; the steps are "
    return Proposal(start + ids.map { "'\($0)'" }.joined(separator: ", "))
  }

  /// `@.body.total` for `$.total` in a condition on the response.
  private static func ofResponse(_ query: Query, at range: Range<Int>, _ step: Step) -> String? {
    guard case .request = step.action, query.anchor == .root, query.text.hasPrefix(bytes: "$."),
      step.node.members.contains(where: { member in
        ["expect", "poll", "paginate", "retry", "settle"].contains(member.name)
          && member.value.range.contains(range.lowerBound)
      })
    else { return nil }
    let path = query.text.dropFirst(bytes: 2)
    let parts = ["body", "status", "headers", "text", "cookies", "url", "elapsed", "values"]
    return parts.contains(query.firstName ?? "") ? "@.\(path)" : "@.body.\(path)"
  }

  /// The query of a round's row that is meant in `until` by the name of a step of the block.
  private static func ofRound(
    _ query: Query, at range: Range<Int>, _ reader: Reader, _ context: LintContext
  ) -> String? {
    guard let step = reader.step.map({ context.steps[$0] }), let inner = step.inner,
      step.step.forEach?.until?.range.contains(range.lowerBound) == true,
      let name = query.firstName, query.text.hasPrefix(bytes: "$"),
      context.blocks[inner].resolution.step(named: name) != nil
    else { return nil }
    return "@" + query.text.dropFirst(bytes: 1)
  }

  /// The nearest step with a `forEach` whose names the reader sees.
  private static func loopStep(around reader: Reader, _ context: LintContext) -> Step? {
    var step = reader.step
    var block = reader.block
    while true {
      if let step, context.steps[step].step.forEach != nil { return context.steps[step].step }
      guard let parent = context.blocks[block].parent else { return nil }
      step = parent
      block = context.steps[parent].block
    }
  }

  /// The replacement of a value from outside in the form of other tools: `_.base`,
  /// `config['base']`.
  private static func inputOfOtherTool(
    _ query: Query, _ inputs: [String], _ written: Written
  ) -> Proposal? {
    guard let name = query.firstName, ForeignNames.has(name, for: .inputs),
      query.segments.count > 1,
      let member = query.segments[1].name
    else { return nil }
    if inputs.contains(member) {
      return Proposal(
        "; did you mean 'inputs.\(member)'?", fix: written.start(2, as: "inputs.\(member)"))
    }
    return Proposal(
      "; a value from outside is declared in 'inputs', and read as 'inputs.\(member)'",
      fix: written.declared(member, as: "{ \"type\": \"string\" }", insteadOf: 2))
  }

  /// `list.total` for `steps.list.outputs.total`, as other tools write it.
  ///
  /// Its second part is how many names of the query it takes the place of.
  private static func withoutForeignNames(
    _ query: Query, _ visible: [String], _ reader: Reader, _ context: LintContext
  ) -> (String, Int)? {
    let names = query.segments.map { $0.name ?? "" }
    guard names.count > 1, ForeignNames.has(names[0], for: .steps), visible.contains(names[1]),
      !names.contains("")
    else { return nil }
    let values = context.values(ofStep: names[1], block: reader.block)
    let rest = names.dropFirst(2).drop {
      ForeignNames.has($0, for: .values) && !values.contains(bytes: $0)
    }
    return (([names[1]] + rest).joined(separator: "."), names.count)
  }
}

extension LintContext {
  /// Every name that can be read in a block, nearest first; `step`: by this step.
  func visibleNames(block: Int, step: Int?) -> [String] {
    var names = step.map { steps[$0].step.pageValues.map(\.name) } ?? []
    var loop = step.flatMap { steps[$0].step.forEach }
    var around: Int? = block
    var inside = step
    while let number = around {
      names += loop?.names ?? []
      if !blocks[number].resolution.block.isChoice {
        names += blocks[number].steps.filter { $0 != inside }.map { steps[$0].step.id.value }
      }
      inside = blocks[number].parent
      loop = inside.flatMap { steps[$0].step.forEach }
      around = inside.map { steps[$0].block }
    }
    return names + ["inputs", "run"] + (workflow.block.keepsState ? ["state"] : [])
  }

  /// The names of the values that a step of a block is known to have.
  func values(ofStep id: String, block: Int) -> [String] {
    blocks[block].resolution.step(named: id).map { shapes[blocks[block].steps[$0]].row.memberNames }
      ?? []
  }

  /// The step that a definition stands for, seen from a block.
  func step(level: Int, index: Int, from block: Int) -> Step? {
    ancestor(of: block, level: level).map { steps[blocks[$0].steps[index]].step }
  }
}
