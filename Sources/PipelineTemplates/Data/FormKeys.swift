internal import PipelineByteText
internal import PipelineJSONPaths
package import PipelineJSONText
internal import PipelineSourceText

/// The value and the options of one form: as its author wrote them, or as they are declared for its
/// table.
///
/// While it reads a form, it holds the parser of the data.
package struct FormKeys {
  /// The declarations so far; `nil` if a form is read.
  private var declared: [FormOption]?
  private let title: FormTitle
  /// The value of the form's member.
  let node: JSONNode
  /// The object with `of` and the options, if there is one.
  private let options: JSONNode?
  /// The other member of a form that takes one: `as` beside `$file`.
  private let reading: JSONNode?
  var parser: DataParser

  /// For the table of a form.
  private init(declaring title: FormTitle) {
    self.title = title
    declared = []
    node = JSONDocument(integer: 0).root
    options = nil
    reading = nil
    parser = DataParser(allowsQueries: false, forms: { .none })
  }

  init(
    _ table: FormTable, _ node: JSONNode, reading: JSONNode? = nil,
    readBy parser: consuming DataParser
  ) {
    title = table.title
    self.node = node
    self.reading = reading
    self.parser = parser
    options = Self.holdsOptions(node, table) ? node : nil
    if options != nil { judgeOptions(of: table) }
  }

  /// For what has options, but is not a form by name.
  init(optionsOf title: FormTitle, _ node: JSONNode, forms: @escaping @Sendable () -> FormSet) {
    self.title = title
    self.node = node
    options = node
    reading = nil
    parser = DataParser(allowsQueries: false, forms: forms)
  }

  /// The options of a form, in the order of its reading calls.
  static func options(of form: any DeclaredForm.Type) -> [FormOption] {
    var keys = FormKeys(declaring: form.title)
    _ = form.init(&keys)
    return keys.declared ?? []
  }

  // MARK: - The value

  /// How the texts of a value are read.
  enum Reading {
    /// As those around the form.
    case data
    /// One that begins like a query is a query, in any place: a list is rarely written out.
    case queries
    /// As queries, and what is taken are bytes.
    case bytes
    /// As texts that are never queries.
    case literal
    /// As the path of a file.
    case path
    /// Not at all: no templates, no queries, no forms.
    case verbatim
  }

  /// The value that the form works on.
  ///
  /// - Parameter isFirst: Whether something else is taken if what is read in it is missing.
  mutating func value(
    _ reading: Reading = .queries, mayBeMissing isFirst: Bool = false
  ) -> FormPart {
    FormPart(
      form: title.name, value: parser.read(of, reading, mayBeMissing: isFirst), node: of,
      takes: title.takes)
  }

  /// The value, if it has the type that the form takes; otherwise it is reported.
  ///
  /// A value that cannot be read is not refused a second time.
  mutating func checkedValue(
    _ reading: Reading = .queries, mayBeMissing isFirst: Bool = false
  ) -> FormPart {
    let known = parser.problems.count
    let part = value(reading, mayBeMissing: isFirst)
    // A value that is missing is reported by itself.
    if let options, options[title.valueName] == nil { return part }
    if isRead, parser.problems.count == known, let kinds = part.takes.writtenKinds,
      let kind = part.value.writtenKind, !kinds.contains(kind)
    {
      refuseValue()
    }
    return part
  }

  /// A part of the value, which is a list of several.
  ///
  /// - Parameter place: The place that messages name, if it is more than the part.
  mutating func part(
    _ node: JSONNode, _ takes: FormType, _ reading: Reading = .queries,
    placed place: JSONNode? = nil
  ) -> FormPart {
    FormPart(form: title.name, value: parser.read(node, reading), node: place ?? node, takes: takes)
  }

  /// Reports a list that is written out and has not two elements.
  mutating func requireTwo(_ list: FormPart) {
    guard isRead else { return }
    let count: Int? =
      switch list.value {
      case .array(let items): items.count
      case .literal(let node, _) where node.kind == .array: node.count
      default: nil
      }
    if let count, count != 2 { refuseValue() }
  }

  var of: JSONNode { options.flatMap { $0[title.valueName] } ?? node }

  mutating func refuseValue() {
    let value = of
    if options == nil, value.kind == .object, let inner = value["of"] {
      problem(
        "'\(title.name)' has no options; write {\"\(title.name)\": \(inner.text)}", at: value,
        fix: inner.text)
      return
    }
    problem("'\(title.name)' takes \(title.takes.words ?? "")", at: value)
  }

  mutating func problem(_ message: String, at node: JSONNode, fix: String? = nil) {
    parser.problems.append(
      DataProblem(.dataForm, message, at: node.range, fix: fix, isGuess: fix != nil))
  }

  mutating func warn(_ message: String, at node: JSONNode) {
    parser.warnings.append(DataProblem(.dataForm, message, at: node.range))
  }

  // MARK: - Options

  // Each declares itself in the first run.

  /// A text, which may hold templates.
  mutating func text(
    _ name: String, _ meaning: String, example: String, isRequired: Bool = false,
    _ reading: Reading = .literal
  ) -> FormPart? {
    guard let node = read(name, meaning, example, isRequired, words: "text") else { return nil }
    guard node.kind == .string || node.kind == .object else {
      refuse(name, "a text", at: node)
      return nil
    }
    return FormPart(
      form: title.name, value: parser.read(node, reading), node: node,
      takes: reading == .bytes ? .hashable : .inserted, isNeeded: true)
  }

  /// A text without templates.
  mutating func literalText(_ name: String, _ meaning: String, example: String) -> String? {
    guard let node = read(name, meaning, example, false, words: "text") else { return nil }
    if node.string == nil { refuse(name, "a text", at: node) }
    return node.string
  }

  /// Any data, without queries.
  mutating func data(_ name: String, _ meaning: String, example: String) -> FormPart? {
    guard let node = read(name, meaning, example, false, words: "data") else { return nil }
    return FormPart(form: title.name, value: parser.read(node, .literal), node: node, takes: .any)
  }

  mutating func choice<Choice>(
    _ name: String, _ type: Choice.Type, _ meaning: String, example: String,
    isRequired: Bool = false
  ) -> Choice? where Choice: RawRepresentable<String> & CaseIterable {
    let names = Choice.allCases.map { "\"\($0.rawValue)\"" }
    guard
      let node = read(
        name, meaning, example, isRequired, words: names.joined(separator: ", "))
    else { return nil }
    return choice(name, type, node)
  }

  /// The other member of the form's object: `as` beside `$file`.
  mutating func fileReading() -> FileReading? {
    guard let reading else { return nil }
    // The language reads the options of a format, as it does those of a response.
    if let known = parser.fileReadings[reading.index] { return known }
    return choice("as", FileReading.Name.self, reading)?.reading
  }

  private mutating func choice<Choice>(
    _ name: String, _: Choice.Type, _ node: JSONNode
  ) -> Choice? where Choice: RawRepresentable<String> & CaseIterable {
    let given = node.string ?? ""
    if let known = Choice(rawValue: given) { return known }
    let names = Choice.allCases.map(\.rawValue)
    let same = names.first { $0 == given.lowercased() }
    let meant =
      same ?? Spelling.nearest(to: given, among: names)
      ?? names.first { given.lowercased().hasSuffix(bytes: $0) }
    parser.problems.append(
      DataProblem(
        .dataForm,
        "'\(name)' must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
          + (meant.map { "; did you mean \"\($0)\"?" } ?? ""),
        at: node.range, fix: meant.map { "\"\($0)\"" }, isGuess: same == nil))
    return nil
  }

  mutating func pattern(_ name: String, _ meaning: String, example: String) -> IRegexp? {
    guard let node = read(name, meaning, example, false, words: "pattern") else { return nil }
    guard let text = node.string else {
      refuse(name, "a pattern", at: node)
      return nil
    }
    switch IRegexp.parse(text) {
    case .success(let pattern): return pattern
    case .failure(let error):
      parser.problems.append(
        DataProblem(
          TemplateProblem(
            .dataForm, error.message, at: error.range, fix: error.fix,
            isGuess: error.isGuessOfCapture), in: node))
      return nil
    }
  }

  mutating func flag(_ name: String, _ meaning: String) -> Bool {
    guard let node = read(name, meaning, "true", false, words: "`true` or `false`") else {
      return false
    }
    guard let flag = node.boolean else {
      refuse(name, "true or false", at: node)
      return false
    }
    return flag
  }

  mutating func whole(
    _ name: String, in range: ClosedRange<Int>, _ meaning: String, example: String,
    isRequired: Bool = false
  ) -> Int? {
    let words = "whole number, \(range.lowerBound) to \(range.upperBound)"
    guard let node = read(name, meaning, example, isRequired, words: words) else { return nil }
    guard let number = node.number?.int, range.contains(number) else {
      refuse(name, "a \(words)", at: node)
      return nil
    }
    return number
  }

  /// One ASCII character between two fields.
  mutating func delimiter(_ name: String, _ meaning: String, example: String) -> UInt8? {
    guard let node = read(name, meaning, example, false, words: "character") else { return nil }
    let bytes = Array((node.string ?? "").utf8)
    guard let byte = bytes.first, bytes.count == 1, byte < 0x80, !"\"\r\n".utf8.contains(byte)
    else {
      refuse(name, "one ASCII character such as \";\" or \"\\t\"", at: node)
      return nil
    }
    return byte
  }

  /// A query of one value in an element, which is `@`.
  mutating func elementQuery(_ name: String, _ meaning: String, example: String) -> Query? {
    guard let node = read(name, meaning, example, false, words: "query of the element") else {
      return nil
    }
    guard let text = node.string, text.hasPrefix(bytes: "@"),
      case .success(let query) = Query.parse("$" + text.dropFirst(bytes: 1)), query.isSingular
    else {
      refuse(name, "a query of one value in the element, as in \(example)", at: node)
      return nil
    }
    return query
  }

  /// An option as its author wrote it.
  func option(_ name: String) -> JSONNode? { options?[name] }

  // MARK: - Reading

  /// Whether a form is read, and not declared.
  var isRead: Bool { declared == nil }

  private mutating func read(
    _ name: String, _ meaning: String, _ example: String, _ isRequired: Bool, words: String
  ) -> JSONNode? {
    guard declared != nil else { return options?[name] }
    declared?.append(
      FormOption(
        name: name, meaning: meaning, example: example, isRequired: isRequired, words: words))
    return nil
  }

  private mutating func refuse(_ name: String, _ wanted: String, at node: JSONNode) {
    problem("'\(name)' of '\(title.name)' takes \(wanted)", at: node)
  }

  /// Whether a form's value is the object of its options.
  ///
  /// Names of options never begin with `$`, so a form in its place is recognised.
  private static func holdsOptions(_ node: JSONNode, _ table: FormTable) -> Bool {
    guard !table.options.isEmpty, node.kind == .object else { return false }
    if node.members.contains(where: { $0.name.hasPrefix(bytes: "$") }) { return false }
    return node.members.contains {
      $0.name == table.title.valueName || table.option($0.name) != nil
    }
      || table.options.contains(where: \.isRequired)
  }

  private mutating func judgeOptions(of table: FormTable) {
    let valueName = title.valueName
    let names = [valueName] + table.options.map(\.name)
    let unknown = node.members.filter { !names.contains($0.name) }
    // The value under another name is one mistake.
    let isOther =
      node[valueName] == nil && unknown.count == 1
      && Spelling.nearest(to: unknown[0].name, among: names.dropFirst()) == nil
    for member in unknown {
      let meant = isOther ? valueName : Spelling.nearest(to: member.name, among: names)
      parser.problems.append(
        DataProblem(
          .dataForm,
          "'\(title.name)' has no option '\(member.name)'"
            + (meant.map { "; did you mean '\($0)'?" }
              ?? "; it has \(names.dropFirst().map { "'\($0)'" }.joined(separator: ", "))"),
          at: member.nameRange, fix: meant.map { "\"\($0)\"" }, isGuess: true))
    }
    if node[valueName] == nil, !isOther {
      problem(
        "'\(title.name)' needs '\(valueName)'"
          + (valueName == "of" ? ", the value that it works on" : "") + "; write \(title.example)",
        at: node)
    }
  }

  /// Reports a required option that is not there.
  mutating func needs(_ table: FormTable) {
    for option in table.options where option.isRequired && self.option(option.name) == nil {
      if let options {
        guard options[title.valueName] != nil else { continue }
      }
      let given = (options.map { $0.members.filter { $0.name != title.valueName } } ?? [])
        .map { "\"\($0.name)\": \($0.value.text)" }
      let inside =
        (["\"\(title.valueName)\": \(of.text)"] + given + ["\"\(option.name)\": \(option.example)"])
        .joined(separator: ", ")
      problem(
        "'\(title.name)' needs '\(option.name)'; write {\"\(title.name)\": {\(inside)}}", at: node,
        fix: "{\(inside)}")
    }
  }
}

extension DataTemplate.Node {
  /// The JSON type of what the author wrote in this place, if it is not the source of a value.
  package var writtenKind: JSONKind? {
    switch self {
    case .literal(let node, _): node.kind
    case .text: .string
    case .array: .array
    case .object: .object
    case .reference, .query: nil
    case .form(let form):
      form.shape { _ in .unknown }.contentKind == .string ? .string : nil
    }
  }
}
