import PipelineByteText
import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// A string that is taken literally.
  ///
  /// - Parameters:
  ///   - example: A possible text, if "a text" is not specific enough.
  ///   - hint: What to write instead of another value.
  mutating func text(
    _ node: JSONNode?, _ name: String, allowsEmpty: Bool = false, example: String? = nil,
    hint: Proposal? = nil
  ) -> String? {
    guard let node else { return nil }
    guard let text = node.string else {
      mistyped(
        node, name, "a text" + (example.map { " such as \"\($0)\"" } ?? ""),
        hint: hint ?? (example == nil ? Self.quoting(node) : .none))
      return nil
    }
    guard allowsEmpty || !text.isEmpty else {
      report(.invalidValue, "'\(name)' is empty", at: node.range)
      return nil
    }
    return text
  }

  /// A text with its place.
  mutating func writtenText(_ node: JSONNode?, _ name: String) -> Written<String>? {
    guard let node, let text = text(node, name) else { return nil }
    return Written(text, at: node)
  }

  mutating func boolean(_ node: JSONNode?, _ name: String) -> Bool? {
    guard let node else { return nil }
    if let value = node.boolean { return value }
    let meant = LanguageAliases.boolean(meantBy: node.string ?? node.text)
    let hint: Proposal =
      switch node.string {
      case "true"?, "false"?: .withoutQuotes(node.string ?? "", for: node.range)
      default: meant.map { .write("\($0)", for: node.range) } ?? .none
      }
    mistyped(node, name, "true or false", hint: hint)
    return nil
  }

  /// A whole number, not below `minimum`.
  mutating func integer(_ node: JSONNode?, _ name: String, minimum: Int) -> Int? {
    guard let node else { return nil }
    guard let number = node.number else {
      let quoted = node.string.flatMap(Int.init)
      mistyped(
        node, name, "a whole number",
        hint: quoted.map { .withoutQuotes("\($0)", for: node.range) } ?? .none)
      return nil
    }
    guard let value = number.int else {
      report(
        .invalidValue,
        number.isInteger
          ? "'\(name)' is out of range" : "'\(name)' must be a whole number, not \(node.text)",
        at: node.range)
      return nil
    }
    guard value >= minimum else {
      report(
        .invalidValue, "'\(name)' must be at least \(minimum)", at: node.range,
        fix: .replacing(node.range, with: "\(minimum)", isSafe: false))
      return nil
    }
    return value
  }

  /// One of the names of an enumeration.
  mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: JSONNode?, _ name: String
  ) -> Choice? where Choice.RawValue == String {
    guard let node else { return nil }
    let text = node.string
    if let text, let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    guard let text else {
      mistyped(node, name, "one of \(Self.options(names))")
      return nil
    }
    incomplete.insert(node.index)
    report(
      .invalidValue, "'\(name)' must be one of \(Self.options(names)), not \"\(text)\"",
      Self.proposal(for: text, among: names, at: node.range), at: node.range)
    return nil
  }

  /// The name of an enumeration that another word means. Synonyms and differences in case are
  /// certain; a word that is only similar is a guess.
  static func proposal(
    for text: String, among names: [String], at range: Range<Int>
  ) -> Proposal {
    let folded = LanguageAliases.folded(text)
    let same = names.first { LanguageAliases.folded($0) == folded }
    let alias = LanguageAliases.value(for: text).flatMap { names.contains($0) ? $0 : nil }
    guard
      let meant = same ?? alias
        ?? (LanguageAliases.isForeign(text) ? nil : Spelling.nearest(to: text, among: names))
    else { return .none }
    let isSafe = same != nil || alias != nil && LanguageAliases.isSynonym(text)
    return Proposal(
      "; did you mean \"\(meant)\"?",
      fix: .replacing(range, with: "\"\(meant)\"", isSafe: isSafe))
  }

  // MARK: - Quantities

  /// - Parameter wanted: The values that are taken, if a duration is not the only one.
  mutating func duration(
    _ node: JSONNode?, _ name: String, allowsZero: Bool = false,
    wanted: String = "a duration such as \"10s\""
  ) -> Duration? {
    guard let node else { return nil }
    guard let text = node.string else {
      let hint = node.number?.int.map { Self.durationHint($0, at: node.range) } ?? .none
      mistyped(node, name, wanted, hint: hint)
      return nil
    }
    guard let duration = Quantities.duration(text) else {
      let likely = Quantities.likelyDuration(text)
      let way =
        Int(text).map { Self.durationHint($0, at: node.range) }
        ?? likely.map { .write("\"\($0)\"", for: node.range) }
        ?? "; the units are ms, s, m, h and d"
      if likely == text {
        report(.invalidValue, "'\(name)' is out of range", at: node.range)
      } else {
        report(
          .invalidValue, "'\(name)' must be \(wanted), not \"\(text)\"", way, at: node.range)
      }
      return nil
    }
    guard allowsZero || duration > .zero else {
      report(.invalidValue, "'\(name)' must be longer than 0", at: node.range)
      return nil
    }
    return duration
  }

  /// How a duration is written that has no unit. From a thousand on, a count is one of milliseconds,
  /// unless it is a round number of minutes such as 3600 seconds.
  static func durationHint(_ count: Int, at range: Range<Int>) -> Proposal {
    let isSeconds = count < 1000 || (count >= 1800 && count % 300 == 0 && count % 1000 != 0)
    guard !isSeconds, count < 1 << 40 else {
      return .write("\"\(count)s\"", for: range)
    }
    let text = "\"\(Quantities.text(of: .milliseconds(count)))\""
    return Proposal(
      "; write \(text) if it is in milliseconds",
      fix: .replacing(range, with: text, isSafe: false))
  }

  /// A status code, or a class of them such as `"4xx"`.
  mutating func status(_ node: JSONNode, _ name: String) -> StatusPattern? {
    if let number = node.number {
      if let code = number.int, (100...599).contains(code) { return .code(code) }
      report(
        .invalidValue, "a status is between 100 and 599, not \(node.text)",
        at: node.range)
      return nil
    }
    guard let text = node.string else {
      mistyped(node, name, "a status such as 404 or \"4xx\"")
      return nil
    }
    if let hundreds = Quantities.statusClass(text) { return .class(hundreds) }
    if let code = Int(text), (100...599).contains(code) {
      mistyped(
        node, name, "a status such as 404 or \"4xx\"", hint: .withoutQuotes(text, for: node.range))
      return nil
    }
    // `200 OK` is 200.
    let code = String(text.prefix(before: " "))
    if code.utf8.count < text.utf8.count, let status = Int(code), (100...599).contains(status) {
      report(
        .invalidValue, "\"\(text)\" is not a status; write \(code)", at: node.range,
        fix: .replacing(node.range, with: code, isSafe: false))
      return nil
    }
    // `200-299` and `2**` are `2xx`.
    let first = text.prefix { $0.isASCII && $0.isNumber }.utf8.first
    let digit = first.map { String(decoding: [$0], as: UTF8.self) } ?? ""
    let isWhole = ["\(digit)00-\(digit)99", "\(digit)**", "\(digit)XX", "\(digit)xx+"].contains(
      text)
    let lowered = isWhole ? digit + "xx" : text.lowercased()
    let isClass = Quantities.statusClass(lowered) != nil
    report(
      .invalidValue,
      "\"\(text)\" is not a status; write "
        + (isClass ? "\"\(lowered)\"" : "a code such as 404, or a class such as \"4xx\""),
      at: node.range,
      fix: Quantities.statusClass(lowered).map { _ in
        DiagnosticFix(
          message: "write \"\(lowered)\"",
          edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"\(lowered)\"")])
      })
    return nil
  }

  // MARK: - Words

  /// `"a", "b" or "c"`.
  static func options(_ names: [String]) -> String {
    let quoted = names.map { "\"\($0)\"" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func quoting(_ node: JSONNode) -> Proposal {
    if node.kind == .number { return .write("\"\(node.text)\"", for: node.range) }
    return node.members.contains { $0.name.hasPrefix(bytes: "$") }
      ? "; a step with 'values' computes it, and {{step.value}} inserts it here" : .none
  }
}
