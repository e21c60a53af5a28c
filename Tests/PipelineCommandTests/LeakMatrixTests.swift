import PipelineTestSupport
import Testing

@testable import PipelineCommand

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Secrets of each kind, put into each place of a request and sent back by the server, in everything
/// that a run writes.
@Suite struct LeakMatrixTests {
  /// How a value comes to be a secret.
  enum Kind: String, CaseIterable {
    case input, extracted, headerByName, parameterByName, authorization
  }

  /// The sandbox gives a token to those who sign in.
  private static func secret(_ kind: Kind) -> String {
    kind == .extracted ? "QpwL5tke4Pnpja7X4" : "Zk7qXw9Lm2Rt5Vb8"
  }

  /// Templates that read the secret, and the steps before that give it.
  private static func workflow(_ kind: Kind) -> String {
    let (steps, value): (String, String) =
      switch kind {
      case .input: ("", "{{inputs.key}}")
      case .extracted:
        (
          #"""
          { "id": "give", "endpoint": "POST sandbox:/reqres/login",
            "body": { "json": { "email": "eve.holt@reqres.in", "password": "cityslicka" } },
            "extract": { "t": { "body": "$.token", "secret": true } } },
          """#, "{{give.t}}"
        )
      case .headerByName, .parameterByName, .authorization: ("", "other-value-1")
      }
    let literal =
      switch kind {
      case .headerByName: #""headers": { "X-Api-Key": "\#(secret(kind))" },"#
      case .authorization: #""headers": { "Authorization": "Token \#(secret(kind))" },"#
      case .parameterByName: #""query": { "api_key": "\#(secret(kind))" },"#
      case .input, .extracted: ""
      }
    func step(_ id: String, _ text: String, _ rest: String) -> String {
      let own = rest.contains(#""headers""#) || rest.contains(#""query""#) ? "" : literal
      return #"{ "id": "\#(id)", "endpoint": "\#(text)", \#(own) \#(rest) }"#
    }
    let all = #""extract": { "all": "$", "h": { "header": "content-type" } }"#
    return #"""
      { "inputs": { "key": { "type": "string", "secret": true, "env": "KEY" } },
        "defaults": { "baseURL": "sandbox:/", "onError": "continue" },
        "steps": [
          \#(steps)
          \#([
            step("path", "GET /echo/\(value)", all),
            step("query", "GET /echo?x=1", #""query": { "q": ["\#(value)", "b"] }, \#(all)"#),
            step("header", "GET /echo", #""headers": { "X-Some": "\#(value)" }, \#(all)"#),
            step("cookie", "GET /echo", #""cookies": { "sid": "\#(value)" }, \#(all)"#),
            step("json", "POST /echo", #""body": { "json": { "a": ["\#(value)"], "b": { "$base64": "u:\#(value)" } } }, \#(all)"#),
            step("form", "POST /echo", #""body": { "form": { "a": "\#(value)" } }, \#(all)"#),
            step("text", "POST /echo", #""body": { "text": "a \#(value) b" }, \#(all)"#),
            step("basic", "GET /echo", #""auth": { "basic": { "user": "u", "password": "\#(value)" } }, \#(all)"#),
            step("signed", "GET /echo", #""auth": { "sign": { "query": { "sig": { "$hmac": { "of": "{{request.method}}{{request.path}}", "key": "\#(value)" } } }, "headers": { "X-Raw": "\#(value)" } } }, \#(all)"#),
            step("sends", "GET /echo?d={{digest.d}}", #""headers": { "X-Mac": "{{digest.m}}", "X-Part": "{{digest.p[0]}}", "X-Block": "{{block.d}}" }, \#(all)"#),
            step("redirect", "GET /redirect/to?url=/echo/\(value)", all),
            step("status", "GET /status/500?k=\(value)", all),
            step("expect", "POST /echo", #""body": { "json": { "v": "\#(value)" } }, "expect": { "where": ["@.body.body.v == 'x' || @.text == 'x' || @.body.headers == 'x' || @.url == 'x'"] }, \#(all)"#),
            step("poll", "GET /echo/\(value)", #""poll": { "until": "@.status == 201", "failWhen": "@.body.path != 'x'" }"#),
            step("schema", "GET /echo/\(value)", #""expect": { "schema": { "properties": { "path": { "const": "x" }, "query": { "maxProperties": 0 }, "headers": { "maxProperties": 0 } } } }"#),
            step("type", "GET /echo/\(value)", #""extract": { "n": { "body": "$.path", "type": "integer" } }"#),
            step("host", "GET http://\(kind == .input || kind == .extracted ? value : "nobody").invalid/", all),
          ].joined(separator: ",\n")),
          { "id": "digest", "values": { "d": { "$hash": "\#(value)" }, "m": { "$hmac": { "of": "x", "key": "\#(value)" } }, "p": { "$split": { "of": "\#(value)", "separator": "m" } } } },
          { "id": "block", "steps": [{ "id": "one", "values": { "n": 1 } }],
            "outputs": { "d": { "$hash": { "of": "\#(value)", "algorithm": "md5" } } } },
          { "id": "values", "values": { "v": "\#(value)" }, "expect": { "where": ["@.v == 'x'"] } },
          { "id": "rows", "forEach": ["a", "b"], "endpoint": "GET /echo/{{item}}?k=\#(value)", \#(literal) "extract": { "q": "$.query", "h": "$.headers" } },
          { "id": "word", "fail": { "message": "no \#(value)", "details": { "v": "\#(value)" } }, "dependsOn": ["rows"] }
        ],
        "outputs": { "path": "{{path.all}}", "json": "{{json.all}}", "rows": "$.rows", "cookie": "{{cookie.all}}", "digest": "{{digest}}", "sends": "{{sends.all}}", "signed": "{{signed.all}}" } }
      """#
  }

  private static let reports = ["html", "junit", "tap", "markdown", "github", "har", "otlp"]

  /// What is made of the secret: its SHA-256, keyed with it those of `x` and of `GET/echo`, its MD5,
  /// and a part of it.
  private static func digests(_ kind: Kind) -> [String] {
    switch kind {
    case .input:
      [
        "0cf985dff89e07afef54331a799044800f06988c1e2f01f29c3cd5f158bf3f31",
        "a8e23fcdbb1ad38e63d55e20b02bfb7dd6b68e974592ff5c28b9b0f180cb7fe2",
        "e0298e7a13883203be238867c8cbe57e81a2c28406d3c4cb19b711a0cfa85c07",
        "f52bbbe061144254a4721f074672af61", "Zk7qXw9L",
      ]
    case .extracted:
      [
        "6e47d402922bd1f75aa60e43eaf1edbc32c29a325f08441b69f038b2fb1a8645",
        "91bc976d15c5fe22ae7e86c32441782d0fd83571784d3b74dbe64a41d8be00a7",
        "479decd3723b5646620e0f2786a2d7511b9cad3beaebfacc8e73f616a07dcfb7",
        "2119dc256149df90dd43573d7f27410e",
      ]
    case .headerByName, .parameterByName, .authorization: []
    }
  }

  /// The secret in the encodings in which it may be written by accident.
  private static func forms(_ kind: Kind) -> [String] {
    let secret = Self.secret(kind)
    let bytes = Array(secret.utf8)
    let aligned = (0..<3).map { shift in
      let text = Data(Array(repeating: 0x75, count: shift) + bytes).base64EncodedString()
      return String(text.dropFirst(shift == 0 ? 0 : shift + 1).prefix { $0 != "=" }.dropLast())
    }
    return [
      secret, secret.lowercased(), String(secret.dropLast()), String(secret.dropFirst()),
      bytes.map { "%" + String($0, radix: 16) }.joined(),
      bytes.map { String($0, radix: 16) }.joined(),
    ] + aligned + digests(kind)
  }

  @Test(arguments: Kind.allCases) func noArtefactHasTheSecret(_ kind: Kind) async throws {
    let folder = TemporaryFolder()
    let workflow = folder.write(Self.workflow(kind), to: "w.json")
    let path = folder.path + "/out"
    folder.write("", to: "out/begun")
    let environment = ["KEY": Self.secret(kind), "PIPELINE_STORE": path + "/store"]
    var printed: [String] = []
    func run(_ arguments: [String]) async -> Outcome {
      let outcome = await pipeline(arguments, environment: environment)
      printed.append(outcome.output + outcome.error)
      return outcome
    }
    let first = await run([
      "run", workflow, "-v", "--events", path + "/events.jsonl", "-o", path + "/out.json", "--sink",
      "rows=\(path)/rows.csv", "--record", path + "/r.har", "--report",
      Self.reports.map { "\($0)=\(path)/report.\($0)" }.joined(separator: ","),
    ])
    // Each step was carried out, and what is to fail has failed.
    #expect(first.status == .failure, "\(first.error)")
    for step in ["expect", "poll", "schema", "type", "host", "status", "word"] {
      #expect(first.error.contains("✗ \(step)"), "\(first.error)")
    }
    for arguments in [
      ["run", workflow, "-q", "--format", "table"], ["run", workflow, "--show", "json"],
      ["run", workflow, "--show", "redirect"], ["plan", workflow], ["graph", workflow],
      ["lint", workflow], ["runs"], ["runs", "show"], ["runs", "show", "--json"], ["resume"],
      ["run", workflow, "--replay", path + "/r.har"],
    ] + Self.reports.map({ ["report", path + "/events.jsonl", $0] }) {
      _ = await run(arguments)
    }
    folder.write(printed.joined(separator: "\n"), to: "out/printed")
    folder.write(Self.forms(kind).joined(separator: "\n") + "\n", to: "forms")
    let found = Tool.run(["grep", "-raoF", "-f", "forms", "out"], in: folder)
    #expect(found.status == 1 && found.output.isEmpty, "\(found.output.prefix(2000))")
    // What was looked for is there, masked.
    for file in ["events.jsonl", "r.har", "report.html"] {
      let text = try #require(folder.read("out/" + file))
      #expect(text.contains("•••") || text.contains("{{secret:"), "\(file)")
    }
    #expect(try FileSystem.system.names(path + "/store/runs").isEmpty == false)
  }
}
