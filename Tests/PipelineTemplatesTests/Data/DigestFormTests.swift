import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates
import Testing

struct DigestFormTests {
  @Test(arguments: [
    (
      #"{"$hash": "abc"}"#,
      #""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#
    ),
    (#"{"$hash": {"of": "abc", "algorithm": "md5"}}"#, #""900150983cd24fb0d6963f7d28e17f72""#),
    (
      #"{"$hash": {"of": ["a", "b", "{{gone}}", "c"], "algorithm": "md5"}}"#,
      #""900150983cd24fb0d6963f7d28e17f72""#
    ),
    (
      #"{"$hash": {"of": "", "algorithm": "sha1", "encoding": "base64"}}"#,
      #""2jmj7l5rSw0yVb/vlWAYkK/YBwk=""#
    ),
    (
      #"{"$hash": {"of": "", "algorithm": "sha1", "encoding": "base64url"}}"#,
      #""2jmj7l5rSw0yVb_vlWAYkK_YBwk""#
    ),
    (
      #"{"$hash": "{{id}}"}"#,
      #""7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451""#
    ),
    (
      #"{"$hash": {"of": "$.user.tags[*]", "algorithm": "md5"}}"#,
      #""3e44107170a520582ade522fa73c1d15""#
    ),
    (#"{"$hash": "{{gone}}"}"#, "absent"), (#"{"$hash": "{{none}}"}"#, "error: dataForm"),
    (#"{"$hash": "{{user}}"}"#, "error: dataForm"), (#"{"$hash": [["a"]]}"#, "error: dataForm"),
    (
      #"{"$hash": {"of": "a", "algorithm": "SHA256"}}"#,
      #"problem: 'algorithm' must be one of "md5", "sha1", "sha256", "sha384", "sha512"; did you mean "sha256"?"#
    ),
    (
      #"{"$hash": {"of": "a", "encoding": "bytes"}}"#,
      #"problem: "bytes" is allowed only where '$hash' or '$hmac' takes them; write "hex" or "base64""#
    ),
    (
      #"{"$hash": {"of": {"$lower": {"$hash": {"of": "a", "encoding": "bytes"}}}}}"#,
      #"problem: "bytes" is allowed only where '$hash' or '$hmac' takes them; write "hex" or "base64""#
    ),
    // A digest of a digest's bytes, as Kraken and Bitcoin have it.
    (
      #"{"$hash": {"of": {"$hash": {"of": "hello", "encoding": "bytes"}}}}"#,
      #""9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50""#
    ),
    (
      #"{"$hmac": {"of": "what do ya want for nothing?", "key": "Jefe"}}"#,
      #""5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843""#
    ),
    (
      #"{"$hmac": {"of": "what do ya want for nothing?", "key": "4a656665", "keyEncoding": "hex"}}"#,
      #""5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843""#
    ),
    (
      #"{"$hmac": {"of": "what do ya want for nothing?", "key": "SmVmZQ==", "keyEncoding": "base64", "encoding": "base64"}}"#,
      #""W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=""#
    ),
    (#"{"$hmac": {"of": "a", "key": "x", "keyEncoding": "hex"}}"#, "error: dataForm"),
    (#"{"$hmac": {"of": "a", "key": "{{gone}}"}}"#, "error: absent"),
    (
      #"{"$hmac": "a"}"#,
      #"problem: '$hmac' needs 'key'; write {"$hmac": {"of": "a", "key": "{{inputs.secret}}"}}"#
    ),
  ])
  func digestsAreMade(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  /// The key of AWS Signature 4 for a day: each digest is the key of the next. The example is
  /// Amazon's own.
  @Test func aDigestMayBeAKey() throws {
    let json = #"""
      {"$hmac": {"of": "aws4_request", "key": {"$hmac": {"of": "iam", "encoding": "bytes", "key":
        {"$hmac": {"of": "us-east-1", "encoding": "bytes", "key": {"$hmac": {"of": "20150830",
        "encoding": "bytes", "key": "AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}}}}}}}}
      """#
    #expect(
      try DataFixture.written(json)
        == #""c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9""#)
  }

  @Test func aKeyInTheFileIsAWarning() throws {
    let warned = try DataFixture.parse(#"{"$hmac": {"of": "a", "key": "s3cret"}}"#).data.warnings
    #expect(
      warned.map(\.message) == [
        "a key in the file is not secret; declare an input with \"secret\": true"
      ])
    let (data, _) = try DataFixture.parse(#"{"$hmac": {"of": "{{id}}", "key": "{{name}}"}}"#)
    #expect(data.warnings.isEmpty && data.uses.count == 2)
  }

  @Test func aFileIsHashedByItsBytes() throws {
    let json = #"{"$hash": {"of": ["a", {"$file": "a.bin"}], "algorithm": "md5"}}"#
    let value = try DataFixture.parse(json).data.value(from: Folder())
    // printf 'a\377' | md5sum
    #expect(value?.string == "cc7bb99ae517c38d9547266ff7157071")
  }

  private struct Folder: DataSource {
    var queries: QueryContext { QueryContext(JSONDocument(integer: 0).root) }

    func files(_ pattern: String) throws(DataSourceError) -> [String] { [] }

    func file(_ path: String, as reading: FileReading) throws(DataSourceError) -> JSONNode {
      guard reading == .base64 else { throw DataSourceError("not text") }
      return JSONValue.string("/w==").node
    }
  }
}
