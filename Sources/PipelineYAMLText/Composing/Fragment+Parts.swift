internal import PipelineJSONText

// Values taken out of a fragment and added to another, for aliases and merge keys.

extension Fragment {
  /// The value at a tape index alone.
  func fragment(at index: Int) -> Fragment {
    let first = TapeElement(word: tape[index])
    let last = first.isContainer ? first.span : index
    let start = first.isQuoted ? first.offset - 1 : first.offset
    let ending = TapeElement(word: tape[last])
    let end =
      ending.isEnd
      ? ending.offset + 1 : ending.offset + ending.span + (ending.isQuoted ? 1 : 0)
    var part = Fragment()
    part.json = Array(json[start..<end])
    part.tape = tape[index...last].map { Self.shifted($0, bytes: -start, words: -index) }
    part.places = Array(places[index...last])
    return part
  }

  mutating func append(_ part: Fragment) {
    let (bytes, words) = (json.count, tape.count)
    json += part.json
    for word in part.tape { tape.append(Self.shifted(word, bytes: bytes, words: words)) }
    places += part.places
  }

  private static func shifted(_ word: UInt64, bytes: Int, words: Int) -> UInt64 {
    let element = TapeElement(word: word)
    let points = element.isContainer || element.isEnd
    return TapeElement(
      element.kind, offset: element.offset + bytes,
      span: points ? element.span + words : element.span
    ).word
  }

  /// The fragment if it is a mapping, or the mappings it lists; none if it is anything else.
  var mappings: [Fragment] {
    let first = TapeElement(word: tape[0])
    if first.isObject { return [self] }
    guard first.isArray else { return [] }
    var found: [Fragment] = []
    var index = 1
    while index < first.span {
      let element = TapeElement(word: tape[index])
      guard element.isObject else { return [] }
      found.append(fragment(at: index))
      index = element.span + 1
    }
    return found
  }

  /// Adds the members of merged mappings that the collection, or a mapping merged before, lacks.
  mutating func merge(_ collection: YAMLComposer.OpenCollection) throws(YAMLProblem) {
    var known = Set(collection.names.map { content(at: $0) })
    for source in collection.merged {
      var index = 1
      while index < source.tape.count - 1 {
        let value = TapeElement(word: source.tape[index + 1])
        if known.insert(source.content(at: index)).inserted {
          separate()
          append(source.fragment(at: index))
          json.append(UInt8(ascii: ":"))
          append(source.fragment(at: index + 1))
        }
        index = value.isContainer ? value.span + 1 : index + 2
      }
    }
  }

  /// Pairs of names that are equal, each repetition with the first.
  func duplicates(_ names: [Int]) -> [(first: Int, second: Int)] {
    var firsts: [ArraySlice<UInt8>: Int] = [:]
    if names.count <= 8, areDistinct(names) { return [] }
    var found: [(first: Int, second: Int)] = []
    for name in names {
      if let first = firsts[content(at: name)] {
        found.append((first, name))
      } else {
        firsts[content(at: name)] = name
      }
    }
    return found
  }

  /// Compares each two, which for a few is faster than hashing them.
  private func areDistinct(_ names: [Int]) -> Bool {
    for (count, name) in names.enumerated() {
      let span = TapeElement(word: tape[name]).span
      for other in names[..<count] where TapeElement(word: tape[other]).span == span {
        if content(at: other) == content(at: name) { return false }
      }
    }
    return true
  }
}
