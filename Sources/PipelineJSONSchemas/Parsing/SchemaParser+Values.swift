import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

// The keywords that ask something of a single value (validation §6.1–6.3, §7).

extension SchemaParser {
  mutating func valueRules(_ fields: [Keyword: JSONNode]) -> [Rule] {
    var rules: [Rule] = []
    func add(_ keyword: Keyword, _ check: ValueCheck?) {
      guard let check, let value = fields[keyword] else { return }
      rules.append(Rule(keyword, value.range, .value(check)))
    }
    if let value = fields[.type] { add(.type, types(value).map(ValueCheck.type)) }
    if let value = fields[.enumeration] {
      if value.kind == .array {
        add(.enumeration, .among(ValueSet(Array(value.elements))))
      } else {
        mistyped(.enumeration, value, "an array of values")
      }
    }
    if let value = fields[.const] { add(.const, .equal(value)) }
    if let value = fields[.multipleOf] { add(.multipleOf, divisor(value).map(ValueCheck.multiple)) }
    let sides: [(Keyword, NumberBound.Side)] = [
      (.maximum, .most), (.exclusiveMaximum, .below), (.minimum, .least),
      (.exclusiveMinimum, .above),
    ]
    for (keyword, side) in sides {
      guard let value = fields[keyword] else { continue }
      guard let number = value.number else {
        mistyped(keyword, value, "a number")
        continue
      }
      add(keyword, .bound(NumberBound(side: side, number: number)))
    }
    for keyword in [Keyword.minLength, .maxLength] {
      add(keyword, bound(keyword, fields).map(ValueCheck.length))
    }
    if let value = fields[.pattern] { add(.pattern, pattern(value).map(ValueCheck.pattern)) }
    if let value = fields[.format] { add(.format, format(value).map(ValueCheck.format)) }
    return rules
  }

  private mutating func types(_ value: JSONNode) -> TypeSet? {
    var types = TypeSet()
    let names = value.kind == .array ? Array(value.elements) : [value]
    guard !names.isEmpty else {
      mistyped(.type, value, "a type or an array of types")
      return nil
    }
    for name in names {
      guard let text = name.string else {
        mistyped(.type, name, "a type or an array of types")
        continue
      }
      guard !types.insert(named: text) else { continue }
      let near = Spelling.nearest(to: text, among: TypeSet.names)
      let advice =
        near.map { "; did you mean '\($0)'?" } ?? "; types are \(joined(TypeSet.names, by: "and"))"
      problems.append(
        SchemaProblem(
          .value, "'\(text)' is not a type in JSON Schema\(advice)", at: name.range,
          fix: near.map { "\"\($0)\"" }))
    }
    return types
  }

  private mutating func divisor(_ value: JSONNode) -> Divisor? {
    if let divisor = value.number.flatMap(Divisor.init) { return divisor }
    mistyped(.multipleOf, value, "a number greater than 0 of at most 18 digits")
    return nil
  }

  /// A count, from 0 on.
  mutating func bound(_ keyword: Keyword, _ fields: [Keyword: JSONNode]) -> CountBound? {
    guard let value = fields[keyword] else { return nil }
    guard let number = value.number, number.isInteger, number >= JSONNumber(0) else {
      mistyped(keyword, value, "an integer of 0 or more")
      return nil
    }
    return CountBound(
      isLeast: keyword.isLeastCount, count: number.int ?? Int.max,
      range: value.range)
  }

  /// A pattern of ECMA-262, in a value of `pattern`.
  private mutating func pattern(_ value: JSONNode) -> Pattern? {
    guard let text = value.string else {
      mistyped(.pattern, value, "a regular expression")
      return nil
    }
    return pattern(text) { value.sourceRange(ofDecoded: $0) }
  }

  /// - Parameter place: Where bytes of the pattern are in the schema's document.
  mutating func pattern(_ text: String, at place: (Range<Int>) -> Range<Int>) -> Pattern? {
    switch IRegexp.parse(ecmaScript: text) {
    case .success(let regexp):
      defer { patternCount += 1 }
      return Pattern(regexp: regexp, position: patternCount)
    case .failure(let error):
      let fix = error.fix.map { JSONValue.string($0).description.dropFirst(bytes: 1) }
      problems.append(
        SchemaProblem(
          .pattern, error.message, at: place(error.range),
          fix: fix.map { String($0.dropLast(bytes: 1)) }))
      return nil
    }
  }

  private mutating func format(_ value: JSONNode) -> Format? {
    guard let name = value.string else {
      mistyped(.format, value, "the name of a format")
      return nil
    }
    guard formats == .assertion else { return nil }
    if let format = Format(rawValue: name) { return format }
    let names = Format.allCases.map(\.rawValue)
    let near = Spelling.nearest(to: name, among: names)
    problems.append(
      SchemaProblem(
        .unsupported,
        "the format '\(name)' is not supported; "
          + (near.map { "did you mean '\($0)'?" }
            ?? "the formats are \(joined(names, by: "and")), and 'pattern' can describe others"),
        at: value.range, fix: near.map { "\"\($0)\"" }))
    return nil
  }
}
