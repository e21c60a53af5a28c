import PipelineTemplates
import Testing

/// What people paste from other tools, and what they are told to write.
struct ForeignDialectTests {
  @Test(arguments: [
    ("{{.id}}", "{{id}}"), ("{{ .User.id }}", "{{User.id}}"), ("{{$.id}}", "{{id}}"),
    ("{{ $.list.rows[0] }}", "{{list.rows[0]}}"), ("{{ id | upper }}", "{{id}}"),
  ])
  func anotherDialectInsideBracesHasAFix(text: String, fix: String) throws {
    let (_, problems) = Template.parse("a " + text)
    let problem = try #require(problems.first)
    #expect(problem.code == .foreign)
    #expect(problem.fix == fix)
    #expect(problem.message.contains(fix))
    #expect(problem.range == 2..<2 + text.utf8.count)
  }

  @Test(arguments: [
    "{{$json.id}}", "{{#if x}}", "{{/each}}", "{{id || 'x'}}", "{{f(x)}}", "{{a == b}}", "{{1}}",
    "{{a[*]}}", "{{a..b}}", "{{a[?@.x]}}", "{{\"a\":1}}", "{{@.x}}", "{{a-b}}", "{{a b}}", "{{}}",
    "{{ }}", "{{+}}", "{{['a']}}", "{{$['a']}}",
  ])
  func whatIsNoReferenceIsAProblem(text: String) {
    #expect(Template.parse(text).problems.count == 1)
  }

  @Test(arguments: ["{{inputs['x']}}", "{{inputs[\"x y\"]}}", "{{a.b.c[3]['d']}}", "{{_x1}}"])
  func whatIsAReferenceIsNot(text: String) {
    #expect(Template.parse(text).problems == [])
  }

  @Test(arguments: [
    ("/users/{id}", "{id}", "{{id}}"), ("/users/${id}", "${id}", "{{id}}"),
    ("/users/${{id}}", "${{id}}", "{{id}}"),
    ("/users/${{ user.id }}/x", "${{ user.id }}", "{{ user.id }}"),
    ("/users/<id>", "<id>", "{{id}}"), ("/users/<int:id>/x", "<int:id>", "{{id}}"),
    ("/users/:id", ":id", "{{id}}"), ("/users/:id/posts", ":id", "{{id}}"),
    ("/users/:id?x=1", ":id", "{{id}}"), ("/users/{{{id}}}", "{{{id}}}", "{{id}}"),
    ("/users/#{id}", "#{id}", "{{id}}"), ("/users/@{id}", "@{id}", "{{id}}"),
    ("/files/{+path}", "{+path}", "{{+path}}"), ("/u?id={user.id}", "{user.id}", "{{user.id}}"),
    ("https://{host}/x", "{host}", "{{host}}"), ("/u/{{id}}/{ name }", "{ name }", "{{name}}"),
  ])
  func anotherDialectInAnEndpointHasAFix(url: String, at: String, fix: String) throws {
    let (_, problems) = URLTemplate.parse(url)
    let problem = try #require(problems.first)
    #expect(problems.count == 1)
    #expect(problem.code == .foreign)
    #expect(String(decoding: Array(url.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
  }

  @Test(arguments: [
    ("/users/%s", "%s"), ("/users/%d/x", "%d"), ("/users/{user-id}", "{user-id}"),
    ("/users/:user-id", ":user-id"), ("/users{?page,limit}", "{?page,limit}"),
  ])
  func aDialectWithoutASafeFixHasNone(url: String, at: String) throws {
    let (_, problems) = URLTemplate.parse(url)
    let problem = try #require(problems.first)
    #expect(problems.count == 1)
    #expect(problem.code == .foreign)
    #expect(String(decoding: Array(url.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == nil)
  }

  @Test(arguments: [
    "/v1/documents:batchGet", "/v1/{{name}}:cancel", "/odata/$metadata", "/x/%de", "/x/a:b",
    "https://example.com:80/", "/u?t=12:30", "/x/{{a}}-{{b}}", "/@user/x", "/a:b/:9",
  ])
  func whatOnlyLooksForeignIsNot(url: String) {
    #expect(URLTemplate.parse(url).problems == [])
  }

  @Test func aTextIsOnlyAskedForDollars() {
    let template = Template.parse("and ${{ secrets.x }} {id} <b> :id $5 {{ok}}").template
    #expect(template.foreignTemplates.map(\.fix) == ["{{ secrets.x }}"])
    // A dollar before a template may stand for money.
    #expect(template.foreignTemplates.allSatisfy { $0.isGuess })
    #expect(Template.parse("{{ok}} costs $5 {a}").template.foreignTemplates == [])
  }

  @Test(arguments: ["Bearer ${TOKEN}", "$TOKEN", "https://$HOST/users", "$KEY-${REGION}"])
  func aVariableOfAShellIsNamedWhereItIsTheText(text: String) {
    #expect(!Template.parse(text).template.foreignTemplates.isEmpty)
  }

  @Test(arguments: ["echo $HOME", "#!/bin/sh\necho ${USER}\n", "see $PATH and ${LANG}."])
  func aScriptMayHoldVariables(text: String) {
    #expect(Template.parse(text).template.foreignTemplates == [])
  }

  @Test(arguments: [
    "{{list.total:-0}}", "{{ list.total | default(0) }}", "{{list.total || 0}}",
    "{{list.total ?? 0}}", "{{length(list.ids)}}",
  ])
  func whatATemplateCannotSayHasNoFix(text: String) throws {
    let problem = try #require(Template.parse(text).problems.first)
    #expect(problem.code == .foreign)
    #expect(problem.fix == nil)
  }

  @Test func whatMayMeanSeveralThingsIsAGuess() throws {
    for text in ["GET /users/{id}", "GET /users/<id>", "GET /users/:id", "GET /a%id%", "GET /100%"]
    {
      let problem = try #require(Endpoint.parse(text).problems.first)
      #expect(problem.isGuess, "\(text)")
    }
    #expect(try #require(Endpoint.parse("GET/users").problems.first).isGuess == false)
    #expect(BaseURL.parse("https://api.example.com?v=1").problems.first?.fix == nil)
    #expect(BaseURL.parse(" https://api.example.com").problems.first?.fix == "")
  }
}
