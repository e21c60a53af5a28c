internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// Makes a workflow of an imported collection.
struct WorkflowWriter {
  /// A value that a step extracts.
  private struct Extractor {
    let name: String
    let source: ImportedSource
    var isSecret: Bool
    var isRead = false
  }

  let collection: ImportedCollection
  private let isRelaxed: Bool
  var report: ImportReport
  var inputs = ImportedInputs()
  private(set) var ids: [String] = []
  private var extractors: [[Extractor]] = []
  private var names: [ImportedName] = []
  private var stepNames = ImportedName(.scope)
  /// Steps that take the names of the members of an object: with the path of the object, and the
  /// step that extracts it.
  private var keySteps: [(id: String, object: String, step: Int)] = []
  /// Where each variable was last set, seen from the request that is being written.
  private var holders: [String: (step: Int, extractor: Int)] = [:]
  private(set) var base: BaseURL?
  /// The variables that URLs begin with.
  var origins: Set<String> = []
  /// The position of the request that is being written.
  private var current = 0
  /// The positions of requests by their names, and of requests that are a further item of one.
  private var positions: [String: [Int]] = [:]
  private var rows: [String: (step: Int, row: Int)] = [:]

  init(_ collection: ImportedCollection, isRelaxed: Bool, _ report: ImportReport) {
    self.collection = collection
    self.isRelaxed = isRelaxed
    self.report = report
    for request in collection.requests {
      let path = request.url.mapTexts { String($0.prefix(before: "?", "#")) }?.parts ?? []
      let words = path.compactMap { part -> String? in
        if case .text(let text) = part { text } else { nil }
      }.joined().split(ascii: "/")
      let name = request.word == nil ? request.name : nil
      let text = name ?? request.title ?? request.word ?? words.last.map(String.init) ?? ""
      ids.append(stepNames.next(for: text, otherwise: "request"))
      if let name = request.name { positions[name, default: []].append(ids.count - 1) }
      for (row, name) in request.rows.enumerated() { rows[name] = (ids.count - 1, row + 1) }
      extractors.append([])
      names.append(ImportedName(.value))
    }
    let set = Set(collection.requests.flatMap { $0.sets.map(\.variable) })
    base = BaseURL.common(of: collection.requests.map(\.url)) { set.contains($0) }
  }

  // MARK: File

  mutating func workflow() -> JSONValue {
    var steps: [[JSONValue.Member]] = []
    for (number, request) in collection.requests.enumerated() {
      current = number
      steps.append(step(request, id: ids[number]))
      keep(request.sets, ofStep: number)
    }
    report.translated = steps.count
    var file: [JSONValue.Member] = [.init("format", 1)]
    if let name = collection.name, !name.isEmpty { file.append(.init("name", .string(name))) }
    if let text = collection.description, !text.isEmpty {
      file.append(.init("description", .string(text)))
    }
    let baseMember = baseMember()
    if !inputs.members.isEmpty { file.append(.init("inputs", .object(inputs.members))) }
    addEnvironments(to: &file)
    if let baseMember { file.append(.init("defaults", .object([baseMember]))) }
    if !isRelaxed, !collection.isInOrderOfData, steps.count > 1 {
      file.append(.init("order", "listed"))
    }
    let outputs = outputs()
    file.append(
      .init(
        "steps",
        .array(
          steps.enumerated().flatMap { number, step in
            [.object(step + extract(ofStep: number))] + keySteps(behind: number)
          })))
    if !outputs.isEmpty { file.append(.init("outputs", .object(outputs))) }
    return .object(file)
  }

  private mutating func baseMember() -> JSONValue.Member? {
    switch base {
    case .variable(let name)?:
      let text = template(withScheme(ForeignText(parts: [.variable(name)]), 1), line: 1)
      origins.insert(name)
      inputs.change(name, BaseURL.normalized)
      return .init("baseURL", .string(text))
    case .origin(let origin)?: return .init("baseURL", .string(origin))
    case nil: return nil
    }
  }

  private func addEnvironments(to file: inout [JSONValue.Member]) {
    let environments = collection.environments.map { environment in
      let values = environment.values.map { variable in
        guard origins.contains(variable.name) else { return variable }
        var changed = variable
        changed.value = variable.value?.plain.map { ForeignText(plain: BaseURL.normalized($0)) }
        return changed
      }
      return (name: environment.name, values: inputs.values(of: values))
    }
    var members: [JSONValue.Member] = []
    for (name, values) in environments {
      var unique = name
      var number = 2
      while members.contains(where: { $0.name.equals(bytes: unique) }) {
        unique = name + " " + String(number)
        number += 1
      }
      members.append(.init(unique, .object(values)))
    }
    if members.contains(where: { $0.value != .object([]) }) {
      file.append(.init("environments", .object(members)))
    }
  }

  // MARK: Values of responses

  private mutating func keep(
    _ sets: [(variable: String, source: ImportedSource)], ofStep step: Int
  ) {
    for (variable, source) in sets {
      let extractor = self.extractor(source, named: variable, ofStep: step)
      holders[variable] = (step, extractor)
    }
  }

  /// The position of an extractor of a step, which is added if the step lacks it.
  private mutating func extractor(
    _ source: ImportedSource, named word: String, ofStep step: Int
  ) -> Int {
    if let known = extractors[step].firstIndex(where: { $0.source == source }) { return known }
    let name = names[step].next(for: word, otherwise: "value")
    extractors[step].append(
      Extractor(name: name, source: source, isSecret: isCredential(source, name)))
    return extractors[step].count - 1
  }

  private func isCredential(_ source: ImportedSource, _ name: String) -> Bool {
    if case .cookie = source { return true }
    return CredentialNames.isField(name)
  }

  /// Hides a value that a credential is made of.
  mutating func markSecret(_ source: ImportedSource, of request: String) {
    guard let (step, _) = place(of: request) else { return }
    let extractor = self.extractor(source, named: source.word, ofStep: step)
    extractors[step][extractor].isSecret = true
  }

  private func extract(ofStep step: Int) -> [JSONValue.Member] {
    let members = extractors[step].filter { $0.isRead || !$0.isSecret }.map { extractor in
      var source = extractor.source.members
      if extractor.isSecret { source.append(.init("secret", true)) }
      if collection.requests[step].optionalSources.contains(extractor.source) {
        source.append(.init("optional", true))
      }
      if source.count == 1, case .body(let query) = extractor.source {
        return JSONValue.Member(extractor.name, .string(query))
      }
      return JSONValue.Member(extractor.name, .object(source))
    }
    return members.isEmpty ? [] : [.init("extract", .object(members))]
  }

  /// What no request reads is an output, so that nothing is extracted in vain.
  private func outputs() -> [JSONValue.Member] {
    var names = ImportedName(.value)
    return extractors.enumerated().flatMap { step, extractors in
      extractors.filter { !$0.isRead && !$0.isSecret }.map { extractor in
        JSONValue.Member(
          names.next(for: extractor.name, otherwise: "value"),
          .string("{{\(ids[step]).\(extractor.name)}}"))
      }
    }
  }

  // MARK: Templates

  /// A text as a template.
  mutating func template(_ text: ForeignText, line: Int, depth: Int = 0) -> String {
    var result = ""
    for part in text.parts {
      switch part {
      case .text(let literal): result += literal.replacing(bytes: "{{", with: "{{{{")
      case .item(let path): result += "{{item\(path)}}"
      case .moment: result += "{{run.startedAt}}"
      case .environment(let name): result += "{{inputs.\(inputs.input(ofEnvironment: name))}}"
      case .variable(let name): result += variable(name, line: line, depth: depth)
      case .answer(let request, let source): result += answer(request, source, line: line)
      }
    }
    return result
  }

  /// A URL whose scheme is written out, as endpoints need it: that of `{{scheme}}://{{host}}` is the
  /// value of its variable.
  mutating func withScheme(_ url: ForeignText, _ line: Int) -> ForeignText {
    var url = url
    let original = url
    for _ in 0..<8 {
      guard case .variable(let name)? = url.parts.first, holders[name] == nil,
        let value = collection.variable(name)?.value, value.plain == nil
      else { break }
      url = ForeignText(parts: value.parts + url.parts.dropFirst())
    }
    guard case .variable(let name)? = url.parts.first, url.parts.count > 1,
      case .text(let rest) = url.parts[1], rest.hasPrefix(bytes: "://")
    else { return original }
    let scheme = givenValue(name) ?? "https"
    report.approximate(line, "the scheme '{{\(name)}}' is written out as '\(scheme)'")
    var parts = [.text(scheme)] + url.parts.dropFirst()
    // No template can follow the one of the host.
    if parts.count > 3, case .variable = parts[2], case .variable(let path) = parts[3],
      let value = givenValue(path), value.isEmpty || value.hasPrefix(bytes: "/")
    {
      report.approximate(line, "the path '{{\(path)}}' is written out as '\(value)'")
      parts[3] = .text(value)
    }
    return ForeignText(parts: parts)
  }

  /// The value of a variable in the file, or else in its first environment that has one.
  private func givenValue(_ name: String) -> String? {
    let variables = [collection.variable(name)].compactMap(\.self)
    return (variables + collection.environments.flatMap(\.values)).lazy.filter {
      $0.name == name
    }.compactMap { $0.value?.plain }.first
  }

  private mutating func variable(_ name: String, line: Int, depth: Int) -> String {
    if let (step, extractor) = holders[name] {
      extractors[step][extractor].isRead = true
      return "{{\(ids[step]).\(extractors[step][extractor].name)}}"
    }
    let known = collection.variable(name)
    if let value = known?.value, value.plain == nil {
      guard depth < 8 else {
        report.refuse(line, "the value of '\(name)' is made of itself")
        return ""
      }
      return template(value, line: line, depth: depth + 1)
    }
    let given =
      known ?? collection.environments.lazy.flatMap(\.values).first { $0.name == name }
      ?? ImportedCollection.Variable(name: name)
    return "{{inputs.\(inputs.input(for: given, value: known?.value?.plain))}}"
  }

  private mutating func answer(_ request: String, _ source: ImportedSource, line: Int) -> String {
    guard let (step, row) = place(of: request) else {
      report.refuse(line, "no request before this one has the name '\(request)'")
      return ""
    }
    let item = row.map { "[\($0)]" } ?? ""
    if case .key(let path, let index) = source {
      let object = self.object(path, ofStep: step, item)
      return "{{\(keyStep(object, behind: step)).members[\(index)].key}}"
    }
    let extractor = self.extractor(source, named: source.word, ofStep: step)
    extractors[step][extractor].isRead = true
    return "{{\(ids[step])\(item).\(extractors[step][extractor].name)}}"
  }

  // MARK: Names of members

  /// The path of an object that a step extracts.
  private mutating func object(_ path: String, ofStep step: Int, _ item: String = "") -> String {
    let source = ImportedSource.body(path)
    let extractor = self.extractor(source, named: source.word, ofStep: step)
    extractors[step][extractor].isRead = true
    return "\(ids[step])\(item).\(extractors[step][extractor].name)"
  }

  /// The step that lists the members of an object.
  private mutating func keyStep(_ object: String, behind step: Int) -> String {
    if let known = keySteps.first(where: { $0.object.equals(bytes: object) }) { return known.id }
    let word = object.split(ascii: ".").last.map { String($0) } ?? "object"
    let id = stepNames.next(for: word + " members", otherwise: "members")
    keySteps.append((id, object, step))
    return id
  }

  private func keySteps(behind step: Int) -> [JSONValue] {
    keySteps.filter { $0.step == step }.map {
      [
        "id": .string($0.id),
        "values": ["members": ["$entries": .string("{{\($0.object)}}")]],
      ]
    }
  }

  /// The step of an earlier request by its name, and its row if the step has items.
  private func place(of name: String) -> (step: Int, row: Int?)? {
    if let step = positions[name]?.last(where: { $0 < current }) {
      return (step, collection.requests[step].items == nil ? nil : 0)
    }
    guard let (step, row) = rows[name], step < current else { return nil }
    return (step, collection.requests[step].items == nil ? nil : row)
  }

  /// The items of a step: a query, or a form.
  mutating func items(_ items: ImportedRequest.Items) -> JSONValue {
    switch items {
    case .list(let name, let query): return .string(self.query(name, .body(query), isList: true))
    case .rows(let name, let source): return .string(self.query(name, source, isList: false))
    case .nested(let name, let query):
      guard let (step, _) = place(of: name) else { return "$" }
      let source = ImportedSource.body(query)
      let extractor = self.extractor(source, named: source.word + "s", ofStep: step)
      extractors[step][extractor].isRead = true
      return .string("$.\(ids[step])[*].\(extractors[step][extractor].name)[*]")
    case .keys(let name, let path):
      guard let (step, _) = place(of: name) else { return "$" }
      return ["$entries": .string("{{\(object(path, ofStep: step))}}")]
    }
  }

  /// A query of values that a step extracts.
  private mutating func query(_ name: String, _ source: ImportedSource, isList: Bool) -> String {
    guard let (step, _) = place(of: name) else { return "$" }
    let extractor = self.extractor(
      source, named: source.word + (isList ? "s" : ""), ofStep: step)
    extractors[step][extractor].isRead = true
    return "$.\(ids[step])\(isList ? "" : "[*]").\(extractors[step][extractor].name)"
  }

  private mutating func step(_ request: ImportedRequest, id: String) -> [JSONValue.Member] {
    var step: [JSONValue.Member] = [.init("id", .string(id))]
    if let title = request.title, !title.isEmpty, !title.equals(bytes: id) {
      step.append(.init("description", .string(title)))
    }
    let waits = request.waitsFor.compactMap { place(of: $0).map { ids[$0.step] } }
    if !waits.isEmpty {
      step.append(.init("dependsOn", .array(waits.map { .string($0) })))
    }
    return step + settings(of: request)
  }
}
