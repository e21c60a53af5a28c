import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// `forEach` and the keys that go with it.
  ///
  /// - Parameter onError: The effect of the step's failure: `recover` keeps the rows of the other
  ///   items.
  mutating func iteration(_ fields: ObjectFields, _ onError: Step.OnError) -> Iteration? {
    let name = scopeName(fields["as"], "as")
    let indexName = scopeName(fields["indexAs"], "indexAs")
    let concurrency = amount(
      fields, "concurrency", inherited: (defaults.concurrency, defaults.concurrencyData))
    let batch = amount(fields, "batch", inherited: (nil, nil))
    let until = condition(fields["until"], "until", isOfRow: true)
    let isDistinct = boolean(fields["distinct"], "distinct")
    let onItemError: Iteration.OnItemError? = choice(fields["onItemError"], "onItemError")
    guard let node = fields["forEach"] else { return nil }
    if onError == .recover, onItemError == .fail { reportLostRows(fields) }
    if let name { checkHiding(name) }
    if let indexName {
      checkHiding(indexName)
      if indexName.value == name?.value ?? "item" {
        report(
          .duplicateName, "the item and its number are both called '\(indexName.value)'",
          at: indexName.range)
      }
    }
    if name == nil { checkHiding(Written("item", at: node)) }
    if let member = fields.member("until"), concurrency.data == nil, concurrency.number?.value != 1
    {
      report(
        .conflictingKeys,
        "'until' looks at one row after another; write \"concurrency\": 1 beside it",
        at: member.nameRange,
        fix: fields["concurrency"].map { .replacing($0.range, with: "1", isSafe: false) }
          ?? .inserting(
            ", \"concurrency\": 1", at: member.value.range.upperBound, "add \"concurrency\": 1"))
    }
    // Its names can be read, whatever is wrong with it.
    let source =
      (incomplete.contains(node.index) ? nil : iterationSource(node))
      ?? .list(DataTemplate.parse(node, allowsQueries: true).0)
    return Iteration(
      source: Written(source, at: node), name: name, indexName: indexName,
      concurrency: concurrency.number, batch: batch.number, concurrencyData: concurrency.data,
      batchData: batch.data, until: until, isDistinct: isDistinct ?? false,
      onItemError: onError == .recover ? .collect : onItemError ?? .fail)
  }

  /// A whole number, or a template that gives one; `null` drops what is inherited.
  mutating func amount(
    _ fields: ObjectFields, _ name: String, inherited: (Written<Int>?, DataTemplate?)
  ) -> (number: Written<Int>?, data: DataTemplate?) {
    guard let node = fields[name] else { return inherited }
    if node.isNull, name == "concurrency" { return (nil, nil) }
    guard let text = node.string, Int(text) == nil else {
      return (writtenInteger(node, name, minimum: 1), nil)
    }
    guard Template.parse(text).template.whole != nil else {
      mistyped(node, name, "a whole number, or a template that gives one")
      return (nil, nil)
    }
    return (nil, data(node))
  }

  private mutating func reportLostRows(_ fields: ObjectFields) {
    guard let node = fields["onItemError"] else { return }
    let source = fields.has("onError") ? "" : ", which 'defaults' set,"
    report(
      .conflictingKeys,
      "\"onError\": \"recover\"\(source) keeps the rows of the other items, and"
        + " \"onItemError\": \"fail\" would cancel them; write \"collect\" or leave it out",
      at: node.range,
      related: fields.member("onError").map {
        [.init(range: $0.nameRange, message: "'onError' is here")]
      } ?? [],
      fix: DiagnosticFix(
        message: "write \"collect\"",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"collect\"")], isSafe: false))
  }

  /// The names that a loop defines for its inner steps.
  func loopScope(_ iteration: Iteration?) -> [String: Range<Int>] {
    guard let iteration else { return [:] }
    var names = [iteration.itemName: iteration.name?.range ?? iteration.source.range]
    if let index = iteration.indexName { names[index.value] = index.range }
    return names
  }

  private mutating func iterationSource(_ node: JSONNode) -> Iteration.Source? {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      if let reference = Template.parse(text).template.whole {
        let query = "$.\(reference.text)"
        report(
          .forEachTemplate, "'forEach' takes a query, not a template; write \"\(query)\"",
          at: node.range, fix: Self.fix(query, for: 0..<text.utf8.count, in: node))
        return .list(data(node))
      }
      guard text.hasPrefix(bytes: "$") else {
        mistyped(
          node, "forEach", "a query such as \"$.list.ids\", a list or a range",
          hint: (Self.range(meantBy: text) ?? Self.query(meantBy: text)).map {
            .write($0, for: node.range)
          } ?? .none)
        incomplete.insert(node.index)
        return nil
      }
      return scopeQuery(node, "forEach").map { .query($0) }
    case .array:
      return .list(data(node))
    case .object:
      return fields(of: node, .range, .key("forEach"))
        .flatMap { object(Iteration.Numbers.self, $0) }
        .map { .range(from: $0.from, to: $0.to, by: $0.by) }
    case .number, .boolean, .null:
      mistyped(
        node, "forEach", "a query such as \"$.list.ids\", a list or a range",
        hint: node.number?.int.map {
          .write("{\"from\": 1, \"to\": \($0)}", for: node.range)
        } ?? .none)
      return nil
    }
  }

  /// How `1..10`, `1-10` and `range(1, 10)` are written.
  private static func range(meantBy text: String) -> String? {
    let isCall = text.hasPrefix(bytes: "range(") && text.hasSuffix(bytes: ")")
    let inner = isCall ? text.dropFirst(bytes: 6).dropLast(bytes: 1) : text[...]
    let bounds = inner.split(ascii: isCall ? "," : inner.contains(bytes: "..") ? "." : "-").map {
      Int($0.drop { $0 == " " })
    }
    guard bounds.count == 2, let from = bounds[0], let to = bounds[1] else { return nil }
    return "{\"from\": \(from), \"to\": \(to)}"
  }

  /// The query for `list.ids`, which is how a template names the value.
  private static func query(meantBy text: String) -> String? {
    let (template, problems) = Template.parse("{{\(text)}}")
    guard problems.isEmpty, let whole = template.whole, whole.text.utf8.elementsEqual(text.utf8)
    else { return nil }
    return "\"$.\(text)\""
  }

  /// Reports a number of a range that can be no whole number, or that must not be 0.
  mutating func checkBound(_ node: JSONNode, _ name: String, allowsZero: Bool) {
    switch node.kind {
    case .number:
      guard let value = node.number?.int else {
        report(.invalidValue, "'\(name)' must be a whole number", at: node.range)
        return
      }
      if !allowsZero, value == 0 {
        report(
          .invalidValue, "'\(name)' must not be 0: the range would never end", at: node.range)
      }
    case .string where Template.parse(node.string ?? "").template.whole != nil: break
    default:
      let quoted = node.string.flatMap(Int.init)
      mistyped(
        node, name, "a whole number, or a template that gives one",
        hint: quoted.map { .withoutQuotes("\($0)", for: node.range) } ?? .none)
    }
  }

  // MARK: - Pages

  mutating func pagination(_ node: JSONNode) -> Pagination? {
    fields(of: node, .paginate, .key("paginate")).flatMap { object(Pagination.self, $0) }
  }

  // MARK: - Polling

  mutating func poll(_ node: JSONNode) -> Poll? {
    fields(of: node, .poll, .key("poll")).flatMap { object(Poll.self, $0) }
  }
}
