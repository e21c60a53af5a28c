internal import CPipelineByteMasks
internal import Foundation

@testable import PipelineJSONText

// JSON text: any bytes. What must hold is stated as preconditions: a broken one is a crash, which
// the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let (recovered, problems) = JSONDocument.parseRecovering(bytes)
  precondition(isWellFormed(recovered), "the recovered tape is wrong")
  let inside = offsetsInsideCharacters(of: bytes)
  for problem in problems { check(problem, in: bytes, inside) }
  let errors = problems.filter { $0.code != .duplicateName && $0.code != .byteOrderMark }
  let document: JSONDocument?
  do {
    document = try JSONDocument.parse(bytes)
    precondition(errors.isEmpty, "taken, but with problems")
    precondition(document?.tape == recovered.tape, "two tapes of one text")
  } catch {
    document = nil
    precondition(errors.contains(error), "refused for another reason")
  }
  for processor in processors {
    let tape = StrictParser.tape(of: bytes, depthLimit: 512, processor: processor)
    if let tape { precondition(tape == document?.tape, "a processor's own tape") }
    if tape == nil, let document { precondition(!document.element(at: 0).isContainer) }
  }
  checkFoundation(bytes, isTaken: document != nil, errors.first)
  if let document { check(document) }
  return 0
}

private let processors: [cbm_processor] = [CBM_BASELINE, CBM_AVX2, CBM_AVX512]
  .filter { $0.rawValue <= cbm_processor().rawValue }

/// The places between two bytes of one well-formed sequence of UTF-8.
private func offsetsInsideCharacters(of bytes: [UInt8]) -> Set<Int> {
  var inside: Set<Int> = []
  var offset = 0
  while offset < bytes.count {
    let length = UTF8Sequence.length(in: bytes, at: offset)
    if length > 1 { inside.formUnion(offset + 1..<offset + length) }
    offset += max(length, 1)
  }
  return inside
}

private func check(_ problem: JSONSyntaxError, in bytes: [UInt8], _ inside: Set<Int>) {
  precondition(!problem.message.isEmpty && problem.message.last != ".")
  let places =
    [problem.range] + problem.related.map(\.range) + (problem.fix?.edits ?? []).map(\.range)
  for range in places {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    precondition(!inside.contains(range.lowerBound) && !inside.contains(range.upperBound))
  }
}

/// What every document must keep to: written again it is the same, and so is each of its parts.
private func check(_ document: JSONDocument) {
  precondition(isWellFormed(document))
  for style in [JSONWriter.Style.compact, .pretty] {
    var writer = JSONWriter(style: style)
    writer.value(document.root)
    let written = writer.document()
    precondition(written.root.isEqual(to: document.root), "written, it is another value")
    precondition(written.tape.count == document.tape.count)
  }
  var index = 0
  while index < document.tape.count {
    let element = document.element(at: index)
    if element.isString {
      let node = JSONNode(document: document, index: index)
      let utf8 = document.utf8(at: index)
      precondition(utf8.withUnsafeBufferPointer { document.stringEquals(at: index, $0) })
      precondition(node.string.map { Array($0.utf8) } == utf8)
      precondition(node.sourceRange(ofDecoded: 0..<utf8.count) == document.contentRange(at: index))
    }
    if element.isNumber, let number = JSONNode(document: document, index: index).number {
      precondition(number == number && !(number < number))
      precondition(JSONNumber(number.text) != nil)
      if let int = number.int { precondition(JSONNumber(int) == number) }
    }
    if !element.isEnd, index % 7 == 0 {
      let node = JSONNode(document: document, index: index)
      let copy = node.detached()
      precondition(copy.text == node.text && copy.isEqual(to: node))
    }
    index += 1
  }
}

/// The tape's own rules: containers point at each other's ends and nest, members have names, every
/// range lies in the text.
private func isWellFormed(_ document: JSONDocument) -> Bool {
  var open: [Int] = []
  var expectsName = false
  for index in document.tape.indices {
    let element = document.element(at: index)
    if element.isEnd {
      guard let container = open.popLast(), element.span == container,
        document.element(at: container).span == index,
        !document.element(at: container).isObject || expectsName
      else { return false }
      expectsName = open.last.map { document.element(at: $0).isObject } ?? false
      continue
    }
    if index > 0 && open.isEmpty { return false }
    let range = document.range(at: index)
    guard range.lowerBound >= 0, range.upperBound <= document.bytes.count else { return false }
    if expectsName {
      guard element.isString else { return false }
      expectsName = false
      continue
    }
    expectsName = open.last.map { document.element(at: $0).isObject } ?? false
    if element.isContainer {
      open.append(index)
      expectsName = element.isObject
    }
  }
  return open.isEmpty && !document.tape.isEmpty
}

/// Foundation's `JSONSerialization` takes and refuses the same texts, but for what is named here.
private func checkFoundation(_ bytes: [UInt8], isTaken: Bool, _ error: JSONSyntaxError?) {
  let data = Data(bytes)
  var message = ""
  var isTakenThere = true
  do {
    _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
  } catch {
    isTakenThere = false
    message = "\(error)"
  }
  if isTaken == isTakenThere { return }
  if isTaken {
    // A number past the greatest double is a number by the grammar.
    if message.contains("not representable") || message.contains("Number") { return }
  } else {
    // It passes over a comma before a closing bracket.
    if error?.message.hasPrefix("a comma is not allowed before") == true { return }
    // It reads UTF-16 and UTF-32 too.
    if bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return
    }
  }
  preconditionFailure("JSONSerialization \(isTakenThere ? "takes" : "refuses") it: \(message)")
}
