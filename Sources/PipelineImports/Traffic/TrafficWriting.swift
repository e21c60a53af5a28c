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
  private var fills: [[Int: Correlation]]
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
    fills = [[Int: Correlation]](repeating: [:], count: traffic.exchanges.count)
    for correlation in correlator.correlations {
      fills[correlation.consumer][correlation.slot] = correlation
    }
  }

  mutating func result() -> TrafficImporter.Result {
    for (line, message) in traffic.notes { report.approximate(line, message) }
    for (line, message) in traffic.refused { report.refuse(line, message) }
    report.leftOut = TrafficNoise.allCases.compactMap { noise in
      traffic.leftOut[noise].map { (noise.rawValue, $0) }
    }
    let order = order()
    for (number, step) in found.steps.enumerated() {
      var request = request(of: step)
      request.waitsFor = order.waits[number].map { name(found.steps[$0].positions[0]) }
      collection.requests.append(request)
    }
    collection.isInOrderOfData = true
    var writer = WorkflowWriter(collection, isRelaxed: isRelaxed, report)
    let workflow = writer.workflow()
    let ids = found.stepOf.map { writer.ids[$0] }
    return TrafficImporter.Result(
      workflow: workflow, report: writer.report, edges: edges(ids),
      replay: TrafficReplay(traffic, correlator.correlations, inputs: writer.inputs.given),
      recordedTime: order.recordedTime, criticalTime: order.criticalTime)
  }

  private func name(_ position: Int) -> String { "#\(position)" }

  private func order() -> TrafficOrder {
    TrafficOrder(
      found.steps.map { step in
        let exchanges = step.positions.map { traffic.exchanges[$0] }
        let times = exchanges.map(\.duration)
        var isParallel = false
        if case .items = step.form { isParallel = true }
        let reads = step.positions.flatMap {
          fills[$0].values.map { found.stepOf[$0.producer.exchange] }
        }
        return TrafficOrder.Step(
          isSafe: exchanges[0].isSafe,
          time: isParallel ? times.max() ?? 0 : times.reduce(0, +),
          reads: Set(reads).subtracting([found.stepOf[step.positions[0]]]))
      }, isRelaxed: isRelaxed)
  }

  // MARK: Requests

  private mutating func request(of step: TrafficStep) -> ImportedRequest {
    let position = step.positions[0]
    let exchange = traffic.exchanges[position]
    var texts: [Int: ForeignText] = [:]
    for (slot, correlation) in fills[position] {
      texts[slot] = text(correlation, exchange.slotted.slots[slot], itemPath: step.itemPaths[slot])
    }
    for (slot, part) in exchange.slotted.slots.enumerated() where texts[slot] == nil {
      if let other = correlator.secondText(position, slot), !other.equals(bytes: part.text) {
        texts[slot] = ForeignText(parts: [.variable(variable(part))])
      }
    }
    var request = exchange.slotted.request(line: exchange.first.line, fills: texts, &report)
    request.name = name(position)
    request.rows = step.positions.dropFirst().map { name($0) }
    setResponse(of: exchange, &request)
    if let (until, every) = exchange.poll { request.poll = (until, every, nil) }
    switch step.form {
    case .single: break
    case .items(.rows(let number)):
      let producer = fills[position].first { step.itemPaths[$0.key] != nil }?.value.producer
      request.items = producer.map {
        .rows(of: name(found.steps[number].positions[0]), source: $0.source)
      }
    case .items(.keys(let producer, let object)):
      request.items = .keys(of: name(producer), object: object)
    case .items(.nested(let number, let list)):
      let rest = Set(step.itemPaths.values)
      request.items = .nested(
        of: name(found.steps[number].positions[0]),
        query: list + "[*]" + (rest.count == 1 ? rest.first ?? "" : ""))
    case .items(.list(let producer, let list)):
      let rest = Set(step.itemPaths.values)
      let end = step.length == nil ? "[*]" : "[:\(step.positions.count)]"
      if let length = step.length {
        report.approximate(
          exchange.first.line,
          "only the first \(step.positions.count) of \(length) items are requested, as recorded")
      }
      request.items = .list(
        of: name(producer), query: list + end + (rest.count == 1 ? rest.first ?? "" : ""))
    case .pages(let pages):
      request.pages = pages
      if let name = pages.ownParameter { request.removeParameter(name) }
    }
    return request
  }

  private func text(
    _ correlation: Correlation, _ slot: RequestSlot, itemPath: String?
  ) -> ForeignText {
    let part: ForeignText.Part
    if let itemPath {
      // Items are the values themselves if the step needs one member of each.
      let step = found.steps[found.stepOf[correlation.consumer]]
      var isWhole = Set(step.itemPaths.values).count == 1
      if case .items(.keys) = step.form { isWhole = false }
      part = .item(path: isWhole ? "" : itemPath)
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
