internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineRecordings

/// Writes the steps that were found in a recording.
struct TrafficWriting {
  private let traffic: Traffic
  private let correlator: Correlator
  private let found: TrafficSteps
  private let isRelaxed: Bool
  private var report = ImportReport()
  private var collection = ImportedCollection()
  private let fills: [[Int: Correlation]]
  /// The steps that are in the block of each step, and those outside of blocks.
  private let inner: [Int?: [Int]]
  private var variables: [ExactText: String] = [:]

  init(
    _ traffic: Traffic, _ correlator: Correlator, _ steps: TrafficSteps, isRelaxed: Bool,
    file: String
  ) {
    self.traffic = traffic
    self.correlator = correlator
    found = steps
    self.isRelaxed = isRelaxed
    report.file = file
    fills = steps.fills
    inner = Dictionary(grouping: steps.steps.indices) { steps.steps[$0].owner }
  }

  mutating func result() -> TrafficImporter.Result {
    for (line, message) in traffic.notes { report.approximate(line, message) }
    for (name, line) in traffic.keys.unread { report.approximate(key: name, line: line) }
    for (line, message) in traffic.refused { report.refuse(line, message) }
    report.leftOut = TrafficNoise.allCases.compactMap { noise in
      traffic.leftOut[noise].map { (noise.rawValue, $0) }
    }
    for (first, count, reason) in found.unlisted {
      report.approximate(
        traffic.exchanges[first].first.line,
        "\(count) requests like this one are a step each, because \(reason.message)")
    }
    for step in found.steps { collection.requests.append(request(of: step)) }
    let order = setOrder(in: nil)
    collection.isInOrderOfData = true
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    let workflow = writer.workflow()
    let ids = found.stepOf.map { writer.ids[$0] }
    return TrafficImporter.Result(
      workflow: workflow, report: writer.report, edges: edges(ids),
      replay: TrafficReplay(traffic, correlator.correlations, inputs: writer.inputs.given),
      recordedTime: traffic.exchanges.reduce(0) { $0 + $1.duration },
      criticalTime: order.criticalTime)
  }

  private func name(_ position: Int) -> String { "#\(position)" }

  // MARK: Order

  /// Sets what each step waits for without reading it: those of a block, or those outside of blocks.
  private mutating func setOrder(in owner: Int?) -> TrafficOrder {
    let units = (owner.map { [$0] } ?? []) + (inner[owner] ?? [])
    var unitOf: [Int: Int] = [:]
    let members = units.enumerated().map { number, unit in
      let members = unit == owner ? [unit] : wholeBlock(unit)
      for member in members { unitOf[member] = number }
      return members
    }
    let order = TrafficOrder(
      zip(units, members).enumerated().map { number, pair in
        let (unit, members) = pair
        let reads = members.flatMap { found.steps[$0].positions }.flatMap { position in
          fills[position].values.compactMap { unitOf[found.stepOf[$0.producer.exchange]] }
        }
        return TrafficOrder.Step(
          isSafe: members.allSatisfy { traffic.exchanges[found.steps[$0].positions[0]].isSafe },
          time: unit == owner ? 0 : time(of: unit), reads: Set(reads).subtracting([number]))
      }, isRelaxed: isRelaxed)
    for (number, unit) in units.enumerated() {
      let names = order.waits[number].map { name(found.steps[units[$0]].positions[0]) }
      let isBlock = unit != owner && inner[unit] != nil
      if isBlock {
        collection.requests[unit].blockWaitsFor = names
        _ = setOrder(in: unit)
      } else {
        collection.requests[unit].waitsFor = names
      }
    }
    return order
  }

  /// A step and the steps that are in its block.
  private func wholeBlock(_ step: Int) -> [Int] {
    [step] + (inner[step] ?? []).flatMap { wholeBlock($0) }
  }

  /// The seconds that a step takes, or its whole block, if all items are carried out at once.
  private func time(of step: Int, _ place: [Int] = []) -> Double {
    let found = self.found.steps[step]
    let own = found.positions.indices.filter {
      found.places.isEmpty || found.places[$0].starts(with: place)
    }
    guard found.hasItems else { return own.reduce(0) { $0 + duration(found.positions[$1]) } }
    let blocked = inner[step] ?? []
    return own.map { number in
      blocked.reduce(duration(found.positions[number])) {
        $0 + time(of: $1, found.places[number])
      }
    }.max() ?? 0
  }

  private func duration(_ position: Int) -> Double { traffic.exchanges[position].duration }

  // MARK: Requests

  private mutating func request(of step: TrafficStep) -> ImportedRequest {
    let position = step.positions[0]
    let exchange = traffic.exchanges[position]
    var texts: [Int: ForeignText] = [:]
    for (slot, correlation) in fills[position] {
      texts[slot] = text(correlation, exchange.slotted.slots[slot], step.itemParts[slot])
    }
    for (slot, part) in exchange.slotted.slots.enumerated() where texts[slot] == nil {
      if let other = correlator.secondText(position, slot), !other.equals(bytes: part.text) {
        texts[slot] = ForeignText(parts: [.variable(variable(part))])
      }
    }
    var request = exchange.slotted.request(line: exchange.first.line, fills: texts, &report)
    request.name = name(position)
    request.rows = step.positions.dropFirst().map { name($0) }
    request.places = step.places
    request.owner = step.owner.map { name(found.steps[$0].positions[0]) }
    setResponse(of: exchange, &request)
    if let (until, every) = exchange.poll { request.poll = (until, every, nil) }
    switch step.form {
    case .single: break
    case .items(let items): setItems(items, of: step, &request)
    case .pages(let pages):
      request.pages = pages
      if let name = pages.ownParameter { request.removeParameter(name) }
    }
    return request
  }

  private mutating func setItems(
    _ items: TrafficStep.Items, of step: TrafficStep, _ request: inout ImportedRequest
  ) {
    let position = step.positions[0]
    let exchange = traffic.exchanges[position]
    let number = found.stepOf[position]
    let slot = step.itemParts.filter { $0.value.owner == nil }.keys.min().map {
      exchange.slotted.slots[$0]
    }
    request.itemWord = slot.map {
      $0.kind == .path ? ValueStrength.singular($0.name) : $0.name
    }
    let path = singlePath(of: number)
    request.itemPart = path.flatMap { $0.isEmpty ? nil : ImportedSource.body($0).word }
    let whole = "[*]" + (path ?? "")
    switch items {
    case .rows(let other):
      let producer = fills[position].first { step.itemParts[$0.key] != nil }?.value.producer
      request.items = producer.map {
        .rows(of: name(found.steps[other].positions[0]), source: $0.source)
      }
    case .keys(let producer, let object):
      request.items = .keys(of: name(producer), object: object)
    case .nested(let other, let list):
      request.items = .nested(
        of: name(found.steps[other].positions[0]), query: list + whole)
    case .inner(let other, let list):
      request.items = .inner(of: name(found.steps[other].positions[0]), query: list + whole)
    case .list(let producer, let list):
      var query = list + whole
      if let length = step.length {
        query = "\(list)[:\(step.positions.count)]" + (path ?? "")
        report.approximate(
          exchange.first.line,
          "only the first \(step.positions.count) of \(length) items are requested, as recorded")
      }
      request.items = .list(of: name(producer), query: query)
    }
  }

  /// The path of an item that all steps of a block take; `nil` if they take several paths. Then the
  /// items stay whole.
  private func singlePath(of step: Int) -> String? {
    if case .items(.keys) = found.steps[step].form { return nil }
    var paths: Set<String> = []
    for member in wholeBlock(step) {
      for part in found.steps[member].itemParts.values
      where part.owner == step || member == step && part.owner == nil {
        paths.insert(part.path)
      }
    }
    return paths.count == 1 ? paths.first : nil
  }

  private func text(
    _ correlation: Correlation, _ slot: RequestSlot, _ itemPart: TrafficStep.ItemPart?
  ) -> ForeignText {
    let part: ForeignText.Part
    if let itemPart {
      // Items are the values themselves if the steps need one member of each.
      let owner = itemPart.owner ?? found.stepOf[correlation.consumer]
      part = .item(
        of: name(found.steps[owner].positions[0]),
        path: singlePath(of: owner) == nil ? itemPart.path : "")
    } else {
      part = .answer(
        request: name(correlation.producer.exchange), source: correlation.producer.source)
    }
    guard let range = slot.text.firstRange(bytes: correlation.value) else {
      return ForeignText(parts: [part])
    }
    return ForeignText(parts: [
      .text(String(slot.text[..<range.lowerBound])), part,
      .text(String(slot.text[range.upperBound...])),
    ])
  }

  /// The variable for a value that differs between two recordings.
  private mutating func variable(_ slot: RequestSlot) -> String {
    let key = ExactText(slot.name + "\u{0}" + slot.text)
    if let known = variables[key] { return known }
    let count = variables.keys.count { $0.text.hasPrefix(bytes: slot.name + "\u{0}") }
    let name = slot.name + (count == 0 ? "" : " \(count + 1)")
    variables[key] = name
    collection.declare(
      .init(
        name: name, value: ForeignText(plain: slot.text),
        isSecret: slot.kind == .cookie || CredentialNames.isField(slot.name)
          || CredentialNames.isHeader(slot.name) || CredentialNames.isShape(Array(slot.text.utf8))))
    return name
  }

  private func setResponse(of exchange: TrafficExchange, _ request: inout ImportedRequest) {
    let status = exchange.last.status
    // The browser had the response already, which a run has not.
    if status == 304 {
      request.statuses = [200, 304]
      return
    }
    if (300..<400).contains(exchange.first.status), exchange.entries.count == 1 {
      request.followsRedirects = false
      request.statuses = [status]
    } else if status >= 400 {
      request.statuses = [status]
    }
  }

  // MARK: Evidence

  private func edges(_ ids: [String]) -> [TrafficEdge] {
    func place(_ value: ProducedValue) -> String {
      "\(ids[value.exchange]): \(value.source.title)"
    }
    let kept = correlator.correlations.map { correlation in
      let slot = traffic.exchanges[correlation.consumer].slotted.slots[correlation.slot]
      return TrafficEdge(
        from: ids[correlation.producer.exchange], to: ids[correlation.consumer],
        produced: correlation.producer.source.title, used: slot.title,
        value: Self.masked(correlation.value, slot, correlation.producer.names),
        bits: correlation.bits, agreement: correlation.agreement,
        occurrences: correlation.occurrences, isConfirmed: correlation.isConfirmed,
        rejected: correlation.rejected.map { (place($0.value), $0.reason.rawValue) },
        isKept: true, consumer: traffic.exchanges[correlation.consumer].first.number,
        producer: traffic.exchanges[correlation.producer.exchange].last.number)
    }
    let others = correlator.unused.map { unused in
      let slot = traffic.exchanges[unused.consumer].slotted.slots[unused.slot]
      return TrafficEdge(
        from: "", to: ids[unused.consumer], produced: "", used: slot.title,
        value: Self.masked(unused.value, slot, unused.rejected.first?.value.names ?? []),
        bits: ValueStrength.bits(of: unused.value), agreement: 0,
        occurrences: unused.occurrences, isConfirmed: nil,
        rejected: unused.rejected.map { (place($0.value), $0.reason.rawValue) }, isKept: false,
        consumer: traffic.exchanges[unused.consumer].first.number, producer: nil)
    }
    return kept + others
  }

  /// A value in so far as it may be shown.
  private static func masked(_ value: String, _ slot: RequestSlot, _ names: [String]) -> String {
    let isSecret =
      slot.kind == .cookie || CredentialNames.isField(slot.name)
      || CredentialNames.isHeader(slot.name) || names.contains { CredentialNames.isField($0) }
      || CredentialNames.isShape(Array(value.utf8))
    if isSecret { return "•••" }
    let scalars = value.unicodeScalars
    return scalars.count <= 6 ? "'\(value)'" : "'\(String(scalars.prefix(3)))…' (\(scalars.count))"
  }
}
