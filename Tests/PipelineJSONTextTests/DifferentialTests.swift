internal import CPipelineByteMasks
import PipelineTestSupport
import Testing

@testable import PipelineJSONText

/// The strict parser, the recovering one and an independent reference agree: on whether a text is
/// right, on its tape, and on the value. For each kind of processor this one can do.
struct DifferentialTests {
  private static let processors: [cbm_processor] = [CBM_BASELINE, CBM_AVX2, CBM_AVX512]
    .filter { $0.rawValue <= cbm_processor().rawValue }

  private func check(_ bytes: [UInt8], _ comment: @autoclosure () -> String = "") {
    let reference = ReferenceParser.value(of: bytes)
    let parsed = try? JSONDocument.parse(bytes)
    guard (reference == nil) == (parsed == nil) else {
      Issue.record(
        "\(parsed == nil ? "refused" : "taken"): \(comment()): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
      )
      return
    }
    for processor in Self.processors {
      let tape = StrictParser.tape(of: bytes, depthLimit: 512, processor: processor)
      if tape != nil && tape != parsed?.tape {
        Issue.record("processor \(processor.rawValue) disagrees about \(comment())")
      }
      // The strict parser leaves lone scalars to the other.
      if tape == nil, let parsed, parsed.element(at: 0).isContainer {
        Issue.record(
          "processor \(processor.rawValue) refuses \(comment()): \(parsed.root.text.debugDescription)"
        )
      }
    }
    let (recovered, problems) = JSONDocument.parseRecovering(bytes)
    let errors = problems.filter { $0.code != .duplicateName && $0.code != .byteOrderMark }
    if errors.isEmpty != (reference != nil) {
      Issue.record("the recovering parser disagrees: \(comment())")
    }
    if !recovered.isWellFormed { Issue.record("the recovered tape is wrong: \(comment())") }
    if let parsed {
      if JSONValue(parsed.root) != reference { Issue.record("another value: \(comment())") }
      if errors.isEmpty && recovered.tape != parsed.tape { Issue.record("another tape") }
      if !parsed.isWellFormed { Issue.record("the tape is wrong: \(comment())") }
    }
  }

  @Test(
    .enabled(if: Conformance.directory != nil, "there are no conformance files"),
    arguments: ["twitter", "citm_catalog", "canada"])
  func theBenchmarkFilesAreReadAlike(_ name: String) throws {
    let bytes = try #require(Conformance.read("json-benchmark-data/data/\(name).json"))
    let document = try JSONDocument.parse(bytes)
    #expect(document.isWellFormed)
    #expect(JSONDocument.parseRecovering(bytes).document.tape == document.tape)
    for processor in Self.processors {
      // At every alignment of the 64 bytes that are looked at together.
      for space in [0, 1, 2, 3, 31, 61, 62, 63] {
        let moved = [UInt8](repeating: 0x20, count: space) + bytes
        let tape = StrictParser.tape(of: moved, depthLimit: 512, processor: processor)
        #expect(tape?.count == document.tape.count)
        let last = tape?.last.map { TapeElement(word: $0).offset - space }
        #expect(last == document.tape.last.map { TapeElement(word: $0).offset })
      }
    }
  }

  @Test func stringsAreJudgedAlikeAtEveryAlignment() {
    let contents = [
      "", "a", #"\n"#, #"\\"#, #"\""#, #"\u00e9"#, #"\ud834\udd1e"#, "é", "€", "𝄞", "日本語テキスト",
      "ไทย",
      "한국어", "עברית", "é\\n€", #"\\\\\\\""#, "😀😀😀😀", #"\/\/"#, #"\\u12"#, #"\\ud800"#,
      // Wrong ones.
      #"\"#, #"\x"#, #"\u12"#, #"\ud800"#, #"\udc00"#, #"\ud800\n"#, #"\ud834\\udd1e"#, "\t", "\n",
      "\u{0}", "\u{1F}", #"\\\"#,
    ]
    for content in contents {
      for space in 0..<130 {
        for tail in ["", String(repeating: "b", count: 70)] {
          let fill = String(repeating: "a", count: space)
          check(Array("[\"\(fill)\(content)\(tail)\"]".utf8), "\(content) after \(space)")
          check(Array("\(fill.map { _ in " " }.joined())[\"\(content)\(tail)\",1]".utf8), content)
        }
      }
    }
  }

  @Test func wrongBytesAreFoundAtEveryAlignment() {
    let wrong: [[UInt8]] = [
      [0x80], [0xC3], [0xC0, 0x80], [0xE3, 0x81], [0xE3], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80],
      [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9D, 0x84], [0xFF],
      [0xC3, 0xA9, 0xA9], [0xE3, 0x81, 0x82, 0x82], [0xE3, 0x81, 0xC3, 0xA9],
    ]
    for sequence in wrong {
      for space in 0..<130 {
        for around in ["a", "é"] {
          let text = String(repeating: around, count: space).utf8
          for tail in [
            "\"]", "aa\"]", "\u{3042}\u{3042}\"]", String(repeating: "a", count: 80) + "\"]",
          ] {
            check([0x5B, 0x22] + text + sequence + Array(tail.utf8), "\(sequence) after \(space)")
          }
        }
      }
    }
  }

  @Test func generatedTextsAreReadAlike() {
    var source = TextSource(seed: 42)
    for round in 0..<1500 {
      let text = source.text()
      check(text, "round \(round)")
      for _ in 0..<4 { check(source.damaged(text), "damaged in round \(round)") }
    }
  }

  @Test func longTextsAreReadAlike() {
    var source = TextSource(seed: 7)
    for round in 0..<12 {
      var text: [UInt8] = [0x5B]
      while text.count < 30_000 {
        if text.count > 1 { text.append(0x2C) }
        text += source.text()
      }
      text.append(0x5D)
      check(text, "long round \(round)")
      for _ in 0..<3 { check(source.damaged(text), "long damaged in round \(round)") }
    }
  }
}

/// Random JSON texts, the same for the same seed, and damage to them.
struct TextSource {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func random(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random(elements.count)]
  }

  mutating func text() -> [UInt8] {
    var text = ""
    let isPretty = random(2) == 0
    write(to: &text, depth: 0, indent: isPretty ? "\n" : nil)
    return Array(text.utf8)
  }

  private mutating func write(to text: inout String, depth: Int, indent: String?) {
    let kind = random(depth > 4 ? 5 : 8)
    let inner = indent.map { $0 + "  " }
    switch kind {
    case 0: text += pick(["null", "true", "false"])
    case 1, 2: text += number()
    case 3, 4: text += string()
    case 5, 6:
      text += "{"
      let count = random(6)
      for index in 0..<count {
        if index > 0 { text += "," }
        text += inner ?? ""
        text += string() + pick([":", ":", ": ", " : "])
        write(to: &text, depth: depth + 1, indent: inner)
      }
      text += (count > 0 ? indent : nil) ?? pick(["", "", " "])
      text += "}"
    default:
      text += "["
      let count = random(6)
      for index in 0..<count {
        if index > 0 { text += "," }
        text += inner ?? pick(["", " "])
        write(to: &text, depth: depth + 1, indent: inner)
      }
      text += (count > 0 ? indent : nil) ?? pick(["", "", " "])
      text += "]"
    }
  }

  private mutating func number() -> String {
    let digits = String(repeating: pick(["1", "90", "123"]), count: random(12) + 1)
    return pick(["", "-"]) + pick(["0", digits, digits])
      + pick(["", "", ".5", ".0", "." + digits]) + pick(["", "", "", "e1", "E-20", "e+007"])
  }

  private mutating func string() -> String {
    var text = "\""
    for _ in 0..<pick([0, 1, 3, 8, 20]) {
      text += pick([
        "a", "id", "name", "some longer text", " ", "é", "€", "日本", "𝄞", "\\n", "\\\\", "\\\"",
        "\\/",
        "\\u00e9", "\\ud83d\\ude00", "/", "'", "{", "]", ",", ":",
      ])
    }
    return text + "\""
  }

  /// The text with one to three bytes changed, removed, added or moved.
  mutating func damaged(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...random(3) {
      let at = random(text.count + 1)
      let byte = pick(
        Array("{}[]:,\"\\ \n\t0159.-+eEutfn/'#;=a\u{0}".utf8) + [0x80, 0xC3, 0xE3, 0xFF])
      switch random(4) {
      case 0: text.insert(byte, at: at)
      case 1 where at < text.count: text.remove(at: at)
      case 2 where at < text.count: text[at] = byte
      default: text.removeLast(min(text.count, random(4)))
      }
    }
    return text
  }
}
