import JSONText
import Testing

@testable import PipelineKit

struct RedactorTests {
  private func redactor(_ secrets: String...) -> Redactor {
    let redactor = Redactor()
    for secret in secrets { redactor.hide(secret) }
    return redactor
  }

  @Test(arguments: [
    ("correct-horse", "•••"), ("a correct-horse b", "a ••• b"),
    ("correct-horsecorrect-horse", "••••••"), ("correct-hors", "correct-hors"),
    ("CORRECT-HORSE", "CORRECT-HORSE"), ("ccorrect-horse", "c•••"), ("", ""), ("…", "…"),
    // The longest of those that begin alike.
    ("correct-horse-battery", "•••"), ("correct-horse-batter", "•••-batter"),
    // Cut by a message: as much of the beginning as stands there.
    ("corr…", "•••…"), ("cor…", "cor…"), ("x correct-horse-bat…", "x •••-bat…"), ("…corr", "…corr"),
    ("Y29ycmVjdC1ob3JzZQ==", "•••Q=="), ("é correct-horse é", "é ••• é"),
  ])
  func aSecretIsMasked(_ text: String, _ expected: String) {
    let redactor = redactor("correct-horse", "correct-horse-battery", "short")
    #expect(redactor.redact(text) == expected)
  }

  /// Most of them begin alike, as tokens of one server do.
  @Test func eachOfManySecretsIsMasked() {
    let redactor = Redactor()
    let secrets = (0..<400).map { "token_\($0 * 7919)_" + String($0 * 104_729, radix: 36) }
    for secret in secrets { redactor.hide(secret) }
    for secret in secrets { #expect(redactor.redact("<\(secret)>") == "<•••>") }
    #expect(redactor.redact("token_1_none") == "token_1_none")
  }

  @Test func whatIsNotSecretKeepsItsEscapes() {
    let redactor = redactor("correct-horse")
    let text = #"{"a":"\u00e9\/","b":"c\u006frrect-horse\n","correct-horse":[1.0,"correct-horse"]}"#
    #expect(
      String(decoding: redactor.redact(json: Array(text.utf8)), as: UTF8.self)
        == #"{"a":"\u00e9\/","b":"•••\n","•••":[1.0,"•••"]}"#)
  }
}
