import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineByteText

struct DigestTests {
  /// Messages of each length around the blocks, hashed by Python, too. With `LONG_TESTS=1` there are
  /// 100,000 digests.
  @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
  func digestsAreThoseOfPython() throws {
    let more = LongTests.count(0, long: 20_000)
    let script = """
      import hashlib, hmac, random
      random.seed(39)
      for length in [*range(0, 270), 1000, 4096, 100_003, *random.choices(range(600), k=MORE)]:
        data = random.randbytes(length)
        key = random.randbytes(random.choice([0, 1, 20, 63, 64, 65, 127, 128, 129, 300]))
        for name in ["md5", "sha1", "sha256", "sha384", "sha512"]:
          print(name, "x" + data.hex(), "x" + key.hex(), hashlib.new(name, data).hexdigest(),
            hmac.new(key, data, name).hexdigest())
      """.replacing("MORE", with: "\(more)")
    let outcome = Tool.run(["python3", "-c", script], in: TemporaryFolder())
    try #require(outcome.status == 0, "\(outcome.error)")
    var count = 0
    for line in outcome.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      let algorithm = try #require(DigestAlgorithm(rawValue: words[0]))
      let data = try #require(Hexadecimal.decode(String(words[1].dropFirst())))
      let key = try #require(Hexadecimal.decode(String(words[2].dropFirst())))
      #expect(Hexadecimal.encode(algorithm.digest(data)) == words[3], "\(words[0]) \(data.count)")
      #expect(
        Hexadecimal.encode(algorithm.hmac(data, key: key)) == words[4], "\(words[0]) \(data.count)")
      count += 1
    }
    #expect(count == (273 + more) * 5)
  }

  /// The vectors of RFC 1321 §A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func md5AgreesWithTheStandard(_ text: String, _ expected: String) {
    #expect(Hexadecimal.encode(DigestAlgorithm.md5.digest(Array(text.utf8))) == expected)
  }

  /// The vectors of Wycheproof for HMAC. Those with a wrong tag must not be matched.
  @Test(
    .enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no vectors"),
    arguments: [
      ("hmac_sha1_test", DigestAlgorithm.sha1), ("hmac_sha256_test", .sha256),
      ("hmac_sha512_test", .sha512),
    ])
  func hmacFollowsWycheproof(name: String, algorithm: DigestAlgorithm) throws {
    let path = try #require(Conformance.corpora) + "/crypto/testvectors_v1/\(name).json"
    let bytes = try #require(readFile(path))
    let root = try JSONDocument.parse(bytes).root
    var count = 0
    for group in root["testGroups"].map({ Array($0.elements) }) ?? [] {
      let length = try #require(group["tagSize"]?.number?.int) / 8
      for test in group["tests"].map({ Array($0.elements) }) ?? [] {
        let key = try #require(Hexadecimal.decode(test["key"]?.string ?? ""))
        let message = try #require(Hexadecimal.decode(test["msg"]?.string ?? ""))
        let tag = try #require(Hexadecimal.decode(test["tag"]?.string ?? ""))
        let made = Array(algorithm.hmac(message, key: key).prefix(length))
        #expect((made == tag) == (test["result"]?.string == "valid"), "\(test.text)")
        count += 1
      }
    }
    #expect(count >= 100)
  }

  @Test func textsOfBytesAreReadBack() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
    #expect(Hexadecimal.decode("0Aff") == [10, 255])
    #expect(Hexadecimal.decode("0") == nil && Hexadecimal.decode("0g") == nil)
    #expect(Base64.encodeForURLs([0xFB, 0xFF]) == "-_8")
  }
}
