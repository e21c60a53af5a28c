import PipelineTemplates
import Testing

struct URLTemplateTests {
  static func expand(_ text: String, base: String? = "https://h/api", _ scope: Scope) -> String {
    let (url, problems) = URLTemplate.parse(text)
    guard problems.isEmpty else { return "problem: \(problems[0].message)" }
    do throws(ExpansionError) {
      return try url.expand(base: base, scope.resolve)
    } catch {
      return "error: \(error.reason)"
    }
  }

  @Test(arguments: [
    ("/users/{{id}}", "https://h/api/users/7"), ("users/{{id}}", "https://h/api/users/7"),
    ("/users/{{name}}", "https://h/api/users/Ada%20Lovelace"),
    ("/{{text}}", "https://h/api/caf%C3%A9%20%E2%98%95"),
    ("/{{slash}}/x", "https://h/api/a%2Fb/x"), ("/{{question}}", "https://h/api/a%3Fb%23c%26d%3De"),
    ("/x?q={{question}}", "https://h/api/x?q=a%3Fb%23c%26d%3De"),
    ("/x?q={{name}}&e={{empty}}", "https://h/api/x?q=Ada%20Lovelace&e="),
    ("/x?q={{dots}}", "https://h/api/x?q=.."), ("?page={{id}}", "https://h/api/?page=7"),
    ("/", "https://h/api/"), ("/a%20b;c=1,2/d@e:f", "https://h/api/a%20b;c=1,2/d@e:f"),
    ("/x?filter[name]=a", "https://h/api/x?filter[name]=a"),
    ("/v{{id}}.json", "https://h/api/v7.json"), ("/{{id}}{{id}}", "https://h/api/77"),
    ("/{{user.id}}?{{name}}={{id}}", "https://h/api/9?Ada%20Lovelace=7"),
    ("/x/{{id}}/", "https://h/api/x/7/"), ("/{{escaped}}", "https://h/api/a%22b%5Cc%0Ad%C3%A9"),
    ("/{{big}}", "https://h/api/12345678901234567890"), ("/{{semicolon}}", "https://h/api/a%3Bb"),
    ("/a//{{id}}", "https://h/api/a//7"), ("/{{up}}", "https://h/api/..%2Fx"),
  ])
  func aRelativeEndpointIsAppendedToTheBase(text: String, url: String) throws {
    #expect(URLTemplateTests.expand(text, try Scope.sample()) == url)
  }

  @Test(arguments: [
    ("https://h", "https://h/x"), ("https://h/", "https://h/x"), ("https://h/a/", "https://h/a/x"),
    ("https://h/a", "https://h/a/x"), ("sandbox:/reqres", "sandbox:/reqres/x"),
    ("sandbox:/", "sandbox:/x"),
  ])
  func oneSlashStandsBetweenBaseAndEndpoint(base: String, url: String) throws {
    #expect(URLTemplateTests.expand("/x", base: base, try Scope.sample()) == url)
    #expect(URLTemplateTests.expand("x", base: base, try Scope.sample()) == url)
  }

  @Test func aRelativeEndpointNeedsABase() throws {
    #expect(URLTemplateTests.expand("/x", base: nil, try Scope.sample()) == "error: noBase")
  }

  @Test(arguments: [
    ("https://{{host}}/x", "https://api.example.com/x"),
    ("https://{{host}}:{{port}}?a", "https://api.example.com:8080?a"),
    ("http://v{{id}}.example.com", "http://v7.example.com"),
    ("HTTPS://h/{{id}}", "HTTPS://h/7"), ("http://[::1]:{{port}}/", "http://[::1]:8080/"),
    ("http://a_b:80/", "http://a_b:80/"), ("sandbox:/bank/{{id}}", "sandbox:/bank/7"),
    ("{{url}}", "https://api.example.com/v1?page=2&x=%2F"),
    ("{{url}}&size={{id}}", "https://api.example.com/v1?page=2&x=%2F&size=7"),
    ("{{api}}/users", "https://h/v1/users"), ("{{api2}}/users/{{id}}", "https://h/v1/users/7"),
    ("{{api}}?q={{name}}", "https://h/v1?q=Ada%20Lovelace"), ("{{sandbox}}/x", "sandbox:/r/x"),
    ("{{odd}}", "https://h/a|b?[x]={}`^"),
  ])
  func anAbsoluteURLStandsForItself(text: String, url: String) throws {
    let scope = try Scope(
      #"""
      {"id": 7, "name": "Ada Lovelace", "host": "api.example.com", "port": 8080,
       "url": "https://api.example.com/v1?page=2&x=%2F", "api": "https://h/v1",
       "api2": "https://h/v1/", "sandbox": "sandbox:/r", "odd": "https://h/a|b?[x]={}`^"}
      """#)
    #expect(URLTemplateTests.expand(text, base: nil, scope) == url)
  }

  @Test(arguments: [
    ("/users/{{id}}", URLTemplate.Form.relative, ""), ("https://h/{{id}}", .absolute, ""),
    ("https://{{host}}:{{port}}/{{id}}", .absolute, "host,port"), ("{{url}}", .start, "url"),
    ("{{url}}/x?y={{id}}", .start, "url"),
  ])
  func theReferencesThatDecideTheHostAreKnown(
    text: String, form: URLTemplate.Form, names: String
  ) {
    let url = URLTemplate.parse(text).url
    #expect(url.form == form)
    #expect(url.originReferences.map(\.text).joined(separator: ",") == names)
  }

  @Test(arguments: [
    ("/a b", " ", "%20"), ("/a\"b", "\"", "%22"), ("/a<b", "<", "%3C"), ("/café", "é", "%C3%A9"),
    ("/a\u{7}b", "\u{7}", "%07"), ("/a%zz", "%", "%25"), ("/100%", "%", "%25"),
    ("/x?q=a b", " ", "%20"), ("/x?q=日本", "日本", "%E6%97%A5%E6%9C%AC"), ("/a\\b", "\\", "%5C"),
    ("/a|b", "|", "%7C"), ("/x[1]", "[", "%5B"), ("/{{{{x", "{{{{", "%7B%7B"),
    ("/x?a={", "{", "%7B"), ("/{a/b}", "{", "%7B"),
  ])
  func aCharacterThatNoURLHoldsIsEncodedByTheFix(text: String, at: String, fix: String) throws {
    let problem = try #require(URLTemplate.parse(text).problems.first)
    #expect(problem.code == .urlCharacter)
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
  }

  @Test(arguments: [
    ("//evil.com/x", "//", "https://"), ("http:/h/x", "http:/", "http://"),
    ("ftp://h/x", "ftp:", "https:"), ("localhost:8080/x", "localhost:", "http://localhost:"),
    ("users:batch", "users:", "/users:"), ("/x#top", "#top", ""),
    ("/x?y#top{{id}}", "#top{{id}}", ""),
    ("/a/../b", "..", nil), ("/a/.", ".", nil), ("/%2e%2E/b", "%2e%2E", nil),
    ("https:///x", "//", nil), ("https://:80/", ":80", nil), ("https://h:99999/", "h:99999", nil),
    ("https://h:x/", "h:x", nil), ("https://a b/", "a b", nil), ("{{a}}{{b}}", "{{b}}", nil),
    ("{{a}}x", "x", nil), ("{{a}}é/", "é", nil), ("{{a}}.example.com/x", ".", nil),
    ("{{scheme}}://h/", "{{scheme}}", nil),
    ("https://[{{ip}}]/", "[{{ip}}]", nil), ("https://[::1/", "[::1", nil),
  ])
  func aURLThatNoRequestCanHaveIsAProblem(text: String, at: String, fix: String?) throws {
    let problem = try #require(URLTemplate.parse(text).problems.first)
    #expect(problem.code == .url)
    #expect(String(decoding: Array(text.utf8)[problem.range], as: UTF8.self) == at)
    #expect(problem.fix == fix)
  }

  @Test(arguments: ["https://user:pw@h/", "https://{{user}}:{{pw}}@h/", "https://token@h/x"])
  func credentialsDoNotBelongInAURL(text: String) {
    #expect(URLTemplate.parse(text).problems.map(\.code) == [.urlCredentials])
  }

  @Test(arguments: ["{{+a}}", "{{+a}}/x", "/x?y={{+a}}", "https://{{+a}}/"])
  func aPlusOutsideThePathIsAProblem(text: String) {
    #expect(URLTemplate.parse(text).problems.map(\.code) == [.reserved])
  }

  @Test func everyProblemIsFoundAtOnce() {
    let problems = URLTemplate.parse("/a b/{id}/{{x y}}/%/{{z").problems
    #expect(problems.map(\.code) == [.urlCharacter, .foreign, .reference, .urlCharacter, .syntax])
  }
}
