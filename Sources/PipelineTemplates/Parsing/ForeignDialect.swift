internal import PipelineByteText

/// Templates of other tools, and their form here.
package enum ForeignDialect {
  /// What is known of a run under a name such as `$timestamp` or `uuid` of other tools.
  package static func memberOfRun(named name: String) -> (name: String, meaning: String)? {
    switch name.lowercasedASCII {
    case "now", "today", "timestamp", "isotimestamp", "datetime", "currenttime":
      ("startedAt", "the time when the run began")
    case "runid": ("id", "which is another text in each run")
    case "guid", "uuid", "randomuuid":
      (
        "id",
        "which is another text in each run; for a UUID in each item, write the data form"
          + " {\"$uuid\": \"a\"}"
      )
    default: nil
    }
  }

  // MARK: Inside {{…}}

  /// The foreign construct in the inside `{{text}}`, which is at `range`.
  static func insideBraces(_ text: String, at range: Range<Int>) -> TemplateProblem? {
    func problem(
      _ message: String, insteadOf rest: Substring, isGuess: Bool = false
    ) -> TemplateProblem? {
      let rest = rest.trimmingSpaces
      guard ReferenceParser.isReference(rest) else { return nil }
      let fix = "{{\(rest)}}"
      return TemplateProblem(
        .foreign, "\(message); write '\(fix)'", at: range, fix: fix, isGuess: isGuess)
    }
    let bytes = text.utf8
    switch bytes.first {
    case UInt8(ascii: "."):
      return problem("a template's name has no '.' before it", insteadOf: text.dropFirst())
    case UInt8(ascii: "$"):
      let second = bytes.dropFirst().first
      if second == UInt8(ascii: ".") {
        return problem("a template's inside has no '$.' before it", insteadOf: text.dropFirst(2))
      }
      if second == UInt8(ascii: "[") {
        return problem("a template's inside has no '$' before it", insteadOf: text.dropFirst())
      }
      let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "$" || $0 == "_" }
      if name.utf8.count == bytes.count,
        let member = memberOfRun(named: String(name.dropFirst(bytes: 1)))
      {
        let fix = "{{run.\(member.name)}}"
        return TemplateProblem(
          .foreign, "'\(name)' does not exist here; write '\(fix)', \(member.meaning)", at: range,
          fix: fix, isGuess: true)
      }
      return TemplateProblem(
        .foreign,
        "'\(name)' does not exist here; name the value: '{{step.value}}' or '{{inputs.name}}'",
        at: range)
    default:
      break
    }
    if let problem = call(text, at: range) ?? defaulted(text, at: range) { return problem }
    // `||` is a default, which the query parser names.
    if text.holds("|"), let bar = text.utf8.firstIndex(of: UInt8(ascii: "|")),
      !text[bar...].hasPrefix(bytes: "||")
    {
      return problem(
        "a template inserts one value, without filters", insteadOf: text[..<bar], isGuess: true)
    }
    return nil
  }

  /// `length(list.ids)`: what functions do here is done by data forms.
  private static func call(_ text: String, at range: Range<Int>) -> TemplateProblem? {
    if text.hasSuffix(bytes: "()"),
      let member = memberOfRun(named: String(text.dropLast(bytes: 2).split(ascii: ".").last ?? ""))
    {
      let fix = "{{run.\(member.name)}}"
      return TemplateProblem(
        .foreign, "a template cannot call functions; write '\(fix)', \(member.meaning)", at: range,
        fix: fix, isGuess: true)
    }
    guard let open = text.firstIndex(ascii: "("), text.hasSuffix(bytes: ")"),
      let form = ForeignFunctions.form(of: String(text[..<open]))
    else { return nil }
    let inner = text[text.utf8.index(after: open)...].dropLast(bytes: 1).trimmingSpaces
    let query = ReferenceParser.isReference(inner) ? "$.\(inner)" : inner
    return TemplateProblem(
      .foreign,
      "a template cannot call functions: it inserts one value; write"
        + " {\"\(form)\": \"\(query)\"} in a step with 'values', and insert that", at: range,
      data: "{ \"\(form)\": \"\(query)\" }")
  }

  /// `name:-x`, `name || 'x'`, `name ?? 'x'` and `name | default('x')`: a template has no default.
  private static func defaulted(_ text: String, at range: Range<Int>) -> TemplateProblem? {
    for mark in [":-", "||", "??", "|"] {
      guard let found = text.firstRange(bytes: mark) else { continue }
      let name = text[..<found.lowerBound].trimmingSpaces
      let rest = text[found.upperBound...].trimmingSpaces
      guard ReferenceParser.isReference(name), mark != "|" || rest.hasPrefix(bytes: "default")
      else {
        continue
      }
      return TemplateProblem(
        .foreign,
        "a template has no default; give the input or extractor a 'default', or insert"
          + " {\"$first\": [\"{{\(name)}}\", …]}", at: range,
        data: literal(ofDefault: rest).map { "{ \"$first\": [\"{{\(name)}}\", \($0)] }" })
    }
    return nil
  }

  /// The JSON of `'x'`, `default('x')`, `default: 5` or a bare word.
  private static func literal(ofDefault text: String) -> String? {
    var rest = text[...]
    if rest.hasPrefix(bytes: "default") {
      rest = rest.dropFirst(bytes: 7).drop { "(: ".utf8.contains($0.utf8.first ?? 0) }
      if rest.hasSuffix(bytes: ")") { rest = rest.dropLast(bytes: 1) }
    }
    var value = rest.trimmingSpaces
    if let quote = value.utf8.first, "'\"".utf8.contains(quote), value.utf8.last == quote,
      value.utf8.count > 1
    {
      value = String(value.dropFirst(bytes: 1).dropLast(bytes: 1))
    } else if value.utf8.allSatisfy(ASCIISet.digits.contains), !value.isEmpty {
      return value
    }
    guard !value.utf8.contains(where: { "\"\\{}()|".utf8.contains($0) || $0 < 0x20 }) else {
      return nil
    }
    return "\"\(value)\""
  }

  // MARK: In texts

  /// `${name}` and `${{name}}`. A shell's variable only if it is the whole text, because a script
  /// or a sentence may hold one.
  static func inText(_ bytes: [UInt8]) -> [TemplateProblem] {
    let pieces = Array(BraceScanner(bytes, in: 0..<bytes.count))
    var problems = dollarBeforeReference(bytes, pieces)
    for case .text(let range) in pieces {
      for dollar in range where bytes[dollar] == UInt8(ascii: "$") {
        if dollar + 1 < range.upperBound, bytes[dollar + 1] == UInt8(ascii: "{") {
          if let problem = variable(bytes, dollar: dollar, from: dollar + 2, in: range)
            ?? (isVariable(bytes, from: dollar + 2, in: range)
              ? nil : singleBraces(bytes, open: dollar + 1, in: range))
          {
            problems.append(problem)
          }
        } else if let problem = variable(bytes, dollar: dollar, from: dollar + 1, in: range) {
          problems.append(problem)
        }
      }
    }
    return problems.inOrder
  }

  /// `$API_KEY` and `${API_KEY}`, a variable as in a shell: in capitals, as a separate word.
  private static func variable(
    _ bytes: [UInt8], dollar: Int, from start: Int, in range: Range<Int>
  ) -> TemplateProblem? {
    if dollar > range.lowerBound, bytes[dollar - 1].isWordByte { return nil }
    var end = start
    while end < range.upperBound, bytes[end].isWordByte { end += 1 }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    guard name.utf8.count >= 2, ASCIISet.letters.contains(bytes[start]),
      name.utf8.allSatisfy({ !(0x61...0x7A).contains($0) })
    else { return nil }
    if start - dollar == 2 {
      guard end < range.upperBound, bytes[end] == UInt8(ascii: "}") else { return nil }
      end += 1
    }
    guard isAlone(bytes, dollar..<end) else { return nil }
    let text = String(decoding: bytes[dollar..<end], as: UTF8.self)
    let input = inputName(of: name)
    return TemplateProblem(
      .foreign,
      "'\(text)' is not a template; declare the input '\(input)' with \"env\": \"\(name)\", and"
        + " write "
        + "'{{inputs.\(input)}}'",
      at: dollar..<end, variable: TemplateProblem.Variable(name: name, input: input))
  }

  /// Whether `NAME}` follows, in capitals.
  private static func isVariable(
    _ bytes: [UInt8], from start: Int, in range: Range<Int>
  ) -> Bool {
    var end = start
    while end < range.upperBound, bytes[end].isWordByte, !(0x61...0x7A).contains(bytes[end]) {
      end += 1
    }
    return end > start + 1 && end < range.upperBound && bytes[end] == UInt8(ascii: "}")
  }

  /// Whether the rest of a text is only other variables and characters that join words.
  private static func isAlone(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let rest = bytes[..<range.lowerBound] + bytes[range.upperBound...]
    return rest.allSatisfy { $0.isWordByte || ASCIISet("-.:/${}?=&@").contains($0) }
      || ["Bearer", "Basic", "Token", "token"].contains { scheme in
        bytes[..<range.lowerBound].elementsEqual("\(scheme) ".utf8)
          && range.upperBound == bytes.count
      }
  }

  /// `apiKey` for `API_KEY`.
  private static func inputName(of variable: String) -> String {
    let words = variable.lowercased().split(ascii: "_")
    return words.dropFirst().reduce(words.first.map(String.init) ?? "value") { name, word in
      name + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  // MARK: In endpoints

  /// `{id}`, `${id}`, `${{id}}`, `{{{id}}}`, `<id>`, `%s`, and `:id` as a whole segment.
  static func inURL(
    _ bytes: [UInt8], _ pieces: [BraceScanner.Piece], end: Int
  ) -> [TemplateProblem] {
    var problems: [TemplateProblem] = []
    if pieces.count > 1 {
      problems = dollarBeforeReference(bytes, pieces) + tripleBraces(bytes, pieces)
    }
    let taken = problems.map(\.range)
    for case .text(let range) in pieces {
      var index = range.lowerBound
      while index < range.upperBound {
        if begins.contains(bytes[index]), !taken.contains(where: { $0.contains(index) }),
          let problem = foreign(bytes, at: index, in: range, end: end)
        {
          problems.append(problem)
          index = max(index + 1, problem.range.upperBound)
        } else {
          index += 1
        }
      }
    }
    return problems.inOrder
  }

  /// What `foreign` looks at.
  private static let begins = ASCIISet("{<:%")

  private static func foreign(
    _ bytes: [UInt8], at index: Int, in range: Range<Int>, end: Int
  ) -> TemplateProblem? {
    switch bytes[index] {
    case UInt8(ascii: "{"): singleBraces(bytes, open: index, in: range)
    case UInt8(ascii: "<"): angleBrackets(bytes, open: index, in: range)
    case UInt8(ascii: ":"): colonSegment(bytes, colon: index, in: range, end: end)
    case UInt8(ascii: "%"): formatSpecifier(bytes, percent: index, in: range)
    default: nil
    }
  }

  /// `${{id}}`: a dollar right before a template.
  private static func dollarBeforeReference(
    _ bytes: [UInt8], _ pieces: [BraceScanner.Piece]
  ) -> [TemplateProblem] {
    zip(pieces, pieces.dropFirst()).compactMap { before, piece in
      guard case .text(let text) = before, case .reference(let outer, _) = piece,
        bytes[text.upperBound - 1] == UInt8(ascii: "$")
      else { return nil }
      let fix = own(String(decoding: bytes[outer], as: UTF8.self))
      return TemplateProblem(
        .foreign, "a template has no '$' before it; write '\(fix)'",
        at: outer.lowerBound - 1..<outer.upperBound, fix: fix, isGuess: true)
    }
  }

  /// `{{list.total}}` for `{{ steps.list.outputs.total }}` of GitHub Actions.
  private static func own(_ template: String) -> String {
    let inside = template.dropFirst(bytes: 2).dropLast(bytes: 2).trimmingSpaces
    var names = inside.split(ascii: ".").map(String.init)
    guard names.count > 3, names[0] == "steps", names[2] == "outputs" else { return template }
    names.removeSubrange(2...2)
    names.removeFirst()
    return "{{\(names.joined(separator: "."))}}"
  }

  /// `{{{id}}}`: a template between single braces.
  private static func tripleBraces(
    _ bytes: [UInt8], _ pieces: [BraceScanner.Piece]
  ) -> [TemplateProblem] {
    zip(pieces, pieces.dropFirst()).compactMap { before, piece in
      guard case .text(let text) = before, case .reference(let outer, _) = piece,
        bytes[text.upperBound - 1] == UInt8(ascii: "{"), outer.upperBound < bytes.count,
        bytes[outer.upperBound] == UInt8(ascii: "}")
      else { return nil }
      let fix = String(decoding: bytes[outer], as: UTF8.self)
      return TemplateProblem(
        .foreign, "a template has two braces; write '\(fix)'",
        at: outer.lowerBound - 1..<outer.upperBound + 1, fix: fix)
    }
  }

  /// `{id}`, with a `$`, `#` or `@` before it if there is one.
  private static func singleBraces(
    _ bytes: [UInt8], open: Int, in range: Range<Int>
  ) -> TemplateProblem? {
    guard let found = ForeignPlaceholder(bytes, at: open, in: range) else { return nil }
    let name = Substring(decoding: bytes[found.inside], as: UTF8.self).trimmingSpaces
    var start = open
    if open > range.lowerBound, ASCIISet("$#@").contains(bytes[open - 1]) { start -= 1 }
    return instead(of: bytes, start..<found.range.upperBound, name: name)
  }

  /// `<id>`, `<int:id>` and `<%= id %>`.
  private static func angleBrackets(
    _ bytes: [UInt8], open: Int, in range: Range<Int>
  ) -> TemplateProblem? {
    guard let found = ForeignPlaceholder(bytes, at: open, in: range) else { return nil }
    let inside = Substring(decoding: bytes[found.inside], as: UTF8.self)
    let name = found.isMarked ? inside : inside.split(ascii: ":").last ?? ""
    return instead(of: bytes, found.range, name: name.trimmingSpaces)
  }

  /// `:id` as a whole segment of a path.
  private static func colonSegment(
    _ bytes: [UInt8], colon: Int, in range: Range<Int>, end: Int
  ) -> TemplateProblem? {
    guard colon > range.lowerBound, bytes[colon - 1] == UInt8(ascii: "/") else { return nil }
    var index = colon + 1
    while index < range.upperBound, !ASCIISet("/?#").contains(bytes[index]) { index += 1 }
    guard index == end || index < range.upperBound else { return nil }
    let name = Substring(decoding: bytes[colon + 1..<index], as: UTF8.self)
    guard isName(name) else { return nil }
    return instead(of: bytes, colon..<index, name: String(name))
  }

  /// `%s` and `%d`, if they are not percent-encoded octets.
  private static func formatSpecifier(
    _ bytes: [UInt8], percent: Int, in range: Range<Int>
  ) -> TemplateProblem? {
    guard percent + 1 < range.upperBound else { return nil }
    let letter = bytes[percent + 1]
    let isOctet =
      bytes[percent + 1..<min(range.upperBound, percent + 3)].allSatisfy(
        ASCIISet.hexadecimal.contains) && percent + 2 < range.upperBound
    if isOctet { return nil }
    if let found = ForeignPlaceholder(bytes, at: percent, in: range),
      found.isMarked || found.inside.count > 1 && bytes[found.inside].allSatisfy(\.isWordByte)
    {
      return instead(
        of: bytes, found.range, name: String(decoding: bytes[found.inside], as: UTF8.self))
    }
    guard ASCIISet("sdif").contains(letter) else { return nil }
    let text = "%" + String(UnicodeScalar(letter))
    return TemplateProblem(
      .foreign, "'\(text)' is not a template; write '{{name}}' with the name of the value",
      at: percent..<percent + 2)
  }

  private static func instead(
    of bytes: [UInt8], _ range: Range<Int>, name: String
  ) -> TemplateProblem? {
    let text = String(decoding: bytes[range], as: UTF8.self)
    let plus = name.hasPrefix(bytes: "+") ? "+" : ""
    let name = String(name.dropFirst(plus.count))
    if name.hasPrefix(bytes: "?") || name.hasPrefix(bytes: "&") {
      return TemplateProblem(
        .foreign, "'\(text)' is not a template; write each parameter in 'query'", at: range)
    }
    guard !name.isEmpty, !name.utf8.contains(where: { ASCIISet("{}<>/ \"',").contains($0) }) else {
      return nil
    }
    guard ReferenceParser.isReference(name) else {
      return TemplateProblem(
        .foreign, "'\(text)' is not a template; write '{{name}}' with the name of the value",
        at: range)
    }
    let fix = "{{\(plus)\(name)}}"
    return TemplateProblem(
      .foreign, "'\(text)' is not a template; write '\(fix)'", at: range, fix: fix, isGuess: true)
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !ASCIISet.digits.contains(first) else { return false }
    return text.utf8.allSatisfy { $0.isWordByte || $0 == UInt8(ascii: "-") }
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String {
    let trimmed = drop { $0.isWhitespace }
    return String(trimmed.reversed().drop { $0.isWhitespace }.reversed())
  }
}
