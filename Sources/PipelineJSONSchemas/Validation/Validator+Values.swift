import PipelineJSONPaths
import PipelineJSONText

extension Validator {
  func check(_ check: ValueCheck, _ rule: Rule, at index: Int) -> Bool {
    let kind = document.kind(at: index)
    switch check {
    case .type(let types):
      if types.allows(valueAt: index, in: document) { return true }
      return fail(rule, at: index, "must be \(types.phrase), but is \(node(index).phrase)")
    case .among(let values):
      if values.contains(valueAt: index, in: document) { return true }
      return fail(
        rule, at: index, "must be \(Self.list(values.values)), but is \(node(index).phrase)")
    case .equal(let value):
      if document.isEqual(at: index, in: value.document, at: value.index) { return true }
      return fail(rule, at: index, "must be \(value.excerpt), but is \(node(index).phrase)")
    case .multiple(let divisor):
      guard kind == .number, let number = node(index).number, !divisor.divides(number) else {
        return true
      }
      return fail(
        rule, at: index, "must be a multiple of \(divisor.number), but is \(node(index).excerpt)")
    case .bound(let bound):
      guard kind == .number,
        !bound.allows(order: document.compareNumber(at: index, to: bound.number))
      else { return true }
      return fail(rule, at: index, "must be \(bound.phrase), but is \(node(index).excerpt)")
    case .length, .pattern, .format:
      return kind != .string || self.check(text: check, rule, at: index)
    }
  }

  private func check(text check: ValueCheck, _ rule: Rule, at index: Int) -> Bool {
    switch check {
    case .length(let bound):
      // Characters are Unicode's code points (RFC 8259), so all bytes but the following ones of each.
      let length = document.withUTF8(at: index) { utf8 in
        utf8.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
      }
      if bound.allows(length) { return true }
      return fail(
        rule, at: index,
        "must have \(bound.phrase("character")), but has \(length): \(node(index).excerpt)")
    case .pattern(let pattern):
      if matches(pattern, at: index) { return true }
      return fail(
        rule, at: index, "must match '\(pattern.regexp.pattern)', but is \(node(index).excerpt)")
    case .format(let format):
      if document.withUTF8(at: index, { format.allows($0) }) { return true }
      return fail(rule, at: index, "must be \(format.phrase), but is \(node(index).excerpt)")
    default: return true
    }
  }

  /// `"a" or "b"`, or the first few of many.
  private static func list(_ values: [JSONNode]) -> String {
    let limit = 6
    guard values.count > 1 else { return values.first?.excerpt ?? "one of no values" }
    guard values.count > limit else { return joined(values.map(\.excerpt), by: "or") }
    let first = values.prefix(limit - 1).map(\.excerpt).joined(separator: ", ")
    return "one of \(first) and \(values.count - limit + 1) more"
  }
}
