import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// The type of a key's value: how it is described, and how it is read.
protocol ValueType<Value>: Sendable {
  associatedtype Value

  /// As tables, schema and completions show it.
  var description: LanguageType { get }

  /// The value of the key `name`; `nil`, with a report, if it has another type.
  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Value?

  /// A default as JSON text; `nil` if no key of this type has one.
  func text(of value: Value) -> String?

  /// Whether a member under another key is read as meant for a key of this type, however different
  /// the keys are: other parts of the file read the names that it gives.
  func isMeant(by member: JSONMember) -> Bool
}

extension ValueType {
  func text(of value: Value) -> String? { nil }
  func isMeant(by member: JSONMember) -> Bool { false }
}

// MARK: - Scalars

/// A string, taken literally.
struct TextType: ValueType {
  /// What to write instead of a value that is not a string.
  var hint: (@Sendable (JSONNode) -> Proposal)?

  var description: LanguageType { .text }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    decoder.text(node, name, hint: hint?(node))
  }
}

/// The path of a file, taken literally.
struct PathType: ValueType {
  var description: LanguageType { .path }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    decoder.text(node, name)
  }
}

/// A whole number, not below the minimum.
struct IntegerType: ValueType {
  let minimum: Int

  var description: LanguageType { .integer(minimum: minimum) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Int? {
    decoder.integer(node, name, minimum: minimum)
  }

  func text(of value: Int) -> String? { "\(value)" }
}

/// A number, not below the minimum.
struct NumberType: ValueType {
  let minimum: Int

  var description: LanguageType { .number(minimum: minimum) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Double? {
    guard let value = node.number?.double else {
      decoder.mistyped(node, name, "a number")
      return nil
    }
    guard value >= Double(minimum), value.isFinite else {
      decoder.report(.invalidValue, "'\(name)' must be at least \(minimum)", at: node.range)
      return nil
    }
    return value
  }

  func text(of value: Double) -> String? { Int(exactly: value).map { "\($0)" } ?? "\(value)" }
}

struct DurationType: ValueType {
  var allowsZero = false

  var description: LanguageType { allowsZero ? .pause : .duration }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Duration? {
    decoder.duration(node, name, allowsZero: allowsZero)
  }

  func text(of value: Duration) -> String? {
    value == .zero ? "\"0s\"" : "\"\(Quantities.text(of: value))\""
  }

  /// A default that is easier to read in seconds: `"60s"`.
  static func inSeconds(_ value: Duration) -> String { "\"\(value.components.seconds)s\"" }
}

/// One of the names of an enumeration.
struct ChoiceType<Choice>: ValueType
where Choice: RawRepresentable<String> & CaseIterable & Sendable {
  var description: LanguageType { .choice(Choice.allCases.map(\.rawValue)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Choice? {
    decoder.choice(node, name)
  }

  func text(of value: Choice) -> String? { "\"\(value.rawValue)\"" }
}

// MARK: - Queries and templates

/// A query of the response's body.
struct BodyQueryType: ValueType {
  var description: LanguageType { .bodyQuery }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Query>? {
    decoder.bodyQuery(node, name)
  }
}

struct EndpointType: ValueType {
  var description: LanguageType { .endpoint }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Endpoint>? {
    if node.kind == .object, let url = (node["url"] ?? node["path"])?.string {
      let method = node["method"]?.string?.uppercased() ?? "GET"
      decoder.mistyped(
        node, name, "a text such as \"GET /users\"",
        hint: .write("\(JSONValue.string(method + " " + url))", for: node.range))
      return nil
    }
    guard let text = decoder.text(node, name, example: "GET /users") else { return nil }
    let (endpoint, problems) = Endpoint.parse(text)
    decoder.report(problems, in: node)
    return Written(endpoint, at: node)
  }
}

struct ConditionType: ValueType {
  let place: ConditionPlace
  /// Whether the value switches something on or off, for which other tools have these words.
  var isGuard = false

  var description: LanguageType { .condition }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Condition>? {
    decoder.condition(node, name, of: place)
  }

  func isMeant(by member: JSONMember) -> Bool {
    isGuard
      && ["if", "condition", "cond", "runif", "case", "test", "is"].contains(
        LanguageAliases.folded(member.name))
  }
}

/// A string that may hold `{{…}}`.
struct TemplateType: ValueType {
  let allowsEmpty: Bool

  var description: LanguageType { allowsEmpty ? .content : .template }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
    decoder.template(node, name, allowsEmpty: allowsEmpty)
  }
}

/// The path of a file, in which `{{+x}}` may be several segments.
struct PathTemplateType: ValueType {
  var description: LanguageType { .template }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Template>? {
    guard let text = decoder.text(node, name) else { return nil }
    let (template, problems) = Template.parsePath(text)
    decoder.report(problems, in: node)
    decoder.report(template.foreignTemplates, .warning, in: node)
    return Written(template, at: node)
  }
}

/// An absolute http or https URL that may hold `{{…}}`.
struct URLType: ValueType {
  var description: LanguageType { .url }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<URLTemplate>? {
    guard let text = decoder.text(node, name) else { return nil }
    let (url, problems) = URLTemplate.parse(text)
    decoder.report(problems, in: node)
    return Written(url, at: node)
  }
}

/// Any JSON, whose strings may hold `{{…}}`.
struct DataType: ValueType {
  var queries = WorkflowDecoder.Queries.literal

  var description: LanguageType { queries == .allowed ? .either([.data, .scopeQuery]) : .data }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> DataTemplate? {
    decoder.data(node, queries: queries)
  }
}

// MARK: - Values made of others

/// A value with its place in the file.
struct WrittenType<Base: ValueType>: ValueType where Base.Value: Sendable {
  let base: Base

  var description: LanguageType { base.description }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<Base.Value>? {
    base.read(node, name, &decoder).map { Written($0, at: node) }
  }
}

// MARK: - The words of declarations

extension ValueType where Self == TextType {
  static var text: TextType { TextType() }
}
extension ValueType where Self == PathType {
  static var path: PathType { PathType() }
}
extension ValueType where Self == DurationType {
  static var duration: DurationType { DurationType() }
  /// A duration that may be none at all.
  static var pause: DurationType { DurationType(allowsZero: true) }
}
extension ValueType where Self == IntegerType {
  static func integer(atLeast minimum: Int) -> IntegerType { IntegerType(minimum: minimum) }
}
extension ValueType where Self == NumberType {
  static func number(atLeast minimum: Int) -> NumberType { NumberType(minimum: minimum) }
}
extension ValueType where Self == BodyQueryType {
  static var bodyQuery: BodyQueryType { BodyQueryType() }
}
extension ValueType where Self == ConditionType {
  static func condition(of place: ConditionPlace) -> ConditionType {
    ConditionType(place: place)
  }
  static func guarding(_ place: ConditionPlace) -> ConditionType {
    ConditionType(place: place, isGuard: true)
  }
}
extension ValueType where Self == TemplateType {
  static var template: TemplateType { TemplateType(allowsEmpty: false) }
  /// A template that may be empty.
  static var content: TemplateType { TemplateType(allowsEmpty: true) }
}
extension ValueType where Self == PathTemplateType {
  static var pathTemplate: PathTemplateType { PathTemplateType() }
}
extension ValueType where Self == DataType {
  static var data: DataType { DataType() }
  /// Data, or a query of the scope.
  static var value: DataType { DataType(queries: .allowed) }
}
extension ValueType where Self == BooleanType {
  static var boolean: BooleanType { BooleanType() }
}
extension ValueType {
  static func choice<Choice>(_: Choice.Type) -> Self where Self == ChoiceType<Choice> {
    ChoiceType()
  }
  static func written<Base>(_ base: Base) -> Self where Self == WrittenType<Base> {
    WrittenType(base: base)
  }
}
