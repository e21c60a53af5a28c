import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

// A word, another word and a text, each on a line: the text is changed by the forms of texts, with
// the words as their options. What must hold is stated as preconditions.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let (word, other) = (lines[0], lines.count > 1 ? lines[1] : "")
  let text = lines.count > 2 ? lines[2] : ""
  guard let values = Values(["text": text, "word": word, "other": other]) else { return 0 }
  checkLetters(values, text)
  checkParts(values, text, word)
  checkPatterns(values, text, word)
  checkNumbers(values, text)
  return 0
}

private struct Values: DataSource {
  let queries: QueryContext

  init?(_ texts: [String: String]) {
    let members = texts.sorted { $0.key < $1.key }.map {
      JSONValue.Member($0.key, .string($0.value))
    }
    queries = QueryContext(JSONValue.object(members).node)
  }

  func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
    throw DataSourceError("there are no files")
  }

  func files(_ pattern: String) throws(DataSourceError) -> [String] { [] }

  /// What a form gives; `nil`: it is absent, or fails.
  func value(_ json: String) -> JSONNode? {
    let document = JSONDocument.parseRecovering(Array(json.utf8)).document
    let (data, problems) = DataTemplate.parse(document.root, allowsQueries: true)
    guard problems.isEmpty else { return nil }
    var writer = JSONWriter(style: .compact)
    guard (try? data.write(to: &writer, from: self)) == true else { return nil }
    guard let value = try? JSONDocument.parse(writer.bytes) else {
      preconditionFailure("no JSON: \(String(decoding: writer.bytes, as: UTF8.self))")
    }
    return value.root
  }

  func text(_ json: String) -> String? { value(json)?.string }
}

private func same(_ left: String?, _ right: String?) -> Bool {
  left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
}

private func checkLetters(_ values: Values, _ text: String) {
  for form in ["$lower", "$trim"] {
    let once = values.text(#"{"\#(form)": "{{text}}"}"#)
    precondition(once != nil, "\(form) gives no text")
    precondition(
      same(once, values.text(#"{"\#(form)": {"\#(form)": "{{text}}"}}"#)), "\(form) twice differs")
  }
  // Upper case twice is the same, too, though the first may be longer than the text.
  let upper = values.text(#"{"$upper": "{{text}}"}"#)
  precondition(same(upper, values.text(#"{"$upper": {"$upper": "{{text}}"}}"#)))
}

private func checkParts(_ values: Values, _ text: String, _ word: String) {
  let parts = values.value(#"{"$split": {"of": "{{text}}", "separator": "{{word}}"}}"#)
  precondition((parts == nil) == word.isEmpty, "split by nothing, or not at all")
  if parts != nil {
    precondition(
      same(
        text,
        values.text(
          #"{"$join": [{"$split": {"of": "{{text}}", "separator": "{{word}}"}}, "{{word}}"]}"#)),
      "the parts are not the text")
  }
  let replaced = #"{"$replace": {"of": "{{text}}", "find": "{{word}}", "with": "{{word}}"}}"#
  precondition(word.isEmpty || same(text, values.text(replaced)), "a word replaced by itself")
  let changed = values.value(
    #"{"$replace": {"of": "{{text}}", "find": "{{word}}", "with": "{{other}}"}}"#)
  precondition(word.isEmpty || changed?.kind == .string)
  _ = values.value(#"{"$extract": {"of": "{{text}}", "param": "{{word}}"}}"#)
  let sorted = #"{"$sort": {"$split": {"of": "{{text}}", "separator": "{{word}}"}}}"#
  if let list = values.value(sorted) {
    precondition(list.count == parts?.count, "sorting changes the number")
    let again = values.value(#"{"$sort": \#(sorted)}"#)
    precondition(again?.text == list.text, "sorted twice differs")
  }
}

private func checkPatterns(_ values: Values, _ text: String, _ pattern: String) {
  let quoted = JSONValue.string(pattern).node.text
  if let part = values.text(#"{"$extract": {"of": "{{text}}", "regex": \#(quoted)}}"#) {
    precondition(holds(Array(part.utf8), in: Array(text.utf8)), "extracted what is not there")
  }
  _ = values.value(
    #"{"$replace": {"of": "{{text}}", "regex": \#(quoted), "with": "{{other}}"}}"#)
  for decoding in ["base64", "base64url", "hex", "json", "url"] {
    _ = values.value(#"{"$extract": {"of": "{{text}}", "decode": "\#(decoding)"}}"#)
  }
}

private func holds(_ part: [UInt8], in text: [UInt8]) -> Bool {
  part.isEmpty
    || text.indices.contains { start in text[start...].starts(with: part) }
}

private func checkNumbers(_ values: Values, _ text: String) {
  guard let number = values.value(#"{"$number": "{{text}}"}"#) else { return }
  precondition(number.kind == .number, "no number of '\(text)'")
  precondition(
    same(number.text, values.text(#"{"$text": {"$number": "{{text}}"}}"#)), "its digits change")
}
