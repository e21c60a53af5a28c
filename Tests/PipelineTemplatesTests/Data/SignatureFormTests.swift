import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineTemplates

/// `$jwt`, `$uuid`, `$random`, and `request` in `auth`.
struct SignatureFormTests {
  @Test(arguments: [
    // The example of https://jwt.io.
    (
      #"{"$jwt": {"claims": {"sub": "1234567890", "name": "John Doe", "iat": 1516239022}, "key": "your-256-bit-secret", "algorithm": "HS256"}}"#,
      #""eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c""#
    ),
    (
      #"{"$jwt": {"claims": {"a": 1}, "key": "xx", "keyEncoding": "hex", "algorithm": "HS256"}}"#,
      "error: dataForm"
    ),
    (#"{"$jwt": {"claims": {}, "key": "", "algorithm": "HS256"}}"#, "error: dataForm"),
    (#"{"$jwt": {"claims": "{{gone}}", "key": "k", "algorithm": "HS256"}}"#, "absent"),
    (#"{"$jwt": {"claims": "{{name}}", "key": "k", "algorithm": "HS256"}}"#, "error: dataForm"),
    (
      #"{"$jwt": {"claims": {"a": 1}}}"#,
      #"problem: '$jwt' needs 'key'; write {"$jwt": {"claims": {"a": 1}, "key": "{{inputs.key}}"}}"#
    ),
    (
      #"{"$jwt": {"claims": {}, "key": "k", "algorithm": "hs256"}}"#,
      #"problem: 'algorithm' must be one of "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA"; did you mean "HS256"?"#
    ),
    (
      #"{"$jwt": {"claims": {}, "key": "{{name}}", "algorithm": "RS256", "keyEncoding": "hex"}}"#,
      "problem: 'keyEncoding' is for the algorithms with a secret; the key of RS256 is PEM"
    ),
    (
      #"{"$jwt": {"claims": {}, "key": "{{name}}", "algorithm": "HS256", "lifetime": "9m"}}"#,
      #"problem: 'lifetime' needs the clock, which is read in 'auth' only; write 'exp' into 'claims', as {"$date": {"of": "{{run.startedAt}}", "add": "1h", "format": "unix"}}"#
    ),
    // RFC 9562 has it.
    (
      #"{"$uuid": {"of": "www.example.com", "namespace": "6ba7b810-9dad-11d1-80b4-00c04fd430c8"}}"#,
      #""2ed6657d-e927-568b-95e1-2665a8aea6a2""#
    ),
    (
      #"{"$uuid": {"of": "a", "namespace": "dns"}}"#,
      #"problem: 'namespace' of '$uuid' takes a UUID such as "6ba7b810-9dad-11d1-80b4-00c04fd430c8""#
    ),
    (#"{"$uuid": {"of": "a", "namespace": "{{name}}"}}"#, "error: dataForm"),
    (#"{"$uuid": "{{gone}}"}"#, "absent"),
    (#"{"$random": [6, 1]}"#, "problem: the first number of '$random' is greater than the second"),
    (#"{"$random": [1, 1.5]}"#, "problem: '$random' takes two whole numbers of 64 bits"),
    (#"{"$random": 6}"#, "problem: '$random' takes a list of two numbers"),
  ])
  func valuesAreMade(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  // MARK: - Chance

  private struct Run: DataSource {
    var id = "r1"
    var place = "order/0"

    var queries: QueryContext {
      let run = JSONValue.object([.init("id", .string(id))])
      let root = JSONValue.object([.init("run", run)])
      return QueryContext(root: .scope(NodeScope(root: root.node)))
    }

    func files(_ pattern: String) throws(DataSourceError) -> [String] { [] }

    func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
      throw DataSourceError("there is none")
    }
  }

  private struct NodeScope: QueryScope {
    let root: JSONNode

    func value(named name: String) -> JSONNode? { root[name] }
  }

  private static func text(_ json: String, _ run: Run) throws -> String {
    let (data, problems) = try DataFixture.parse(json)
    #expect(problems.isEmpty)
    return try #require(try data.value(from: run)).text
  }

  @Test func aUUIDBelongsToTheRunTheStepAndTheItem() throws {
    let order = #"{"$uuid": "order"}"#
    let runs = [Run(), Run(id: "r2"), Run(place: "order/1"), Run(place: "other/0")]
    let made = try runs.map { try Self.text(order, $0) }
    #expect(Set(made).count == 4)
    #expect(try Self.text(order, Run()) == made[0])
    #expect(try Self.text(#"{"$uuid": "refund"}"#, Run()) != made[0])
    for uuid in made {
      #expect(
        uuid.wholeMatch(of: /"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/)
          != nil)
    }
  }

  @Test func chanceIsEvenAndStays() throws {
    var counts: [String: Int] = [:]
    for number in 0..<6_000 {
      counts[try Self.text(#"{"$random": [-2, 3]}"#, Run(place: "s/\(number)")), default: 0] += 1
    }
    #expect(counts.keys.sorted() == ["-1", "-2", "0", "1", "2", "3"])
    #expect(counts.values.allSatisfy { (850...1150).contains($0) }, "\(counts)")
    let two = #"{"a": {"$random": [0, 1000000]}, "b": {"$random": [0, 1000000]}}"#
    let pair = try Self.text(two, Run())
    #expect(try pair == Self.text(two, Run()))
    let parts = try JSONDocument.parse(Array(pair.utf8)).root
    #expect(parts["a"]?.text != parts["b"]?.text)
    #expect(try Self.text(#"{"$random": [7, 7]}"#, Run()) == "7")
    let all = #"{"$random": [-9223372036854775808, 9223372036854775807]}"#
    #expect(try Self.text(all, Run()) != Self.text(all, Run(id: "r2")))
  }

  /// Another step before it, or another layout of the file, changes nothing.
  @Test func chanceDoesNotDependOnTheLayout() throws {
    func made(_ json: String) throws -> String {
      let root = try JSONDocument.parse(Array(json.utf8)).root
      let steps = root["steps"].map { Array($0.elements) } ?? []
      let node = try #require(steps.first { $0["id"]?.string == "b" }?["pin"])
      let (data, _) = DataTemplate.parse(node, allowsQueries: false)
      return try #require(try data.value(from: Run())).text
    }
    let pin = #"{"id": "b", "pin": {"$random": [0, 1000000]}}"#
    #expect(
      try made(#"{"steps": [\#(pin)]}"#) == made(#"{"steps":  [{"id": "a"},   \#(pin)]}"#))
  }

  // MARK: - The final request

  @Test func aMisspeltPartOfTheRequestIsReported() throws {
    func problems(_ json: String) throws -> [String] {
      let node = try JSONDocument.parse(Array(json.utf8)).root
      return DataTemplate.parse(credential: node).problems.map(\.message)
    }
    #expect(
      try problems(#""{{request.mehtod}} {{request.url}}""#) == [
        "'request' has no 'mehtod'; did you mean 'method'?"
      ])
    #expect(
      try problems(#""{{request}}""#).first?.hasPrefix("'request' is not a part of the request; it")
        == true)
    let keyed = #"{"$hmac": {"of": "{{request.body}}{{request.unix}}", "key": "{{inputs.key}}"}}"#
    let data = DataTemplate.parse(credential: try JSONDocument.parse(Array(keyed.utf8)).root).data
    #expect(data.requestParts == [.body, .unix] && data.isKeyed)
    #expect(data.uses.map(\.query.text) == ["inputs.key"])
  }
}
