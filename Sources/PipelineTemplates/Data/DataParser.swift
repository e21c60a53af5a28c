internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineSourceText

/// Reads a JSON value with templates and forms.
struct DataParser {
  /// Whether a string may be a query here.
  var allowsQueries: Bool
  /// Whether something else is taken if what is read here is missing.
  var mayBeMissing = false
  /// Whether a form takes the bytes of what is read here.
  var mayBeBytes = false
  /// Whether the string that is read is the path of a file.
  var isPath = false
  /// The parts of the final request that are read; `nil` if it is not known here.
  var requestParts: Set<RequestPart>?
  /// Whether a form in it takes a key.
  var isKeyed = false
  var hasTypedForms = false
  var uses: [DataTemplate.Use] = []
  var queries: [(query: Query, node: JSONNode)] = []
  var problems: [DataProblem] = []
  var warnings: [DataProblem] = []
  /// What objects beside `$file` say, by their places in the document.
  let fileReadings: [Int: FileReading]
  /// The forms that it knows. They are made when the first of them is read.
  let forms: @Sendable () -> FormSet

  init(
    allowsQueries: Bool, forms: @escaping @Sendable () -> FormSet,
    fileReadings: [Int: FileReading] = [:]
  ) {
    self.allowsQueries = allowsQueries
    self.forms = forms
    self.fileReadings = fileReadings
  }

  /// The readings in the order of the text: options may be written before the value.
  var usesInOrder: [DataTemplate.Use] {
    hasTypedForms ? uses.sorted { $0.range.lowerBound < $1.range.lowerBound } : uses
  }

  mutating func parse(_ node: JSONNode) -> DataTemplate.Node {
    switch node.kind {
    case .string: parse(string: node)
    case .array: parse(array: node)
    case .object: parse(object: node)
    case .number, .boolean, .null: .literal(node, isVerbatim: true)
    }
  }

  // MARK: Strings

  private mutating func parse(string node: JSONNode) -> DataTemplate.Node {
    let text = node.string ?? ""
    if text.utf8.first == UInt8(ascii: "$"),
      text == "$" || text.hasPrefix(bytes: "$.") || text.hasPrefix(bytes: "$[")
    {
      if allowsQueries { return parse(query: text, node) }
      warnOfQuery(text, node)
    }
    guard text.holds("{") || text.holds("$") else {
      return .literal(node, isVerbatim: true)
    }
    // Most strings that hold a reference are one, and have no other parts to be looked for.
    if let reference = ReferenceParser.whole(text) {
      note(reference, in: node, isWhole: true)
      return .reference(reference, node)
    }
    let (template, found) = isPath ? Template.parsePath(text) : Template.parse(text)
    for problem in found { problems.append(DataProblem(problem, in: node)) }
    for problem in template.foreignTemplates { warnings.append(DataProblem(problem, in: node)) }
    let whole = template.whole
    for case .reference(let reference) in template.parts {
      note(reference, in: node, isWhole: whole != nil)
    }
    if let whole { return .reference(whole, node) }
    guard let literal = template.literal else { return .text(template, node) }
    if literal.utf8.elementsEqual(text.utf8) { return .literal(node, isVerbatim: true) }
    return .literal(JSONValue.string(literal).document.root, isVerbatim: false)
  }

  private mutating func note(_ reference: Template.Reference, in node: JSONNode, isWhole: Bool) {
    let range = node.sourceRange(ofDecoded: reference.range)
    if noteRequest(reference.query, at: range) { return }
    uses.append(
      DataTemplate.Use(
        query: reference.query, range: range, isQuery: false, isWhole: isWhole,
        mayBeMissing: mayBeMissing))
  }

  /// Notes a reading of the final request. It does not read the scope.
  ///
  /// - Returns: Whether it is one.
  private mutating func noteRequest(_ query: Query, at range: Range<Int>) -> Bool {
    guard requestParts != nil, query.firstName == RequestPart.scopeName else { return false }
    let names = RequestPart.allCases.map(\.rawValue)
    let name = query.segments.count == 2 ? query.segments[1].name : nil
    if let part = name.flatMap(RequestPart.init(rawValue:)) {
      requestParts?.insert(part)
      return true
    }
    let near = name.flatMap { Spelling.nearest(to: $0, among: names) }
    problems.append(
      DataProblem(
        .reference,
        (name.map { "'request' has no '\($0)'" } ?? "'\(query.text)' is not a part of the request")
          + (near.map { "; did you mean '\($0)'?" }
            ?? "; it has \(names.map { "'\($0)'" }.joined(separator: ", "))"),
        at: range))
    return true
  }

  private mutating func parse(query text: String, _ node: JSONNode) -> DataTemplate.Node {
    switch Query.parse(text, in: .template) {
    case .success(let query):
      for reference in query.references {
        let inner = reference.query
        let range = node.sourceRange(ofDecoded: reference.range)
        if !inner.beginsWithNames {
          problems.append(
            DataProblem(
              .query,
              "'\(inner.text)' must begin with a name, as in $.list.ids, so that its dependencies"
                + " are known; a text is written {\"$literal\": \"\(inner.text)\"}",
              at: range))
        }
        if noteRequest(inner, at: range) { continue }
        uses.append(
          DataTemplate.Use(
            query: inner, range: range, isQuery: !reference.isBinding,
            isWhole: !reference.isBinding && inner.range == query.range,
            mayBeMissing: mayBeMissing))
      }
      queries.append((query, node))
      return .query(query, node)
    case .failure(let error):
      problems.append(
        DataProblem(
          TemplateProblem(
            .query, error.message, at: error.range, fix: error.fix,
            isGuess: error.isGuess), in: node))
      return .literal(node, isVerbatim: true)
    }
  }

  private mutating func warnOfQuery(_ text: String, _ node: JSONNode) {
    guard case .success(let query) = Query.parse(text, in: .template), let name = query.firstName
    else { return }
    let reference = String(text.dropFirst(2))
    let isReference = query.isSingular && ReferenceParser.isReference(reference)
    warnings.append(
      DataProblem(
        .literalQuery,
        "a string here is a text, not a query"
          + (isReference
            ? "; write '{{\(reference)}}' for its value"
            : "; select from '\(name)' in an earlier 'values' step and insert the result"),
        at: node.range, fix: isReference ? "\"{{\(reference)}}\"" : nil, isGuess: true))
  }

  // MARK: Containers

  private mutating func parse(array node: JSONNode) -> DataTemplate.Node {
    let items = node.elements.map { parse($0) }
    if items.allSatisfy(\.isVerbatim) { return .literal(node, isVerbatim: true) }
    return .array(items.map(DataParser.compact))
  }

  private mutating func parse(object node: JSONNode) -> DataTemplate.Node {
    let count = node.count
    if count == 1, let member = node.members.first(where: { _ in true }),
      member.name.hasPrefix(bytes: "$"), let form = parse(form: member)
    {
      return form
    }
    if count == 2, let form = parse(fileForm: node) { return form }
    warnOfOptions(in: node)
    var members: [DataTemplate.Member] = []
    members.reserveCapacity(count)
    for member in node.members {
      let name = member.name
      judge(name, of: member, in: node)
      members.append(DataTemplate.Member(name: name, value: parse(member.value)))
    }
    if members.allSatisfy(\.value.isVerbatim) { return .literal(node, isVerbatim: true) }
    for index in members.indices { members[index].value = DataParser.compact(members[index].value) }
    return .object(members)
  }

  private mutating func judge(_ name: String, of member: JSONMember, in node: JSONNode) {
    if node.count > 1, name.hasPrefix(bytes: "$"), let table = forms().table(name),
      table.title.isAlwaysAlone
    {
      let written = FormSet.withOptionsInside(node, table)
      let isFile = name == FormTitle.fileName
      if isFile, let other = node.members.first(where: { $0.name != name }), node.count == 2,
        ["read", "format", "type"].contains(other.name)
      {
        problems.append(
          DataProblem(
            .dataForm,
            "a file is read 'as': {\"$file\": \(member.value.text), \"as\": \(other.value.text)}",
            at: other.nameRange, fix: "\"as\"", isGuess: true))
        return
      }
      if written == nil, !isFile, let problem = misplacedOption(beside: member, in: node, table) {
        problems.append(problem)
        return
      }
      let wayOut =
        isFile
        ? "'$file' is alone in its object, or beside 'as'"
        : "'\(name)' is the only member of its object; put the others in an object"
          + " and join both with '$merge'"
      problems.append(
        DataProblem(
          .dataForm,
          written.map { "the options of '\(name)' stand inside: \($0)" } ?? wayOut,
          at: written == nil ? member.nameRange : node.range, fix: written, isGuess: true))
    }
    if name.holds("{"),
      !Template.parse(name).template.references.isEmpty
    {
      warnings.append(
        DataProblem(
          .templateInKey, "a key cannot contain templates: '\(name)' is sent unchanged",
          at: member.nameRange))
    }
  }

  /// What is wrong with members beside a form whose value is no object, so that nothing can be joined
  /// with them.
  private func misplacedOption(
    beside member: JSONMember, in node: JSONNode, _ table: FormTable
  ) -> DataProblem? {
    var parser = self
    let kinds = parser.parse(table, member.value).shape { _ in .unknown }.possibleKinds
    guard let kinds, !kinds.contains(.object),
      let other = node.members.first(where: { $0.name != member.name })
    else { return nil }
    if other.name.hasPrefix(bytes: "$") {
      return DataProblem(
        .dataForm,
        "'\(member.name)' is the only member of its object; give each form a name of its own",
        at: member.nameRange)
    }
    let options = table.options.map { "'\($0.name)'" }.joined(separator: ", ")
    return DataProblem(
      .dataForm,
      "'\(member.name)' has no option '\(other.name)'"
        + (options.isEmpty ? ", and is the only member of its object" : "; it has \(options)"),
      at: other.nameRange)
  }

  // MARK: Forms

  /// The form of `member`, the only one of its object; nil if it is not a form.
  private mutating func parse(form member: JSONMember) -> DataTemplate.Node? {
    if let table = forms().table(member.name) { return parse(table, member.value) }
    let name = member.name
    let synonym = forms().form(meantBy: name)
    let same = forms().names.first { $0 == name.lowercased() }
    // A word that has a meaning in other tools is not a misspelling.
    let advice = synonym == nil && same == nil ? FormSet.advice(on: member) : nil
    let near = advice == nil ? same ?? Spelling.nearest(to: name, among: forms().names) : nil
    let meant = synonym == nil || synonym == near ? near : nil
    problems.append(
      DataProblem(
        .dataForm,
        "'\(name)' is not a data form"
          + (advice.map { "; \($0)" } ?? meant.map { "; did you mean '\($0)'?" }
            ?? synonym.map { "; write '\($0)'" }
            ?? "; to send the object unchanged, write {\"$literal\": …}"),
        at: member.nameRange, fix: (meant ?? synonym).map { "\"\($0)\"" },
        isGuess: same == nil))
    // Read as what was meant, so that its value is not taken for an object. What is not meant for
    // a path may be anything.
    guard let table = (meant ?? synonym).flatMap(forms().table), !table.title.takes.isPath else {
      return nil
    }
    let known = problems.count
    let node = parse(table, member.value)
    // The form that is meant may need options, which are not missed before its name is right.
    let found = problems[known...].filter { $0.range != member.value.range }
    problems.replaceSubrange(known..., with: found)
    return node
  }

  /// A form of one member, or of one and `as` beside it.
  private mutating func parse(
    _ table: FormTable, _ value: JSONNode, reading: JSONNode? = nil
  ) -> DataTemplate.Node {
    hasTypedForms = hasTypedForms || table.title.isTyped
    // Moved and not copied, so that nothing it has collected is copied either.
    var parser = DataParser(allowsQueries: false, forms: forms)
    swap(&parser, &self)
    var keys = FormKeys(table, value, reading: reading, readBy: consume parser)
    keys.needs(table)
    let form = table.form.init(&keys)
    swap(&keys.parser, &self)
    return form?.node ?? .literal(value, isVerbatim: true)
  }

  /// A value in a form.
  mutating func read(
    _ node: JSONNode, _ reading: FormKeys.Reading, mayBeMissing isFirst: Bool = false
  ) -> DataTemplate.Node {
    let outer = (allowsQueries, mayBeMissing, isPath, mayBeBytes)
    defer { (allowsQueries, mayBeMissing, isPath, mayBeBytes) = outer }
    mayBeMissing = mayBeMissing || isFirst
    isPath = reading == .path
    mayBeBytes = reading == .bytes
    switch reading {
    case .data, .path: break
    case .queries, .bytes: allowsQueries = true
    case .literal: allowsQueries = false
    case .verbatim: return DataParser.compact(.literal(node, isVerbatim: true))
    }
    return DataParser.compact(parse(node))
  }

  /// `{"$file": path, "as": reading}`; `nil` if the object is not of this form.
  private mutating func parse(fileForm node: JSONNode) -> DataTemplate.Node? {
    let name = FormTitle.fileName
    guard let path = node[name], let reading = node["as"], let table = forms().table(name) else {
      return nil
    }
    return parse(table, path, reading: reading)
  }

  /// Warns of options beside the form whose they are: `{"$replace": "x", "find": "a"}`.
  private mutating func warnOfOptions(in node: JSONNode) {
    for member in node.members where member.name.hasPrefix(bytes: "$") {
      guard let table = forms().table(member.name), !table.title.isAlwaysAlone,
        let written = FormSet.withOptionsInside(node, table)
      else { continue }
      warnings.append(
        DataProblem(
          .dataForm, "the options of '\(member.name)' stand inside: \(written)", at: node.range,
          fix: written, isGuess: true))
      return
    }
  }

  // MARK: Literals

  /// A verbatim container in a small separate document, without the file's white space.
  static func compact(_ node: DataTemplate.Node) -> DataTemplate.Node {
    guard case .literal(let value, isVerbatim: true) = node else { return node }
    guard value.kind == .object || value.kind == .array else { return node }
    var writer = JSONWriter(style: .compact)
    writer.value(value)
    // A file with errors may hold text that is not JSON. It is never written out.
    guard let document = try? JSONDocument.parse(writer.bytes, depthLimit: 1024) else {
      return node
    }
    return .literal(document.root, isVerbatim: true)
  }
}

extension DataTemplate.Node {
  var isVerbatim: Bool {
    if case .literal(_, isVerbatim: true) = self { true } else { false }
  }

  /// A literal whose text in the file does not mean itself.
  var unverbatim: DataTemplate.Node {
    if case .literal(let node, _) = self { .literal(node, isVerbatim: false) } else { self }
  }
}
