import PipelineDates

// A pattern, the name of a zone, an amount and a text, each on a line: the text is read by the
// pattern and written again, and moved by the amount. What must hold is stated as preconditions.

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  let lines = input.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  let zone = lines.count > 1 ? try? ZoneDatabase.system.zone(lines[1]) : nil
  let amount = lines.count > 2 ? DateAmount(lines[2]) : nil
  let text = lines.count > 3 ? lines[3] : ""
  for name in DateFormat.names {
    if let format = DateFormat(named: name) { check(format, text, zone ?? .utc, amount) }
  }
  do throws(DatePattern.Problem) {
    check(.pattern(try DatePattern(lines[0])), text, zone ?? .utc, amount)
  } catch {
    precondition(!error.message.isEmpty)
    // What is meant by a pattern of another tool is one of ours.
    if let meant = error.meant { _ = mustBePattern(meant) }
  }
  if let amount {
    precondition(DateAmount(amount.text) == amount, "\(amount) is not as it was")
  }
  return 0
}

private func mustBePattern(_ text: String) -> DatePattern {
  guard let pattern = try? DatePattern(text) else { preconditionFailure("no pattern: \(text)") }
  return pattern
}

private func check(_ format: DateFormat, _ text: String, _ zone: Zone, _ amount: DateAmount?) {
  guard let value = format.value(of: text, in: zone) else { return }
  // The year may be one that no text has, in another zone.
  if let written = try? format.text(of: value) {
    guard let again = format.value(of: written, in: zone) else {
      preconditionFailure("'\(written)' is not read again")
    }
    // A moment that clocks show twice is the first of both.
    if let second = try? format.text(of: again) {
      precondition(second == written, "'\(written)' becomes '\(second)'")
    }
  }
  guard let amount else { return }
  if let moved = try? value.adding(amount), let back = amount.times(-1), amount.unit.isExact,
    let again = try? moved.adding(back)
  {
    precondition(
      value.isBefore(again) == false && again.isBefore(value) == false,
      "\(text) moved by \(amount.text) and back is another moment")
  }
  for unit in CalendarUnit.allCases {
    guard let first = try? value.start(of: unit) else { continue }
    precondition(value.isBefore(first) != true, "\(unit) begins after \(text)")
    if let second = try? first.start(of: unit) {
      precondition(second.isBefore(first) != true, "the start of \(unit) is not one: \(text)")
    }
  }
}
