import Testing

@testable import PipelineJSONText

/// RFC 8259, production by production: what is taken and what is refused.
struct GrammarTests {
  @Test(arguments: [
    "null", "true", "false", " \t\r\n1 \t\r\n", "0", "-0", "-1", "10", "1.5", "1e5", "1E+5",
    "1e-05", "-0.0e0", "123456789012345678901234567890", "\"\"", "\"a\"", "\"\\\"\"",
    #""\"\\\/\b\f\n\r\t""#, #""\u0041""#, #""\uD834\uDD1E""#, #""\u0000""#, "\"\u{7F}\"",
    "\"é\"", "\"€\"", "\"𝄞\"", "\"\u{FFFF}\u{10FFFF}\"", "[]", "{}", "[ ]", "{ }", "[[]]", "[{}]",
    "{\"\":0}", "{\"a\":{\"b\":[1,2,{}]}}", "[1,2 , 3]", "{\"a\":1,\"a\":2}", "[null,true,false]",
    "[-1,0.5,1e1]", "[\"\"]", "\u{FEFF}[]", "\u{FEFF}1", "[true]", "[false]", "[null]",
    "{\"a\":true}", "[1e1]", "[\"aaaaaaaéaaaaaaa€aaaaaaaa𝄞\"]", "[\"€\"]", "[\"𝄞\"]", "[\"é\"]",
  ])
  func aValidTextIsTaken(_ text: String) throws {
    let document = try JSONDocument.parse(Array(text.utf8))
    let trimmed = text.trimmingPrefix("\u{FEFF}").utf8
      .drop { " \t\r\n".utf8.contains($0) }.reversed().drop { " \t\r\n".utf8.contains($0) }
    #expect(Array(document.root.utf8) == Array(trimmed.reversed()))
    let (recovered, problems) = JSONDocument.parseRecovering(Array(text.utf8))
    #expect(problems.allSatisfy { [.byteOrderMark, .duplicateName].contains($0.code) })
    #expect(recovered.tape == document.tape)
  }

  @Test(arguments: [
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[,1]", "[1,]", "[1 2]", "[1]]", "[1}", "{\"a\"}",
    "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}",
    "{\"a\":1:2}", "01", "-", "+1", "1.", ".5", "1e", "1e+", "-a", "--1", "0x1", "1_0", "NaN",
    "Infinity", "tru", "nul", "fals", "True", "[tru]", "[nul]", "[truee]", "[nullx]", "[falsey]",
    "\"", "\"a", "'a'", "\"\\", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\uD800\"",
    "\"\\uDC00\"", "\"\\uD800\\u0041\"", "\"\\uD800\\uD800\"", "\"\t\"", "\"\n\"", "\"\u{0}\"",
    "\"\u{1F}\"", "1 2", "[]a", "[] []", "// c\n1", "/* c */1", "#c\n1", "\u{A0}1", "\u{C}1",
    "1\u{FEFF}", "\u{FEFF}", "\u{FEFF}\u{FEFF}1", "[\u{FEFF}]", "[1;2]", "\"a\"b", "@", "{\"a\"=1}",
    "[\"\\uD800\"]", "[\"\t\"]", "[\"]", "{\"a]", "[-]", "[01]", "[1.]", "[1e]", "[1.e1]", "[.1]",
    "[\"\\\"]", "[\"aaaaaaaaaaaaaaa\\\"]", "{\"a\":1]", "[[1}]", "{]", "[}",
  ])
  func anInvalidTextIsRefused(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(Array(text.utf8)) }
    let (document, problems) = JSONDocument.parseRecovering(Array(text.utf8))
    #expect(problems.contains { $0.code != .byteOrderMark && $0.code != .duplicateName })
    #expect(problems.allSatisfy { !$0.message.isEmpty && $0.range.upperBound <= text.utf8.count })
    #expect(document.isWellFormed)
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9D, 0x84],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
    for length in 0..<20 {
      let text = Array("[\"".utf8) + [UInt8](repeating: 0x61, count: length)
      for tail in ["\"]", "abcdefgh\"]", "\"     ]", "é\"]"] {
        #expect {
          try JSONDocument.parse(text + bytes + Array(tail.utf8))
        } throws: { error in
          guard let error = error as? JSONSyntaxError else { return false }
          return error.code == .encoding && error.range.lowerBound == text.count
            && error.message.contains("UTF-8")
        }
      }
    }
  }

  @Test func numbersOfEveryLengthAreTaken() throws {
    for whole in 1..<70 {
      for fraction in 0..<70 {
        for exponent in ["", "e1", "E-12"] {
          let point = fraction == 0 ? "" : "." + String(repeating: "4", count: fraction)
          let number = String(repeating: "7", count: whole) + point + exponent
          let text = Array("[\(number),-\(number)]".utf8)
          let document = try JSONDocument.parse(text)
          #expect(StrictParser.tape(of: text, depthLimit: 1) == document.tape)
          #expect(document.root.elements.map(\.text) == [number, "-" + number])
        }
      }
    }
  }

  @Test func everyScalarValueIsTakenAndGivenBack() throws {
    var block = ""
    for value in UInt32(0x20)...0x10FFFF where value != 0x22 && value != 0x5C {
      guard let scalar = Unicode.Scalar(value) else { continue }
      block.unicodeScalars.append(scalar)
      if block.utf8.count > 4000 {
        let root = try JSONDocument.parse(Array("[\"\(block)\"]".utf8)).root
        #expect(root[0]?.string?.unicodeScalars.elementsEqual(block.unicodeScalars) == true)
        block = ""
      }
    }
  }

  @Test func everyByteSequenceIsJudgedAsTheStandardLibraryDoes() {
    for first in UInt8(0x80)...0xFF {
      for second in stride(from: 0, through: 255, by: 5) {
        for third in [0x00, 0x41, 0x7F, 0x80, 0xBF, 0xC0] as [UInt8] {
          for fourth in [0x41, 0x80, 0xBF, 0xFF] as [UInt8] {
            let bytes = [first, UInt8(second), third, fourth]
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else { continue }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let text = [0x5B, 0x22] + bytes + [0x22, 0x5D] as [UInt8]
            let isTaken = (try? JSONDocument.parse(text)) != nil
            if isValid != isTaken { Issue.record("\(bytes)") }
          }
        }
      }
    }
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    let document = try JSONDocument.parse([0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8))
    #expect(document.root.range == 3..<10)
    let (_, problems) = JSONDocument.parseRecovering(document.bytes)
    #expect(problems.map(\.code) == [.byteOrderMark])
    #expect(problems.first?.fix?.edits == [.init(0..<3, "")])
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0xFE, 0xFF, 0x00, 0x5B], [0x5B, 0x00, 0x5D, 0x00],
      [0x00, 0x5B, 0x00, 0x5D],
    ] as [[UInt8]])
  func otherEncodingsAreNamed(_ bytes: [UInt8]) {
    #expect {
      try JSONDocument.parse(bytes)
    } throws: {
      ($0 as? JSONSyntaxError)?.message == "the text is UTF-16 or UTF-32; save it as UTF-8"
    }
  }
}

/// Depth is bounded, and memory with it.
struct DepthTests {
  private func nested(_ depth: Int) -> [UInt8] {
    [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
  }

  @Test func theLimitItselfIsTaken() throws {
    let document = try JSONDocument.parse(nested(512))
    #expect(document.tape.count == 1024)
    #expect(document.root.isEqual(to: document.root))
    #expect(JSONValue(document.root).document.bytes == document.bytes)
  }

  @Test func oneMoreIsRefused() {
    #expect {
      try JSONDocument.parse(nested(513))
    } throws: { error in
      guard let error = error as? JSONSyntaxError else { return false }
      return error.code == .depth && error.range == 512..<513
        && error.message == "arrays and objects nest deeper than the limit of 512"
    }
  }

  @Test func aHundredMegabytesOfBracketsAreRefusedAtOnce() {
    let bytes = [UInt8](repeating: 0x5B, count: 100_000_000)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(bytes) }
    #expect(error?.range == 512..<513)
    let (document, problems) = JSONDocument.parseRecovering(bytes)
    #expect(problems.map(\.code) == [.depth])
    #expect(problems.first?.range == 512..<513)
    #expect(document.tape.count < 2000)
    let objects = Array(String(repeating: "{\"a\":", count: 100_000).utf8)
    #expect(JSONDocument.parseRecovering(objects).problems.map(\.code) == [.depth])
  }

  @Test func aCallerMayAllowLess() {
    #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(nested(3), depthLimit: 2) }
    #expect(throws: JSONSyntaxError.self) { try JSONDocument.parse(nested(1), depthLimit: 0) }
    #expect(throws: Never.self) { try JSONDocument.parse(nested(2), depthLimit: 2) }
    #expect(throws: Never.self) { try JSONDocument.parse(Array("1".utf8), depthLimit: 0) }
  }
}

extension JSONDocument {
  /// The tape's own rules: containers point at each other's ends and nest, members have names,
  /// every range lies in the text.
  var isWellFormed: Bool {
    var open: [Int] = []
    var expectsName = false
    for index in tape.indices {
      let element = element(at: index)
      if element.isEnd {
        guard let container = open.popLast(), element.span == container,
          self.element(at: container).span == index
        else { return false }
        if self.element(at: container).isObject && !expectsName { return false }
        expectsName = open.last.map { self.element(at: $0).isObject } ?? false
        continue
      }
      if index > 0 && open.isEmpty { return false }
      let range = range(at: index)
      guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return false }
      if expectsName {
        guard element.isString else { return false }
        expectsName = false
        continue
      }
      expectsName = open.last.map { self.element(at: $0).isObject } ?? false
      if element.isContainer {
        open.append(index)
        expectsName = element.isObject
      }
    }
    return open.isEmpty && !tape.isEmpty
  }
}
