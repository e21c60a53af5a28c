internal import PipelineByteText
internal import PipelineDates
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineSourceText

/// A date that is read, moved and written: language.md §4.
struct DateForm: DeclaredForm {
  static let title = FormTitle(
    "$date", "a date or moment: read, moved and written in the order of the options",
    example: #"{"$date": {"of": "{{run.startedAt}}", "add": "-3d", "format": "date"}}"#,
    takes: FormType("a date, or a text or number that 'parse' explains", [.string, .number]),
    synonyms: "dateformat datetostring datefromstring")

  /// What it takes without `parse`.
  private static let datesOnly = {
    var type = FormType(title.takes.words, [.string])
    type.wayOut = Self.parseOfNumbers
    return type
  }()
  private static let parseOfNumbers = "write \"parse\": \"unix\" or \"unixMilliseconds\""

  private let value: FormPart
  private let source: DateFormat?
  private let zone: FormPart?
  private let start: CalendarUnit?
  private let amount: FormPart?
  private let format: DateFormat?
  private let fallback: FormPart?

  init?(_ keys: inout FormKeys) {
    let known = keys.parser.problems.count
    let given = keys.checkedValue()
    source = keys.dateFormat("parse", "How the value is written, if it is not of RFC 3339.")
    value =
      source == nil && keys.option("parse") == nil && keys.isRead
      ? given.taking(Self.datesOnly) : given
    zone = keys.zone("zone", "The time zone, by whose calendar and clocks the others go.")
    start = keys.choice(
      "startOf", CalendarUnit.self, "Goes back to the start of it; a week begins on Monday.",
      example: #""month""#)
    amount = keys.amount("add", "An amount of time to add: a duration, or months or years.")
    format = keys.dateFormat(
      "format", "How it is written; as in RFC 3339, if nothing else is said.")
    fallback = keys.data("default", "The value if there is no date.", example: "null")
    guard keys.isRead, keys.parser.problems.count == known else { return }
    judge(&keys)
  }

  private func judge(_ keys: inout FormKeys) {
    let options = ["parse", "zone", "startOf", "add", "format"]
    if options.allSatisfy({ keys.option($0) == nil }) {
      keys.problem(
        "'$date' without options changes nothing; to send the object unchanged, write"
          + " {\"$literal\": …}", at: keys.node)
    } else if let text = value.node.string, text == "now" || text == "today" {
      keys.problem(
        "'\(text)' is only a default of inputs and state; write \"{{run.startedAt}}\"",
        at: value.node, fix: "\"{{run.startedAt}}\"")
    } else if case .pattern(let pattern)? = source, let node = keys.option("parse") {
      if !pattern.hasDate {
        keys.problem("'parse' of '$date' has no year: yyyy", at: node)
      } else if pattern.hasTime, !pattern.hasOffset, zone == nil {
        keys.problem(
          "the text has a time without an offset; write the zone of its clocks, such as"
            + " \"zone\": \"UTC\"", at: node)
      }
    } else if case .literal(let node, _) = value.value, let text = node.string, source == nil,
      DateValue(text) == nil
    {
      keys.problem(
        "'\(text)' is not a date such as 2026-01-31 or 2026-01-31T09:00:00Z; 'parse' explains"
          + " other texts", at: value.node)
    }
  }

  var parts: [FormPart] { [value] + [zone, amount, fallback].compactMap { $0 } }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    guard let found = try writing.value(of: value.value) else {
      return try fallback.map { part throws(DataError) in try writing.find(part.value) } ?? .absent
    }
    let zone = try zone.map { part throws(DataError) in try Self.zone(part, writing) }
    var date = try read(found, in: zone)
    if let zone { date = date.inZone(zone) }
    let amount = try amount.map { part throws(DataError) in try Self.amount(part, "add", writing) }
    do throws(DateProblem) {
      if let start { date = try date.start(of: start) }
      if let amount { date = try date.adding(amount) }
      let written = format ?? date.usualFormat
      let text = try written.text(of: date)
      return written.isNumber ? .number(text) : .text(text)
    } catch {
      throw value.failure(.dataForm, "'$date' cannot be made: " + error.message)
    }
  }

  static func amount(
    _ part: FormPart, _ name: String, _ writing: DataWriting
  ) throws(DataError) -> DateAmount {
    guard let amount = DateAmount(try writing.option(part, name)) else {
      throw part.failure(.dataForm, FormKeys.amountRule(name))
    }
    return amount
  }

  private func read(_ node: JSONNode, in zone: Zone?) throws(DataError) -> DateValue {
    let isNumber = source?.isNumber ?? false
    guard node.kind == .string || node.kind == .number && isNumber else {
      if node.kind == .number, source == nil {
        throw value.failure(
          .dataForm,
          "'$date' takes a date, but this is a number; " + Self.parseOfNumbers)
      }
      throw value.refusal(of: node)
    }
    let text = node.string ?? node.text
    if let source {
      if let date = source.value(of: text, in: zone) { return date }
      throw value.failure(.dataForm, "the value is not written as 'parse' of '$date' says")
    }
    if let date = DateValue(text) { return date }
    throw value.failure(
      .dataForm,
      "'$date' takes a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but this text"
        + " is neither; 'parse' explains other texts")
  }

  static func zone(_ part: FormPart, _ writing: DataWriting) throws(DataError) -> Zone {
    let name = try writing.option(part, "zone")
    do throws(ZoneDatabase.Problem) {
      return try ZoneDatabase.system.zone(name)
    } catch {
      throw part.failure(.dataForm, error.message)
    }
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let given = value.value.shape(read)
    let made = format?.isNumber == true ? ValueShape.integer : .string.time(time(given))
    let shape = made.absent(given.maybeAbsent)
    guard let fallback, shape.maybeAbsent else { return shape }
    return shape.absentNever.union(fallback.value.shape(read))
  }
}

extension DateForm {
  /// What it surely writes in the way of RFC 3339.
  private func time(_ given: ValueShape) -> ValueShape.Time? {
    switch format {
    case .rfc3339?: return .moment
    case .date?: return .date
    case .http?, .unix?, .unixMilliseconds?, .pattern?: return nil
    case nil: break
    }
    // A day is a moment in a zone.
    if zone != nil { return .moment }
    return switch source {
    case nil: given.time
    case .rfc3339?, .http?, .unix?, .unixMilliseconds?: .moment
    case .date?: .date
    case .pattern(let pattern)?: pattern.hasTime ? .moment : .date
    }
  }
}

// MARK: - Options of dates

extension FormKeys {
  static func amountRule(_ name: String) -> String {
    "'\(name)' takes an amount such as \"1d\", \"-3mo\" or \"24h\""
  }

  /// A number of seconds as an amount, in its largest unit.
  private static func seconds(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let (size, unit) = [(3600, "h"), (60, "m"), (1, "s")].first { count % $0.0 == 0 } ?? (1, "s")
    return "\"\(count / size)\(unit)\""
  }

  /// A named format or a pattern of a date.
  mutating func dateFormat(_ name: String, _ meaning: String) -> DateFormat? {
    guard let text = literalText(name, meaning, example: #""dd.MM.yyyy""#), let node = option(name)
    else { return nil }
    if let format = DateFormat(named: text) { return format }
    let names = [
      "iso": "rfc3339", "iso8601": "rfc3339", "rfc1123": "http", "epoch": "unix",
      "timestamp": "unix", "seconds": "unix", "unixms": "unixMilliseconds",
      "milliseconds": "unixMilliseconds", "ms": "unixMilliseconds", "millis": "unixMilliseconds",
    ]
    let known = DateFormat.names.first { $0.lowercased() == text.lowercased() }
    if let meant = known ?? names[text.lowercased()] ?? near(text) {
      problem(
        "'\(text)' is not a format of dates; did you mean \"\(meant)\"?", at: node,
        fix: "\"\(meant)\"")
      return nil
    }
    do throws(DatePattern.Problem) {
      return .pattern(try DatePattern(text))
    } catch {
      problem(
        error.message + (error.meant.map { "; write \"\($0)\"" } ?? ""), at: node,
        fix: error.meant.map { "\"\($0)\"" })
      return nil
    }
  }

  /// The named format that a misspelt one is near to. A pattern is none.
  private func near(_ text: String) -> String? {
    guard text.utf8.count > 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }),
      (try? DatePattern(text)) == nil
    else { return nil }
    return Spelling.nearest(to: text, among: DateFormat.names)
  }

  /// The name of a zone, which may be a template.
  mutating func zone(_ name: String, _ meaning: String) -> FormPart? {
    guard let part = text(name, meaning, example: #""Europe/Berlin""#) else { return nil }
    guard case .literal(let node, _) = part.value, let text = node.string else { return part }
    do throws(ZoneDatabase.Problem) {
      _ = try ZoneDatabase.system.zone(text)
    } catch {
      // Without a database nothing is known before the run, which may be on another machine.
      if error != .missing {
        let meant = Spelling.nearest(to: text, among: ZoneDatabase.system.names)
        problem(
          meant.map { "'\(text)' is not a zone of the tz database; did you mean \"\($0)\"?" }
            ?? error.message, at: part.node, fix: meant.map { "\"\($0)\"" })
      }
    }
    return part
  }

  /// An amount of time, which may be a template.
  mutating func amount(
    _ name: String, _ meaning: String, example: String = #""-3d""#, ofSeconds: Bool = false
  ) -> FormPart? {
    if let node = option(name),
      let count = node.number?.int ?? (ofSeconds ? node.string.flatMap(Int.init) : nil)
    {
      let meant = ofSeconds ? Self.seconds(count) : nil
      problem(
        meant.map { "'\(name)' takes an amount with its unit; write \($0)" }
          ?? Self.amountRule(name),
        at: node, fix: meant)
      return nil
    }
    guard let part = text(name, meaning, example: example) else { return nil }
    if case .literal(let node, _) = part.value, let text = node.string, DateAmount(text) == nil {
      let meant = DateAmount.likely(text)
      problem(
        Self.amountRule(name) + (meant.map { "; did you mean \"\($0.text)\"?" } ?? ""),
        at: part.node,
        fix: meant.map { "\"\($0.text)\"" })
    }
    return part
  }
}
