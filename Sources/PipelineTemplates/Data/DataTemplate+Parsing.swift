internal import PipelineByteText
internal import PipelineJSONPaths
package import PipelineJSONText
internal import PipelineSourceText

extension DataTemplate {
  /// The template of a value in a workflow file, and everything wrong with it.
  ///
  /// - Parameter allowsQueries: Whether a string that is `$`, or begins with `$.` or `$[`, is a
  ///   query. This holds in `values`, `otherwise`, `outputs` and the `inputs` of a called workflow.
  package static func parse(
    _ node: JSONNode, allowsQueries: Bool
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    var parser = DataParser(allowsQueries: allowsQueries)
    let root = DataParser.compact(parser.parse(node))
    let data = DataTemplate(
      node: node, root: root, uses: parser.uses, queries: parser.queries,
      warnings: parser.warnings, hasTypedForms: parser.hasTypedForms)
    return (data, parser.problems)
  }
}

private struct DataParser {
  /// Whether a string may be a query here.
  var allowsQueries: Bool
  /// Whether something else is taken if what is read here is missing.
  var mayBeMissing = false
  /// Whether the string that is read is the path of a file.
  var isPath = false
  var hasTypedForms = false
  var uses: [DataTemplate.Use] = []
  var queries: [(query: Query, node: JSONNode)] = []
  var problems: [DataProblem] = []
  var warnings: [DataProblem] = []

  init(allowsQueries: Bool) {
    self.allowsQueries = allowsQueries
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
      uses.append(
        DataTemplate.Use(
          query: reference.query, range: node.sourceRange(ofDecoded: reference.range),
          isQuery: false, isWhole: true, mayBeMissing: mayBeMissing))
      return .reference(reference, node)
    }
    let (template, found) = isPath ? Template.parsePath(text) : Template.parse(text)
    for problem in found { problems.append(DataProblem(problem, in: node)) }
    for problem in template.foreignTemplates { warnings.append(DataProblem(problem, in: node)) }
    let whole = template.whole
    for case .reference(let reference) in template.parts {
      uses.append(
        DataTemplate.Use(
          query: reference.query, range: node.sourceRange(ofDecoded: reference.range),
          isQuery: false, isWhole: whole != nil, mayBeMissing: mayBeMissing))
    }
    if let whole { return .reference(whole, node) }
    guard let literal = template.literal else { return .text(template, node) }
    if literal.utf8.elementsEqual(text.utf8) { return .literal(node, isVerbatim: true) }
    return .literal(JSONValue.string(literal).document.root, isVerbatim: false)
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
    var members: [DataTemplate.Member] = []
    members.reserveCapacity(count)
    for member in node.members {
      let name = member.name
      judge(name, of: member, isAlone: count == 1)
      members.append(DataTemplate.Member(name: name, value: parse(member.value)))
    }
    if members.allSatisfy(\.value.isVerbatim) { return .literal(node, isVerbatim: true) }
    for index in members.indices { members[index].value = DataParser.compact(members[index].value) }
    return .object(members)
  }

  private mutating func judge(_ name: String, of member: JSONMember, isAlone: Bool) {
    if !isAlone, name.hasPrefix(bytes: "$"), DataForm(rawValue: name) != nil {
      problems.append(
        DataProblem(
          .dataForm,
          name == DataForm.file.rawValue
            ? "'$file' is alone in its object, or beside 'as'"
            : "'\(name)' is the only member of its object; put the others in an object"
              + " and join both with '$merge'", at: member.nameRange))
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

  // MARK: Forms

  /// The form of `member`, the only one of its object; nil if it is not a form.
  private mutating func parse(form member: JSONMember) -> DataTemplate.Node? {
    guard let form = DataForm(rawValue: member.name) else {
      let synonym = DataForm.form(meantBy: member.name)
      let same = DataForm.names.first { $0 == member.name.lowercased() }
      // A word that has a meaning in other tools is no slip of the pen.
      let foreign = synonym == nil && same == nil ? DataForm.advice(on: member.name) : nil
      let near =
        foreign == nil ? same ?? Spelling.nearest(to: member.name, among: DataForm.names) : nil
      let meant = synonym == nil || synonym == near ? near : nil
      problems.append(
        DataProblem(
          .dataForm,
          "'\(member.name)' is not a data form"
            + (meant.map { "; did you mean '\($0)'?" } ?? synonym.map { "; write '\($0)'" }
              ?? (foreign.map { "; \($0)" } ?? "")
                + "; to send the object unchanged, write {\"$literal\": …}"),
          at: member.nameRange, fix: (meant ?? synonym).map { "\"\($0)\"" },
          isGuess: same == nil))
      // Read as what was meant, so that its value is not taken for an object. What is not meant for
      // a path may be anything.
      guard let read = (meant ?? synonym).flatMap(DataForm.init(rawValue:)), read != .file,
        read != .files
      else { return nil }
      return parse(read, member.value)
    }
    return parse(form, member.value)
  }

  private mutating func parse(_ form: DataForm, _ value: JSONNode) -> DataTemplate.Node {
    switch form {
    case .literal:
      return DataParser.compact(.literal(value, isVerbatim: true)).unverbatim
    case .json:
      return .json(DataParser.compact(parse(value)))
    case .base64:
      require(.string, value, form)
      hasTypedForms = true
      return .base64(DataParser.compact(parse(value)), value)
    case .file:
      require(.string, value, form)
      return .file(parse(path: value), .json, value)
    case .files:
      require(.string, value, form)
      return .form(.files, parse(path: value), value)
    case .merge:
      require(.array, value, form)
      if value.kind == .array, value.count < 2 {
        problems.append(
          DataProblem(.dataForm, "'$merge' takes two objects or more", at: value.range))
      }
      hasTypedForms = true
      return .merge(value.elements.map { DataParser.compact(parse($0)) })
    case .first, .concat, .count, .sum, .min, .max, .join, .entries, .object, .unique:
      return parse(typed: form, value)
    }
  }

  /// A form that makes a value of a list or an object. A string in it is a query, if it begins like
  /// one, in any place: a list is rarely written out.
  private mutating func parse(typed form: DataForm, _ value: JSONNode) -> DataTemplate.Node {
    let (allowed, missing) = (allowsQueries, mayBeMissing)
    defer { (allowsQueries, mayBeMissing) = (allowed, missing) }
    allowsQueries = true
    mayBeMissing = mayBeMissing || form == .first
    hasTypedForms = true
    if form == .join {
      guard value.kind == .array, value.count == 2, let list = value[0], let separator = value[1]
      else {
        refuse(value, form)
        return .literal(value, isVerbatim: true)
      }
      guard separator.kind == .string else {
        refuse(value, form)
        return .literal(value, isVerbatim: true)
      }
      let parts = (readList(list, form), DataParser.compact(parse(separator)))
      return .join(parts.0, separator: parts.1, value)
    }
    return .form(form, readList(value, form), value)
  }

  /// The list that a form takes. A value that cannot be read is not refused a second time.
  private mutating func readList(_ value: JSONNode, _ form: DataForm) -> DataTemplate.Node {
    let known = problems.count
    let inner = DataParser.compact(parse(value))
    if problems.count == known { requireList(value, inner, form) }
    return inner
  }

  /// `{"$file": path, "as": reading}`; `nil` if the object is not of this form.
  private mutating func parse(fileForm node: JSONNode) -> DataTemplate.Node? {
    guard let path = node[DataForm.file.rawValue], let reading = node["as"] else { return nil }
    require(.string, path, .file)
    let name = reading.string ?? ""
    let names = FileReading.allCases.map(\.rawValue)
    guard let known = FileReading(rawValue: name) else {
      let same = names.first { $0 == name.lowercased() }
      let meant = same ?? Spelling.nearest(to: name, among: names)
      problems.append(
        DataProblem(
          .dataForm,
          "'as' must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
            + (meant.map { "; did you mean \"\($0)\"?" } ?? ""),
          at: reading.range, fix: meant.map { "\"\($0)\"" }, isGuess: same == nil))
      return .literal(node, isVerbatim: true)
    }
    return .file(parse(path: path), known, path)
  }

  private mutating func parse(path value: JSONNode) -> DataTemplate.Node {
    isPath = true
    defer { isPath = false }
    return DataParser.compact(parse(value))
  }

  private mutating func require(_ kind: JSONKind, _ value: JSONNode, _ form: DataForm) {
    guard value.kind != kind else { return }
    // A form may give the text: {"$base64": {"$json": …}}.
    if kind == .string, value.kind == .object { return }
    refuse(value, form)
  }

  /// Reports values that are never a list, or never an object if the form takes one.
  private mutating func requireList(
    _ value: JSONNode, _ parsed: DataTemplate.Node, _ form: DataForm
  ) {
    let isRight: Bool
    switch parsed {
    case .text, .json, .base64: isRight = false
    case .literal(let literal, _):
      switch literal.kind {
      case .array: isRight = form != .entries
      case .object: isRight = form == .entries || form == .count
      case .string, .number, .boolean, .null: isRight = false
      }
    case .array: isRight = form != .entries
    case .object: isRight = form == .entries || form == .count
    default: isRight = true
    }
    if !isRight { refuse(value, form) }
  }

  private mutating func refuse(_ value: JSONNode, _ form: DataForm) {
    problems.append(
      DataProblem(.dataForm, "'\(form.rawValue)' takes \(form.wanted ?? "")", at: value.range))
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
  fileprivate var isVerbatim: Bool {
    if case .literal(_, isVerbatim: true) = self { true } else { false }
  }

  fileprivate var unverbatim: DataTemplate.Node {
    if case .literal(let node, _) = self { .literal(node, isVerbatim: false) } else { self }
  }
}
