@testable import PipelineJSONText
@testable import PipelineYAMLText

// YAML: any bytes. What must hold is stated as preconditions: a broken one is a crash, which the
// fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let limits = YAMLLimits(size: 1 << 20, repeatedValues: 10_000)
  do throws(YAMLProblem) {
    for document in try YAMLDocument.parseAll(bytes, limits: limits) {
      check(document, in: bytes)
    }
  } catch {
    check(error, in: bytes)
  }
  return 0
}

/// The document is the one that a parse of its JSON gives, and its places lie within the text.
private func check(_ document: YAMLDocument, in bytes: [UInt8]) {
  let json = document.document
  guard let parsed = try? JSONDocument.parse(json.bytes) else {
    preconditionFailure("what was made is not JSON")
  }
  precondition(parsed.tape == json.tape, "two tapes of one text")
  for index in json.tape.indices where !json.element(at: index).isEnd {
    let range = document.range(of: JSONNode(document: json, index: index))
    precondition(range.upperBound <= bytes.count, "a place outside the text")
  }
  for problem in document.problems { check(problem, in: bytes) }
}

private func check(_ problem: YAMLProblem, in bytes: [UInt8]) {
  precondition(!problem.message.isEmpty && problem.message.last != ".")
  precondition(problem.range.upperBound <= bytes.count, "a place outside the text")
}
