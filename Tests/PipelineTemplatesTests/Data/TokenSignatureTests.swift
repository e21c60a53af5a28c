import PipelineByteText
import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineTemplates

/// Signatures of JSON Web Tokens, by libcrypto.
@Suite(.enabled(if: SignatureStructureTests.hasLibrary, "libcrypto is not installed"))
struct TokenSignatureTests {
  /// RFC 7515 §A.3.1, as PEM.
  private static let ecKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
    H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
    7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
    -----END PRIVATE KEY-----
    """
  private static let ecPublicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
    6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
    -----END PUBLIC KEY-----

    """

  private static let claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

  @Test func rsaSignsAsInRFC7515() throws {
    let text = "eyJhbGciOiJSUzI1NiJ9." + Self.claims
    let signature = try PrivateKey(pem: SampleKeys.rsa).signature(of: Array(text.utf8), .rs256)
    #expect(
      Base64.encodeForURLs(signature)
        == "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt"
        + "_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLI"
        + "ARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOP"
        + "qvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe7"
        + "7Rw")
  }

  /// RFC 7515 §A.1: HS256, whose key is not text.
  @Test func hmacSignsAsInRFC7515() throws {
    let key = try #require(
      Base64.decode(
        inAnyForm:
          "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
      ))
    let text = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + Self.claims
    let digest = try #require(TokenAlgorithm.hs256.digestOfSecret)
    #expect(
      Base64.encodeForURLs(digest.hmac(Array(text.utf8), key: key))
        == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
  }

  /// A signature of ECDSA differs each time, so the key's owner checks it.
  @Test(.enabled(if: Tool.isInstalled("openssl"), "openssl is not installed"))
  func ecdsaSignaturesAreGood() throws {
    let folder = TemporaryFolder()
    let text = "eyJhbGciOiJFUzI1NiJ9." + Self.claims
    folder.write(text, to: "text")
    folder.write(Self.ecPublicKey, to: "key")
    for _ in 0..<20 {
      let raw = try PrivateKey(pem: Self.ecKey).signature(of: Array(text.utf8), .es256)
      try #require(raw.count == 64)
      let numbers = [raw.prefix(32), raw.suffix(32)].map { Self.integer($0) }
      let der: [UInt8] = [0x30, UInt8(numbers.joined().count)] + numbers.joined()
      folder.write(Hexadecimal.encode(der), to: "hex")
      let outcome = Tool.run(
        ["sh", "-c", "xxd -r -p hex > sig; openssl dgst -sha256 -verify key -signature sig text"],
        in: folder)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.error)")
    }
  }

  /// A number as DER has it.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var number = Array(bytes.drop { $0 == 0 })
    if number.first.map({ $0 >= 0x80 }) ?? true { number.insert(0, at: 0) }
    let length: [UInt8] =
      switch number.count {
      case ..<0x80: [UInt8(number.count)]
      case ..<0x100: [0x81, UInt8(number.count)]
      default: [0x82, UInt8(number.count >> 8), UInt8(number.count & 0xFF)]
      }
    return [0x02] + length + number
  }

  /// The valid tokens of Wycheproof are signed again.
  @Test(
    .enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no vectors"),
    arguments: [("signature", 20), ("key", 3), ("crypto", 2)])
  func tokensAreThoseOfWycheproof(file: String, least: Int) throws {
    let path =
      try #require(Conformance.corpora) + "/crypto/testvectors_v1/json_web_\(file)_test.json"
    let bytes = try #require(readFile(path))
    var count = 0
    let root = try JSONDocument.parse(bytes).root
    for group in root["testGroups"].map({ Array($0.elements) }) ?? [] {
      for test in group["tests"].map({ Array($0.elements) }) ?? []
      where test["result"]?.string == "valid" {
        guard let key = try Self.key(of: test, in: group), let name = key["alg"]?.string,
          let algorithm = TokenAlgorithm(rawValue: name)
        else { continue }
        let parts = (test["jws"]?.string ?? "").split(separator: ".").map(String.init)
        // Some have characters that only a lenient reader overlooks.
        guard parts.count == 3, !parts.joined().contains("?") else { continue }
        let text = Array((parts[0] + "." + parts[1]).utf8)
        let made: [UInt8]
        if let digest = algorithm.digestOfSecret {
          made = digest.hmac(text, key: try Self.bytes("k", of: key))
        } else if key["kty"]?.string == "RSA" {
          made = try PrivateKey(pem: Self.pem(ofRSA: key)).signature(of: text, algorithm)
        } else {
          continue
        }
        #expect(Base64.encodeForURLs(made) == parts[2], "\(test.text)")
        count += 1
      }
    }
    #expect(count >= least)
  }

  /// The key of a group, or of its set of keys the one that the token's header names.
  private static func key(of test: JSONNode, in group: JSONNode) throws -> JSONNode? {
    guard let keys = group["private"]?["keys"] else { return group["private"] }
    let header = (test["jws"]?.string ?? "").prefix { $0 != "." }
    guard let bytes = Base64.decode(inAnyForm: String(header)) else { return nil }
    let name = try JSONDocument.parse(bytes).root["kid"]?.string
    return keys.elements.first { $0["kid"]?.string == name }
  }

  private static func bytes(_ name: String, of key: JSONNode) throws -> [UInt8] {
    let text = try #require(key[name]?.string)
    return try #require(Base64.decode(inAnyForm: text))
  }

  /// RFC 8017 §A.1.2.
  private static func pem(ofRSA key: JSONNode) throws -> String {
    var numbers = integer([])
    for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] {
      numbers += integer(try bytes(name, of: key)[...])
    }
    let der = [0x30, 0x82, UInt8(numbers.count >> 8), UInt8(numbers.count & 0xFF)] + numbers
    return "-----BEGIN RSA PRIVATE KEY-----\n\(Base64.encode(der))\n-----END RSA PRIVATE KEY-----\n"
  }

  @Test(arguments: [
    (
      ecKey, TokenAlgorithm.rs256,
      "the key is not an RSA key of at least 2048 bits, which RS256 needs"
    ),
    (ecKey, .es384, "the key is not an EC key of the curve P-384, which ES384 needs"),
    (SampleKeys.rsa, .edDSA, "the key is not an Ed25519 key, which EdDSA needs"),
    (
      "s3cret", .rs256,
      "the key is not a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----"
    ),
    (
      ecKey.replacing("\n", with: "\\n"), .es256,
      "the key is not PEM: its lines end with the characters \\n, and not with line ends"
    ),
    (
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----", .rs256,
      "the key is protected by a passphrase; store it without one, as a secret"
    ),
  ])
  func aWrongKeyIsRefused(key: String, algorithm: TokenAlgorithm, message: String) {
    do throws(PrivateKey.Problem) {
      _ = try PrivateKey(pem: key).signature(of: [1], algorithm)
      Issue.record("the key signs")
    } catch {
      #expect(error.message == message)
    }
  }
}

/// What ECDSA gives is a structure, and a token takes two numbers.
struct SignatureStructureTests {
  /// Without libcrypto, the message names it. With it, the key is what is wrong.
  static let hasLibrary = {
    do throws(PrivateKey.Problem) {
      _ = try PrivateKey(pem: "").signature(of: [], .es256)
      return false
    } catch {
      return !error.message.contains("libcrypto")
    }
  }()

  @Test func numbersHaveAFixedLength() {
    let short = PrivateKey.withoutStructure([0x30, 6, 2, 1, 7, 2, 1, 9], half: 4)
    #expect(short == [0, 0, 0, 7, 0, 0, 0, 9])
    let high = PrivateKey.withoutStructure([0x30, 7, 2, 2, 0, 0xFF, 2, 1, 9], half: 1)
    #expect(high == [0xFF, 9])
    for wrong in [
      [], [0x30], [0x31, 2, 2, 0], [0x30, 6, 2, 9, 1], [0x30, 6, 2, 2, 1, 1, 2, 1, 9],
    ] {
      #expect(PrivateKey.withoutStructure(wrong.map { UInt8($0) }, half: 1) == nil)
    }
  }
}
