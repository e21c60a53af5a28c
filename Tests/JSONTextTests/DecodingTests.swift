import JSONText
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
        && context.debugDescription == "a number is expected, but string was found"
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
}
