import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// The requests that one curl command makes.
struct CurlRequestsTests {
  private let folder = TemporaryFolder()

  private func imported(
    _ command: String
  ) async throws -> (steps: JSONNode?, root: JSONNode, error: String) {
    let result = await pipeline(["import", folder.write(command, to: "c.sh")])
    try #require(result.status == .success, "\(result.error)")
    let target = folder.write(result.output, to: "w.json")
    #expect(await pipeline(["lint", target]).status == .success, "\(result.output)")
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    return (root["steps"], root, result.error)
  }

  @Test(arguments: [
    ("https://h/1 https://h/2", ["GET /1", "GET /2"]),
    ("--url https://h/1 --url https://h/2", ["GET /1", "GET /2"]),
    ("'https://h/{a,b}'", ["GET /a", "GET /b"]),
    ("'https://h/[8-10]'", ["GET /8", "GET /9", "GET /10"]),
    ("'https://h/[01-05:2]'", ["GET /01", "GET /03", "GET /05"]),
    ("'https://h/[a-b]{,c}'", ["GET /a", "GET /ac", "GET /b", "GET /bc"]),
    ("-d x=1 https://h/1 https://h/2", ["POST /1", "POST /2"]),
    ("-T '{a' -g https://h/1 https://h/2", ["PUT /1", "GET /2"]),
  ])
  func eachURLIsARequest(options: String, endpoints: [String]) async throws {
    let (steps, root, _) = try await imported("curl " + options)
    #expect(root["defaults"]?["baseURL"]?.string == "https://h")
    #expect(steps?.elements.map { $0["endpoint"]?.string } == endpoints)
  }

  @Test(arguments: [
    ("-g 'https://h/[1-3]'", "https://h/%5B1-3%5D"), ("'https://h/a?b[]=1'", "https://h/a?b[]=1"),
    ("'https://[::1]/a'", "https://[::1]/a"),
    ("'https://h/a?b=%2f&c=x:y'", "https://h/a?b=%2f&c=x:y"),
    ("'https://h/a?'", "https://h/a?"),
    ("-G https://h/a --data-urlencode 'c=x y+z/'", "https://h/a?c=x+y%2Bz%2F"),
    ("'https://h/a?z=1' --url-query 'b=x y' --url-query '+c=%2f'", "https://h/a?z=1&b=x+y&c=%2f"),
  ])
  func aURLIsSentAsCurlSendsIt(options: String, url: String) async throws {
    let (steps, _, error) = try await imported("curl " + options)
    #expect(steps?.elements.map { $0["endpoint"]?.string } == ["GET " + url])
    #expect(!error.contains("note:"))
  }

  @Test(arguments: [
    (
      "https://h/a --data-urlencode n@f.txt",
      "--data-urlencode n@f.txt is not taken over: it encodes a file"
    ),
    (
      "-G https://h/a -d @f.txt",
      "the data of a file is not taken over with -G; write it into the URL"
    ),
  ])
  func dataOfFilesThatNoTemplateCanEncodeIsRefused(options: String, reason: String) async {
    let path = folder.write("curl " + options, to: "c.sh")
    let result = await pipeline(["import", path])
    #expect(result.status == .failure && result.output.isEmpty)
    #expect(result.error.hasPrefix("\(path):1: refused: \(reason)\n"), "\(result.error)")
  }

  /// No file that import writes has errors of lint.
  @Test func whatLintCallsAnErrorIsRefused() async {
    let path = folder.write("\nGET /p\n\n###\nGET https://h/{{a}}{{b}}\n", to: "a.http")
    let result = await pipeline(["import", path])
    #expect(result.status == .failure && result.output.isEmpty)
    #expect(
      result.error.contains("\(path):2: refused: the step 'p' would have an error: '/p' is not"),
      "\(result.error)")
  }

  @Test func tooManyRequestsAreRefused() async {
    let result = await pipeline([
      "import", folder.write("curl 'https://h/[1-100][1-100]'", to: "c.sh"),
    ])
    #expect(result.status == .usage)
    #expect(
      result.error.contains("the URL stands for more than 1000 requests; write 'forEach'"))
  }

  @Test func theCredentialInAQueryIsSentWithTheBytesThatCurlSends() async throws {
    let (steps, _, error) = try await imported("curl 'https://h/a?sig=ab%2fcd&b=1'")
    #expect(
      steps?[0]?["endpoint"]?.string
        == "GET https://h/a?sig={{inputs.sig}}%2f{{inputs.sig2}}&b=1")
    #expect(error.contains("the value of 'sig' has characters that inputs encode in another way"))
  }
}
