import PipelineJSONText
import Testing

@testable import PipelineImports

/// What an import writes sends what the other tool sends, or the report says what differs.
struct SameRequestTests {
  private func workflow(
    _ name: String, _ text: String
  ) throws -> (step: JSONNode, root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(of: [.init(name: name, bytes: Array(text.utf8))])
    return (try #require(value.node["steps"]?[0]), value.node, importer.report)
  }

  private static func postman(_ request: String, _ more: String = "") -> String {
    """
    {"info": {"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/"},
     "item": [{"name": "a", "request": \(request)\(more)}]}
    """
  }

  // MARK: Queries

  /// A `+` means a blank in forms only, and what is encoded stays so.
  @Test(arguments: [
    ("a.hurl", "GET https://a.example/x?phone=+49&b=1\nHTTP 200", "?phone=+49&b=1"),
    ("a.http", "GET https://a.example/x?phone=+49&flag\n", "?phone=+49&flag"),
    ("a.http", "GET https://a.example/x?a=1&b=2&a=3\n", "?a=1&b=2&a=3"),
    ("a.json", Self.postman(#""https://a.example/x?phone=+49""#), "?phone=+49"),
    (
      "a.json",
      Self.postman(
        #"{"url": {"raw": "https://a.example/x", "query": [{"key": "p", "value": "+4 9"}, {"key": "f", "value": null}]}}"#
      ), "?p=+4%209&f"
    ),
    (
      "a.json",
      Self.postman(
        #"{"url": {"raw": "https://a.example/x", "query": [{"key": "p", "value": "+{{v}}"}]}}"#),
      "?p=+{{inputs.v}}"
    ),
    (
      "a.bru",
      "meta {\n  name: a\n}\nget {\n  url: https://a.example/x?p=+49\n}\nparams:query {\n  p: +49\n}\n",
      "?p=+49"
    ),
    (
      "a.yaml",
      "info:\n  name: a\n  type: http\nhttp:\n  method: GET\n  url: https://a.example/x\n  params:\n    - name: p\n      value: '+49'\n      type: query\n",
      "?p=+49"
    ),
  ])
  func aQueryIsSentAsItIsWritten(name: String, text: String, query: String) throws {
    let (step, _, report) = try workflow(name, text)
    #expect(step["endpoint"]?.string == "GET https://a.example/x" + query)
    #expect(step["query"] == nil && report.refused.isEmpty)
  }

  /// A `%` that encodes nothing is a sign.
  @Test(arguments: [
    ("a.hurl", "GET https://a.example/100%?q=5%&r=%41%zz%\nHTTP 200"),
    ("a.http", "GET https://a.example/100%?q=5%&r=%41%zz%\n"),
    ("a.json", Self.postman(#""https://a.example/100%?q=5%&r=%41%zz%""#)),
  ])
  func aSignIsEncoded(name: String, text: String) throws {
    let (step, _, report) = try workflow(name, text)
    #expect(
      step["endpoint"]?.string == "GET https://a.example/100%25?q=5%25&r=%41%25zz%25")
    #expect(report.refused.isEmpty)
  }

  // MARK: Bodies that are nearly JSON

  /// Postman and Bruno leave out comments, and what is left is JSON.
  @Test(arguments: [
    (
      "a.json",
      Self.postman(
        ##"{"method": "POST", "url": "https://a.example/x", "body": {"mode": "raw", "raw": "{\n // \"log in\n \"url\": \"http://{{h}}\", /* { */ \"password\": \"hunter2hunter2\"}", "options": {"raw": {"language": "json"}}}}"##
      )
    ),
    (
      "a.bru",
      "meta {\n  name: a\n}\npost {\n  url: https://a.example/x\n  body: json\n}\nbody:json {\n  {\n    // \"log in\n    \"url\": \"http://{{h}}\", /* { */ \"password\": \"hunter2hunter2\"\n  }\n}\n"
    ),
  ])
  func commentsAreLeftOut(name: String, text: String) throws {
    let (step, root, report) = try workflow(name, text)
    #expect(step["body"]?["json"]?["url"]?.string == "http://{{inputs.h}}")
    #expect(step["body"]?["json"]?["password"]?.string == "{{inputs.password}}")
    #expect(!root.text.contains("hunter2") && report.approximated.isEmpty)
  }

  @Test func aCredentialOfABodyThatIsNearlyJSONIsAnInput() throws {
    let (step, root, _) = try workflow(
      "a.http",
      """
      POST https://a.example/x
      Content-Type: application/json

      {"user": "ann", "list": [1, 2,], "inner": {"password": "hunter2hunter2"}, "n": 01}
      """)
    #expect(
      step["body"]?["text"]?.string
        == #"{"user": "ann", "list": [1, 2,], "inner": {"password": "{{inputs.password}}"}, "n": 01}"#
    )
    #expect(!root.text.contains("hunter2"))
  }

  // MARK: Values

  /// What a script keeps, and a credential is made of.
  @Test func aTokenOfAScriptIsSecret() throws {
    let (step, _, _) = try workflow(
      "a.http",
      """
      POST https://a.example/login

      > {% client.global.set("tok", response.body.id); client.global.set("n", response.body.n); %}

      ###
      GET https://a.example/me/{{n}}
      Authorization: Bearer {{tok}}
      """)
    #expect(step["extract"]?["tok"]?["secret"]?.boolean == true)
    #expect(step["extract"]?["n"]?.string == "$.n")
  }

  /// Values that their author has encoded are not encoded again.
  @Test(arguments: [
    (
      "a.json",
      Self.postman(
        #"{"url": {"raw": "https://a.example/x?q=a%20b", "query": [{"key": "q", "value": "a%20b"}]}}"#
      )
    ),
    (
      "a.bru",
      "meta {\n  name: a\n}\nget {\n  url: https://a.example/x\n}\nparams:query {\n  q: a%20b\n}\n"
    ),
    (
      "a.yaml",
      "type: collection.insomnia.rest/5.0\nname: a\ncollection:\n  - url: https://a.example/x\n    name: a\n    meta: {id: r}\n    method: GET\n    parameters:\n      - {name: q, value: a%20b}\n"
    ),
  ])
  func anEncodedValueIsEncodedOnce(name: String, text: String) throws {
    #expect(try workflow(name, text).step["query"]?.text == #"{"q":"a b"}"#)
  }

  /// Insomnia encodes a `+`.
  @Test func insomniaEncodesAPlus() throws {
    let step = try workflow(
      "a.yaml",
      """
      type: collection.insomnia.rest/5.0
      name: a
      collection:
        - url: https://a.example/x/:id?p=+4
          name: a
          meta: {id: r}
          method: GET
          pathParameters:
            - {name: id, value: "7"}
          parameters:
            - {name: q, value: "+9"}
      """
    ).step
    #expect(step["endpoint"]?.string == "GET https://a.example/x/7")
    #expect(step["query"]?.text == #"{"p":"+4","q":"+9"}"#)
  }

  @Test func credentialsInAQueryThatIsKeptAreSecret() throws {
    let (step, root, report) = try workflow(
      "a.hurl",
      "GET https://a.example/x?flag&token=s3cr3t%2F+1&n=2\nReferer: https://b.example/?token=s3cr3t\nHTTP 200"
    )
    #expect(
      step["endpoint"]?.string
        == "GET https://a.example/x?flag&token={{inputs.token}}+{{inputs.token2}}&n=2")
    #expect(root["inputs"]?["token"]?["secret"]?.boolean == true)
    #expect(!root.text.contains("s3cr3t"))
    #expect(
      report.approximated.map(\.message) == [
        "the value of 'token' has characters that are encoded in another way than inputs are; what"
          + " is beside them is 2 secret inputs"
      ])
    let form = try workflow(
      "a.http",
      "POST https://a.example/x\nContent-Type: application/x-www-form-urlencoded\n\nflag&password=s3cr3t\n"
    )
    #expect(form.step["body"]?["text"]?.string == "flag&password={{inputs.password}}")
    let referrer = try workflow(
      "a.http", "GET https://a.example/x\nReferer: https://me:s3cr3t@b.example/\n")
    #expect(referrer.step["headers"]?["Referer"]?.string == "{{inputs.referer}}")
  }

  @Test func aPathIsWrittenAsItIsSent() throws {
    let (step, _, report) = try workflow("a.hurl", "GET https://a.example/a/../b/:id\nHTTP 200")
    #expect(step["endpoint"]?.string == "GET https://a.example/b/%3Aid")
    #expect(
      report.approximated.map(\.message) == [
        "'..' in the path is resolved before the request is sent",
        "':id' in the path is sent as '%3Aid'",
      ])
    let postman = try workflow("a.json", Self.postman(#""https://a.example/a/:id""#))
    #expect(postman.step["endpoint"]?.string == "GET https://a.example/a/{{inputs.id}}")
    #expect(postman.report.approximated.count == 1)
  }

  // MARK: Headers and bodies

  @Test func headersOfAPostmanRequestMayBeAText() throws {
    let (step, _, report) = try workflow(
      "a.json",
      Self.postman(
        #"{"method": "GET", "header": "X-A: 1\nX-B: {{b}}\n// X-C: 3\nno", "url": "https://a.example/x"}"#
      ))
    #expect(step["headers"]?.text == #"{"X-A":"1","X-B":"{{inputs.b}}"}"#)
    #expect(report.refused.map(\.message) == ["'no' is not a header"])
  }

  @Test(arguments: [
    (
      "a.json",
      Self.postman(
        #"{"method": "POST", "url": "https://a.example/g", "body": {"mode": "graphql", "graphql": {"query": "query A{a} query B{b}", "variables": "{\"n\": 1}", "operationName": "B"}}}"#
      )
    ),
    (
      "a.yaml",
      #"""
      type: collection.insomnia.rest/5.0
      name: a
      collection:
        - url: https://a.example/g
          name: a
          meta: {id: r}
          method: POST
          body:
            mimeType: application/graphql
            text: '{"query": "query A{a} query B{b}", "variables": {"n": 1}, "operationName": "B"}'
      """#
    ),
  ])
  func theOperationOfAGraphQLDocumentIsKept(name: String, text: String) throws {
    #expect(
      try workflow(name, text).step["body"]?["graphql"]?.text
        == #"{"query":"query A{a} query B{b}","variables":{"n":1},"operationName":"B"}"#)
  }

  @Test func graphQLOfHurlHasVariables() throws {
    let (step, _, report) = try workflow(
      "a.hurl",
      """
      POST https://a.example/g
      ```graphql
      query A($a: Int) { a(a: $a) }

      variables {
        "a": {{a}},
        "b": {{newUuid}}
      }
      ```
      HTTP 200
      """)
    #expect(step["body"]?["graphql"]?["query"]?.string == "query A($a: Int) { a(a: $a) }")
    #expect(step["body"]?["graphql"]?["variables"]?["a"]?.string == "{{inputs.a}}")
    #expect(report.approximated.map(\.line) == [7])
    let wrong = try workflow(
      "a.http", "GRAPHQL https://a.example/g\n\nquery A { a }\n\n{ no }\n")
    #expect(
      wrong.report.refused.map(\.message) == ["the variables of the GraphQL query are not JSON"])
  }

  @Test func aVariableInABodyHasItsLine() throws {
    let report = try workflow(
      "a.http",
      """
      POST https://a.example/x
      Content-Type: application/json


      {
        "a": 1,
        "id": "{{$guid}}"
      }
      """
    ).report
    #expect(report.approximated.map(\.line) == [7])
  }

  @Test func aPrefixOfATokenIsReported() throws {
    let report = try workflow(
      "a.json",
      Self.postman(
        #"{"url": "https://a.example/x", "auth": {"type": "oauth2", "oauth2": [{"key": "accessToken", "value": "{{t}}"}, {"key": "headerPrefix", "value": "Token"}]}}"#
      )
    ).report
    #expect(
      report.approximated.map(\.message).contains(
        "the token is sent after 'Bearer', and not after 'token'"))
  }

  /// Postman and Bruno replace a header that the settings of a request give, and Insomnia keeps it.
  @Test func oneCredentialIsSent() throws {
    let postman = try workflow(
      "a.json",
      Self.postman(
        #"{"url": "https://a.example/x", "header": [{"key": "authorization", "value": "Bearer h1"}], "auth": {"type": "basic", "basic": [{"key": "username", "value": "ann"}, {"key": "password", "value": "h2"}]}}"#
      )
    ).step
    #expect(postman["auth"]?["basic"]?["user"]?.string == "ann" && postman["headers"] == nil)
    let insomnia = try workflow(
      "a.yaml",
      """
      type: collection.insomnia.rest/5.0
      name: c
      collection:
        - url: https://a.example/x
          name: a
          method: GET
          headers:
            - {name: Authorization, value: Bearer h1}
          authentication: {type: basic, username: ann, password: h2}
      """
    ).step
    #expect(insomnia["auth"]?["bearer"] != nil && insomnia["auth"]?["basic"] == nil)
  }

  @Test(arguments: ["adminPassword", "user_pass", "password_confirmation", "githubAccessToken"])
  func aNameThatEndsLikeACredentialIsOne(_ name: String) throws {
    let (step, root, _) = try workflow(
      "a.http", "POST https://a.example/x\n\n{\"\(name)\": \"h4rd\", \"page_token\": \"p\"}\n")
    #expect(!root.text.contains("h4rd") && root["inputs"]?.count == 1, "\(root.text)")
    #expect(step["body"]?["json"]?["page_token"]?.string == "p")
  }

  @Test func aPartWithoutAFileIsLeftOut() throws {
    let (step, _, report) = try workflow(
      "a.json",
      Self.postman(
        #"{"method": "POST", "url": "https://a.example/x", "body": {"mode": "formdata", "formdata": [{"key": "f", "type": "file", "src": null}, {"key": "a", "value": "1"}]}}"#
      ))
    #expect(step["body"]?["multipart"]?.text == #"[{"name":"a","value":"1"}]"#)
    #expect(report.refused.count == 1)
  }

  // MARK: Responses

  @Test func aLengthIsNoMember() throws {
    let text = """
      meta {
        name: a
      }
      get {
        url: https://a.example/x
      }
      assert {
        res.body.f.length: gt 2
        res.body.g.length: 3
      }
      """
    #expect(
      try workflow("a.bru", text).step["expect"]?["where"]?.elements.map(\.string) == [
        "length(@.body.f) > 2", "length(@.body.g) == 3",
      ])
    let kept = try workflow(
      "a.bru",
      "meta {\n  name: a\n}\nget {\n  url: https://a.example/x\n}\nvars:post-response {\n  n: res.body.f.length\n}\n"
    )
    #expect(kept.report.refused.map(\.line) == [8])
  }

  /// Escapes are read, and written as RFC 9535 has them; braces are text.
  @Test func textsOfScriptsAreReadWithTheirEscapes() throws {
    let script =
      #"pm.expect(pm.response.json().a).to.eql(\"a\\nb\\u00e9\\x41\\ud83d\\ude00\");"#
      + #"pm.expect(pm.response.json().b).to.eql(\"{{x}}\");"#
    let step = try workflow(
      "a.json",
      Self.postman(
        #"{"url": "https://a.example/x"}"#,
        #", "event": [{"listen": "test", "script": {"exec": ["\#(script)"]}}]"#)
    ).step
    #expect(
      step["expect"]?["where"]?.elements.map(\.string) == [
        #"@.body.a == 'a\nbéA😀'"#, "@.body.b == '{{{{x}}'",
      ])
  }

  @Test func aPatternOfHurlIsWrittenAsRFC9485HasIt() throws {
    let (step, _, report) = try workflow(
      "a.hurl",
      #"""
      GET https://a.example/x
      HTTP 200
      [Captures]
      a: regex "id=(\\d+)"
      b: body regex /(\w+)/
      c: regex "(?:x|z)(y)"
      """#)
    #expect(step["extract"]?["a"]?["regex"]?.string == "id=([0-9]+)")
    #expect(step["extract"]?["b"]?["regex"]?.string == "([A-Za-z0-9_]+)")
    #expect(report.refused.map(\.line) == [6])
  }

  @Test func aCredentialThatNobodyReadsIsReported() throws {
    let report = try workflow(
      "a.hurl", "GET https://a.example/x\nHTTP 200\n[Captures]\nsid: cookie \"sid\"\n"
    ).report
    #expect(
      report.approximated.map(\.message) == [
        "'sid' is a credential that no later request reads, so it is not kept"
      ])
  }

  // MARK: Arazzo

  private func arazzo(_ step: String) throws -> (step: JSONNode?, report: ImportReport) {
    let text = ArazzoReaderTests.file(
      step + "\n      - stepId: z\n        operationId: listPets\n")
    let (root, report) = try ArazzoReaderTests().workflow(text)
    let first = root["steps"]?[0]
    return (first?["id"]?.string == "z" ? nil : first, report)
  }

  @Test(arguments: [
    (#"{ "petId": "{$inputs.user-name}", "quantity": {$inputs.password} }"#, true),
    (#"{ "petId": "{$inputs.user-name}", quantity }"#, false),
  ])
  func aPayloadOfJSONIsSentAsJSON(payload: String, isJSON: Bool) throws {
    let (step, report) = try arazzo(
      """
            - stepId: a
              operationId: logIn
              requestBody:
                contentType: application/json
                payload: |-
                  \(payload)
      """)
    #expect(
      report.refused.map(\.message) == (isJSON ? [] : ["step 'a': the payload is not valid JSON"]))
    #expect(
      step?["body"]?["json"]?.text
        == (isJSON
          ? #"{"petId":"{{inputs.userName}}","quantity":"{{inputs.password}}"}"# : nil))
  }

  private static let criteria: [(String, String?, String?)] = [
    ("{condition: '^20[01]$', context: $statusCode, type: regex}", "[200,201]", nil),
    ("{condition: '^2', context: $statusCode, type: regex}", #""2xx""#, nil),
    (
      "{condition: '^9', context: $statusCode, type: regex}", nil, "no status matches '^9'"
    ),
    (
      "{condition: '$response.header.X-Rate > 5'}", nil,
      "the criterion '$response.header.X-Rate > 5' compares a header, which is a text, with a number"
    ),
    (
      "{condition: '5 < $response.header.X-Rate'}", nil,
      "the criterion '5 < $response.header.X-Rate' compares a header, which is a text, with a number"
    ),
  ]

  @Test(arguments: Self.criteria)
  func aCriterionHoldsOrIsRefused(criterion: String, status: String?, refusal: String?) throws {
    let (step, report) = try arazzo(
      "      - stepId: a\n        operationId: listPets\n        successCriteria: [\(criterion)]\n")
    #expect(report.refused.map(\.message) == [refusal].compactMap { $0.map { "step 'a': " + $0 } })
    #expect(step?["expect"]?["status"]?.text == status)
  }

  @Test func aHeaderEqualsTheTextOfANumber() throws {
    let step = try arazzo(
      """
            - stepId: a
              operationId: listPets
              successCriteria: [{condition: '$response.header.X-Rate == 5 && "a" == $response.header.X-B'}]
      """
    ).step
    #expect(
      step?["expect"]?["where"]?[0]?.string
        == #"@.headers['x-rate'] == '5' && "a" == @.headers['x-b']"#)
  }
}
