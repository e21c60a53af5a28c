internal import PipelineByteText
internal import PipelineDates
package import PipelineJSONPaths
package import PipelineJSONText

/// The windows of time between two dates or moments: `forEach` whose `by` is an amount of time.
///
/// Each is `{"start", "end"}`, half-open. They are counted from the first start, and the last one
/// ends at the end of all.
struct WindowsForm: DataForm {
  private let from: FormPart
  private let to: FormPart
  private let by: FormPart
  private let zone: FormPart?
  private let format: DateFormat?

  /// More of them are a mistake, and would fill the memory.
  private static let limit = 1_000_000

  init(from: FormPart, to: FormPart, by: FormPart, zone: FormPart?, format: DateFormat?) {
    (self.from, self.to, self.by, self.zone, self.format) = (from, to, by, zone, format)
  }

  var parts: [FormPart] { [from, to, by] + (zone.map { [$0] } ?? []) }

  func find(by writing: DataWriting) throws(DataError) -> DataWriting.Found {
    try find(by: writing, windows: nil)
  }

  /// Many windows take long. The first one shows whether they can be made.
  var isFoundAhead: Bool { false }

  func checkKnown(
    _ isKnown: (DataTemplate.Node) -> Bool, by writing: DataWriting
  ) throws(DataError) {
    guard parts.allSatisfy({ isKnown($0.value) }) else { return }
    _ = try find(by: writing, windows: 1)
  }

  /// - Parameter wanted: The number of windows that are enough; `nil` for all.
  private func find(
    by writing: DataWriting, windows wanted: Int?
  ) throws(DataError) -> DataWriting.Found {
    let bounds = try bounds(writing)
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    if bounds.isBefore {
      try write(bounds.first, bounds.last, bounds.amount, upTo: wanted ?? .max, to: &writer)
    }
    writer.endArray()
    return .node(writer.document().root)
  }

  private func bounds(
    _ writing: DataWriting
  ) throws(DataError) -> (first: DateValue, last: DateValue, amount: DateAmount, isBefore: Bool) {
    let zone = try zone.map { part throws(DataError) in try DateForm.zone(part, writing) }
    var (first, last) = (try date(from, "from", writing), try date(to, "to", writing))
    if let zone { (first, last) = (first.inZone(zone), last.inZone(zone)) }
    let amount = try DateForm.amount(by, "by", writing)
    guard amount.count > 0 else {
      throw by.failure(.dataForm, "'by' must be more than nothing: the windows would never end")
    }
    guard let isBefore = first.isBefore(last) else {
      throw to.failure(
        .dataForm,
        "one of 'from' and 'to' is a date, and the other a moment; write 'zone', in which"
          + " the day begins")
    }
    return (first, last, amount, isBefore)
  }

  /// A number of windows that the whole list is not below. It is found without making them.
  func fewest(by writing: DataWriting) throws(DataError) -> Int {
    let (first, last, amount, isBefore) = try bounds(writing)
    guard isBefore else { return 0 }
    return max(1, (last.seconds - first.seconds - amount.longestDelay) / amount.longest)
  }

  private func write(
    _ first: DateValue, _ last: DateValue, _ amount: DateAmount, upTo wanted: Int,
    to writer: inout JSONWriter
  ) throws(DataError) {
    do throws(DateProblem) {
      var (start, count) = (first, 0)
      let last = last.written(like: first)
      while count < wanted, start.isBefore(last) == true {
        count += 1
        guard count <= Self.limit, let whole = amount.times(count) else { throw .outOfRange }
        let next = try first.adding(whole)
        let end = next.isBefore(last) == true ? next : last
        // A day that the clocks skip has no window.
        guard start.isBefore(end) == true else { continue }
        writer.beginObject()
        for (name, value) in [("start", start), ("end", end)] {
          writer.name(name)
          let written = format ?? value.usualFormat
          let text = try written.text(of: value)
          if written.isNumber { writer.number(text) } else { writer.string(text) }
        }
        writer.endObject()
        start = end
      }
    } catch {
      // In `$date` the amount is called so.
      let reason = error.message.replacing(bytes: "\"add\"", with: "\"by\"")
      throw by.failure(.dataForm, "the windows cannot be made: " + reason)
    }
  }

  private func date(
    _ part: FormPart, _ name: String, _ writing: DataWriting
  ) throws(DataError) -> DateValue {
    guard let date = DateValue(try writing.option(part, name)) else {
      throw part.failure(
        .dataForm,
        "'\(name)' must be a date such as 2026-01-31 or a moment such as"
          + " 2026-01-31T09:00:00Z, because 'by' is an amount of time")
    }
    return date
  }

  func shape(_ read: (Query) -> ValueShape) -> ValueShape {
    let usual = zone != nil ? .moment : from.value.shape(read).time
    let end: ValueShape =
      switch format {
      case nil: .string.time(usual)
      case .rfc3339?: .moment
      case .date?: .date
      case .unix?, .unixMilliseconds?: .integer
      case .http?, .pattern?: .string
      }
    return .list(.object(["start": end, "end": end]))
  }
}

extension DataTemplate {
  /// The template of the list of windows that an object describes with `from`, `to`, `by`, `zone` and
  /// `format`, and everything wrong with it.
  package static func parse(
    windows node: JSONNode
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    let title = FormTitle("forEach", "", example: "", takes: .any)
    var keys = FormKeys(optionsOf: title, node, forms: { DataForms.all })
    let from = keys.text("from", "", example: "")
    let to = keys.text("to", "", example: "")
    let by = keys.amount("by", "")
    let zone = keys.zone("zone", "")
    let format = keys.dateFormat("format", "")
    var root = Node.literal(node, isVerbatim: true)
    if let from, let to, let by {
      root = WindowsForm(from: from, to: to, by: by, zone: zone, format: format).node
    }
    let data = DataTemplate(
      node: node, root: root, uses: keys.parser.usesInOrder, queries: keys.parser.queries,
      warnings: keys.parser.warnings, hasTypedForms: true)
    return (data, keys.parser.problems)
  }

  /// A number of windows that the list is not below; `nil` if not all that they are made of is known
  /// before a run, or they cannot be made.
  package func fewestWindows(
    from source: any DataSource, _ isKnown: @escaping (Query) -> Bool
  ) -> Int? {
    guard case .form(let form) = root, let windows = form as? WindowsForm,
      uses.allSatisfy({ isKnown($0.query) })
    else { return nil }
    return try? windows.fewest(by: DataWriting(source: source))
  }

  /// Whether a text is an amount of time, or meant as one, and not a number.
  package static func isAmount(_ text: String) -> Bool {
    DateAmount(text) != nil || DateAmount.likely(text) != nil
  }

  /// Whether a text names a day or a moment.
  package static func isDate(_ text: String) -> Bool { DateValue(text) != nil }
}
