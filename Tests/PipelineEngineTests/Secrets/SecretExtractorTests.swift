import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// What a step extracts as a secret is not shown, however the step then fails.
@Suite struct SecretExtractorTests {
  /// A token, and a PIN that is too short to be searched for.
  static let body = #"{"token":"t0k3n-of-\u00e9lan","pin":4711,"user":{"name":"ann"}}"#

  /// All that a run says.
  private static func said(
    by steps: String, answering answer: ScriptedTransport.Answer
  ) async throws -> (text: String, failures: [StepFailure]) {
    let plan = try plan(#"{"steps": [\#(steps)]}"#)
    var options = RunOptions()
    // No number of the clock or of the run's id has the digits of a secret by chance.
    options.clock = ManualClock()
    options.runID = "run"
    let run = Pipeline(plan, transport: ScriptedTransport { _ in answer }, options: options).run()
    var writer = JSONWriter(style: .compact)
    writer.beginArray()
    for await event in run.events() { event.write(to: &writer) }
    writer.endArray()
    let report = try await run.result.report
    var text = String(decoding: writer.bytes, as: UTF8.self) + report.outputs.text
    for failed in report.failures {
      text +=
        failed.failure.message + failed.failure.hints.joined() + (failed.failure.excerpt ?? "")
    }
    return (text, report.failures)
  }

  private static let secrets =
    #""token": {"body": "$.token", "secret": true}, "pin": {"body": "$.pin", "secret": true}"#

  @Test(arguments: [
    #""extract": {\#(secrets), "other": "$.nothing"}"#,
    #""extract": {"other": "$.nothing", \#(secrets)}"#,
    #""extract": {\#(secrets), "n": {"body": "$.user.name", "type": "integer"}}"#,
    #""extract": {\#(secrets), "t": {"body": "$.token", "type": "integer"}}"#,
    #""extract": {\#(secrets), "p": {"body": "$.pin", "type": "string"}}"#,
    #""extract": {\#(secrets), "all": {"text": true, "type": "integer"}}"#,
    #""extract": {\#(secrets)}, "expect": {"status": 201}"#,
    #""extract": {\#(secrets)}, "expect": {"contentType": "text/html"}"#,
    #""extract": {\#(secrets)}, "expect": {"where": ["@.body.pin == 1"]}"#,
    #""extract": {\#(secrets)}, "expect": {"where": ["@.values.pin == 1", "@.status == 200"]}"#,
    #""extract": {\#(secrets)}, "expect": {"where": ["@.text == 'x'"]}"#,
    #""extract": {\#(secrets)}, "expect": {"where": ["@.body == 'x'"]}"#,
    #""extract": {\#(secrets)}, "expect": {"schema": {"properties": {"pin": {"const": 1}}}}"#,
    #""extract": {\#(secrets)}, "expect": {"schema": {"properties": {"token": {"maxLength": 2}}}}"#,
    #""extract": {\#(secrets)}, "poll": {"until": "@.body.pin == 1", "attempts": 1}"#,
    #""extract": {\#(secrets)}, "poll": {"until": "@.body.pin == 1", "failWhen": "@.body.token"}"#,
    #""extract": {"r": {"regex": "\"pin\":([0-9]+)", "secret": true}, "t": {"regex": "en\":\"([^\"]+)", "secret": true}, "no": "$.no"}"#,
    #""extract": {"all": {"text": true, "secret": true}, "no": "$.no"}"#,
    #""extract": {"all": {"body": "$.*", "secret": true}, "no": "$.no"}"#,
    #""extract": {\#(secrets), "pins": {"body": "$.pin", "secret": true, "type": "string"}}"#,
  ])
  func aStepThatFailsShowsNoSecretOfItsAnswer(_ rest: String) async throws {
    let rest = rest.hasSuffix("}\"}") ? String(rest.dropLast()) : rest
    let steps =
      #"{"id": "a", "endpoint": "POST https://api.example/login", \#(rest.replacing("/a\"}", with: "/a\""))}"#
    let (text, failures) = try await Self.said(
      by: steps, answering: .text(Self.body, type: "application/json"))
    #expect(failures.count == 1)
    for secret in ["t0k3n", "lan", "4711"] { #expect(!text.contains(secret), "\(text)") }
    #expect(text.contains(Redactor.mask))
  }

  /// Of the body of an error all else is shown.
  @Test func onlyTheSecretsOfABodyAreMasked() async throws {
    let (_, failures) = try await Self.said(
      by: #"{"id": "a", "endpoint": "POST https://api.example/", "extract": {\#(Self.secrets)}}"#,
      answering: .text(Self.body, status: 409, type: "application/json"))
    #expect(
      failures.first?.failure.excerpt
        == #"{"token":•••,"pin":•••,"user":{"name":"ann"}}"#)
  }

  /// Where the secret should be is not known, so that it may be anywhere.
  @Test func anAnswerWithoutTheSecretIsShownAsAnOutline() async throws {
    let (text, failures) = try await Self.said(
      by:
        #"{"id": "a", "endpoint": "POST https://api.example/", "extract": {"t": {"body": "$.tokn", "secret": true}}}"#,
      answering: .text(Self.body, type: "application/json"))
    #expect(!text.contains("t0k3n") && !text.contains("4711") && !text.contains("ann"))
    #expect(
      failures.first?.failure.excerpt == #"{"token":"•••","pin":"•••","user":{"name":"•••"}}"#)
    #expect(failures.first?.failure.message.contains("did you mean 'token'?") == true)
  }

  @Test func jsonThatIsBrokenBehindTheSecretDoesNotShowIt() async throws {
    for status in [200, 500] {
      let (text, failures) = try await Self.said(
        by: #"{"id": "a", "endpoint": "POST https://api.example/", "extract": {\#(Self.secrets)}}"#,
        answering: .text(Self.body.dropLast() + ",,", status: status, type: "application/json"))
      #expect(failures.count == 1 && !text.contains("t0k3n") && !text.contains("4711"), "\(text)")
    }
  }

  @Test(arguments: [
    #"{"url": true, "param": "code", "secret": true}"#, #"{"url": true, "secret": true}"#,
    #"{"header": "X-Next", "param": "code", "secret": true}"#,
    #"{"url": true, "regex": "code=([^&]+)", "secret": true}"#,
  ])
  func aPartOfTheURLIsShownNowhere(_ extractor: String) async throws {
    let target = "https://api.example/cb?code=zq7%21x&state=s"
    for end in ["", #", "expect": {"status": 404}"#, #", "expect": {"where": ["@.url == 'x'"]}"#] {
      let plan = try plan(
        #"{"steps": [{"id": "a", "endpoint": "GET https://api.example/login", "extract": {"c": \#(extractor)}\#(end)}]}"#
      )
      let transport = ScriptedTransport { request in
        request.url == target
          ? .status(200, headers: [HeaderField("X-Next", target)])
          : .status(302, headers: [HeaderField("Location", target)])
      }
      let run = Pipeline(plan, transport: transport).run()
      var writer = JSONWriter(style: .compact)
      writer.beginArray()
      for await event in run.events() { event.write(to: &writer) }
      writer.endArray()
      let report = try await run.result.report
      let said =
        String(decoding: writer.bytes, as: UTF8.self)
        + report.failures.map { $0.failure.hints.joined() }.joined()
      #expect(!said.contains("zq7"), "\(said)")
      #expect(transport.requests.count == 2)
    }
  }

  @Test(arguments: [
    #"{"header": "X-Token", "secret": true}"#, #"{"cookie": "sid", "secret": true}"#,
  ])
  func aHeaderThatIsSecretIsInNoHint(_ extractor: String) async throws {
    let answer = ScriptedTransport.Answer.status(
      200,
      headers: [HeaderField("X-Token", "zq7!x"), HeaderField("Set-Cookie", "sid=zq7!x; Path=/")])
    let (text, failures) = try await Self.said(
      by: #"""
        {"id": "a", "endpoint": "GET https://api.example/", "extract": {"c": \#(extractor)},
         "expect": {"where": ["@.headers['x-token'] == 'a' && @.cookies.sid == 'b'"]}}
        """#, answering: answer)
    #expect(failures.first?.failure.hints.count == 2 && !text.contains("zq7!x"), "\(text)")
  }
}
