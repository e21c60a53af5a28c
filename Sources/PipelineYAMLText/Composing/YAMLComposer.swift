internal import PipelineJSONText

/// Events → a JSON text, its tape and the places of its values.
struct YAMLComposer {
  let parser: YAMLParser
  /// The parser's `text`, whose memory outlives the composer.
  private let text: UnsafeBufferPointer<UInt8>
  var output = Fragment()
  var problems: [YAMLProblem] = []
  private var anchors: [ArraySlice<UInt8>: Anchor] = [:]
  private var open: [OpenCollection] = []
  /// The anchored collections of the document, in the order of the tape.
  private var anchored: [(name: ArraySlice<UInt8>, index: Int)] = []
  private var repeatedValues = 0

  /// What an anchor names.
  private enum Anchor {
    case scalar(YAMLEvent)
    /// The index of a collection's opening on the tape.
    case collection(Int)
    /// What lies in the value of a merge key, which is not on the tape.
    case merged(Fragment)
  }

  /// A collection that has not ended.
  struct OpenCollection {
    let index: Int
    let isObject: Bool
    var expectsName: Bool
    /// The tape indexes of the names so far.
    var names: [Int] = []
    /// Where the member of a merge key begins, while its value is composed.
    var mergeStart: Fragment.Mark?
    var merged: [Fragment] = []
  }

  init(_ parser: YAMLParser, text: UnsafeBufferPointer<UInt8>) {
    self.parser = parser
    self.text = text
  }

  mutating func documents() throws(YAMLProblem) -> [YAMLDocument] {
    var documents: [YAMLDocument] = []
    for event in parser.events {
      switch event.kind {
      case .documentStart:
        (output, problems, anchors, anchored) = (Fragment(), [], [:], [])
        output.json.reserveCapacity(parser.input.count)
      case .documentEnd:
        documents.append(
          YAMLDocument(
            document: JSONDocument(bytes: output.json, tape: output.tape), places: output.places,
            problems: problems))
      case .mappingStart, .sequenceStart: try begin(event)
      case .mappingEnd, .sequenceEnd: try end(event)
      case .scalar: try scalar(event)
      case .alias: try alias(event)
      }
      if output.json.count > parser.limits.size || output.tape.count > TapeElement.spanLimit {
        throw YAMLProblem(
          "the text stands for more than \(parser.limits.size) bytes", range: event.range,
          code: .tooLarge)
      }
    }
    return documents
  }

  private var expectsName: Bool { open.last?.expectsName ?? false }

  private mutating func begin(_ event: YAMLEvent) throws(YAMLProblem) {
    guard !expectsName else { throw Self.keyProblem(event) }
    output.separate()
    let isObject = event.kind == .mappingStart
    let index = output.open(isObject, event.range)
    open.append(OpenCollection(index: index, isObject: isObject, expectsName: isObject))
    if let name = event.properties.anchor {
      anchors[bytes(name)] = .collection(index)
      anchored.append((bytes(name), index))
    }
  }

  private mutating func end(_ event: YAMLEvent) throws(YAMLProblem) {
    guard let collection = open.popLast() else { return }
    if collection.isObject {
      if collection.names.count > 1 { reportDuplicates(collection.names) }
      if !collection.merged.isEmpty { try output.merge(collection) }
    }
    output.close(collection.index, collection.isObject, event.range)
    try finishValue(event)
  }

  private mutating func scalar(_ event: YAMLEvent) throws(YAMLProblem) {
    if let name = event.properties.anchor { anchors[bytes(name)] = .scalar(event) }
    try write(event, at: event.range)
  }

  /// Writes a scalar as a name or a value.
  private mutating func write(_ event: YAMLEvent, at range: Range<Int>) throws(YAMLProblem) {
    let content = content(of: event)
    guard expectsName else {
      output.separate()
      try CoreSchema.write(event, content, tag: tag(of: event), at: range, to: &output)
      return try finishValue(event)
    }
    let last = open.count - 1
    open[last].expectsName = false
    if event.style == .plain, event.properties.tag == 0, content.elementsEqual("<<".utf8) {
      open[last].mergeStart = output.mark
      problems.append(
        YAMLProblem(
          "'<<' comes from YAML 1.1, and not every reader merges it; write the keys out",
          range: event.range, code: .mergeKey))
    }
    output.separate()
    open[last].names.append(output.tape.count)
    output.string(content, at: range)
    output.json.append(UInt8(ascii: ":"))
  }

  private mutating func alias(_ event: YAMLEvent) throws(YAMLProblem) {
    let name = bytes(event.content)
    switch anchors[name] {
    case .scalar(let anchored):
      try write(anchored, at: event.range)
    case .collection(let index):
      guard !open.contains(where: { $0.index == index }) else {
        throw YAMLProblem(
          "this alias lies inside what it stands for, which would have no end",
          range: event.range, code: .notJSON)
      }
      try repeated(output.fragment(at: index), event)
    case .merged(let fragment):
      try repeated(fragment, event)
    case nil:
      throw YAMLProblem(
        "no anchor '&\(String(decoding: name, as: UTF8.self))' precedes this alias",
        range: event.range)
    }
  }

  private mutating func repeated(
    _ fragment: Fragment, _ event: YAMLEvent
  ) throws(YAMLProblem) {
    guard !expectsName else { throw Self.keyProblem(event) }
    repeatedValues += fragment.tape.count
    guard repeatedValues <= parser.limits.repeatedValues else {
      throw YAMLProblem(
        "aliases repeat more than \(parser.limits.repeatedValues) values", range: event.range,
        code: .tooLarge)
    }
    output.separate()
    output.append(fragment)
    try finishValue(event)
  }

  /// A value of the innermost collection has ended.
  private mutating func finishValue(_ event: YAMLEvent) throws(YAMLProblem) {
    guard let last = open.indices.last, open[last].isObject else { return }
    open[last].expectsName = true
    guard let start = open[last].mergeStart else { return }
    open[last].mergeStart = nil
    let name = open[last].names.removeLast()
    let value = output.fragment(at: name + 1)
    let sources = value.mappings
    guard !sources.isEmpty else {
      throw YAMLProblem(
        "'<<' takes a mapping or a list of mappings", range: event.range, code: .notJSON)
    }
    repeatedValues += value.tape.count
    keepAnchored(from: start.tape)
    output.truncate(to: start)
    open[last].merged += sources
  }

  /// Keeps what anchors name in the part of the tape that is about to be removed.
  private mutating func keepAnchored(from start: Int) {
    while let (name, index) = anchored.last, index >= start {
      anchored.removeLast()
      if case .collection(index) = anchors[name] {
        anchors[name] = .merged(output.fragment(at: index))
      }
    }
  }

  private mutating func reportDuplicates(_ names: [Int]) {
    for (first, second) in output.duplicates(names) where problems.count < 100 {
      let name = String(decoding: output.content(at: second), as: UTF8.self)
      problems.append(
        YAMLProblem(
          "the key \"\(name)\" appears twice in one mapping; remove one",
          range: output.range(at: second), code: .duplicateKey, first: output.range(at: first)))
    }
  }

  private static func keyProblem(_ event: YAMLEvent) -> YAMLProblem {
    YAMLProblem(
      "a key is a text; lists and mappings cannot be keys in JSON", range: event.range,
      code: .notJSON)
  }

  private func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
    ArraySlice(parser.input[range])
  }

  private func tag(of event: YAMLEvent) -> String? {
    event.properties.tag == 0 ? nil : parser.tags[Int(event.properties.tag) - 1]
  }

  private func content(of event: YAMLEvent) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: (event.isContentMade ? text : parser.input)[event.content])
  }
}
