internal import PipelineJSONText

@testable import PipelineFormats

// Bodies: the first byte chooses the format, the second how the rest is cut into pieces. What must
// hold is stated as preconditions: a broken one is a crash, which the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard input.count > 2 else { return 0 }
  let bytes = Array(input[2...])
  let size = Int(input[1]) + 1
  switch input[0] % 8 {
  case 0...3: checkSeparated(bytes, size, input[0])
  case 4: checkRows(bytes, size, LineReader())
  case 5: checkRows(bytes, size, EventReader())
  case 6: checkXML(bytes)
  default: _ = try? GzipReader.unpack([0x1F, 0x8B] + bytes, limit: 1 << 20)
  }
  return 0
}

private protocol Reader {
  mutating func read(_ piece: [UInt8], to rows: inout RowText) throws(FormatProblem)
  mutating func finish(to rows: inout RowText) throws(FormatProblem)
}

extension SeparatedReader: Reader {}
extension LineReader: Reader {}
extension EventReader: Reader {
  mutating func finish(to rows: inout RowText) throws(FormatProblem) {}
}

private func checkSeparated(_ bytes: [UInt8], _ size: Int, _ choice: UInt8) {
  var format = SeparatedFormat(choice & 1 == 0 ? .csv : .tsv)
  format.hasHeader = choice & 2 == 0
  format.isTyped = choice & 8 == 0
  checkRows(bytes, size, SeparatedReader(format))
}

/// The rows are JSON, one on each line, and pieces make no difference.
private func checkRows(_ bytes: [UInt8], _ size: Int, _ reader: some Reader) {
  let whole = outcome(bytes, bytes.count, reader)
  precondition(whole == outcome(bytes, size, reader), "pieces make a difference")
  guard case .success(let lines) = whole else { return }
  for line in lines.split(separator: 0x0A) {
    precondition((try? JSONDocument.parse(Array(line), depthLimit: 1024)) != nil, "not JSON")
  }
}

private func outcome(
  _ bytes: [UInt8], _ size: Int, _ reader: some Reader
) -> Result<[UInt8], FormatProblem> {
  var reader = reader
  var rows = RowText(.lines)
  return Result { () throws(FormatProblem) in
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.read(Array(bytes[start..<min(start + size, bytes.count)]), to: &rows)
    }
    try reader.finish(to: &rows)
    return rows.takeLines()
  }
}

/// The result is JSON of one member, or the problem lies in the text.
private func checkXML(_ bytes: [UInt8]) {
  var format = XMLFormat()
  format.lists = ["a"]
  format.prefixes = ["u": "p", "v": ""]
  do throws(FormatProblem) {
    let json = try XMLReader.json(of: bytes, format)
    let document = try? JSONDocument.parse(json, depthLimit: 1024)
    precondition(document?.root.count == 1, "not an object with the root element")
  } catch {
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D }
    precondition(error.line >= 1 && error.line <= lines + 1 && error.column >= 1)
  }
}
