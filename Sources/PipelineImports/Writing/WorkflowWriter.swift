internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage

/// Makes a workflow of an imported collection.
struct WorkflowWriter {
  /// A value that a step extracts.
  struct Extractor {
    let name: String
    let source: ImportedSource
    var isSecret: Bool
    var isRead = false
    /// Whether only some rows of the step are read, so that the others may lack it.
    var isOfSomeRows = false
  }

  private(set) var collection: ImportedCollection
  private let isRelaxed: Bool
  var report: ImportReport
  var inputs = ImportedInputs()
  private(set) var ids: [String] = []
  var extractors: [[Extractor]] = []
  private var names: [ImportedName] = []
  private var stepNames = ImportedName(.scope)
  /// The queries that are reported as refused.
  private var refusedQueries: Set<String> = []
  /// Steps that take the names of the members of an object: with the path of the object, and the
  /// step that extracts it.
  private var keySteps: [(id: String, object: String, step: Int)] = []
  /// Where each variable was last set, seen from the request that is being written.
  private(set) var holders: [String: (step: Int, extractor: Int)] = [:]
  /// The templates of the variables that are made of others, as the current request sees them.
  private var composed: [String: String] = [:]
  private static let lengthLimit = 1 << 16
  private(set) var base: BaseURL?
  /// The variables that URLs begin with.
  var origins: Set<String> = []
  /// The variables that some environment has as a secret, or with a value that is one.
  private let secretsOfEnvironments: Set<String>
  /// The position of the request that is being written.
  private(set) var current = 0
  private(set) var places = RequestPlaces()

  init(_ collection: ImportedCollection, isRelaxed: Bool, _ report: ImportReport) {
    var (collection, report) = (collection, report)
    collection.separateScopes(&report)
    collection.workOutVariables(&report)
    collection.takeUserInfo(&report)
    collection.takeSecretSegments()
    secretsOfEnvironments = Set(
      collection.environments.flatMap(\.values).lazy.filter {
        $0.isSecret || $0.value?.plain.map(CredentialNames.isSecret) == true
      }.map(\.name))
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
      extractors.append([])
      names.append(ImportedName(.value))
    }
    places = RequestPlaces(collection.requests, ids, &stepNames)
    let set = Set(collection.requests.flatMap { $0.sets.map(\.variable) })
    base = BaseURL.common(of: collection.requests.map(\.url)) { set.contains($0) }
  }

  // MARK: File

  mutating func workflow() -> JSONValue {
    var steps: [[JSONValue.Member]] = []
    for (number, request) in collection.requests.enumerated() {
      current = number
      composed = [:]
      report.file = request.file ?? report.file
      report.places[ids[number]] = (report.file, request.line)
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
    reportUnreadCredentials()
    file.append(.init("steps", .array(self.steps(in: nil, steps))))
    if !outputs.isEmpty { file.append(.init("outputs", .object(outputs))) }
    return .object(file)
  }

  /// The steps of a block, or those outside of blocks.
  ///
  /// - Parameter own: The members of each step.
  private func steps(in owner: Int?, _ own: [[JSONValue.Member]]) -> [JSONValue] {
    places.steps(in: owner).flatMap { number -> [JSONValue] in
      guard number != owner, let block = places.blocks[number] else {
        return [.object(own[number] + extract(ofStep: number))] + keySteps(behind: number)
      }
      var members: [JSONValue.Member] = [.init("id", .string(block.id))]
      let waits = dependencies(collection.requests[number].blockWaitsFor, seenFrom: block.owner)
      if !waits.isEmpty { members.append(.init("dependsOn", .array(waits))) }
      members.append(.init("forEach", block.items))
      members.append(.init("as", .string(block.itemName)))
      members.append(.init("steps", .array(steps(in: number, own))))
      return [.object(members)]
    }
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
    let source = mended(source)
    if let known = extractors[step].firstIndex(where: { $0.source == source }) { return known }
    let name = names[step].next(for: word, otherwise: "value")
    extractors[step].append(
      Extractor(name: name, source: source, isSecret: isCredential(source, name)))
    return extractors[step].count - 1
  }

  /// A source whose query is one of RFC 9535. Other tools have dialects of their own.
  private mutating func mended(_ source: ImportedSource) -> ImportedSource {
    switch source {
    case .body(let query):
      if let own = Query.meant(by: query) { return .body(own) }
      if refusedQueries.insert(query).inserted {
        report.refuse(
          collection.requests[current].line,
          "'\(String(query.unicodeScalars.prefix(60)))' is not a query of RFC 9535")
      }
      return .body("$")
    case .match(let pattern, let inner): return .match(pattern, of: mended(inner))
    case .parameter(let name, let inner): return .parameter(name, of: mended(inner))
    default: return source
    }
  }

  private func isCredential(_ source: ImportedSource, _ name: String) -> Bool {
    if case .cookie = source { return true }
    return CredentialNames.isField(name)
  }

  /// Hides a value that a credential is made of.
  mutating func markSecret(_ source: ImportedSource, of request: String) {
    guard let (step, _) = places.find(request, before: current) else { return }
    let extractor = self.extractor(source, named: source.word, ofStep: step)
    extractors[step][extractor].isSecret = true
  }

  /// Hides a value that a script keeps in a variable.
  mutating func markSecret(variable name: String) {
    guard let (step, extractor) = holders[name] else { return }
    extractors[step][extractor].isSecret = true
  }

  private func extract(ofStep step: Int) -> [JSONValue.Member] {
    let members = extractors[step].filter { $0.isRead || !$0.isSecret }.map { extractor in
      var source = extractor.source.members
      if extractor.isSecret { source.append(.init("secret", true)) }
      if extractor.isOfSomeRows
        || collection.requests[step].optionalSources.contains(extractor.source)
      {
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

  /// Names the credentials that the file keeps and no request reads. An output would show them.
  private mutating func reportUnreadCredentials() {
    for (step, extractors) in extractors.enumerated() {
      let request = collection.requests[step]
      report.file = request.file ?? report.file
      for extractor in extractors where !extractor.isRead && extractor.isSecret {
        report.approximate(
          request.line,
          "'\(extractor.name)' is a credential that no later request reads, so it is not kept")
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
      case .item(let request, let path): result += "{{\(places.itemName(of: request))\(path)}}"
      case .moment: result += "{{run.startedAt}}"
      case .login(let name):
        let login = ImportedCollection.Variable(name: name + " token", isSecret: true)
        report.approximate(
          line, "the settings of the login '\(name)' are not in the files, so its token is an input"
        )
        result += "{{inputs.\(inputs.input(for: login, value: nil))}}"
      case .environment(let name): result += "{{inputs.\(inputs.input(ofEnvironment: name))}}"
      case .variable(let name): result += variable(name, line: line, depth: depth)
      case .answer(let request, let source): result += answer(request, source, line: line)
      }
    }
    return result
  }

  private mutating func variable(_ name: String, line: Int, depth: Int) -> String {
    if let (step, extractor) = holders[name] {
      extractors[step][extractor].isRead = true
      return "{{\(ids[step]).\(extractors[step][extractor].name)}}"
    }
    let known = collection.variable(name)
    if let value = known?.value, value.plain == nil {
      if let known = composed[name] { return known }
      guard depth < 8 else {
        report.refuse(line, "the value of '\(name)' is made of itself")
        return ""
      }
      var text = template(value, line: line, depth: depth + 1)
      if text.utf8.count > Self.lengthLimit {
        report.refuse(line, "the value of '\(name)' is made of others, and too long")
        text = ""
      }
      composed[name] = text
      return text
    }
    var given =
      known ?? collection.environments.lazy.flatMap(\.values).first { $0.name == name }
      ?? ImportedCollection.Variable(name: name)
    if secretsOfEnvironments.contains(name) { given.isSecret = true }
    return "{{inputs.\(inputs.input(for: given, value: known?.value?.plain))}}"
  }

  private mutating func answer(_ request: String, _ source: ImportedSource, line: Int) -> String {
    guard let (step, place) = places.find(request, before: current) else {
      report.refuse(line, "no request before this one has the name '\(request)'")
      return ""
    }
    if case .key(let path, let index) = source {
      let object = self.object(path, ofStep: step)
      let id = keyStep(object, behind: step)
      return
        "{{\(places.way(to: step, place, seenFrom: places.owner(of: current)))\(id).members[\(index)].key}}"
    }
    let isOfSomeRows = places.isOfSomeRows(step, seenFrom: places.owner(of: current))
    let name = reading(source, ofStep: step, named: source.word, isOfSomeRows: isOfSomeRows)
    return "{{\(places.path(to: step, place, seenFrom: places.owner(of: current))).\(name)}}"
  }

  /// The name of an extractor that something reads.
  mutating func reading(
    _ source: ImportedSource, ofStep step: Int, named word: String, isOfSomeRows: Bool = false
  ) -> String {
    let index = extractor(source, named: word, ofStep: step)
    let before = extractors[step][index]
    extractors[step][index].isRead = true
    extractors[step][index].isOfSomeRows =
      isOfSomeRows && (before.isOfSomeRows || !before.isRead)
    return before.name
  }

  // MARK: Names of members

  /// The path of an object that a step extracts, seen from beside it.
  mutating func object(_ path: String, ofStep step: Int) -> String {
    let name = reading(.body(path), ofStep: step, named: ImportedSource.body(path).word)
    return "\(ids[step]).\(name)"
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

  // MARK: Steps

  /// The ids of the steps and blocks to wait for.
  private func dependencies(_ names: [String], seenFrom owner: Int?) -> [JSONValue] {
    names.compactMap { name in
      places.find(name, before: .max).map { .string(places.unit(of: $0.step, seenFrom: owner)) }
    }
  }

  private mutating func step(_ request: ImportedRequest, id: String) -> [JSONValue.Member] {
    var step: [JSONValue.Member] = [.init("id", .string(id))]
    if let title = request.title, !title.isEmpty, !title.equals(bytes: id) {
      step.append(.init("description", .string(title)))
    }
    let waits = dependencies(request.waitsFor, seenFrom: places.owner(of: current))
    if !waits.isEmpty { step.append(.init("dependsOn", .array(waits))) }
    if let items = request.items {
      let collection = self.items(items)
      // The block has the items of a step with which others are in it.
      if places.blocks[current] == nil { step.append(.init("forEach", collection)) }
      places.blocks[current]?.items = collection
    }
    return step + settings(of: request)
  }
}
