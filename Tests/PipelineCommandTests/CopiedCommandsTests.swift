import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// Commands as browsers copy them: for bash and for cmd, alone and all at once.
struct CopiedCommandsTests {
  private let folder = TemporaryFolder()

  private func imported(
    _ text: String
  ) async throws -> (steps: [JSONNode], root: JSONNode, report: String) {
    let result = await pipeline(["import", folder.write(text, to: "copied.sh")])
    try #require(result.status == .success, "\(result.error)")
    let path = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)")
    #expect(await pipeline(["format", "--check", path]).status == .success)
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    return (root["steps"]?.elements.map { $0 } ?? [], root, result.error)
  }

  private static let bash = #"""
    curl 'https://api.example.com/v1/items?x=1&y=a%20b' \
      -X 'PUT' \
      -H 'accept: application/json, text/plain, */*' \
      -H 'content-type: application/json' \
      -b 'sid=abc; theme=dark' \
      --data-raw $'{"name":"O\'Brien \u00e9 \ud83d\ude00","t":"a\\nb\u0021"}' \
      --compressed
    """#

  private static let cmd = #"""
    curl ^"https://api.example.com/v1/items?x=1^&y=a^%^20b^" ^
      -X ^"PUT^" ^
      -H ^"accept: application/json, text/plain, */*^" ^
      -H ^"content-type: application/json^" ^
      -b ^"sid=abc; theme=dark^" ^
      --data-raw ^"^{^\^"name^\^":^\^"O'Brien é 😀^\^",^\^"t^\^":^\^"a^\\nb^!^\^"^}^" ^
      --compressed
    """#

  /// As Chrome wrote commands for cmd for some years: carets in plain quotes.
  private static let mixedCmd = #"""
    curl "https://api.example.com/v1/items?x=1^&y=a^%^20b" ^
      -X "PUT" ^
      -H "accept: application/json, text/plain, */*" ^
      -H "content-type: application/json" ^
      -b "sid=abc; theme=dark" ^
      --data-raw "^{^\^"name^\^":^\^"O'Brien é 😀^\^",^\^"t^\^":^\^"a^\^\nb^!^\^"^}" ^
      --compressed
    """#

  /// As Chrome wrote commands for cmd before, in plain quotes.
  private static let formerCmd = #"""
    curl "https://api.example.com/v1/items?x=1&y=a"%"20b" ^
      -X "PUT" ^
      -H "accept: application/json, text/plain, */*" ^
      -H "content-type: application/json" ^
      -b "sid=abc; theme=dark" ^
      --data-raw "{\"name\":\"O'Brien é 😀\",\"t\":\"a\\nb!\"}" ^
      --compressed
    """#

  @Test(arguments: [bash, cmd, mixedCmd, formerCmd])
  func eachShellsFormIsTheSameRequest(_ command: String) async throws {
    let (steps, root, report) = try await imported(command)
    let step = try #require(steps.first)
    #expect(step["endpoint"]?.string == "PUT https://api.example.com/v1/items")
    #expect(step["query"]?["y"]?.string == "a b")
    #expect(step["body"]?["json"]?["name"]?.string == "O'Brien é 😀")
    #expect(step["body"]?["json"]?["t"]?.string == "a\nb!")
    #expect(step["headers"]?["Cookie"]?.string == "{{inputs.cookie}}")
    #expect(root["inputs"]?["cookie"]?["secret"]?.boolean == true)
    #expect(report.contains("translated 1 request, approximated 0, refused 0"))
  }

  @Test func aLineEndInAWordOfCmdIsKept() async throws {
    let (steps, _, _) = try await imported(
      "curl ^\"https://a.example/x^\" ^\n  -H ^\"content-type: text/plain^\" ^\n"
        + "  --data-raw ^\"one^\n\ntwo^\"")
    #expect(steps.first?["body"]?["text"]?.string == "one\ntwo")
  }

  private static let all = """
    curl 'https://api.example.com/login' \\
      -H 'content-type: application/json' \\
      --data-raw '{"user":"ann","password":"k3y-of-ann"}' ;
    curl 'https://api.example.com/orders?page=2' \\
      -H 'authorization: Bearer k3y-of-orders' ;
    curl 'https://api.example.com/upload' \\
      -H 'content-type: multipart/form-data; boundary=----x' \\
      --data-raw $'------x\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n------x\\r\\nContent-Disposition: form-data; name="f"; filename="cat.png"\\r\\nContent-Type: image/png\\r\\n\\r\\n\\r\\n------x--\\r\\n' \\
      --insecure
    """

  @Test func allRequestsOfAPageAreSteps() async throws {
    let (steps, root, report) = try await imported(Self.all)
    #expect(root["defaults"]?["baseURL"]?.string == "https://api.example.com")
    #expect(
      steps.map { $0["endpoint"]?.string } == ["POST /login", "GET /orders", "POST /upload"])
    #expect(root["order"]?.string == "listed")
    #expect(steps[0]["body"]?["json"]?["password"]?.string == "{{inputs.password}}")
    #expect(steps[1]["auth"]?["bearer"]?.string == "{{inputs.token}}")
    #expect(steps[1]["query"]?["page"]?.string == "2")
    #expect(steps[2]["body"]?["multipart"]?[1]?["file"]?.string == "./cat.png")
    #expect(!root.text.contains("k3y"))
    #expect(report.contains("the content of 'cat.png' is not in the command"))
    #expect(report.contains(":6: approximated: --insecure is not taken over"), "\(report)")
    #expect(report.contains("translated 3 requests"))
  }

  @Test func allCommandsForCmdAreSteps() async throws {
    let (steps, _, _) = try await imported(
      "curl ^\"https://a.example/1^\" ^\r\n  -H ^\"a: b^\" &\r\ncurl ^\"https://a.example/2^\" ^\r\n"
        + "  -H ^\"c: d^\"\r\n")
    #expect(steps.map { $0["endpoint"]?.string } == ["GET /1", "GET /2"])
    #expect(steps[1]["headers"]?["c"]?.string == "d")
  }

  @Test func aCommandThatCannotBeReadIsNamed() async {
    let path = folder.write("curl 'https://a.example", to: "half.sh")
    let result = await pipeline(["import", path])
    #expect(result.status == .usage)
    #expect(
      result.error
        == "pipeline: cannot import '\(path)': the curl command cannot be read: a ' is not closed\n"
    )
  }
}
