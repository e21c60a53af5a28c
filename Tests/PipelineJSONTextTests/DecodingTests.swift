import Foundation
import PipelineJSONText
import PipelineTestSupport
import Testing

struct DecodingTests {
  private func root(_ text: String) throws -> JSONNode {
    try JSONDocument.parse(Array(text.utf8)).root
  }

  struct User: Decodable, Equatable {
    struct Address: Decodable, Equatable {
      let city: String
      let geo: [Double]
    }
    enum Role: String, Decodable { case admin, guest }
    let id: UInt64
    let name: String
    let nick: String?
    let age: Int8
    let isActive: Bool
    let role: Role
    let addresses: [Address]
    let scores: [String: Double]

    enum CodingKeys: String, CodingKey {
      case id, name, nick, age, role, addresses, scores
      case isActive = "is_active"
    }
  }

  private let user = """
    {"id": 18446744073709551615, "name": "Ad\\u00e9", "nick": null, "age": -128, "is_active": true,
     "role": "admin", "addresses": [{"city": "Köln", "geo": [1, 2.5]}], "scores": {"a": 1e2}}
    """

  @Test func aTypeIsDecoded() throws {
    let decoded = try root(user).decode(User.self)
    #expect(decoded.id == .max && decoded.name == "Adé" && decoded.nick == nil)
    #expect(decoded.age == -128 && decoded.isActive && decoded.role == .admin)
    #expect(decoded.addresses == [.init(city: "Köln", geo: [1, 2.5])])
    #expect(decoded.scores == ["a": 100])
  }

  @Test func integersAreExactOrRefused() throws {
    #expect(try root("9007199254740993").decode(Int.self) == 9_007_199_254_740_993)
    #expect(try root("-9223372036854775808").decode(Int64.self) == .min)
    #expect(try root("1e3").decode(Int.self) == 1000)
    #expect(try root("2.0").decode(UInt8.self) == 2)
    for (text, type) in [
      ("256", UInt8.self), ("-1", UInt.self), ("1.5", Int.self), ("9223372036854775808", Int.self),
      ("1e99", Int64.self),
    ] as [(String, any Decodable.Type)] {
      #expect(throws: DecodingError.self) { try root(text).decode(type) }
    }
    #expect(throws: DecodingError.self) { try root("1e400").decode(Double.self) }
    #expect(throws: DecodingError.self) { try root("\"1\"").decode(Int.self) }
  }

  @Test func anErrorNamesThePath() throws {
    let text = user.replacing("2.5", with: "\"x\"")
    #expect {
      try root(text).decode(User.self)
    } throws: { error in
      guard case .typeMismatch(_, let context)? = error as? DecodingError else { return false }
      return context.codingPath.map(\.stringValue) == ["addresses", "Index 0", "geo", "Index 1"]
        && context.debugDescription
          == "a number is expected, but string \"x\" was found at $.addresses[0].geo[1]"
    }
    #expect {
      try root("{}").decode(User.self)
    } throws: { error in
      guard case .keyNotFound(let key, _)? = error as? DecodingError else { return false }
      return key.stringValue == "id"
    }
  }

  @Test func ofTwoEqualNamesTheFirstCounts() throws {
    let small = try root(#"{"b": 0, "a": 1, "a": 2}"#)
    #expect(try small.decode([String: Int].self) == ["a": 1, "b": 0])
    let many = (0..<40).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
    let large = try root("{\(many), \"k3\": 99}")
    #expect(try large.decode([String: Int].self)["k3"] == 3)
  }

  @Test func nestedContainersAndNilsAreRead() throws {
    struct Odd: Decodable {
      var values: [Int?] = []
      var inner: [String] = []
      enum Key: String, CodingKey { case list, map }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        while !list.isAtEnd {
          values.append(try list.decodeNil() ? nil : list.decode(Int.self))
        }
        let map = try container.nestedContainer(keyedBy: Name.self, forKey: .map)
        inner = map.allKeys.map(\.stringValue)
        _ = try container.superDecoder(forKey: .map)
      }
      struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
    let odd = try root(#"{"list": [1, null, 3], "map": {"b": 1, "a": 2, "b": 3}}"#).decode(Odd.self)
    #expect(odd.values == [1, nil, 3] && odd.inner == ["b", "a"])
  }

  // MARK: Foundation's types

  @Test func foundationsTypesAreDecoded() throws {
    struct Profile: Decodable {
      let avatar: URL
      let seen: [Date]
      let key: Data?
      let balance: Decimal
      let none: URL?
    }
    let profile = try root(
      #"""
      {"avatar": "https://api.example/a?b=%20", "key": "aGk=", "balance": 12345678901234567890.123456,
       "seen": ["1970-01-01T00:00:00Z", "2024-02-29T23:59:60.5+01:30", "1969-12-31t23:00:00-00:30"]}
      """#
    ).decode(Profile.self)
    #expect(profile.avatar.absoluteString == "https://api.example/a?b=%20")
    #expect(profile.key == Data("hi".utf8) && profile.none == nil)
    #expect("\(profile.balance)" == "12345678901234567890.123456")
    #expect(profile.seen.map(\.timeIntervalSince1970) == [0, 1_709_245_800.5, -1_800])
  }

  @Test(arguments: [
    ("\"2025-02-29T00:00:00Z\"", "a time such as"), ("\"2025-01-01T00:00:00\"", "a time such as"),
    ("\"2025-01-01\"", "a time such as"), ("5", "a string is expected"),
    ("\"2025-01-01T24:00:00Z\"", "a time such as"), ("\"2025-1-01T00:00:00Z\"", "a time such as"),
    ("\"2025-01-01T00:00:00.Z\"", "a time such as"),
    ("\"2025-01-01T00:00:00Z \"", "a time such as"),
  ])
  func whatIsNoTimeIsRefused(_ text: String, _ message: String) throws {
    #expect { try root("{\"a\": [\(text)]}").decode([String: [Date]].self) } throws: { error in
      switch error as? DecodingError {
      case .dataCorrupted(let context), .typeMismatch(_, let context):
        context.debugDescription.hasPrefix(message)
          && context.codingPath.map(\.stringValue) == ["a", "Index 0"]
      default: false
      }
    }
  }

  @Test func decimalsAreExactOrRefused() throws {
    let exact = [
      "0", "-0.1", "1e2", "99999999999999999999999999999999999999", "1.50", "1e-100", "-7e20",
    ]
    for text in exact {
      let decimal = try root(text).decode(Decimal.self)
      #expect(JSONNumber("\(decimal)") == JSONNumber(text), "\(text)")
    }
    for text in ["1e400", "0.1234567890123456789012345678901234567891", "\"1\""] {
      #expect(throws: DecodingError.self) { try root(text).decode(Decimal.self) }
    }
    #expect(throws: DecodingError.self) { try root("\"not base64\"").decode(Data.self) }
    #expect(throws: DecodingError.self) { try root("\"\"").decode(URL.self) }
  }

  @Test func membersInSnakeCaseAreFound() throws {
    struct Account: Decodable, Equatable {
      let accountID: Int
      let avatarUrl: String
      let line2: String
      let plain: Bool?
    }
    let members = #""account_id": 7, "avatar_url": "u", "line_2": "x", "plain": true"#
    let many = (0..<20).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    for text in ["{\(members)}", "{\(many), \(members)}"] {
      let account = try root(text).decode(Account.self, keys: .snakeCase)
      #expect(account == Account(accountID: 7, avatarUrl: "u", line2: "x", plain: true))
      #expect(throws: DecodingError.self) { try root(text).decode(Account.self) }
    }
    let both = try root(#"{"a_b": 1, "aB": 2}"#).decode([String: Int].self, keys: .snakeCase)
    #expect(both == ["a_b": 1, "aB": 2])
  }

  // MARK: Depth

  /// A list in a list, as deep as it goes.
  private struct Nested: Decodable {
    let depth: Int
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      depth = list.isAtEnd ? 1 : try list.decode(Nested.self).depth + 1
    }
  }

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  @Test func deepValuesAreDecodedOnASmallStack() throws {
    let deep = try root(Self.nested(128))
    let deeper = try root(Self.nested(500))
    let results = SmallStack.run { () -> [String] in
      [deep, deeper].map { node in
        do {
          return "\(try node.decode(Nested.self).depth)"
        } catch DecodingError.dataCorrupted(let context) {
          return context.debugDescription
        } catch {
          return "\(error)"
        }
      }
    }
    #expect(results == ["128", "the value nests more than 128 levels deep"])
  }

  /// Values made of files and responses nest at most 1,000 levels deep.
  @Test func deepValuesAreComparedCopiedAndWrittenOnASmallStack() throws {
    let nodes = try [1, 2].map { _ in
      try JSONDocument.parse(Array(Self.nested(1_000).utf8), depthLimit: 1_000).root
    }
    let length = SmallStack.run { () -> Int in
      let values = nodes.map { JSONValue($0) }
      guard values[0] == values[1], values[0].hashValue == values[1].hashValue,
        nodes[0].isEqual(to: nodes[1])
      else { return 0 }
      return values[0].document.bytes.count
    }
    #expect(length == 2_000)
  }

  @Test func whatIsNoNumberIsNoJSONValue() {
    for text in ["nan", "abc", "", "1 ", "+1", "01", "inf", "1e", "٣"] {
      #expect(JSONValue(number: text) == nil)
    }
    #expect(JSONValue(Double.nan) == nil && JSONValue(Double.infinity) == nil)
    #expect(JSONValue(number: "1.50")?.document.root.text == "1.50")
    #expect(JSONValue(UInt64.max).document.root.text == "18446744073709551615")
    #expect(JSONValue(Double("2.5") ?? 0)?.document.root.text == "2.5")
  }
}
