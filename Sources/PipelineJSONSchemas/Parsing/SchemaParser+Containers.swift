import PipelineJSONText

// The keywords that ask something of arrays and objects.

extension SchemaParser {
  /// `prefixItems`, `items`, `contains` and the counts (core §10.3.1, validation §6.4).
  mutating func arrayRules(_ fields: [Keyword: JSONNode]) -> [Rule] {
    var rules: [Rule] = []
    for keyword in [Keyword.minItems, .maxItems] {
      if let bound = bound(keyword, fields) {
        rules.append(Rule(keyword, bound.range, .array(.count(bound))))
      }
    }
    if let value = fields[.uniqueItems] {
      if value.boolean == nil { mistyped(.uniqueItems, value, "true or false") }
      if value.boolean == true { rules.append(Rule(.uniqueItems, value.range, .array(.unique))) }
    }
    let prefix = fields[.prefixItems].flatMap { list($0, .prefixItems) } ?? []
    let rest = fields[.items].flatMap { one($0, .items) }
    if let value = fields[.items] ?? fields[.prefixItems], !prefix.isEmpty || rest != nil {
      let keyword = fields[.items] == nil ? Keyword.prefixItems : .items
      rules.append(Rule(keyword, value.range, .array(.items(prefix: prefix, rest: rest))))
    }
    let least = bound(.minContains, fields)
    let most = bound(.maxContains, fields)
    if let value = fields[.contains], let schema = one(value, .contains) {
      let one = CountBound(isLeast: true, count: 1, range: value.range)
      rules.append(
        Rule(
          .contains, value.range,
          .array(.contains(schema, least: least ?? one, most: most))))
    }
    if let value = fields[.unevaluatedItems], let schema = one(value, .unevaluatedItems) {
      rules.append(Rule(.unevaluatedItems, value.range, .array(.unevaluated(schema))))
    }
    return rules
  }

  /// `properties` and all that belongs to it (core §10.3.2, validation §6.5).
  mutating func objectRules(_ fields: [Keyword: JSONNode]) -> [Rule] {
    var rules: [Rule] = []
    for keyword in [Keyword.minProperties, .maxProperties] {
      if let bound = bound(keyword, fields) {
        rules.append(Rule(keyword, bound.range, .object(.count(bound))))
      }
    }
    if let value = fields[.required] {
      let names = required(value, .required)
      if !names.isEmpty { rules.append(Rule(.required, value.range, .object(.required(names)))) }
    }
    if let value = fields[.dependentRequired] {
      if value.kind != .object {
        mistyped(.dependentRequired, value, "an object of arrays of names")
      }
      let dependents = value.members.map {
        (name: $0.name, required: required($0.value, .dependentRequired))
      }
      rules.append(Rule(.dependentRequired, value.range, .object(.dependent(dependents))))
    }
    if let value = fields[.propertyNames], let schema = one(value, .propertyNames) {
      rules.append(Rule(.propertyNames, value.range, .object(.names(schema))))
    }
    if let rule = memberRule(fields) { rules.append(rule) }
    if let value = fields[.dependentSchemas] {
      let dependents = map(value, .dependentSchemas).map {
        (name: $0.name, schema: use($0.value.index))
      }
      rules.append(Rule(.dependentSchemas, value.range, .object(.dependentSchemas(dependents))))
    }
    if let value = fields[.unevaluatedProperties],
      let schema = one(value, .unevaluatedProperties)
    {
      rules.append(Rule(.unevaluatedProperties, value.range, .object(.unevaluated(schema))))
    }
    return rules
  }

  private mutating func memberRule(_ fields: [Keyword: JSONNode]) -> Rule? {
    var members = MemberRules()
    var place: (Keyword, Range<Int>)?
    if let value = fields[.properties] {
      place = (.properties, value.range)
      for member in map(value, .properties) {
        members.names.append(Array(member.name.utf8))
        members.schemas.append(use(member.value.index))
        members.ranges.append(member.value.range)
      }
    }
    if let value = fields[.patternProperties] {
      place = place ?? (.patternProperties, value.range)
      for member in map(value, .patternProperties) {
        let schema = use(member.value.index)
        guard let pattern = pattern(member.name, at: { _ in member.nameRange }) else { continue }
        members.patterns.append((pattern, schema, member.value.range))
      }
    }
    if let value = fields[.additionalProperties], let schema = one(value, .additionalProperties) {
      place = place ?? (.additionalProperties, value.range)
      members.additional = (schema, value.range)
    }
    return place.map { Rule($0.0, $0.1, .object(.members(members))) }
  }

  private mutating func required(_ value: JSONNode, _ keyword: Keyword) -> [RequiredName] {
    guard value.kind == .array else {
      mistyped(keyword, value, "an array of names")
      return []
    }
    var names: [RequiredName] = []
    for element in value.elements {
      guard let name = element.string else {
        mistyped(keyword, element, "an array of names")
        continue
      }
      names.append(RequiredName(name: name, range: element.range))
    }
    return names
  }
}

// MARK: - Applicators

extension SchemaParser {
  /// The keywords that ask other schemas about the same value (core §10.2), and `$ref`.
  mutating func applicators(_ fields: [Keyword: JSONNode], of schema: JSONNode) -> [Rule] {
    var rules: [Rule] = []
    func add(_ keyword: Keyword, _ applicator: Applicator) {
      guard let value = fields[keyword] else { return }
      rules.append(Rule(keyword, value.range, .applicator(applicator)))
    }
    if let value = fields[.ref], let target = reference(value, from: schema.index) {
      add(.ref, .reference(target))
    }
    if let value = fields[.allOf], let schemas = list(value, .allOf) { add(.allOf, .all(schemas)) }
    if let value = fields[.anyOf], let schemas = list(value, .anyOf) { add(.anyOf, .any(schemas)) }
    if let value = fields[.oneOf], let schemas = list(value, .oneOf) { add(.oneOf, .one(schemas)) }
    if let value = fields[.not], let schema = one(value, .not) { add(.not, .not(schema)) }
    if let value = fields[.if], let condition = one(value, .if) {
      // Problems in these two are reported if they are defined.
      let then = fields[.then].flatMap { isSchema($0) ? use($0.index) : nil }
      let otherwise = fields[.else].flatMap { isSchema($0) ? use($0.index) : nil }
      add(.if, .conditional(condition, then: then, else: otherwise))
    }
    return rules
  }

  private mutating func one(_ value: JSONNode, _ keyword: Keyword) -> Int? {
    check(value, keyword) ? use(value.index) : nil
  }

  private mutating func list(_ value: JSONNode, _ keyword: Keyword) -> [Int]? {
    guard value.kind == .array, value.count > 0 else {
      mistyped(keyword, value, "an array of at least one schema")
      return nil
    }
    var schemas: [Int] = []
    for element in value.elements where check(element, keyword) {
      schemas.append(use(element.index))
    }
    return schemas
  }

  private mutating func map(_ value: JSONNode, _ keyword: Keyword) -> [JSONMember] {
    guard value.kind == .object else {
      mistyped(keyword, value, "an object of schemas")
      return []
    }
    var members: [JSONMember] = []
    for member in value.members where check(member.value, keyword) { members.append(member) }
    return members
  }
}
