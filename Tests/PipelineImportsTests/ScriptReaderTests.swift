import PipelineTestTraits
import Testing

@testable import PipelineImports

struct ScriptReaderTests {
  private func read(_ script: String) -> (request: ImportedRequest, report: ImportReport) {
    var request = ImportedRequest(line: 1)
    var report = ImportReport()
    var reader = ScriptReader()
    reader.read(script, into: &request, line: { $0 + 1 }, &report)
    return (request, report)
  }

  @Test(arguments: [
    ("pm.environment.set('t', pm.response.json().access_token)", "$.access_token"),
    (
      "var d = JSON.parse(responseBody);\npostman.setEnvironmentVariable(\"t\", d.a[0].b);",
      "$.a[0].b"
    ),
    (
      "const j = pm.response.json().data;\npm.globals.set(`t`, j['first-name'])",
      "$.data['first-name']"
    ),
    ("client.global.set(\"t\", response.body.json?.id);", "$.json.id"),
  ]) func aValueThatIsKeptIsExtracted(_ script: String, _ query: String) {
    let (request, report) = read(script)
    #expect(request.sets.map(\.variable) == ["t"])
    #expect(request.sets.map(\.source) == [.body(query)])
    #expect(report.refused.isEmpty)
  }

  @Test func aValueThatIsKeptIfItIsThereIsOptional() {
    let (request, report) = read(
      "var d = pm.response.json();\nif (d.token) postman.setEnvironmentVariable('t', d.token);")
    #expect(request.sets.map(\.source) == [.body("$.token")])
    #expect(request.optionalSources == [.body("$.token")])
    #expect(report.refused.isEmpty)
    // Another value than the one that is looked at.
    let (other, refused) = read(
      "var d = pm.response.json();\nif (d.ok) postman.setEnvironmentVariable('t', d.token);")
    #expect(other.sets.isEmpty)
    #expect(refused.refused.count == 1)
  }

  @Test(arguments: [
    ("pm.expect(pm.response.json().a).to.eql('it\\'s')", "@.body.a == 'it\\'s'"),
    ("pm.expect(pm.response.json().n).to.be.above(3);", "@.body.n > 3"),
    ("pm.expect(pm.response.json().n).to.not.equal(null)", "@.body.n != null"),
    ("pm.expect(pm.response.responseTime).to.be.below(200)", "@.elapsed < 0.2"),
    (
      "pm.expect(pm.response.json().args).to.have.property('source')\n  .and.equal('x')",
      "@.body.args['source'] == 'x'"
    ),
    ("tests[\"ok\"] = (responseCode.code !== 500);", "@.status != 500"),
    ("pm.response.to.have.header('X-Id')", "@.headers['x-id']"),
    (
      "pm.expect(pm.response.json().tags).to.include('a')",
      "(search(@.body.tags, 'a') || @.body.tags[?@ == 'a'])"
    ),
    ("pm.expect(pm.response.json().n).to.not.include(3)", "!(@.body.n[?@ == 3])"),
    ("pm.expect(pm.response.json().id).to.match(/^\\d+\\/x$/);", "search(@.body.id, '^[0-9]+/x$')"),
    ("pm.expect(pm.response.json().n).to.be.at.least(3)", "@.body.n >= 3"),
    (
      "pm.expect(pm.response.json().s).to.be.oneOf(['a', 'b'])",
      "(@.body.s == 'a' || @.body.s == 'b')"
    ),
    ("pm.expect(pm.response.json().s).to.be.a('number')", "(@.body.s < 0 || @.body.s >= 0)"),
    ("pm.expect(pm.response.json().s).to.exist", "@.body.s"),
    ("pm.expect(pm.response.json().data.length).to.not.eql(0)", "!(length(@.body.data) == 0)"),
    ("pm.expect(pm.response.json().length).to.be.above(3)", "length(@.body) > 3"),
    ("tests['n'] = pm.response.json().data.length === 6;", "length(@.body.data) == 6"),
    ("client.assert(response.body.data.length === 6, 'six')", "length(@.body.data) == 6"),
    ("pm.expect(pm.response.json().a['length']).to.eql(2)", "@.body.a['length'] == 2"),
  ]) func aCheckIsACondition(_ script: String, _ condition: String) {
    let (request, report) = read(script)
    #expect(request.conditions == [condition])
    #expect(report.refused.isEmpty)
  }

  @Test func testsAroundStatementsAreTransparent() {
    let (request, report) = read(
      """
      // a comment with pm.response.to.have.status(500)
      pm.test("Status", function () {
          pm.response.to.have.status(201);
      });
      pm.test('again', () => { pm.expect(pm.response.code).to.be.oneOf([200, 201, 202]) });
      console.log("x");
      """)
    // Both must hold.
    #expect(request.statuses == [201])
    #expect(report.refused.isEmpty)
    let (other, _) = read(
      "pm.response.to.have.status(201);\npm.expect(pm.response.code).to.be.oneOf([200, 202]);")
    #expect(other.statuses == [201])
    #expect(other.conditions == ["(@.status == 200 || @.status == 202)"])
  }

  @Test(arguments: [("ok", 200), ("notFound", 404), ("rateLimited", 429)])
  func aWordForAStatusIsThatStatus(_ word: String, _ status: Int) {
    let (request, report) = read("pm.test('a', () => { pm.response.to.be.\(word); });")
    #expect(request.statuses == [status] && report.refused.isEmpty)
  }

  /// The length of a list is no member that could be extracted.
  @Test func aLengthIsNotExtracted() {
    let (request, report) = read(
      "pm.environment.set('n', pm.response.json().data.length);"
        + "\npm.expect(pm.response.json().data.length).to.be.ok;")
    #expect(request.sets.isEmpty && request.conditions.isEmpty)
    #expect(report.refused.count == 2)
  }

  @Test func aScriptThatOnlyLogsDoesNothing() {
    #expect(ScriptStatements.onlyLog("console.log('a');\n// b\nconsole.info(1)"))
    #expect(!ScriptStatements.onlyLog("console.log('a'); pm.globals.set('a', 1)"))
  }

  /// Nobody can tell whether they are carried out.
  @Test func statementsBelowConditionsAreRefused() {
    let (request, report) = read(
      """
      if (pm.response.code === 200) {
        pm.environment.set("t", pm.response.json().t);
      }
      pm.sendRequest("https://a.example", function (error, response) {
        pm.response.to.have.status(200);
      });
      """)
    #expect(request.sets.isEmpty)
    #expect(request.statuses.isEmpty)
    #expect(report.refused.map(\.line) == [1, 4])
  }
}
