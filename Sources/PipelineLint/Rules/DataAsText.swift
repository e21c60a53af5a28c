import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// JSON, a form or a file written as a text.
enum DataAsText: LintRule {
  static let explanation = Explanation("data-as-text", .warning, PackageResources.data_as_text_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let body = step.request?.body, !body.isInherited else { return }
    switch body.content {
    case .text(let text):
      // Lines are another format, in which each may be a separate JSON value.
      guard text.lines.count == 1, let line = text.lines.first else { return }
      judge(line.value.text, of: body.node, mediaType(of: step.request), at: line.range, &found)
    case .json(let data):
      guard data.node.kind == .string, let text = data.node.string, isJSON(text) else { return }
      found.append(
        finding(
          "this JSON is a text, and is sent with quotes around it; write the value without them",
          at: data.node.range, fix: .replacing(data.node.range, with: text, isSafe: false)))
    case .multipart(let parts):
      for part in parts {
        if case .value(let data) = part.content { judge(file: data.node, of: body.node, &found) }
      }
    case .form(let fields): for field in fields { judge(file: field.node, of: nil, &found) }
    case .madeText, .file, .graphQL: return
    }
  }

  private static func judge(
    _ text: String, of body: JSONNode, _ type: String?, at range: Range<Int>,
    _ found: inout [Diagnostic]
  ) {
    func writing(_ key: String, _ value: String?) -> DiagnosticFix? {
      guard let value, let member = body.members.first(where: { $0.name == "text" }) else {
        return nil
      }
      let range = member.nameRange.lowerBound..<member.value.range.upperBound
      return .suggesting(
        "write '\(key)'", [.init(range: range, replacement: "\"\(key)\": \(value)")])
    }
    if isFile(text) {
      found.append(
        finding(
          "'\(text)' is sent as a text; write \"file\": \"\(text.dropFirst(bytes: 1))\"", at: range,
          fix: writing("file", "\"\(text.dropFirst(bytes: 1))\"")))
    } else if type.map({
      $0.contains(bytes: "json") && !$0.contains(bytes: "ndjson") && !$0.contains(bytes: "lines")
    }) ?? true, isJSON(text) {
      found.append(
        finding(
          "the body is JSON in a text, where values are not escaped; write \"json\": …", at: range,
          fix: writing("json", quotingTemplates(in: text))))
    } else if type?.contains(bytes: "x-www-form-urlencoded") == true, text.contains(bytes: "=") {
      found.append(
        finding(
          "the body is a form in a text, where values are not encoded; write \"form\": {…}",
          at: range, fix: writing("form", form(text))))
    }
  }

  /// A JSON text whose templates are strings; `nil` if it is no JSON then.
  private static func quotingTemplates(in text: String) -> String? {
    var isQuoted = false
    var rest = Array(text.utf8)[...]
    var json: [UInt8] = []
    while let byte = rest.first {
      if rest.starts(with: "{{".utf8),
        let close = String(decoding: rest, as: UTF8.self)
          .firstRange(bytes: "}}")
      {
        let whole = String(decoding: rest, as: UTF8.self)
        let template = whole[..<close.upperBound].utf8
        json += isQuoted ? Array(template) : [0x22] + template + [0x22]
        rest = rest.dropFirst(template.count)
        continue
      }
      if byte == UInt8(ascii: "\\"), isQuoted {
        json += rest.prefix(2)
        rest = rest.dropFirst(2)
        continue
      }
      if byte == 0x22 { isQuoted.toggle() }
      json.append(byte)
      rest = rest.dropFirst()
    }
    return (try? JSONDocument.parse(json)) == nil ? nil : String(decoding: json, as: UTF8.self)
  }

  /// `a=1&b={{x}}` as an object; `nil` if something in it is encoded.
  private static func form(_ text: String) -> String? {
    guard !text.utf8.contains(where: { "%+\"\\".utf8.contains($0) || $0 < 0x20 }) else {
      return nil
    }
    let pairs = text.split(ascii: "&").map { pair in
      let name = pair.prefix(before: "=")
      return
        "\"\(name)\": \"\(String(pair).dropFirst(bytes: min(pair.utf8.count, name.utf8.count + 1)))\""
    }
    return "{ " + pairs.joined(separator: ", ") + " }"
  }

  /// A value such as `@photo.png`.
  ///
  /// - Parameter parts: The body whose part it is, if it may be a file.
  private static func judge(
    file node: JSONNode, of parts: JSONNode?, _ found: inout [Diagnostic]
  ) {
    guard node.kind == .string, let text = node.string, isFile(text) else { return }
    let member = parts?["multipart"]?.elements.lazy.flatMap(\.members).first {
      $0.name == "value" && $0.value.range == node.range
    }
    let range = member.map { $0.nameRange.lowerBound..<node.range.upperBound }
    found.append(
      finding(
        "'\(text)' is sent as a text; a part of 'multipart' has \"file\": \"\(text.dropFirst(bytes: 1))\"",
        at: node.range,
        fix: range.map {
          .replacing($0, with: "\"file\": \"\(text.dropFirst(bytes: 1))\"", isSafe: false)
        }))
  }

  /// `@name.ending`, and nothing else.
  private static func isFile(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "@"), bytes.count > 3, bytes.count < 200,
      let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 1,
      (1...5).contains(bytes.count - dot - 1)
    else { return false }
    return bytes.dropFirst().allSatisfy { byte in
      "._-/".utf8.contains(byte) || (0x30...0x39).contains(byte)
        || (0x41...0x5A).contains(byte & 0xDF)
    }
  }

  /// Whether a text is a JSON object or list, whatever is inserted.
  private static func isJSON(_ text: String) -> Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      !text.hasPrefix(bytes: "{{")
    else { return false }
    // A number stands for each value, in quotes or without.
    var plain = ""
    var rest = text[...]
    while let open = rest.firstRange(bytes: "{{") {
      plain += rest[..<open.lowerBound] + "0"
      guard let close = rest[open.upperBound...].firstRange(bytes: "}}") else { return false }
      rest = rest[close.upperBound...]
    }
    return (try? JSONDocument.parse(Array((plain + rest).utf8))) != nil
  }

  private static func mediaType(of request: Request?) -> String? {
    request?.headers.first { $0.name.equalsIgnoringASCIICase("content-type") }?.value.literal?
      .string?
      .lowercased()
  }
}
