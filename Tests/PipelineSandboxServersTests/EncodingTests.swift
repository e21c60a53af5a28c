import PipelineByteText
import PipelineHTTPTerms
import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite struct EncodingTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func sha256AgreesWithTheStandard(_ text: String, _ expected: String) {
    #expect(String(hex: SHA256.hash(Array(text.utf8))) == expected)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
  ])
  func base64AgreesWithTheStandard(_ text: String, _ expected: String) {
    #expect(Base64.encode(Array(text.utf8)) == expected)
    #expect(Base64.decode(expected) == Array(text.utf8))
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "Z=g=", "Zm9v!", "===="])
  func brokenBase64IsRefused(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func checksumsAgreeWithTheirStandards() {
    #expect(Checksum.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(Checksum.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
  }

  @Test func storedBlocksHoldAnyLength() {
    for count in [0, 1, 65_535, 65_536, 200_000] {
      let packed = Deflate.stored([UInt8](repeating: 7, count: count))
      #expect(packed.count == count + 5 * max(1, (count + 65_534) / 65_535))
    }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_827_696, "2000-02-29T12:34:56Z", "Tue, 29 Feb 2000 12:34:56 GMT"),
    (1_767_225_599, "2025-12-31T23:59:59Z", "Wed, 31 Dec 2025 23:59:59 GMT"),
    (-1, "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
    (-30_679_398_623, "0997-10-22T08:49:37Z", "Sun, 22 Oct 0997 08:49:37 GMT"),
  ])
  func datesAgreeWithTheCalendar(_ seconds: Int, _ timestamp: String, _ http: String) {
    #expect(CalendarDate(unixSeconds: seconds).timestamp == timestamp)
    #expect(CalendarDate(unixSeconds: seconds).httpDate == http)
  }

  @Test func timersFireInOrderOfTheirDeadlines() {
    var timers = Timers()
    var generator = SeededGenerator(seed: 1)
    var deadlines: [UInt64] = []
    for token in 0..<500 {
      let deadline = UInt64.random(in: 0..<100, using: &generator)
      deadlines.append(deadline)
      #expect(timers.add(deadline: deadline, token: UInt64(token)) == UInt64(token + 1))
    }
    var fired: [UInt64] = []
    for now in stride(from: UInt64(0), through: 100, by: 4) {
      while let timer = timers.take(due: now) {
        #expect(timer.deadline <= now)
        fired.append(timer.deadline)
      }
    }
    #expect(fired == deadlines.sorted())
    #expect(timers.nextDeadline == nil)
  }
}
