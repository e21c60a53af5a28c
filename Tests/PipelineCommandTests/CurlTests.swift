import PipelineJSONText
import PipelineTestSupport
import Testing

@testable import PipelineCommand

struct CurlTests {
  private let folder = TemporaryFolder()

  /// What a command becomes; expects it to be clean and formatted.
  private func workflow(_ command: String) async throws -> (text: String, notes: [Substring]) {
    let result = await pipeline(["new", "--curl", command])
    #expect(result.status == .success, "\(result.error)")
    let path = folder.write(result.output, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success, "\(lint.output)\n\(result.output)")
    #expect(!lint.output.contains("hard-coded"), "\(lint.output)")
    #expect(await pipeline(["format", "--check", path]).status == .success)
    return (result.output, result.error.split(separator: "\n"))
  }

  private func step(_ command: String) async throws -> JSONNode {
    let text = try await workflow(command).text
    return try #require(try JSONDocument.parse(Array(text.utf8)).root["steps"]?[0])
  }

  @Test(arguments: [
    ("curl ${APISERVER}/api", "/api", "{{inputs.apiserver}}"),
    (#"curl "$API/v1/users/$ID""#, "/v1/users/{{inputs.id}}", "{{inputs.api}}"),
    (#"curl "$HOST:8080/x""#, "http://{{inputs.host}}:8080/x", nil),
    (#"curl "$SUB.example.com/x""#, "http://{{inputs.sub}}.example.com/x", nil),
    (#"curl "$URL?page=2""#, "{{inputs.url}}", nil), (#"curl "$URL""#, "{{inputs.url}}", nil),
  ]) func aVariableBeforeAPathIsTheBaseURL(
    _ command: String, _ endpoint: String, _ base: String?
  ) async throws {
    let text = try await workflow(command).text
    let file = try JSONDocument.parse(Array(text.utf8)).root
    #expect(file["steps"]?[0]?["endpoint"]?.string == "GET " + endpoint)
    #expect(file["defaults"]?["baseURL"]?.string == base)
  }

  @Test(arguments: [
    (
      "https://hooks.slack.com/services/T0A/B0B/s3cr3tXYZ",
      "https://hooks.slack.com/services/T0A/B0B/{{inputs.webhookToken}}"
    ),
    (
      "https://hooks.slack.com/workflows/T0A/A0B/123/s3cr3tXYZ",
      "https://hooks.slack.com/workflows/T0A/A0B/123/{{inputs.webhookToken}}"
    ),
    (
      "https://api.telegram.org/bot123456:s3cr3tXYZ/sendMessage",
      "https://api.telegram.org/bot{{inputs.botToken}}/sendMessage"
    ),
    (
      "https://api.telegram.org/bot$TG/sendMessage",
      "https://api.telegram.org/bot{{inputs.tg}}/sendMessage"
    ),
    (
      "https://discord.com/api/webhooks/123456789/s3cr3tXYZ",
      "https://discord.com/api/webhooks/123456789/{{inputs.webhookToken}}"
    ),
    (
      "https://discord.com/api/v10/webhooks/123456789/s3cr3tXYZ/slack?wait=true",
      "https://discord.com/api/v10/webhooks/123456789/{{inputs.webhookToken}}/slack"
    ),
    (
      "https://acme.webhook.office.com/webhookb2/s3cr3tXYZ-1111-2222/IncomingWebhook/s3cr3tXYZ4567890/g",
      "https://acme.webhook.office.com/webhookb2/{{inputs.webhookToken}}/IncomingWebhook/{{inputs.webhookToken2}}/g"
    ),
    (
      "https://chat.example.com/hooks/s3cr3tXYZ4567890",
      "https://chat.example.com/hooks/{{inputs.webhookToken}}"
    ),
    (
      "https://hooks.zapier.com/hooks/catch/123/s3cr3tXYZ/",
      "https://hooks.zapier.com/hooks/catch/123/{{inputs.webhookToken}}/"
    ),
    (
      "https://maker.ifttt.com/trigger/e/with/key/s3cr3tXYZ4567890",
      "https://maker.ifttt.com/trigger/e/with/key/{{inputs.token}}"
    ),
    ("https://api.example.com/webhooks/123", "https://api.example.com/webhooks/123"),
    ("https://api.example.com/botanics/a:b", "https://api.example.com/botanics/a:b"),
    ("https://api.example.com/token/info", "https://api.example.com/token/info"),
  ]) func theSecretOfAPathIsNotKept(_ url: String, _ endpoint: String) async throws {
    let text = try await workflow("curl \"\(url)\"").text
    let file = try JSONDocument.parse(Array(text.utf8)).root
    #expect(file["steps"]?[0]?["endpoint"]?.string == "GET " + endpoint)
    #expect(!text.contains("s3cr3t"))
    let inputs = file["inputs"].map { Array($0.members) } ?? []
    #expect(inputs.allSatisfy { $0.value["secret"]?.boolean == true })
    #expect(inputs.isEmpty == (url == endpoint))
  }

  @Test func aPastedCommandIsWhatIsRecorded() async throws {
    let (text, notes) = try await workflow(
      #"""
      curl 'https://api.example.com/v1/users?page=2&tag=a%20b&tag=c' \
        -H 'Accept: application/json' \
        -H "Authorization: Bearer s3cr3t" \
        -H 'X-API-Key: k3y' --compressed -k -m 2.5 --retry 2 \
        --data-raw $'{"name":"J\'s \u00e9","n":1.50,"big":12345678901234567890}' \
        -H 'Content-Type: application/json'
      """#)
    #expect(
      text == #"""
        {
          "format": 1,
          "inputs": {
            "token": { "type": "string", "secret": true, "env": "TOKEN" },
            "xApiKey": { "type": "string", "secret": true, "env": "X_API_KEY" }
          },
          "steps": [
            {
              "id": "users",
              "endpoint": "POST https://api.example.com/v1/users",
              "query": { "page": "2", "tag": ["a b", "c"] },
              "headers": { "Accept": "application/json", "X-API-Key": "{{inputs.xApiKey}}" },
              "auth": { "bearer": "{{inputs.token}}" },
              "body": { "json": { "name": "J's é", "n": 1.50, "big": 12345678901234567890 } },
              "retry": 3,
              "timeout": "2500ms",
              "extract": { "status": { "status": true }, "body": { "body": "$", "optional": true } }
            }
          ],
          "outputs": { "users": "{{users}}" }
        }

        """#)
    #expect(
      notes == [
        "note: -k is not taken over: name the server's certificate in 'tls': {\"ca\": …}",
        "note: give the secret input 'token' by its variable or with --inputs FILE",
        "note: give the secret input 'xApiKey' by its variable or with --inputs FILE",
      ])
  }

  @Test(arguments: [
    ("curl https://h/a", "GET https://h/a"), ("curl h/a", "GET http://h/a"),
    ("curl -I https://h/", "HEAD https://h/"), ("curl -XDELETE https://h/a", "DELETE https://h/a"),
    ("curl --request put https://h/a", "PUT https://h/a"),
    ("curl -d a=b https://h/a", "POST https://h/a"), ("curl -T f https://h/a", "PUT https://h/a"),
    ("curl -sSLX PATCH --url https://h/a", "PATCH https://h/a"),
    ("$ curl \"https://h/$ID/x\"", "GET https://h/{{inputs.id}}/x"),
    ("curl 'https://h/{a} b'", "GET https://h/%7Ba%7D%20b"),
    ("curl 'https://h/a?flag&b=1'", "GET https://h/a?flag&b=1"),
  ])
  func theMethodAndTheURLAreTaken(command: String, endpoint: String) async throws {
    #expect(try await step(command)["endpoint"]?.string == endpoint)
  }

  @Test(arguments: [
    ("-d 'a=1&b=x%26y&a=2'", #"{ "form": { "a": ["1", "2"], "b": "x&y" } }"#),
    ("-d '{\"a\": {{}'", #"{ "text": "{\"a\": {{{{}" }"#),
    (
      "--json '{\"a\":\"$X\",\"b\":{\"$c\":1}}'",
      #"{ "json": { "a": "$X", "b": { "$literal": { "$c": 1 } } } }"#
    ),
    ("--json \"{\\\"a\\\":\\\"$X\\\"}\"", #"{ "json": { "a": "{{inputs.x}}" } }"#),
    ("--data-binary @f.bin", #"{ "file": "f.bin" }"#),
    ("-H 'content-type: text/plain' -d hello", #"{ "text": "hello" }"#),
    ("--data-urlencode 'q=a b&c'", #"{ "form": { "q": "a b&c" } }"#),
    (
      "-F a=1 -F 'f=@x.png;type=image/png;filename=y.png'",
      #"{ "multipart": [{ "name": "a", "value": "1" }, { "name": "f", "file": "x.png", "filename": "y.png", "contentType": "image/png" }] }"#
    ),
  ])
  func bodiesAreTaken(options: String, body: String) async throws {
    let expected = try JSONDocument.parse(Array(body.utf8)).root
    let actual = try #require(try await step("curl https://h/a " + options)["body"])
    #expect(actual.isEqual(to: expected), "\(actual.text)")
  }

  @Test(arguments: [
    ("-u me:pw", #"{ "basic": { "user": "me", "password": "{{inputs.password}}" } }"#),
    ("-u me:pw --digest", #"{ "digest": { "user": "me", "password": "{{inputs.password}}" } }"#),
    (
      "-H 'Authorization: Basic bWU6cHc='",
      #"{ "basic": { "user": "me", "password": "{{inputs.password}}" } }"#
    ),
    ("-u pw:", #"{ "basic": { "user": "{{inputs.apiKey}}", "password": "" } }"#),
    ("-u me", #"{ "basic": { "user": "me", "password": "{{inputs.password}}" } }"#),
    ("--oauth2-bearer t", #"{ "bearer": "{{inputs.token}}" }"#),
    ("-H \"Authorization: Bearer ${API_TOKEN}\"", #"{ "bearer": "{{inputs.apiToken}}" }"#),
    (
      "-u AK:SK --aws-sigv4 aws:amz:eu-west-1:s3",
      #"{ "awsSigV4": { "service": "s3", "region": "eu-west-1", "accessKey": "{{inputs.accessKey}}", "secretKey": "{{inputs.secretKey}}" } }"#
    ),
  ])
  func credentialsBecomeSecretInputs(options: String, auth: String) async throws {
    let text = try await workflow("curl https://h/a " + options).text
    let root = try JSONDocument.parse(Array(text.utf8)).root
    let expected = try JSONDocument.parse(Array(auth.utf8)).root
    let actual = try #require(root["steps"]?[0]?["auth"])
    #expect(actual.isEqual(to: expected), "\(actual.text)")
    for input in root["inputs"]?.members.map({ $0 }) ?? [] {
      #expect(input.value["secret"]?.boolean == true && input.value["env"] != nil)
    }
    for secret in ["pw", "bWU6cHc=", "\"SK\"", "\"t\""] { #expect(!text.contains(secret)) }
  }

  @Test(arguments: [
    (
      "-G -d access_token=pw -d max_tokens=5", "query",
      #"{ "access_token": "{{inputs.accessToken}}", "max_tokens": "5" }"#
    ),
    (
      "-d grant_type=password -d username=me -d password=pw", "body",
      #"{ "form": { "grant_type": "password", "username": "me", "password": "{{inputs.password}}" } }"#
    ),
    (
      "-G -d sig=pw -d X-Amz-Signature=pw", "query",
      #"{ "sig": "{{inputs.sig}}", "X-Amz-Signature": "{{inputs.xAmzSignature}}" }"#
    ),
    (
      "-H 'Ocp-Apim-Subscription-Key: pw'", "headers",
      #"{ "Ocp-Apim-Subscription-Key": "{{inputs.ocpApimSubscriptionKey}}" }"#
    ),
    (
      "--json '{\"a\":{\"client_secret\":\"pw\",\"token\":\"\",\"tokens\":[\"x\"]}}'", "body",
      #"{ "json": { "a": { "client_secret": "{{inputs.clientSecret}}", "token": "", "tokens": ["x"] } } }"#
    ),
    (
      "-F api-key=pw -F key=@pw.txt", "body",
      #"{ "multipart": [{ "name": "api-key", "value": "{{inputs.apiKey}}" }, { "name": "key", "file": "pw.txt", "contentType": "text/plain" }] }"#
    ),
    ("--json '{}'", "headers", #"{ "Accept": "application/json" }"#),
    ("--json '{}' -H 'accept: text/csv'", "headers", #"{ "accept": "text/csv" }"#),
  ])
  func credentialsAmongTheDataAreNotKept(
    options: String, key: String, value: String
  ) async throws {
    let expected = try JSONDocument.parse(Array(value.utf8)).root
    let actual = try #require(try await step("curl https://h/a " + options)[key])
    #expect(actual.isEqual(to: expected), "\(actual.text)")
  }

  @Test(arguments: ["curl 'https://h/{1,2}'", "curl 'https://h/a[1-3]'"])
  func severalURLsInOneAreTold(command: String) async throws {
    #expect(
      try await workflow(command).notes == [
        "note: curl expands {…} and […] in a URL; write 'forEach', and {{item}} in the endpoint"
      ])
  }

  @Test(arguments: [
    ("-m 2.5", #""2500ms""#), ("--connect-timeout 3", #"{ "connect": "3s" }"#),
    ("--connect-timeout 0.5 -m 10", #"{ "total": "10s", "connect": "500ms" }"#),
  ])
  func timeLimitsAreTaken(_ options: String, _ timeout: String) async throws {
    #expect(try await step("curl https://h/a \(options)")["timeout"]?.text == timeout)
  }

  @Test func otherSettingsAreTaken() async throws {
    let step = try await step(
      "curl https://h/a -G -d q=1 -x p:3128 --cacert ca.pem -E c.pem --key k.pem --max-redirs 0 -b 'a=b' -A me -e r"
    )
    #expect(step["query"]?.text == #"{ "q": "1" }"#)
    #expect(step["proxy"]?.string == "http://p:3128")
    #expect(step["tls"]?.text == #"{ "ca": "ca.pem", "cert": "c.pem", "key": "k.pem" }"#)
    #expect(step["redirects"]?.text == "0")
    #expect(
      step["headers"]?.text
        == #"{ "User-Agent": "me", "Referer": "r", "Cookie": "{{inputs.cookie}}" }"#)
  }

  @Test func whatIsNotCarriedOverIsNamed() async throws {
    let notes = try await workflow(
      "curl https://h/a https://h/b -o f --interface eth0 -w '%{http_code}' --unheard-of -H 'Host: x'"
    ).notes
    #expect(
      notes == [
        "note: --interface is not taken over",
        "note: -w is not taken over", "note: --unheard-of is not taken over",
        "note: only the first of 2 URLs is taken; make the others steps of their own",
        "note: the header 'Host' is not taken over: each request has its own",
        "note: -o and -O are not taken over: 'save' writes a body to a file",
      ])
  }

  @Test(arguments: [
    ("wget https://h/", "the command does not begin with 'curl'"),
    ("curl -s", "the curl command has no URL"), ("curl 'https://h/", "a ' is not closed"),
    (
      "curl https://h/a?b=1&c=2",
      "'&' outside quotes ends the command in a shell; put the URL in single quotes"
    ),
    ("curl ^\"https://h/a^\" ^\n -H ^\"b: c", "a \" is not closed"),
    ("curl https://h/\ncurl https://i/", "there are 2 commands; paste one of them"),
    ("curl https://h/; echo", "';' outside quotes: only the curl command itself is read"),
    ("curl https://h/ | jq .", "'|' outside quotes: only the curl command itself is read"),
    (
      "curl \"https://h/$(date)\"",
      "the shell would compute a part of the command; paste it with that part's value"
    ),
    ("curl https://h/ -H", "-H of curl needs a value"),
  ])
  func whatCannotBeReadIsTold(command: String, message: String) async {
    let result = await pipeline(["new", "--curl", command])
    #expect(result.status == .usage && result.output.isEmpty)
    #expect(result.error == "pipeline: the curl command cannot be read: \(message)\n")
  }

  @Test func theCommandIsReadFromStdin() async {
    var files = FileSystem.system
    files.readInput = { _ in Array("curl https://h/a\n".utf8) }
    let result = await pipeline(["new", "--curl", "-"], files: files)
    #expect(result.status == .success && result.output.contains("GET https://h/a"))
  }
}
