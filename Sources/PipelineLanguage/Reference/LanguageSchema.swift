import PipelineByteText
internal import PipelineJSONText
import PipelineTemplates

/// Writes the language as a JSON Schema (draft 2020-12), by which editors complete and check
/// workflow files.
///
/// It describes structure only. The decoder refuses everything that the schema refuses. Whether
/// names are known and queries well formed is decided by lint.
package enum LanguageSchema {
  /// The schema of workflow files as indented JSON text.
  package static var text: [UInt8] {
    text(
      of: .file, LanguageObject.Kind.allCases, title: "pipeline workflow",
      "A workflow of HTTP requests for 'pipeline'; docs/language.md explains it.")
  }

  /// The schema of test files.
  package static var textOfTests: [UInt8] {
    text(
      of: .tests, LanguageObject.Kind.testCases, title: "pipeline tests",
      "Tests of a workflow for 'pipeline test'; docs/testing.md explains them.")
  }

  private static func text(
    of root: LanguageObject.Kind, _ kinds: [LanguageObject.Kind], title: String,
    _ description: String
  ) -> [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
    writer.member("title", title)
    writer.member("description", description)
    writer.member("$ref", "#/$defs/" + root.rawValue)
    writer.name("$defs")
    writer.beginObject()
    for kind in kinds {
      writer.name(kind.rawValue)
      write(kind.object, to: &writer)
    }
    for pattern in patterns {
      writer.name(pattern.name)
      writer.beginObject()
      writer.member("type", "string")
      writer.member("pattern", pattern.pattern)
      writer.member("patternErrorMessage", pattern.meaning)
      writer.endObject()
    }
    for rule in NameRule.allCases { write(rule, to: &writer) }
    if root == .file { writeData(to: &writer) }
    writer.name("status")
    writer.raw(
      Array(
        #"{ "anyOf": [{ "type": "integer", "minimum": 100, "maximum": 599 }, { "enum": ["1xx", "2xx", "3xx", "4xx", "5xx"] }] }"#
          .utf8))
    writer.endObject()
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  /// The texts whose form a pattern describes.
  ///
  /// The description of the form is in a keyword of VS Code's, which shows it if the pattern does
  /// not match. A `description` would displace that of the key, because it lets the target of a
  /// `$ref` win.
  private static let patterns: [(name: String, pattern: String, meaning: String)] = [
    ("duration", "^\(positive)(ms|s|m|h|d)$", "A count and a unit: ms, s, m, h or d."),
    ("pause", "^[0-9]{1,18}(ms|s|m|h|d)$", "A count and a unit: ms, s, m, h or d."),
    ("size", "^\(positive)(B|KB|MB|GB)$", "A count and a unit: B, KB, MB or GB."),
    ("rate", "^0*[1-9][0-9]*/\(positive)(ms|s|m|h|d)$", "A count, '/' and a duration."),
    ("query", "^\\s*\\$", "A JSONPath query (RFC 9535)."),
  ]

  /// At most eighteen digits, not all of them 0.
  private static let positive = "0{0,17}[1-9][0-9]{0,17}"

  private static func write(_ rule: NameRule, to writer: inout JSONWriter) {
    writer.name(rule.rawValue + "Name")
    writer.beginObject()
    writer.member("type", "string")
    writer.member("pattern", NameRule.pattern)
    if !rule.reserved.isEmpty {
      writer.name("not")
      writer.beginObject()
      writer.member("enum", rule.reserved)
      writer.endObject()
    }
    writer.member("patternErrorMessage", "Letters, digits and '_', beginning with no digit.")
    writer.endObject()
  }

  /// Data may be anything. What is said of it only lets editors propose and explain its forms.
  private static func writeData(to writer: inout JSONWriter) {
    writer.name("data")
    writer.beginObject()
    writer.name("properties")
    writer.beginObject()
    for table in DataForms.tables {
      writer.name(table.title.name)
      writer.beginObject()
      writer.describe(table.title.meaning)
      writer.example(table.title.valueExample)
      if table.options.isEmpty {
        writer.member("$ref", "#/$defs/data")
      } else {
        writer.name("properties")
        writer.beginObject()
        writer.name(table.title.valueName)
        writer.reference("data")
        for option in table.options {
          writer.name(option.name)
          writer.beginObject()
          writer.describe(option.meaning)
          writer.example(option.example)
          writer.endObject()
        }
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
    for keyword in ["additionalProperties", "items"] {
      writer.name(keyword)
      writer.reference("data")
    }
    writer.endObject()
  }

  // MARK: Objects

  private static func write(_ object: LanguageObject, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("title", object.title)
    writer.member("type", "object")
    writer.name("properties")
    writer.beginObject()
    for key in object.keys {
      writer.name(key.name)
      write(key, to: &writer)
    }
    writeIgnored(object, to: &writer)
    writer.endObject()
    writer.name("patternProperties")
    writer.raw(Array(#"{ "^x-": true }"#.utf8))
    writer.name("additionalProperties")
    writer.boolean(false)
    let required = object.keys.filter(\.isRequired).map(\.name)
    if !required.isEmpty { writer.member("required", required) }
    writeChoices(object, to: &writer)
    writeCompanions(object, to: &writer)
    writer.endObject()
  }

  /// The keys that every object takes.
  private static func writeIgnored(_ object: LanguageObject, to writer: inout JSONWriter) {
    for name in ["$schema", "$comment"] {
      writer.name(name)
      writer.beginObject()
      writer.member("type", "string")
      if name == "$comment" || ![.file, .base, .tests].contains(object.kind) {
        // Another of VS Code's: not among what completes every object.
        writer.name("doNotSuggest")
        writer.boolean(true)
      }
      writer.endObject()
    }
    guard object.kind != .lint else { return }
    writer.name("$lint")
    writer.beginObject()
    writer.member("$ref", "#/$defs/lint")
    writer.member("description", "Findings of lint that are not reported here, each with a reason.")
    writer.endObject()
  }

  private static func writeChoices(_ object: LanguageObject, to writer: inout JSONWriter) {
    guard let choice = object.choices.first else { return }
    writer.name("oneOf")
    writer.beginArray()
    for key in choice.keys { writer.requirement(of: [key]) }
    if !choice.isRequired || choice.substitute != nil {
      writer.beginObject()
      if let substitute = choice.substitute { writer.member("required", [substitute]) }
      writer.name("not")
      writer.alternatives(choice.keys)
      writer.endObject()
    }
    writer.endArray()
  }

  /// The keys that are allowed only beside others.
  private static func writeCompanions(_ object: LanguageObject, to writer: inout JSONWriter) {
    let companions = object.keys.filter { $0.companions.count == 1 || $0.actions?.count == 1 }
    if !companions.isEmpty {
      writer.name("dependentRequired")
      writer.beginObject()
      for key in companions {
        let action = key.actions.flatMap { $0.count == 1 ? $0.first?.rawValue : nil }
        let companion = key.companions.count == 1 ? key.companions : []
        writer.member(key.name, companion + [action].compactMap { $0 })
      }
      writer.endObject()
    }
    let shared = object.keys.filter { ($0.actions?.count ?? 0) > 1 || $0.companions.count > 1 }
    guard !shared.isEmpty else { return }
    writer.name("dependentSchemas")
    writer.beginObject()
    for key in shared {
      writer.name(key.name)
      writer.alternatives(
        key.companions.count > 1
          ? key.companions
          : LanguageAction.allCases.filter { key.actions?.contains($0) ?? false }.map(\.rawValue))
    }
    writer.endObject()
  }

  // MARK: Keys and types

  private static func write(_ key: LanguageKey, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.describe(key.meaning)
    writeKeywords(of: key.type, to: &writer)
    if let rule = key.names {
      writer.name("propertyNames")
      writer.reference(rule.rawValue + "Name")
    }
    if let value = key.defaultValue {
      writer.name("default")
      writer.raw(Array(value.utf8))
    }
    writer.example(key.example)
    writer.endObject()
  }

  private static func write(_ type: LanguageType, to writer: inout JSONWriter) {
    writer.beginObject()
    writeKeywords(of: type, to: &writer)
    writer.endObject()
  }

  private static func writeKeywords(of type: LanguageType, to writer: inout JSONWriter) {
    switch type {
    case .text, .template, .path, .condition, .pattern, .endpoint, .url:
      writer.member("type", "string")
      writer.member("minLength", 1)
    case .content: writer.member("type", "string")
    case .reference:
      writer.member("type", "string")
      writer.member("pattern", #"^\{\{.*\}\}$"#)
    case .boolean: writer.member("type", "boolean")
    case .yes:
      writer.name("const")
      writer.boolean(true)
    case .integer(let minimum):
      writer.member("type", "integer")
      if minimum > .min { writer.member("minimum", minimum) }
    case .number(let minimum):
      writer.member("type", "number")
      writer.member("minimum", minimum)
    case .name: writer.member("$ref", "#/$defs/scopeName")
    case .duration: writer.member("$ref", "#/$defs/duration")
    case .pause: writer.member("$ref", "#/$defs/pause")
    case .size: writer.member("$ref", "#/$defs/size")
    case .rate: writer.member("$ref", "#/$defs/rate")
    case .status: writer.member("$ref", "#/$defs/status")
    case .bodyQuery, .scopeQuery: writer.member("$ref", "#/$defs/query")
    case .choice(let names): writer.member("enum", names)
    case .data: writer.member("$ref", "#/$defs/data")
    case .form:
      writer.member("type", "object")
      writer.member("minProperties", 1)
      writer.name("propertyNames")
      writer.beginObject()
      writer.member("pattern", "^(\\$|as$)")
      writer.endObject()
      writer.member("$ref", "#/$defs/data")
    case .json: break
    case .schema: writer.member("type", ["object", "boolean"])
    case .none: writer.member("type", "null")
    case .object(let kind): writer.member("$ref", "#/$defs/" + kind.rawValue)
    case .map(let value):
      writer.member("type", "object")
      writer.name("additionalProperties")
      write(value, to: &writer)
    case .list(let element), .several(let element):
      writer.member("type", "array")
      if case .several = type { writer.member("minItems", 1) }
      writer.name("items")
      write(element, to: &writer)
    case .either(let types): writeAlternatives(types, to: &writer)
    }
  }

  /// Objects come first: beside data, which may be anything, they still are what editors propose.
  private static func writeAlternatives(_ types: [LanguageType], to writer: inout JSONWriter) {
    let takesAnything = types.contains(.data) || types.contains(.json)
    let objects = types.filter { if case .object = $0 { true } else { false } }
    if takesAnything, objects.isEmpty {
      if types.contains(.data) { writeKeywords(of: .data, to: &writer) }
      return
    }
    writer.name("anyOf")
    writer.beginArray()
    for type in takesAnything ? objects + [.data] : types { write(type, to: &writer) }
    writer.endArray()
  }
}

extension JSONWriter {
  fileprivate mutating func describe(_ meaning: String) {
    member("description", meaning)
    // VS Code shows a description literally, and code in it only with this keyword.
    if meaning.contains(bytes: "`") { member("markdownDescription", meaning) }
  }

  fileprivate mutating func example(_ text: String) {
    name("examples")
    beginArray()
    raw(Array(text.utf8))
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ values: [String]) {
    self.name(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  fileprivate mutating func reference(_ name: String) {
    beginObject()
    member("$ref", "#/$defs/" + name)
    endObject()
  }

  fileprivate mutating func requirement(of keys: [String]) {
    beginObject()
    member("required", keys)
    endObject()
  }

  /// Any of the keys must be there.
  fileprivate mutating func alternatives(_ keys: [String]) {
    beginObject()
    name("anyOf")
    beginArray()
    for key in keys { requirement(of: [key]) }
    endArray()
    endObject()
  }
}
