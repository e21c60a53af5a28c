import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineYAMLText

/// The cases of the YAML test suite. Their files are YAML, read by the reader that they test.
struct YAMLSuiteCase: CustomTestStringConvertible {
  let name: String
  let yaml: [UInt8]
  /// The events, one a line without indentation; `nil` if the text must be refused.
  let events: [String]?
  /// The documents as JSON texts, one after another.
  let json: String?

  var testDescription: String { name }

  static func all() throws -> [YAMLSuiteCase] {
    guard let corpora = Conformance.corpora else { return [] }
    var cases: [YAMLSuiteCase] = []
    for path in Conformance.files(in: corpora + "/yaml-test-suite", ending: ".yaml") {
      guard let bytes = readFile(path) else { continue }
      let file = path.split(separator: "/").last.map(String.init) ?? path
      let root = try YAMLDocument.parse(bytes).document.root
      // Texts that the suite calls valid by the grammar, and likely to be invalid later.
      if root[0]?["skip"]?.boolean == true { continue }
      cases += read(root, file: file)
    }
    return cases
  }

  private static func read(_ list: JSONNode, file: String) -> [YAMLSuiteCase] {
    var yaml = ""
    var tree = ""
    var json: String?
    return list.elements.enumerated().map { number, node in
      // A case inherits from the one before it what it does not give.
      if let given = node["yaml"]?.string {
        yaml = given
        if node["tree"] != nil { json = nil }
      }
      if let given = node["tree"]?.string { tree = given }
      if let given = node["json"]?.string { json = given }
      let fails = node["fail"]?.boolean == true
      return YAMLSuiteCase(
        name: "\(file)/\(number)", yaml: Array(unescaped(yaml).utf8),
        events: fails
          ? nil
          : unescaped(tree).split(separator: "\n").map { String($0.drop { $0 == " " }) },
        json: fails ? nil : json)
    }
  }

  /// The suite writes invisible characters as visible ones.
  static func unescaped(_ text: String) -> String {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "␣": scalars.append(" ")
      case "»":
        while scalars.last == "—" { scalars.removeLast() }
        scalars.append("\t")
      case "←": scalars.append("\r")
      case "⇔": scalars.append("\u{FEFF}")
      case "↵": continue
      default: scalars.append(scalar)
      }
    }
    if scalars.suffix(2) == ["∎", "\n"] { scalars.removeLast(2) }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// The events of a text in the suite's notation.
func suiteEvents(of bytes: [UInt8]) throws -> [String] {
  try bytes.withUnsafeBufferPointer { input in
    var parser = YAMLParser(input, limits: YAMLLimits())
    try parser.parse()
    return ["+STR"] + parser.events.map { line(of: $0, in: parser) } + ["-STR"]
  }
}

private func line(of event: YAMLEvent, in parser: YAMLParser) -> String {
  var parts: [String] = []
  switch event.kind {
  case .documentStart: parts = ["+DOC"] + (event.style == .marked ? ["---"] : [])
  case .documentEnd: parts = ["-DOC"] + (event.style == .marked ? ["..."] : [])
  case .mappingStart: parts = ["+MAP"] + (event.style == .flow ? ["{}"] : [])
  case .mappingEnd: parts = ["-MAP"]
  case .sequenceStart: parts = ["+SEQ"] + (event.style == .flow ? ["[]"] : [])
  case .sequenceEnd: parts = ["-SEQ"]
  case .scalar: parts = ["=VAL"]
  case .alias: parts = ["=ALI", "*" + String(decoding: parser.input[event.content], as: UTF8.self)]
  }
  if let anchor = event.properties.anchor {
    parts.append("&" + String(decoding: parser.input[anchor], as: UTF8.self))
  }
  if event.properties.tag != 0 {
    parts.append("<" + parser.tags[Int(event.properties.tag) - 1] + ">")
  }
  if event.kind == .scalar { parts.append(content(of: event, in: parser)) }
  return parts.joined(separator: " ")
}

private func content(of event: YAMLEvent, in parser: YAMLParser) -> String {
  let bytes =
    event.isContentMade
    ? Array(parser.text[event.content]) : Array(parser.input[event.content])
  var text =
    switch event.style {
    case .single: "'"
    case .double: "\""
    case .literal: "|"
    case .folded: ">"
    default: ":"
    }
  for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
    switch scalar {
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\t": text += "\\t"
    case "\r": text += "\\r"
    case "\u{8}": text += "\\b"
    case "\0": text += "\\0"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text
}
