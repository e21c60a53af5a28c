import Foundation
import PipelineJSONText
import PipelineTestSupport
import Testing

/// Foundation's `JSONSerialization` takes and refuses the same texts: the seeds that fuzzing begins
/// with, texts made at random, and both of them damaged. Where the two differ, `difference` says why.
struct FoundationTests {
  /// Why the two may differ about a text.
  enum Difference {
    /// Foundation passes over a comma before a closing bracket, which RFC 8259 does not have.
    case trailingComma
    /// Foundation reads UTF-16 and UTF-32 too. RFC 8259 §8.1 has UTF-8 and nothing else.
    case otherEncoding
    /// Foundation makes a double of every number, and refuses what is past the greatest. By the grammar it
    /// is a number, and here its text is kept.
    case hugeNumber
  }

  private static let seeds: [[UInt8]] = {
    let path = Conformance.packageRoot + "/Tests/Fuzz/JSONText/seeds"
    guard let text = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: text, as: UTF8.self).components(separatedBy: "\n---\n")
      .map { Array($0.utf8) }
  }()

  @Test func theSeedsAreJudgedAlike() {
    #expect(Self.seeds.count > 8)
    for seed in Self.seeds { check(seed) }
  }

  @Test func damagedSeedsAreJudgedAlike() {
    var source = TextSource(seed: 11)
    for seed in Self.seeds {
      for _ in 0..<150 { check(source.damaged(seed)) }
    }
  }

  @Test func generatedTextsAreJudgedAlike() {
    var source = TextSource(seed: 12)
    for _ in 0..<600 {
      let text = source.text()
      check(text)
      for _ in 0..<3 { check(source.damaged(text)) }
    }
  }

  @Test func theyDifferWhereItIsSaid() throws {
    #expect(try difference(Array("[1,]".utf8)) == .trailingComma)
    #expect(try difference(Array("[1e999]".utf8)) == .hugeNumber)
    #expect(try difference([0x5B, 0, 0x31, 0, 0x5D, 0]) == .otherEncoding)
    #expect(try difference(Array("[1, 2]".utf8)) == nil)
    #expect(try difference(Array("[1 2]".utf8)) == nil)
  }

  private func check(_ bytes: [UInt8]) {
    do {
      _ = try difference(bytes)
    } catch {
      Issue.record("\(error): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
    }
  }

  private struct Unexplained: Error {
    let isTaken: Bool
    let reason: String
  }

  /// How the two differ about a text, `nil` where they do not.
  private func difference(_ bytes: [UInt8]) throws -> Difference? {
    let refusal: JSONSyntaxError?
    do {
      _ = try JSONDocument.parse(bytes)
      refusal = nil
    } catch {
      refusal = error
    }
    var refusalThere: String?
    do {
      _ = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    } catch {
      refusalThere = "\(error)"
    }
    switch (refusal, refusalThere) {
    case (nil, nil), (_?, _?): return nil
    case (nil, let reason?):
      if reason.contains("not representable") || reason.contains("Number") { return .hugeNumber }
      throw Unexplained(isTaken: true, reason: reason)
    case (let refusal?, nil):
      if refusal.message.hasPrefix("a comma is not allowed before") { return .trailingComma }
      if bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        return .otherEncoding
      }
      throw Unexplained(isTaken: false, reason: refusal.message)
    }
  }
}
