import PipelineByteText
import PipelineFormats
import PipelineJSONText
import PipelineSourceText

/// `true` or `false`.
struct BooleanType: ValueType {
  var description: LanguageType { .boolean }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Bool? {
    decoder.boolean(node, name)
  }

  func text(of value: Bool) -> String? { "\(value)" }
}

/// `true`, and nothing else.
struct YesType: ValueType {
  var description: LanguageType { .yes }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Bool? {
    if node.boolean == true { return true }
    decoder.mistyped(
      node, name, "true",
      hint: node.string == "true" ? .withoutQuotes("true", for: node.range) : .none)
    return nil
  }
}

/// Any JSON, taken literally.
struct JSONType: ValueType {
  var description: LanguageType { .json }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> JSONNode? {
    node
  }
}

extension ValueType where Self == YesType {
  static var yes: YesType { YesType() }
}
extension ValueType where Self == JSONType {
  static var json: JSONType { JSONType() }
}

/// An object of the language.
struct ObjectType<Object: DeclaredObject>: ValueType {
  let kind: LanguageObject.Kind

  var description: LanguageType { .object(kind) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Object? {
    guard let fields = decoder.fields(of: node, kind, .key(name)) else { return nil }
    return decoder.object(Object.self, fields)
  }
}

extension ValueType {
  static func object<Object>(
    _ kind: LanguageObject.Kind, _: Object.Type
  ) -> Self where Self == ObjectType<Object> { ObjectType(kind: kind) }
}

/// One ASCII character between fields.
struct DelimiterType: ValueType {
  var description: LanguageType { .text }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> UInt8? {
    guard let text = decoder.text(node, name, hint: nil) else { return nil }
    guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80, byte != 0x22, byte != 0x0A,
      byte != 0x0D
    else {
      decoder.report(
        .invalidValue, "'\(name)' is one ASCII character such as \";\" or \"\\t\"", at: node.range)
      return nil
    }
    return byte
  }

  func text(of value: UInt8) -> String? {
    JSONValue.string(String(Unicode.Scalar(value))).node.text
  }
}

/// The columns of a table: names, or names with types.
struct ColumnsType: ValueType {
  struct Columns {
    let list: [SeparatedFormat.Column]
    let hasNamesOnly: Bool
  }

  var description: LanguageType {
    .either([.list(.text), .map(.choice(ColumnType.allCases.map(\.rawValue)))])
  }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Columns? {
    switch node.kind {
    case .array:
      let names = node.elements.compactMap { decoder.text($0, name, hint: nil) }
      for (index, element) in names.enumerated()
      where names[..<index].contains(bytes: element) {
        decoder.report(
          .invalidValue, "two 'columns' are called '\(element)', which decides nothing",
          at: node.range)
      }
      return Columns(list: names.map { SeparatedFormat.Column(name: $0) }, hasNamesOnly: true)
    case .object:
      let list = node.members.map { member in
        let type: ColumnType? = decoder.choice(member.value, name)
        return SeparatedFormat.Column(name: member.name, type: type)
      }
      return Columns(list: list, hasNamesOnly: false)
    default:
      decoder.mistyped(node, name, "an object such as {\"qty\": \"integer\"}, or a list of names")
      return nil
    }
  }
}

/// A list of texts.
struct TextListType: ValueType {
  var description: LanguageType { .list(.text) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [String]? {
    guard decoder.isList(node, name, "a list of texts") else { return nil }
    return node.elements.compactMap { decoder.text($0, name, hint: nil) }
  }
}

/// Texts by names.
struct TextMapType: ValueType {
  var description: LanguageType { .map(.text) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [(name: String, text: String)]? {
    guard node.kind == .object else {
      decoder.mistyped(node, name, "an object of texts")
      return nil
    }
    return node.members.compactMap { member in
      decoder.text(member.value, name, hint: nil).map { (member.name, $0) }
    }
  }
}
