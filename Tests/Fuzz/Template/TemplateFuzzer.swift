import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates
import PipelineURIs

// A template's text, and after the first line feed the value of every reference in it: parsed as
// all it could be, then expanded in every position. What must hold is stated as preconditions: a
// broken one is a crash, which the fuzzer reports.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  let end = input.firstIndex(of: 0x0A) ?? count
  let text = String(decoding: input[..<end], as: UTF8.self)
  let value = JSONValue.string(String(decoding: input[end...].dropFirst(), as: UTF8.self)).document
  let values: [JSONNode?] = [value.root, JSONValue(7).node, nil]
  checkTemplate(text, values)
  checkURLs(text, values)
  checkData(text)
  checkURI(text)
  return 0
}

private func checkTemplate(_ text: String, _ values: [JSONNode?]) {
  let (template, problems) = Template.parse(text)
  check(problems + template.foreignTemplates, of: text)
  for reference in template.references { check(reference.range, of: text) }
  for value in values {
    _ = try? template.text { _ in value }
    guard template.problems(at: .header).isEmpty else { continue }
    if let header = try? template.expand(at: .header, { _ in value }) {
      // A tab is part of a field's value (RFC 9110, section 5.5).
      let isValue = header.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
      precondition(isValue, "a header is split")
    }
  }
}

private func checkURLs(_ text: String, _ values: [JSONNode?]) {
  let (endpoint, problems) = Endpoint.parse(text)
  check(problems, of: text)
  check(BaseURL.parse(text).problems, of: text)
  guard problems.isEmpty else { return }
  for value in values {
    guard let url = try? endpoint.url.expand(base: "https://base.example/api", { _ in value })
    else { continue }
    guard let uri = URI.parse(url), uri.isAbsolute else {
      preconditionFailure("no URL: \(url)")
    }
    guard endpoint.url.isRelative else { continue }
    precondition(uri.origin?.description == "https://base.example", "another host: \(url)")
    precondition(uri.path.hasPrefix("/api/"), "another folder: \(url)")
    precondition(uri.resolving(url)?.path == uri.path, "a dot segment: \(url)")
  }
}

private func checkData(_ text: String) {
  let document = JSONDocument.parseRecovering(Array(text.utf8)).document
  for allowsQueries in [true, false] {
    let (data, problems) = DataTemplate.parse(document.root, allowsQueries: allowsQueries)
    for range in problems.map(\.range) + data.warnings.map(\.range) + data.uses.map(\.range) {
      precondition(range.lowerBound >= 0 && range.upperBound <= document.bytes.count)
    }
  }
}

private func checkURI(_ text: String) {
  guard let uri = URI.parse(text) else { return }
  precondition(uri.authority == nil || uri.description == text, "not as it was: \(text)")
  precondition(uri.origin == nil || uri.origin == Origin(of: text), "two origins: \(text)")
  for base in ["https://h/a/b?c", "sandbox:/a/b"] {
    guard let target = URI.parse(base)?.resolving(uri) else {
      preconditionFailure("not resolved: \(text)")
    }
    let again = target.resolving(target.description)
    precondition(again == target, "resolved twice differs: \(text)")
  }
}

private func check(_ problems: [TemplateProblem], of text: String) {
  for problem in problems {
    precondition(!problem.message.isEmpty)
    check(problem.range, of: text)
    guard let fix = problem.fix else { continue }
    // What a fix makes can be parsed again.
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(problem.range, with: fix.utf8)
    _ = Endpoint.parse(String(decoding: bytes, as: UTF8.self))
  }
}

private func check(_ range: Range<Int>, of text: String) {
  let bytes = text.utf8
  precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
  for offset in [range.lowerBound, range.upperBound] where offset < bytes.count {
    let byte = bytes[bytes.index(bytes.startIndex, offsetBy: offset)]
    precondition(byte & 0xC0 != 0x80, "a range splits a character")
  }
}
