import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// A string that is taken literally.
  ///
  /// - Parameter example: A possible text, if being a text does not say enough.
  mutating func text(
    _ node: JSONNode?, _ name: String, allowsEmpty: Bool = false, example: String? = nil
  ) -> String? {
    guard let node else { return nil }
    guard let text = node.string else {
      mistyped(
        node, name, "a text" + (example.map { " such as \"\($0)\"" } ?? ""),
        hint: example == nil ? Self.quoting(node, of: name) : "")
      return nil
    }
    guard allowsEmpty || !text.isEmpty else {
      report(.invalidValue, "'\(name)' is empty", at: node.range)
      return nil
    }
    return text
  }

  /// The same, with its place.
  mutating func writtenText(_ node: JSONNode?, _ name: String) -> Written<String>? {
    guard let node, let text = text(node, name) else { return nil }
    return Written(text, at: node)
  }

  mutating func boolean(_ node: JSONNode?, _ name: String) -> Bool? {
    guard let node else { return nil }
    if let value = node.boolean { return value }
    let text = node.string
    let fix =
      text == "true" || text == "false"
      ? DiagnosticFix(
        message: "write it without quotes",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: text ?? "")]) : nil
    mistyped(
      node, name, "true or false", hint: fix == nil ? "" : "; write it without quotes", fix: fix)
    return nil
  }

  /// A whole number, not below `minimum`.
  mutating func integer(_ node: JSONNode?, _ name: String, minimum: Int) -> Int? {
    guard let node else { return nil }
    guard let number = node.number else {
      let isQuoted = node.string.flatMap(Int.init) != nil
      let fix =
        isQuoted
        ? DiagnosticFix(
          message: "write it without quotes",
          edits: [DiagnosticFix.Edit(range: node.range, replacement: node.string ?? "")]) : nil
      mistyped(
        node, name, "a whole number", hint: isQuoted ? "; write it without quotes" : "", fix: fix)
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
      report(.invalidValue, "'\(name)' must be at least \(minimum)", at: node.range)
      return nil
    }
    return value
  }

  mutating func writtenInteger(_ node: JSONNode?, _ name: String, minimum: Int) -> Written<Int>? {
    guard let node, let value = integer(node, name, minimum: minimum) else { return nil }
    return Written(value, at: node)
  }

  mutating func number(_ node: JSONNode?, _ name: String, minimum: Double) -> Double? {
    guard let node else { return nil }
    guard let value = node.number?.double else {
      mistyped(node, name, "a number")
      return nil
    }
    guard value >= minimum, value.isFinite else {
      report(.invalidValue, "'\(name)' must be at least \(Int(minimum))", at: node.range)
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
    let alias = LanguageAliases.value(for: text).flatMap { names.contains($0) ? $0 : nil }
    let nearest = alias ?? Spelling.nearest(to: text, among: names)
    let isSafe = alias == nil || LanguageAliases.isSynonym(text)
    report(
      .invalidValue,
      "'\(name)' must be one of \(Self.options(names)), not \"\(text)\""
        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""),
      at: node.range,
      fix: nearest.flatMap {
        isSafe
          ? DiagnosticFix(
            message: "write \"\($0)\"",
            edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"\($0)\"")]) : nil
      })
    return nil
  }

  mutating func writtenChoice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ node: JSONNode?, _ name: String
  ) -> Written<Choice>? where Choice.RawValue == String {
    guard let node, let value: Choice = choice(node, name) else { return nil }
    return Written(value, at: node)
  }

  // MARK: - Quantities

  /// - Parameter wanted: The values that are taken, if a duration is not the only one.
  mutating func duration(
    _ node: JSONNode?, _ name: String, allowsZero: Bool = false,
    wanted: String = "a duration such as \"10s\""
  ) -> Duration? {
    guard let node else { return nil }
    guard let text = node.string else {
      // Whoever writes a thousand or more means milliseconds.
      let seconds = node.number?.int.map { "; write \"\($0)\($0 >= 1000 ? "ms" : "s")\"" } ?? ""
      mistyped(node, name, wanted, hint: seconds)
      return nil
    }
    guard let duration = Quantities.duration(text) else {
      let likely = Quantities.likelyDuration(text)
      let way = likely.map { "; write \"\($0)\"" } ?? "; the units are ms, s, m, h and d"
      report(
        .invalidValue,
        likely == text
          ? "'\(name)' is out of range" : "'\(name)' must be \(wanted), not \"\(text)\"\(way)",
        at: node.range)
      return nil
    }
    guard allowsZero || duration > .zero else {
      report(.invalidValue, "'\(name)' must be longer than 0", at: node.range)
      return nil
    }
    return duration
  }

  mutating func size(_ node: JSONNode?, _ name: String) -> Int? {
    guard let node else { return nil }
    let wanted = "a size such as \"64MB\""
    guard let text = node.string else {
      mistyped(node, name, wanted, hint: node.number?.int.map { "; write \"\($0)B\"" } ?? "")
      return nil
    }
    guard let size = Quantities.size(text), size > 0 else {
      report(
        .invalidValue,
        "'\(name)' must be \(wanted), not \"\(text)\"; the units are B, KB, MB and GB",
        at: node.range)
      return nil
    }
    return size
  }

  mutating func rate(_ node: JSONNode?, _ name: String) -> Limits.Rate? {
    guard let node else { return nil }
    let wanted = "a rate such as \"100/1m\""
    guard let text = node.string else {
      mistyped(node, name, wanted, hint: node.number?.int.map { "; write \"\($0)/1s\"" } ?? "")
      return nil
    }
    guard let rate = Quantities.rate(text) else {
      let way =
        Quantities.likelyRate(text).map { "write \"\($0)\"" } ?? "write a count, '/' and a duration"
      report(
        .invalidValue, "'\(name)' must be \(wanted), not \"\(text)\"; \(way)", at: node.range)
      return nil
    }
    return rate
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
        node, name, "a status such as 404 or \"4xx\"", hint: "; write it without quotes",
        fix: DiagnosticFix(
          message: "write it without quotes",
          edits: [DiagnosticFix.Edit(range: node.range, replacement: text)]))
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

  private static func quoting(_ node: JSONNode, of name: String) -> String {
    switch (name, node.kind) {
    case ("id", .number), ("as", .number), ("indexAs", .number):
      return "; a name begins with a letter, as in \"step\(node.text)\""
    case ("link", _): return "; write the relation, \"next\""
    case ("param", _), ("page", _), ("offset", _): return "; write the parameter's name"
    default: break
    }
    return node.kind == .number ? "; write \"\(node.text)\"" : ""
  }
}
