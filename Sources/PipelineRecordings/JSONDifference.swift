internal import PipelineByteText
public import PipelineJSONText

/// One place at which two values differ.
public struct JSONDifference: Sendable, Equatable {
  /// How two values differ.
  public enum Kind: Sendable, Equatable {
    /// Only the expected value has it.
    case missing
    /// Only the actual value has it.
    case unexpected
    /// Both have it, of one type.
    case value
    /// Both have it, of different types.
    case type
  }

  /// How they differ.
  public let kind: Kind
  /// Where, as a query: `$.users[0].name`.
  public let path: String
  /// JSON text; `nil` if there is none.
  public let expected: String?
  /// The value that came, as JSON text; `nil` if there is none.
  public let actual: String?

  /// The kind of comparison.
  public enum Scope: Sendable {
    /// Everything.
    case whole
    /// The members of the expected value. Objects may have more.
    case part
    /// Only existence and types; of a list the union of its elements.
    case shape
  }

  /// At most `limit` differences, in the order of the expected value.
  ///
  /// - Parameters:
  ///   - expected: The value as it should be.
  ///   - actual: The value as it is.
  ///   - scope: What is compared.
  ///   - limit: The maximum number of differences.
  public static func between(
    _ expected: JSONNode, _ actual: JSONNode, scope: Scope = .whole, limit: Int = 100
  ) -> [JSONDifference] {
    var comparison = Comparison(scope: scope, limit: limit)
    comparison.compare(expected, actual, at: "$")
    return comparison.found
  }

  /// The path of a member.
  public static func path(_ path: String, _ name: String) -> String {
    let isPlain =
      name.utf8.first.map { $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 } == true
      && name.utf8.allSatisfy { $0 == 0x5F || ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }
    if isPlain { return path + "." + name }
    let escaped = name.replacing(bytes: "\\", with: "\\\\").replacing(bytes: "'", with: "\\'")
    return path + "['" + escaped + "']"
  }

  private struct Comparison {
    let scope: Scope
    let limit: Int
    var found: [JSONDifference] = []

    mutating func add(
      _ kind: Kind, _ path: String, _ expected: JSONNode?, _ actual: JSONNode?
    ) {
      guard found.count < limit else { return }
      found.append(
        JSONDifference(
          kind: kind, path: path, expected: expected.map(Self.shown),
          actual: actual.map(Self.shown)))
    }

    /// Recursion is bounded by the depth that parsers allow.
    mutating func compare(_ expected: JSONNode, _ actual: JSONNode, at path: String) {
      guard found.count < limit else { return }
      switch (expected.kind, actual.kind) {
      case (.object, .object): compareMembers(expected, actual, at: path)
      case (.array, .array): compareElements(expected, actual, at: path)
      case (let one, let other) where one != other: add(.type, path, expected, actual)
      default:
        if scope != .shape, !expected.isEqual(to: actual) { add(.value, path, expected, actual) }
      }
    }

    private mutating func compareMembers(
      _ expected: JSONNode, _ actual: JSONNode, at path: String
    ) {
      for member in expected.members {
        let place = JSONDifference.path(path, member.name)
        if let other = actual[member.name] {
          compare(member.value, other, at: place)
        } else {
          add(.missing, place, member.value, nil)
        }
      }
      guard scope != .part else { return }
      for member in actual.members where expected[member.name] == nil {
        add(.unexpected, JSONDifference.path(path, member.name), nil, member.value)
      }
    }

    private mutating func compareElements(
      _ expected: JSONNode, _ actual: JSONNode, at path: String
    ) {
      if scope == .shape {
        guard let first = expected.elements.first(where: { _ in true }) else { return }
        // A member that only some elements have is optional.
        for element in actual.elements {
          let before = found
          compare(first, element, at: path + "[*]")
          let known = Set(before.map(\.path))
          found = before + found.dropFirst(before.count).filter { !known.contains($0.path) }
        }
        return
      }
      var others = actual.elements
      var position = 0
      for element in expected.elements {
        let place = "\(path)[\(position)]"
        if let other = others.next() {
          compare(element, other, at: place)
        } else {
          add(.missing, place, element, nil)
        }
        position += 1
      }
      while let other = others.next() {
        add(.unexpected, "\(path)[\(position)]", nil, other)
        position += 1
      }
    }

    /// A value, cut to the length of a line.
    private static func shown(_ node: JSONNode) -> String {
      var writer = JSONWriter(style: .compact)
      writer.value(node)
      guard writer.bytes.count > 120 else { return String(decoding: writer.bytes, as: UTF8.self) }
      return String(decoding: writer.bytes.prefix(119), as: UTF8.self) + "…"
    }
  }
}
