import Templates
import Testing

/// What people paste from other tools, and what they are told to write.
struct ForeignDialectTests {
  @Test(arguments: [
    ("{{.id}}", "{{id}}"), ("{{ .User.id }}", "{{User.id}}"), ("{{$.id}}", "{{id}}"),
    ("{{ $.list.rows[0] }}", "{{list.rows[0]}}"), ("{{ id | upper }}", "{{id}}"),
    ("{{user.id|default('x')}}", "{{user.id}}"),
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
    let template = Template.parse("Bearer ${TOKEN} and ${{ secrets.x }} {id} <b> :id $5 {{ok}}")
      .template
    #expect(template.foreignTemplates.map(\.fix) == [nil, "{{ secrets.x }}"])
    #expect(Template.parse("{{ok}} costs $5 {a}").template.foreignTemplates == [])
  }
}
