internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineOpenAPI

extension ArazzoReader {
  /// The body of a request.
  mutating func body(
    _ node: ReadNode, _ found: ArazzoSources.Found?, _ scope: Scope, _ step: inout ArazzoStep
  ) throws(ArazzoRefusal) -> JSONValue {
    guard let payload = node["payload"] else {
      throw ArazzoRefusal(line: line(node), message: "the body has no payload")
    }
    let described =
      found.flatMap { $0.description.requestContent(of: $0.operation)?.types } ?? []
    let type = (node["contentType"]?.string ?? described.first ?? "application/json")
      .prefix(before: ";").trimmed.lowercasedASCII
    let isJSON = APIDescription.isJSON(type)
    let isForm = type.equals(bytes: "application/x-www-form-urlencoded")
    var source = payload
    if payload.kind == .string, isJSON || isForm, let text = payload.string,
      !text.hasPrefix(bytes: "$")
    {
      if let parsed = try? JSONDocument.parse(Array(Self.quotingExpressions(text).utf8)).root {
        // Braces around an expression are not needed where the text is nothing else.
        report.approximate(
          line(payload), "an expression that is a whole text of the payload keeps its type")
        source = ReadNode(Self.withoutBraces(parsed))
      } else if isJSON, ["{", "["].contains(where: text.trimmed.hasPrefix(bytes:)) {
        throw ArazzoRefusal(line: line(payload), message: "the payload is not valid JSON")
      }
    }
    let payloadValue: Value
    do throws(ArazzoRefusal) {
      payloadValue = try self.value(of: source, scope)
    } catch {
      // Lines in a payload that is a text are those of the text.
      throw ArazzoRefusal(line: line(payload), message: error.message)
    }
    guard var value = json(payloadValue) else {
      throw ArazzoRefusal(line: line(payload), message: "the payload is not given")
    }
    for replacement in node["replacements"].items {
      value = try replaced(value, by: replacement, scope)
    }
    step.sentBody = value
    value = Self.asData(value)
    if isJSON { return .object([.init("json", value)]) }
    if isForm {
      guard case .object = value else {
        throw ArazzoRefusal(line: line(payload), message: "a form is not written out")
      }
      return .object([.init("form", value)])
    }
    guard case .string = value else {
      throw ArazzoRefusal(line: line(payload), message: "a payload of type '\(type)' is not text")
    }
    return .object([.init("text", value), .init("contentType", .string(type))])
  }

  /// A payload in which a part is another value.
  private mutating func replaced(
    _ payload: JSONValue, by node: ReadNode, _ scope: Scope
  ) throws(ArazzoRefusal) -> JSONValue {
    let target = node["target"]?.string ?? ""
    let written = node["targetSelectorType"]
    let type = written?.string ?? written?["type"]?.string ?? "jsonpointer"
    _ = written?["version"]
    let tokens: [String]?
    switch type {
    case "jsonpointer": tokens = ArazzoExpression("$response.body#" + target)?.pointer
    case "jsonpath":
      tokens =
        target.hasPrefix(bytes: "$")
        ? ArazzoWriter.pointer(String(target.dropFirst(bytes: 1))).flatMap {
          $0.isEmpty ? [] : ArazzoExpression("$response.body" + $0)?.pointer
        } : nil
    default: tokens = nil
    }
    guard let tokens else {
      throw ArazzoRefusal(
        line: line(node), message: "the target '\(target)' of a replacement is not a single place")
    }
    guard let written = node["value"] else {
      throw ArazzoRefusal(line: line(node), message: "a replacement has no value")
    }
    let value = json(try selected(written, scope, isInOutputs: false))
    guard let changed = Self.replacing(tokens[...], in: payload, with: value) else {
      throw ArazzoRefusal(
        line: line(node), message: "the payload has nothing at '\(target)' that is written out")
    }
    return changed
  }

  /// - Parameter value: The new value; `nil` removes the part.
  private static func replacing(
    _ tokens: ArraySlice<String>, in payload: JSONValue, with value: JSONValue?
  ) -> JSONValue? {
    guard let token = tokens.first else { return value ?? .null }
    switch payload {
    case .object(var members):
      let index = members.firstIndex { $0.name.equals(bytes: token) }
      guard tokens.count > 1 else {
        if let index { members.remove(at: index) }
        if let value { members.insert(.init(token, value), at: index ?? members.count) }
        return .object(members)
      }
      guard let index,
        let changed = replacing(tokens.dropFirst(), in: members[index].value, with: value)
      else { return nil }
      members[index] = .init(token, changed)
      return .object(members)
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index),
        let changed = replacing(tokens.dropFirst(), in: elements[index], with: value)
      else { return nil }
      elements[index] = changed
      return .array(elements)
    default: return nil
    }
  }

  /// Data in which no object is taken for one of our forms, such as `{"$sum": [1, 2]}`.
  private static func asData(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      let data = JSONValue.object(members.map { .init($0.name, asData($0.value)) })
      let isForm = members.count == 1 && members[0].name.hasPrefix(bytes: "$")
      return isForm ? ["$literal": data] : data
    case .array(let elements): return .array(elements.map(asData))
    default: return value
    }
  }

  /// JSON in which each expression in braces outside of texts is a text of its own, as
  /// `{"n": {$inputs.n}}` has one.
  private static func quotingExpressions(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var isInText = false
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if !isInText, byte == UInt8(ascii: "{"), next == UInt8(ascii: "$"),
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "}"))
      {
        result += [UInt8(ascii: "\"")] + bytes[position...end] + [UInt8(ascii: "\"")]
        position = end + 1
        continue
      }
      if byte == UInt8(ascii: "\"") { isInText.toggle() }
      result.append(byte)
      // An escaped quote does not end a text.
      if isInText, byte == UInt8(ascii: "\\"), position + 1 < bytes.count {
        result.append(next)
        position += 1
      }
      position += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The same JSON with `$inputs.a` for `{$inputs.a}`.
  private static func withoutBraces(_ node: JSONNode) -> JSONNode {
    func changed(_ node: JSONNode) -> JSONValue {
      switch node.kind {
      case .object: .object(node.members.map { .init($0.name, changed($0.value)) })
      case .array: .array(node.elements.map(changed))
      case .string:
        if let text = node.string, text.hasPrefix(bytes: "{$"),
          text.firstRange(bytes: "}")?.upperBound == text.endIndex
        {
          .string(String(text.dropFirst(bytes: 1).dropLast(bytes: 1)))
        } else {
          JSONValue(node)
        }
      case .number, .boolean, .null: JSONValue(node)
      }
    }
    return changed(node).node
  }
}
