import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A member under another tool's key whose value is written differently here.
///
/// Each edit is a suggestion. `nil` if the value is none of those that are understood.
struct ForeignMember {
  let member: JSONMember
  /// The object that has the member.
  let object: JSONNode
  let kind: LanguageObject.Kind
  /// The key as `LanguageAliases.folded` gives it.
  let word: String

  init(_ member: JSONMember, in object: JSONNode, of kind: LanguageObject.Kind) {
    self.member = member
    self.object = object
    self.kind = kind
    word = LanguageAliases.folded(member.name)
  }

  /// The edit with the same meaning here.
  var fix: DiagnosticFix? {
    switch kind {
    case .step, .branch, .defaults: ofStep ?? duration
    case .auth: scheme
    case .expect: expectation
    case .extractor: extractor
    case .paginate: pagination
    case .body: body
    case .range: object.count == 1 ? .replacing(object.range, with: value.text, isSafe: false) : nil
    case .input: input
    case .limits: limit
    case .part where word == "type": value.string?.contains(bytes: "/") == true ? nil : removal
    case .tls where value.boolean != nil: removal
    case .oauth2 where word == "scope": scopes
    default: duration
    }
  }

  // MARK: - Edits

  var value: JSONNode { member.value }

  var removal: DiagnosticFix? { .suggesting("remove it", [object.removing(member)]) }

  /// The edit that writes `"KEY": TEXT` in the place of the member, unless the object has the key,
  /// and takes others out.
  func writing(_ key: String, _ text: String, without others: [JSONMember] = []) -> DiagnosticFix? {
    guard object[key] == nil || key == member.name else { return nil }
    let range = member.nameRange.lowerBound..<value.range.upperBound
    let edit = DiagnosticFix.Edit(range: range, replacement: "\"\(key)\": \(text)")
    let removals = others.map { object.removing($0) }
    // With its comma, the member before may reach up to this one.
    guard !removals.contains(where: { $0?.range.overlaps(range) ?? true }) else { return nil }
    return .suggesting("write '\(key)'", [edit] + removals)
  }

  /// The other members of the object under one of these words.
  func beside(_ words: String...) -> JSONMember? {
    object.members.first {
      $0.nameRange != member.nameRange && words.contains(LanguageAliases.folded($0.name))
    }
  }

  static func quoted(_ text: String) -> String { "\(JSONValue.string(text))" }

  /// A duration whose unit is in the word, or is seconds.
  private var duration: DiagnosticFix? {
    guard let key = LanguageAliases.advice(on: member.name, in: kind)?.key,
      let type = kind.object[key]?.type, type.takes(.duration) || type.takes(.pause),
      let text = durationText
    else { return nil }
    return writing(key, "\"\(text)\"")
  }

  var durationText: String? {
    guard let count = value.number?.int, count > 0 else {
      return value.string.flatMap(Quantities.likelyDuration)
    }
    let units = [("ms", "ms"), ("millis", "ms"), ("milliseconds", "ms"), ("minutes", "m")]
    let unit = units.first { word.hasSuffix(bytes: $0.0) }?.1 ?? (count < 1000 ? "s" : "ms")
    return unit == "ms" ? Quantities.text(of: .milliseconds(count)) : "\(count)\(unit)"
  }

  // MARK: - Small objects

  private var scopes: DiagnosticFix? {
    guard let text = value.string else { return nil }
    let names = text.split { $0 == " " || $0 == "," }.map { Self.quoted(String($0)) }
    return writing("scopes", "[" + names.joined(separator: ", ") + "]")
  }

  private var limit: DiagnosticFix? {
    guard LanguageAliases.advice(on: member.name, in: kind)?.key == "rate",
      let count = value.number?.int
    else { return nil }
    return writing("rate", "\"\(count)/1\(word.contains(bytes: "minute") ? "m" : "s")\"")
  }

  private var input: DiagnosticFix? {
    switch word {
    case "required", "mandatory":
      return value.boolean == false && object["default"] == nil
        ? writing("optional", "true") : removal
    case "schema":
      return value["type"].flatMap { value.count == 1 ? writing("type", $0.text) : nil }
    case "format":
      let types = ["date-time": "datetime", "date": "date"]
      guard let type = value.string.flatMap({ types[$0] }) else { return nil }
      guard let old = object["type"], let edit = object.removing(member) else {
        return writing("type", "\"\(type)\"")
      }
      return .suggesting(
        "write \"type\": \"\(type)\"", [edit, .init(range: old.range, replacement: "\"\(type)\"")])
    default: return nil
    }
  }

  private var extractor: DiagnosticFix? {
    switch word {
    case "required", "mandatory":
      return value.boolean == false && object["default"] == nil
        ? writing("optional", "true") : removal
    case "name", "key", "id": return removal
    case "index", "nth", "position":
      let takes = [0: "first", -1: "last"]
      return value.number?.int.flatMap { takes[$0] }.flatMap { writing("take", "\"\($0)\"") }
    default:
      guard LanguageAliases.advice(on: member.name, in: kind)?.key == "body",
        let query = value.string.flatMap(Self.query)
      else { return nil }
      return writing("body", Self.quoted(query))
    }
  }

  /// The query with the same meaning as one of jq, JMESPath or another dialect.
  static func query(_ text: String) -> String? {
    Query.meant(
      by: WorkflowDecoder.bodyQuery(meantBy: text) ?? WorkflowDecoder.barePath(text) ?? text)
  }

  // MARK: - Expectations

  private var expectation: DiagnosticFix? {
    guard LanguageAliases.advice(on: member.name, in: kind)?.key == "where" else { return nil }
    var conditions: [String] = []
    switch word {
    case "headers", "header":
      for field in value.members {
        guard let text = Self.literal(field.value) else { return nil }
        conditions.append("@.headers['\(field.name.lowercasedASCII)'] == \(text)")
      }
    case "json", "body", "equals", "jsonpath":
      guard add(value, "@.body", &conditions) else { return nil }
    case "contains", "bodycontains", "text", "bodytext":
      guard let text = value.string, let literal = Self.literal(value), !text.isEmpty else {
        return nil
      }
      conditions.append("search(@.text, \(literal))")
    default: return nil
    }
    guard !conditions.isEmpty else { return nil }
    let list = conditions.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let given = object["where"] else { return writing("where", "[\(list)]") }
    guard given.kind == .array, let first = Array(given.elements).first else { return nil }
    let start = first.range.lowerBound
    return .suggesting(
      "write it into 'where'",
      [object.removing(member), .init(range: start..<start, replacement: list + ", ")])
  }

  /// The conditions that the scalars in a value hold.
  private func add(_ value: JSONNode, _ path: String, _ conditions: inout [String]) -> Bool {
    if value.kind == .object {
      return value.members.allSatisfy { field in
        let isQuery = field.name.hasPrefix(bytes: "$.")
        let way =
          isQuery
          ? path + field.name.dropFirst(bytes: 1)
          : WorkflowDecoder.isName(field.name)
            ? "\(path).\(field.name)" : "\(path)['\(field.name)']"
        return add(field.value, way, &conditions)
      }
    }
    guard let literal = Self.literal(value) else { return false }
    conditions.append("\(path) == \(literal)")
    return true
  }

  /// A scalar as it is written in a condition.
  private static func literal(_ value: JSONNode) -> String? {
    guard let text = value.string else {
      return value.kind == .array || value.kind == .object ? nil : value.text
    }
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && !"'\"\\{".utf8.contains($0) }
    return isPlain ? "'\(text)'" : nil
  }
}
