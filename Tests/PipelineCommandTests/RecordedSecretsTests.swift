import Testing

@testable import PipelineCommand

/// The search for credentials in a recording that is written piece by piece.
struct RecordedSecretsTests {
  private func finds(_ values: [String], in pieces: [String]) -> Bool {
    var search = RecordedSecrets.Search(values.map { Array($0.utf8) })
    for piece in pieces { search.read(Array(piece.utf8)) }
    return search.hasFound
  }

  @Test func aCredentialIsFoundAcrossPieces() {
    #expect(finds(["s3cr3t-1"], in: ["a s3cr3t-1 b"]))
    #expect(finds(["s3cr3t-1"], in: ["a s3cr", "3t-1 b"]))
    #expect(finds(["s3cr3t-1"], in: "s3cr3t-1".map { String($0) }))
    #expect(finds(["long-value-1", "s3cr3t-1"], in: ["x", "s3cr3t-", "1", "y"]))
    #expect(!finds(["s3cr3t-1"], in: ["a s3cr3t-", " 1 b"]))
    #expect(!finds([], in: ["a"]))
  }
}
