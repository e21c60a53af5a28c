import PipelineKit
import PipelinePlanning
import PipelineURIs
import Testing

@testable import PipelineEngine

/// Who gets which credential when: the table of docs/language.md, cell by cell.
@Suite struct CredentialPolicyTests {
  /// Who named the URL that a request goes to.
  enum Way: String, CaseIterable {
    case text, redirect, link, extracted
  }

  /// Where it leads.
  enum Target: String, CaseIterable {
    case same, other, foreign, `private`, listed
  }

  enum Kind: String, CaseIterable {
    case bearer, basic, digest, oauth2, awsSigV4, header, cookie, query, body, certificate, path
  }

  enum Outcome: String {
    /// The target gets it.
    case sent
    /// The request goes there without it.
    case without
    /// The request is not sent.
    case refused
  }

  private static let origins: [Target: String] = [
    .same: "https://api.example", .other: "https://other.example",
    .foreign: "https://evil.example", .private: "https://10.0.0.7:8443",
    .listed: "https://listed.example",
  ]

  private static func origin(_ target: Target) throws -> Origin {
    try #require(origins[target].flatMap { Origin(of: $0) })
  }

  /// What the author wrote for the API, by who wrote it and how the request got where it goes. The
  /// columns: the API itself, another origin of the file, a foreign one, one in a private network, and
  /// one that `sendCredentials` lists.
  ///
  /// `-` stands for "without", and for a refusal of what cannot be left out.
  private static let table = """
    step     text       sent  -     -     -     sent
    step     redirect   sent  -     -     -     sent
    step     link       sent  -     -     -     sent
    step     extracted  -     -     -     -     sent
    defaults text       sent  -     -     -     sent
    defaults redirect   sent  -     -     -     sent
    defaults link       sent  -     -     -     sent
    defaults extracted  sent  -     -     -     sent
    """

  private static let rows = table.split(separator: "\n").map {
    $0.split(separator: " ").map(String.init)
  }

  @Test(arguments: rows) func everyKindOfCredentialGoesWhereTheTableSays(
    _ row: [String]
  ) throws {
    let writer: CredentialPolicy.Writer = row[0] == "step" ? .step : .defaults
    let way = try #require(Way(rawValue: row[1]))
    for (column, target) in Target.allCases.enumerated() {
      for kind in Kind.allCases {
        let isSent = row[2 + column] == "sent"
        let expected: Outcome = isSent ? .sent : Self.unsent(kind, way)
        #expect(
          try Self.outcome(writer, way, target, kind) == expected,
          "\(writer) \(way) \(target) \(kind)")
      }
    }
  }

  /// What a URL of a response leads to holds nothing of the author's query and path. A body is sent
  /// there again, and a path of the author's own goes wherever its host is.
  private static func unsent(_ kind: Kind, _ way: Way) -> Outcome {
    switch kind {
    case .body: .refused
    case .path: way == .redirect || way == .link ? .without : .refused
    default: .without
    }
  }

  private static func outcome(
    _ writer: CredentialPolicy.Writer, _ way: Way, _ target: Target, _ kind: Kind
  ) throws -> Outcome {
    let (api, target) = (try origin(.same), try origin(target))
    let policy = CredentialPolicy(
      own: way == .extracted ? nil : api, base: api, listed: [try origin(.listed)])
    let isLed = way == .redirect || way == .link
    var credentials = Credentials()
    switch kind {
    case .bearer: credentials.headers = [HeaderField("Authorization", "Bearer s3cret")]
    case .basic: credentials.headers = [HeaderField("Authorization", "Basic czNjcmV0")]
    case .oauth2: credentials.headers = [HeaderField("Authorization", "Bearer granted")]
    case .header: credentials.headers = [HeaderField("X-Api-Key", "s3cret")]
    case .cookie: credentials.cookies = ["session=s3cret"]
    case .digest: credentials.connection = .digest(user: "u", password: "s3cret")
    case .awsSigV4:
      credentials.connection = .awsSigV4(
        service: "s3", region: "eu", accessKey: "A", secretKey: "s3cret", sessionToken: nil)
    case .certificate: credentials.hasCertificate = true
    case .body: credentials.isInBody = true
    // A parameter is put into a URL only if its target may see it.
    case .query: credentials.isInURL = !isLed && policy.mayHave(writer, target)
    case .path: credentials.isInURL = !isLed
    }
    var parts = CredentialParts()
    parts[writer] = credentials
    let grant: CredentialPolicy.Grant
    do throws(CredentialPolicy.Refusal) {
      grant = try policy.grant(parts, to: target)
    } catch {
      #expect(error.writer == writer)
      #expect(error.place == (kind == .body ? .body : .url))
      return .refused
    }
    if credentials.isEmpty { return policy.mayHave(writer, target) ? .sent : .without }
    guard grant.withheld.isEmpty else {
      #expect(grant == CredentialPolicy.Grant(withheld: [writer]))
      return .without
    }
    #expect(grant.headers == credentials.headers)
    #expect(grant.cookies == credentials.cookies)
    #expect(grant.connection == credentials.connection)
    #expect(grant.hasCertificate == credentials.hasCertificate)
    return .sent
  }

  @Test func aTargetOfBothGetsBoth() throws {
    let api = try Self.origin(.same)
    var parts = CredentialParts()
    parts.own.headers = [HeaderField("X-Api-Key", "own")]
    parts.own.cookies = ["a=1"]
    parts.inherited.headers = [HeaderField("Authorization", "Bearer inherited")]
    parts.inherited.cookies = ["b=2"]
    let grant = try CredentialPolicy(own: api, base: api).grant(parts, to: api)
    #expect(
      grant.fields == [
        HeaderField("X-Api-Key", "own"), HeaderField("Authorization", "Bearer inherited"),
        HeaderField("Cookie", "b=2; a=1"),
      ])
    let half = try CredentialPolicy(own: api, base: nil).grant(parts, to: api)
    #expect(half.fields == [HeaderField("X-Api-Key", "own"), HeaderField("Cookie", "a=1")])
    #expect(half.withheld == [.defaults])
  }

  /// The same host is another origin under another scheme or port, or with a dot at its end.
  @Test(arguments: [
    "http://api.example", "https://api.example:8443", "https://api.example.",
    "https://sub.api.example", "https://api.example.evil.example",
  ])
  func nothingButTheOriginItselfIsTheOrigin(_ url: String) throws {
    let policy = CredentialPolicy(own: try Self.origin(.same), base: try Self.origin(.same))
    let target = try #require(Origin(of: url))
    #expect(!policy.mayHave(.step, target))
    #expect(!policy.mayHave(.defaults, target))
    #expect(policy.mayHave(.step, try #require(Origin(of: "HTTPS://API.example:443"))))
  }
}
