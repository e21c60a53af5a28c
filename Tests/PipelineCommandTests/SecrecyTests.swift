import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Random secrets go through every position of a workflow that is run, planned, drawn and linted;
/// all that the program writes is searched for them.
@Suite struct SecrecyTests {
  private static let workflow = """
    {
      "inputs": { "key": { "type": "string", "secret": true, "env": "KEY" }, "id": { "default": "7" },
        "any": { "secret": true, "env": "KEY" } },
      "defaults": { "baseURL": "sandbox:/", "onError": "continue", "headers": { "X-Default": "{{inputs.key}}" } },
      "steps": [
        { "id": "url", "endpoint": "GET /echo/{{inputs.key}}", "query": { "b": { "$base64": "{{inputs.key}}" } }, "extract": { "all": "$" } },
        { "id": "branch", "when": "$.inputs.key == 'x'", "endpoint": "GET /echo/{{inputs.key}}" },
        { "id": "each", "forEach": ["{{inputs.key}}", "b"], "endpoint": "GET /status/404?k={{item}}", "onItemError": "collect" },
        { "id": "bad", "endpoint": "GET /echo/{{inputs.key}}", "extract": { "x": { "body": "$.path", "type": "integer" } } },
        { "id": "saved", "endpoint": "GET /echo", "save": "{{inputs.key}}.json" },
        { "id": "file", "endpoint": "POST /echo", "body": { "file": "{{inputs.key}}.txt" } },
        { "id": "parts", "endpoint": "POST /echo", "body": { "multipart": [
          { "name": "{{inputs.key}}", "value": "{{inputs.key}}", "filename": "{{inputs.key}}" } ] }, "extract": { "all": "$" } },
        { "id": "tls", "endpoint": "GET /echo", "tls": { "ca": "{{inputs.key}}.pem" } },
        { "id": "host", "endpoint": "GET http://{{inputs.key}}.invalid/" },
        { "id": "proxy", "endpoint": "GET http://a.invalid/", "proxy": "http://u:{{inputs.key}}@127.0.0.1:1" },
        { "id": "poll", "endpoint": "GET /echo/{{inputs.key}}", "poll": { "until": "@.body.path == {{inputs.id}}", "attempts": 1 } },
        { "id": "check", "values": { "a": "{{inputs.key}}" }, "expect": { "where": ["@.a == {{inputs.id}}"] } },
        { "id": "word", "values": { "a": 1 }, "expect": { "where": [{ "that": "@.a == 2", "message": "not {{inputs.key}}" }] } },
        { "id": "schema", "endpoint": "GET /echo/{{inputs.key}}", "expect": { "schema": { "properties": { "path": { "const": "x" } } } } },
        { "id": "graph", "endpoint": "POST /graphql", "body": { "graphql": { "query": "{ {{inputs.key}} }" } } },
        { "id": "token", "endpoint": "GET /oauth/me", "auth": { "oauth2": { "tokenURL": "sandbox:/oauth/token",
          "clientId": "c", "clientSecret": "{{inputs.key}}", "scopes": ["{{inputs.key}}"] } } },
        { "id": "digest", "endpoint": "GET /echo", "auth": { "digest": { "user": "u", "password": "{{inputs.key}}" } }, "extract": { "h": "$.headers" } },
        { "id": "redirect", "endpoint": "GET /redirect/to", "query": { "url": "http://{{inputs.key}}.invalid/" } },
        { "id": "number", "forEach": { "from": 1, "to": "{{inputs.any}}" }, "values": { "a": 1 } },
        { "id": "block", "forEach": ["{{inputs.key}}"], "as": "k", "steps": [
          { "id": "in", "endpoint": "POST /echo", "body": { "json": { "$json": { "k": "{{k}}" } } }, "extract": { "b": "$.body" } } ] },
        { "id": "called", "workflow": "called.json", "inputs": { "word": "{{inputs.key}}" } }
      ],
      "finally": [ { "id": "last", "endpoint": "GET /status/500?k={{inputs.key}}" } ],
      "outputs": {
        "all": "{{url}}", "headers": "{{digest.h}}", "tail": "x {{inputs.key}}", "block": "{{block}}", "called": "{{called}}",
        "parts": "{{parts}}", "plain": "{{inputs.id}}", "shown": { "$json": { "k": "{{inputs.key}}" } }
      }
    }
    """

  private static let kinds = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]

  private static let called = """
    { "inputs": { "word": { "type": "string" } },
      "steps": [ { "id": "get", "endpoint": "GET sandbox:/echo/{{inputs.word}}", "extract": { "p": "$.path" } } ],
      "outputs": { "p": "{{get.p}}", "w": "<{{inputs.word}}>" } }
    """

  private static func secret(_ seed: Int) -> String {
    var generator = SeededGenerator(seed: UInt64(seed))
    var alphabet = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    // Every other one could stand in a host.
    if seed.isMultiple(of: 2) { alphabet += Array("+/=%&? \"\\'<>;:~|{}[]()!*@$äß") }
    return String(
      (0..<Int.random(in: 16...40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? "x"
      })
  }

  /// The forms in which a secret may be told by accident, worked out without the code under test.
  private static func forms(_ secret: String) -> [String] {
    let escaped = secret.flatMap { "\"\\".contains($0) ? "\\\($0)" : String($0) }
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let percent = secret.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    let base64 = String(Data(secret.utf8).base64EncodedString().prefix(secret.utf8.count))
    return [
      secret, secret.lowercased(), String(escaped), percent, percent.lowercased(),
      percent.replacing("%20", with: "+"), base64, base64.replacing("+", with: "%2B"),
    ]
  }

  @Test(arguments: 1...6) func nothingThatIsWrittenHoldsASecret(_ seed: Int) async throws {
    let secret = Self.secret(seed)
    let folder = TemporaryFolder()
    let path = folder.write(Self.workflow, to: "w.json")
    _ = folder.write(Self.called, to: "called.json")
    let (events, output) = (folder.path + "/events.jsonl", folder.path + "/out.json")
    let commands = [
      [
        "run", path, "--verbose", "--events", events, "-o", output, "--output-dir",
        folder.path + "/o", "--store", folder.path + "/store", "--report",
        Self.kinds.map { "\($0)=\(folder.path)/report.\($0)" }.joined(separator: ","),
      ],
      ["run", path, "--quiet", "--output-dir", folder.path + "/p"],
      ["plan", path], ["graph", path], ["graph", path, "--format", "mermaid"], ["lint", path],
    ]
    var written = ""
    for command in commands {
      let outcome = await pipeline(command, environment: ["KEY": secret])
      #expect(outcome.output + outcome.error != "", "\(command)")
      written += outcome.output + outcome.error
    }
    for kind in Self.kinds {
      written += try #require(folder.read("report." + kind))
      let report = await pipeline(["report", events, kind])
      #expect(report.status == .success && report.output == folder.read("report." + kind))
    }
    if let names = try? FileSystem.system.names(folder.path + "/store/runs"),
      let id = names.first(where: { $0.utf8.count == 16 })
    {
      written += try #require(folder.read("store/runs/\(id)/trace.log"))
      written += String(
        decoding: try FileSystem.system.read(
          folder.path + "/store/runs/\(id)/journal.sqlite", 1 << 24), as: UTF8.self)
    }
    for file in ["events.jsonl", "out.json"] {
      let text = try #require(folder.read(file))
      #expect(text.contains("•••"))
      written += text
    }
    #expect(written.contains("\"plain\": \"7\"") && written.contains("'word'"))
    for form in Self.forms(secret) {
      guard let place = written.firstRange(of: form) else { continue }
      let line = written[..<place.lowerBound].suffix(200)
      Issue.record("'\(form)' is told of '\(secret)' after: \(line)")
    }
  }
}

/// The secrets of the samples, in all that is written of their runs.
@Suite struct SampleSecrecyTests {
  /// What the sandbox gives to those who sign in, and what they sign in with.
  private static let secrets = [
    "sandbox-secret", "sandbox-client:sandbox-secret", "QpwL5tke4Pnpja7X4", "cityslicka",
    "sandbox-access-", "sandbox-refresh-",
  ]

  private static let kinds = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]

  /// A text in every encoding that the redactor reads, worked out without it.
  private static func forms(_ secret: String) -> [String] {
    func each(_ form: (String) -> String) -> String {
      secret.utf8.map { byte in form((byte < 16 ? "0" : "") + String(byte, radix: 16)) }.joined()
    }
    // The characters that do not depend on what stands before and after the secret.
    let base64 = (0..<3).map { shift -> String in
      let text = Data(Array(repeating: 0, count: shift) + Array(secret.utf8)).base64EncodedString()
      return String(text.dropFirst(shift == 0 ? 0 : shift + 1).prefix { $0 != "=" }.dropLast())
    }
    let partly = secret.map {
      "-:".contains($0) ? "%\(String($0.asciiValue ?? 0, radix: 16))" : "\($0)"
    }
    return [
      secret, partly.joined(), each { $0 },
      each { $0.uppercased() }, each { "%\($0)" }, each { "%\($0.uppercased())" },
      each { "%25\($0)" }, each { "\\u00\($0)" }, each { "\\u00\($0.uppercased())" },
      each { "\\\\u00\($0)" }, each { "\\x\($0)" }, each { "\\u{\($0)}" }, each { "&#x\($0);" },
      secret.utf8.map { "&#\($0);" }.joined(),
    ] + base64 + base64.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
  }

  @Test(arguments: SampleTests.samples) func noReportTellsASecret(_ sample: String) async throws {
    let folder = TemporaryFolder()
    let path = folder.path
    let reports = Self.kinds.map { "\($0)=\(path)/report.\($0)" }.joined(separator: ",")
    let more =
      switch sample {
      case "parts/account.json": ["--set", "user=7"]
      case "approve.json": ["--answer", "confirm.answer=true"]
      default: [String]()
      }
    let run = await pipeline(
      [
        "run", SampleTests.folder + "/" + sample, "--verbose", "--events", path + "/events", "-o",
        path + "/out", "--output-dir", path + "/files", "--store", path + "/store", "--report",
        reports, "--color", "never",
      ] + more)
    #expect(run.status == .success, "\(run.error)")
    let recorded = await pipeline(
      [
        "run", SampleTests.folder + "/" + sample, "-q", "--no-store", "--output-dir",
        path + "/again", "--record", path + "/har",
      ] + more)
    #expect(recorded.status == .success, "\(recorded.error)")
    var written = [run.output, run.error, recorded.output, recorded.error]
    for name in Self.kinds.map({ "report." + $0 }) + ["events", "out", "har"] {
      written.append(try #require(folder.read(name), "\(name)"))
    }
    if let names = try? FileSystem.system.names(path + "/store/runs"),
      let id = names.first(where: { $0.utf8.count == 16 })
    {
      written.append(try #require(folder.read("store/runs/\(id)/trace.log")))
    }
    // A few hundred texts are looked for in some megabytes.
    folder.write(written.joined(separator: "\n"), to: "written")
    folder.write(Self.secrets.flatMap(Self.forms).joined(separator: "\n"), to: "forms")
    let found = Tool.run(["grep", "-aonF", "-f", "forms", "written"], in: folder)
    #expect(found.status == 1 && found.output.isEmpty, "\(found.output) \(found.error)")
  }

  @Test func whatIsLookedForWouldBeFound() throws {
    let folder = TemporaryFolder()
    let token = try #require(Self.secrets.first)
    folder.write(Self.forms(token).joined(separator: "\n"), to: "forms")
    folder.write("x\n<p>&#115;&#97;" + token + "\n" + Self.forms(token)[2], to: "written")
    let found = Tool.run(["grep", "-aonF", "-f", "forms", "written"], in: folder)
    #expect(found.status == 0 && found.output.hasPrefix("2:\(token)\n3:"), "\(found)")
  }
}
