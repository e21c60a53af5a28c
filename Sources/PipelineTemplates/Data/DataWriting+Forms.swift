internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText

// The forms that make a value of a list or an object.

extension DataWriting {
  func value(
    of form: DataForm, _ inner: DataTemplate.Node, _ node: JSONNode
  ) throws(DataError) -> Found {
    switch form {
    case .first: return try first(inner, node)
    case .files: return .list(try files(inner, node))
    case .count, .entries:
      guard let value = try value(of: inner) else { return .absent }
      return form == .count ? try count(value, node) : try entries(of: value, node)
    case .concat, .sum, .min, .max, .object, .unique:
      guard let elements = try elements(of: inner, form, node) else { return .absent }
      switch form {
      case .concat: return .list(try concatenated(elements, node))
      case .sum: return .number(try sum(elements, node))
      case .object: return .node(try object(elements, node))
      case .unique: return .list(elements.distinct)
      default: return try extreme(form, elements, node).map(Found.node) ?? .absent
      }
    case .literal, .json, .base64, .file, .merge, .join: return .absent
    }
  }

  /// The elements of the list in a form; `nil` if there is no list.
  private func elements(
    of inner: DataTemplate.Node, _ form: DataForm, _ node: JSONNode
  ) throws(DataError) -> [JSONNode]? {
    switch inner {
    case .query(let query, _) where !query.isSingular: return query.nodes(in: queries)
    case .array(let items):
      var elements: [JSONNode] = []
      for item in items {
        if let element = try value(of: item) { elements.append(element) }
      }
      return elements
    default:
      guard let list = try value(of: inner) else { return nil }
      guard list.kind == .array else { throw refusal(of: list, form, node) }
      return Array(list.elements)
    }
  }

  private func refusal(of value: JSONNode, _ form: DataForm, _ node: JSONNode) -> DataError {
    DataError(
      .dataForm,
      "'\(form.rawValue)' takes \(form.wanted ?? ""), but this is \(value.kind.phrase)",
      at: node.range)
  }

  /// - Parameter wayOut: The way out, as a phrase; empty: none.
  private func refusal(
    of element: JSONNode, number: Int, _ form: DataForm, _ node: JSONNode, _ wayOut: String = ""
  ) -> DataError {
    DataError(
      .dataForm,
      "'\(form.rawValue)' takes \(form.wanted ?? ""), but element \(number + 1) is "
        + element.kind.phrase + (wayOut.isEmpty ? "" : "; " + wayOut), at: node.range)
  }

  // MARK: Choosing

  /// A value that cannot be made because a part is absent is absent, too.
  private func first(
    _ inner: DataTemplate.Node, _ node: JSONNode
  ) throws(DataError) -> Found {
    guard case .array(let items) = inner else {
      return try elements(of: inner, .first, node)?.first.map(Found.node) ?? .absent
    }
    for item in items {
      do throws(DataError) {
        if let value = try value(of: item) { return .node(value) }
      } catch  where error.reason == .absent {
        continue
      }
    }
    return .absent
  }

  private func extreme(
    _ form: DataForm, _ elements: [JSONNode], _ node: JSONNode
  ) throws(DataError) -> JSONNode? {
    guard let first = elements.first else { return nil }
    for (number, element) in elements.enumerated()
    where element.kind != first.kind || element.kind != .number && element.kind != .string {
      throw refusal(
        of: element, number: number, form, node,
        element.kind == .number || element.kind == .string ? "numbers and texts have no order" : "")
    }
    let isMax = form == .max
    if first.kind == .number {
      return elements.dropFirst().reduce(first) { best, element in
        let order = element.document.compareNumbers(
          at: element.index, in: best.document, at: best.index)
        return (isMax ? order > 0 : order < 0) ? element : best
      }
    }
    let texts = elements.map { $0.string ?? "" }
    let place: Int?
    if let moments = Self.moments(texts) {
      place = Self.place(of: moments, isMax: isMax) { $0 < $1 }
    } else {
      // In UTF-8 texts are in the order of their scalars.
      place = Self.place(of: texts, isMax: isMax) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return place.map { elements[$0] }
  }

  /// The moments that texts name, if each of them names one.
  private static func moments(_ texts: [String]) -> [RFC3339.DateTime]? {
    var moments: [RFC3339.DateTime] = []
    for text in texts {
      guard let moment = RFC3339.DateTime(text) else { return nil }
      moments.append(moment)
    }
    return moments
  }

  /// The place of the smallest or the largest value; of equal ones, the first.
  private static func place<Value>(
    of values: [Value], isMax: Bool, _ isLess: (Value, Value) -> Bool
  ) -> Int? {
    values.indices.dropFirst().reduce(values.indices.first) { best, place in
      guard let best else { return place }
      let isBetter =
        isMax ? isLess(values[best], values[place]) : isLess(values[place], values[best])
      return isBetter ? place : best
    }
  }

  // MARK: Computing

  private func count(_ value: JSONNode, _ node: JSONNode) throws(DataError) -> Found {
    guard value.kind == .array || value.kind == .object else {
      throw refusal(of: value, .count, node)
    }
    return .number(String(value.count))
  }

  private func sum(_ elements: [JSONNode], _ node: JSONNode) throws(DataError) -> String {
    for (number, element) in elements.enumerated() where element.kind != .number {
      throw refusal(
        of: element, number: number, .sum, node,
        element.kind == .string
          ? "its extractor makes it a number with \"type\": \"number\"" : "")
    }
    guard let text = DecimalSum.text(of: elements) else {
      throw DataError(
        .dataForm, "the sum would have more than \(DecimalSum.digitLimit) digits", at: node.range)
    }
    return text
  }

  func join(
    _ list: DataTemplate.Node, _ separator: DataTemplate.Node, _ node: JSONNode
  ) throws(DataError) -> Found {
    guard let elements = try elements(of: list, .join, node) else { return .absent }
    guard let between = try value(of: separator) else {
      throw DataError(
        .absent, "the text between the elements is absent, but '$join' needs one", at: node.range)
    }
    let separator = try scalar(between, .join, node)
    var text: [UInt8] = []
    for (number, element) in elements.enumerated() {
      if number > 0 { text += separator }
      switch element.kind {
      case .string: text += element.decodedUTF8
      case .number, .boolean: text += element.utf8
      case .null, .array, .object:
        throw refusal(of: element, number: number, .join, node, "select texts or numbers")
      }
    }
    return .text(String(decoding: text, as: UTF8.self))
  }

  // MARK: Lists and objects

  private func concatenated(
    _ lists: [JSONNode], _ node: JSONNode
  ) throws(DataError) -> [JSONNode] {
    var elements: [JSONNode] = []
    for (number, list) in lists.enumerated() {
      guard list.kind == .array else {
        throw refusal(
          of: list, number: number, .concat, node, "write it as a list of one: [\"{{…}}\"]")
      }
      elements += list.elements
    }
    return elements
  }

  private func entries(of value: JSONNode, _ node: JSONNode) throws(DataError) -> Found {
    guard value.kind == .object else { throw refusal(of: value, .entries, node) }
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for member in value.members {
      writer.beginObject()
      writer.name("key")
      writer.string(member.name)
      writer.name("value")
      writer.value(member.value)
      writer.endObject()
    }
    writer.endArray()
    return .node(writer.document().root)
  }

  /// The object of some entries. Of pairs with the same key the last counts, in the place of the
  /// first. One without a value is left out.
  private func object(_ entries: [JSONNode], _ node: JSONNode) throws(DataError) -> JSONNode {
    var members: [(name: String, value: JSONNode)] = []
    var places: [ExactText: Int] = [:]
    for (number, entry) in entries.enumerated() {
      guard entry.kind == .object else {
        throw refusal(of: entry, number: number, .object, node)
      }
      guard let key = entry["key"] else {
        throw DataError(
          .dataForm, "element \(number + 1) of '$object' has no 'key'", at: node.range)
      }
      let name = String(decoding: try scalar(key, .object, node), as: UTF8.self)
      guard let value = entry["value"] else { continue }
      if let place = places[ExactText(name)] {
        members[place].value = value
      } else {
        places[ExactText(name)] = members.count
        members.append((name, value))
      }
    }
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for member in members {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.endObject()
    return writer.document().root
  }

  private func files(
    _ inner: DataTemplate.Node, _ node: JSONNode
  ) throws(DataError) -> [JSONNode] {
    let pattern = try path(inner, .files, node)
    do throws(DataSourceError) {
      return try source.files(pattern).map { JSONValue.string($0).node }
    } catch {
      throw DataError(error, in: node)
    }
  }
}
