import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A parameter that is written as it looks in a URL.
enum URLInParameter: LintRule {
  static let explanation = Explanation(
    "url-in-parameter", .warning, PackageResources.url_in_parameter_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (request, _) in step.requests { check(request, &found) }
  }

  private static func check(_ request: Request, _ found: inout [Diagnostic]) {
    for parameter in request.query { judge(parameter, &found) }
    if case .form(let fields)? = request.body?.content {
      for field in fields { judge(field, &found) }
    }
    let url = request.endpoint.value.url.text
    let parts = url.split(ascii: "?", omittingEmptySubsequences: false)
    if parts.count == 3, let second = parts.last, second.prefix(before: "&").contains(bytes: "="),
      !parts[1].contains(bytes: "{{") || parts[1].contains(bytes: "=")
    {
      let place = request.endpoint.value.urlRange
      let mark = place.lowerBound + parts[0].utf8.count + 1 + parts[1].utf8.count
      found.append(
        finding(
          "parameters after the first follow '&', not another '?'; write '&\(second)'",
          at: request.endpoint.range(of: place),
          fix: .replacing(
            request.endpoint.range(of: mark..<mark + 1), with: "&", isSafe: false)))
    }
  }

  private static func judge(_ parameter: Request.Parameter, _ found: inout [Diagnostic]) {
    let name = parameter.name
    if let first = name.first, first == "?" || first == "&" {
      found.append(
        finding(
          "'\(first)' is sent as a part of the name; write '\(name.dropFirst())'",
          at: parameter.nameRange,
          fix: .replacing(
            parameter.nameRange, with: "\"\(name.dropFirst())\"", isSafe: false)))
      return
    }
    guard let text = parameter.value.literal?.string else { return }
    if let code = text.firstCode {
      let plain = text.withoutCodes
      found.append(
        finding(
          "'\(code)' is encoded again, since a parameter is plain text"
            + (plain.map { "; write \"\($0)\"" } ?? ""), at: parameter.node.range,
          fix: plain.map { .replacing(parameter.node.range, with: "\"\($0)\"", isSafe: false) }))
    } else if let other = text.secondParameter {
      found.append(
        finding(
          "'&' is sent as a part of the value; write \"\(other)\" as a parameter of its own",
          at: parameter.node.range, fix: separating(text, of: parameter)))
    }
  }

  /// The edit that makes a parameter of each part of the value.
  private static func separating(_ text: String, of parameter: Request.Parameter) -> DiagnosticFix?
  {
    let parts = text.split(ascii: "&", omittingEmptySubsequences: false)
    var members = "\(JSONValue.string(String(parts[0])))"
    for part in parts.dropFirst() {
      let name = String(part.prefix(before: "="))
      guard !name.isEmpty, name.utf8.count < part.utf8.count else { return nil }
      let value = String(part.dropFirst(bytes: name.utf8.count + 1))
      members += ", \(JSONValue.string(name)): \(JSONValue.string(value))"
    }
    // In a list of values there is no place for another name.
    let bytes = parameter.node.document.bytes
    let between = bytes[parameter.nameRange.upperBound..<parameter.node.range.lowerBound]
    guard !between.contains(UInt8(ascii: "[")) else { return nil }
    return .replacing(parameter.node.range, with: members, isSafe: false)
  }
}

extension String {
  /// The first percent-encoded character that a plain value hardly holds: a space, a separator, or
  /// one that is not in ASCII.
  fileprivate var firstCode: String? {
    let bytes = Array(utf8)
    for start in bytes.indices where bytes[start] == UInt8(ascii: "%") && start + 2 < bytes.count {
      let digits = String(decoding: bytes[start + 1...start + 2], as: UTF8.self)
      guard let value = UInt8(digits, radix: 16) else { continue }
      if value >= 0xC3 || " !\"#$&'()+,/:;=?@[]".utf8.contains(value) { return "%" + digits }
    }
    return nil
  }

  /// The decoded text, if it is one and needs no escapes in JSON.
  fileprivate var withoutCodes: String? {
    var decoded: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    guard let text = String(validating: decoded, as: UTF8.self),
      decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C })
    else { return nil }
    return text
  }

  /// The name of a second parameter in a value such as `1&size=20`.
  fileprivate var secondParameter: String? {
    for part in split(ascii: "&").dropFirst() {
      let name = part.prefix(before: "=")
      guard name.utf8.count < part.utf8.count, !name.isEmpty,
        name.utf8.allSatisfy({ ASCIISet.letters.union(.digits).contains($0) || $0 == 0x5F })
      else { continue }
      return String(name)
    }
    return nil
  }
}
