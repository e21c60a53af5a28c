// The names of each key in other tools, by the place of the key. The tools are curl, Postman,
// Insomnia, Bruno, Hurl, runn, Step CI, Arazzo, OpenAPI, GitHub Actions, Step Functions, Kestra,
// dlt, Airbyte, axios and Python's requests.

import PipelineByteText

extension LanguageAliases {
  /// Names as `folded` gives them.
  static let byPlace: [LanguageObject.Kind: [String: Advice]] = table.mapValues { rows in
    var advice: [String: Advice] = [:]
    for row in rows {
      for word in row.words.split(ascii: " ", omittingEmptySubsequences: true) {
        advice[folded(String(word))] = row.advice
      }
    }
    return advice
  }

  /// Words of other tools that mean the same here, with blanks between them.
  private struct Row {
    let words: String
    let advice: Advice

    /// - Parameter text: Further advice, if writing the key is not enough.
    init(_ words: String, _ key: String, _ text: String? = nil) {
      self.words = words
      advice = .key(key, text)
    }

    /// Words that mean no key here.
    init(_ words: String, do text: String) {
      self.words = words
      advice = .advice(text)
    }
  }

  private static let table: [LanguageObject.Kind: [Row]] = [
    .file: file, .base: base, .step: step, .auth: auth, .credentials: credentials,
    .oauth2: oauth2, .awsSigV4: awsSigV4, .tls: tls, .body: body, .part: part, .graphql: graphql,
    .parameter: parameter, .extractor: extractor, .input: input, .state: state, .output: output,
    .expect: expect, .check: check, .timeout: timeout, .retry: retry, .poll: poll,
    .paginate: paginate, .range: range, .limits: limits, .failure: failure, .recovery: recovery,
    .branch: branch, .tests: tests, .test: test, .answer: answer, .expected: expected,
    .expectedFailure: expectedFailure,
  ]

  // MARK: - The file

  private static let file = [
    Row("env", "inputs", "write 'inputs', or 'environments' for sets of them"),
    Row("vars variables parameters params variable args arguments on", "inputs"),
    Row("secrets", "inputs", "write 'inputs', each with \"secret\": true and 'env'"),
    Row(
      "jobs job stages tasks task operations requests request pipeline item items states resources"
        + " streams collection tests testcases workflows runners triggers flow",
      "steps", "write 'steps', a list"),
    Row("version arazzo openapi swagger", "format", "write 'format': 1"),
    Row("title", "name"),
    Row("info", "name", "write 'name' and 'description'"),
    Row("returns return result results output", "outputs"),
    Row("baseURL url host server servers endpoint target", "defaults", baseURL),
    Row("client", "defaults", "write 'defaults': {\"baseURL\": …, \"headers\": …}"),
    Row(
      "headers auth authorization config options settings", "defaults",
      "write it into 'defaults', which every step inherits"),
    Row("timeout deadline", "limits", "write 'limits': {\"deadline\": \"10m\"}"),
    Row("concurrency parallel maxParallel rate", "limits", "write it into 'limits'"),
    Row("retry retries", "defaults", "write 'defaults': {\"retry\": 3}"),
    Row("imports import include from base", "extends"),
    Row("teardown cleanup after always", "finally"),
    Row("startAt", do: "steps start when what they read is there; leave it out"),
    Row("namespace id type kind", do: "leave it out; the file's name names the workflow"),
    Row("sourceDescriptions", do: "write addresses as 'defaults': {\"baseURL\": …}"),
  ]

  private static let baseURL = "write 'defaults': {\"baseURL\": \"https://api.example.com\"}"

  private static let base = [
    Row("steps", do: "a base file has none; run it as a step with 'workflow'"),
    Row("finally", do: "a base file has no steps"),
    Row("outputs", do: "a base file has none"),
    Row("state", do: "a base file cannot have state; declare it in the file that is run"),
    Row("extends", do: "a base file cannot extend another file"),
  ]

  // MARK: - Steps

  private static let step =
    actions + conditions + collections + requestKeys + responseKeys + endings

  private static let actions = [
    Row("name stepId key taskId", "id", "write 'id', or 'description' for a sentence"),
    Row(
      "url request uri req http https get post put patch delete curl run cmd shell requester "
        + "resource operationPath operationId call.http", "endpoint",
      "write 'endpoint': \"GET https://…\""),
    Row("path", "endpoint", "write 'endpoint': \"GET /path\""),
    Row("method verb", "endpoint", "write it before the URL: 'endpoint': \"POST /users\""),
    Row("type", "endpoint", "the action is the key: 'endpoint', 'values', 'wait', …"),
    Row(
      "call uses include workflowId template runner", "workflow",
      "write 'workflow': \"./other.json\""),
    Row("with", "inputs", "write 'inputs' beside 'workflow'; a request has 'query' and 'body'"),
    Row("args arguments", "inputs", "write 'inputs' beside 'workflow'"),
    Row("set let bind assign define compute map", "values"),
    Row(
      "vars variables",
      "values", "write 'values' in a separate step, or 'extract' for values of the response"),
    Row("sleep delay pause", "wait", "write 'wait': \"2s\" in a separate step"),
    Row(
      "switch cases branches choices oneOf match", "choose",
      "write 'choose': [{\"when\": …, \"endpoint\": …}]"),
    Row(
      "group tasks children do sequence block subflow", "steps",
      "write 'steps' for its own steps"),
    Row(
      "parallel", "steps",
      "write 'steps' for its own steps, which run at once, or 'concurrency' beside 'forEach'"),
    Row("throw raise error abort exit", "fail", "write 'fail': \"message\""),
    Row("script exec code", do: "scripts are not supported; compute with 'values'"),
    Row(
      "event prerequest",
      do: "scripts are not supported; write 'extract' for values and 'expect' for tests"),
    Row("env", do: "declare 'inputs' with 'env' at the top of the file, and write {{inputs.NAME}}"),
  ]

  private static let conditions = [
    Row("if condition cond skipUnless runIf only", "when"),
    Row("unless skipIf skip", "when", "write 'when': \"!(…)\""),
    Row(
      "else", "otherwise",
      "write 'otherwise' for values, or 'choose' with a branch for each way"),
    Row(
      "needs after depends dependencies dependency requires runAfter waitFor previous",
      "dependsOn"),
    Row(
      "next goto then onSuccess",
      do: "the step that comes later says it: 'dependsOn'; or write \"order\": \"listed\""),
    Row("end", do: "leave it out; the run ends when every step has ended"),
  ]

  private static let collections = [
    Row(
      "for foreach loop items each withItems iterate repeat strategy matrix over range itemsPath "
        + "iterator mapOver", "forEach", "write 'forEach': \"$.list.ids\""),
    Row(
      "maxConcurrency maxParallel parallelism concurrent workers threads concurrencyLimit",
      "concurrency"),
    Row(
      "failFast stopOnError continueOnItemError", "onItemError",
      "write 'onItemError': \"fail\" or \"collect\""),
    Row("itemName loopVar variable var alias", "as"),
    Row("index indexVar", "indexAs"),
    Row("batchSize chunk chunkSize", "batch"),
    Row("unique dedupe", "distinct"),
    Row("while breakWhen", "until"),
  ]

  private static let requestKeys = [
    Row(
      "params parameters queryParams queryParameters qs searchParams queryString", "query",
      "write 'query', or 'headers' for parameters of the header"),
    Row("requestHeaders httpHeaders", "headers"),
    Row("cookie", "cookies"),
    Row("json data payload requestBody dataJson", "body", "write 'body': {\"json\": …}"),
    Row("form formData formParams urlencoded", "body", "write 'body': {\"form\": …}"),
    Row("multipart files", "body", "write 'body': {\"multipart\": [{\"name\": …, \"file\": …}]}"),
    Row("graphql", "body", "write 'body': {\"graphql\": {\"query\": …}}"),
    Row("text raw", "body", "write 'body': {\"text\": …}"),
    Row("file upload dataBinary", "body", "write 'body': {\"file\": \"data.bin\"}"),
    Row("authorization authentication authenticator", "auth"),
    Row("token bearer", "auth", "write 'auth': {\"bearer\": …}"),
    Row(
      "basic user username password login", "auth",
      "write 'auth': {\"basic\": {\"user\": …, \"password\": …}}"),
    Row("baseURL", do: "it belongs in 'defaults'; an endpoint here may be a complete URL"),
    Row("connectTimeout", "timeout", "write 'timeout': {\"connect\": \"5s\"}"),
    Row("readTimeout", "timeout", "write 'timeout': {\"silence\": \"60s\"}"),
    Row("timeoutMinutes", "timeout", "write 'timeout': \"5m\""),
    Row("timeoutSeconds timeoutMs maxTime requestTimeout", "timeout", "write 'timeout': \"30s\""),
    Row(
      "followRedirects followRedirect maxRedirects allowRedirects redirect location", "redirects",
      "write 'redirects': 0 to follow none, or the most to follow"),
    Row(
      "insecure verify verifySSL rejectUnauthorized strictSSL skipVerify cert certificate ca ssl",
      "tls", "certificates are always checked; name the authority to trust: 'tls': {\"ca\": …}"),
    Row("rateLimit throttle", do: "write 'limits': {\"rate\": \"10/1s\"} at the top of the file"),
  ]

  private static let responseKeys = [
    Row(
      "capture captures extractors export exports save_as register store outputsFrom dataSelector"
        + " recordSelector resultSelector resultPath outputPath read selector response output result"
        + " returns saveResponse postResponse", "extract"),
    Row(
      "assert asserts assertions test tests validate validations check checks expected expects"
        + " successCriteria status verifyResponse should responses", "expect"),
    Row("retries retrier retryPolicy attempts maxRetries backoff maxAttempts", "retry"),
    Row("paginator pagination paging pages cursor", "paginate"),
    Row("polling waitUntil", "poll"),
    Row("download saveTo outputFile", "save", "write 'save': \"path/below/the/output/folder\""),
    Row("inspect dump log print debug", do: "run with --verbose or --events to see it"),
  ]

  private static let endings = [
    Row(
      "catch onFailure onFail rescue continueOnError ignoreErrors ignoreError allowFailure"
        + " failOnError errorHandler errorHandling onException fallback", "onError",
      "write 'onError': \"recover\" with 'otherwise', or \"continue\""),
    Row("ensure always cleanup", "finally", "write 'finally', beside 'steps'"),
    Row("resultName", "id"),
  ]

  // MARK: - Requests

  private static let auth = [
    Row("type scheme kind mode", do: "the scheme is the key: {\"bearer\": …} or {\"basic\": …}"),
    Row("token bearerToken accessToken jwt", "bearer"),
    Row(
      "username user password login pass", "basic",
      "write 'basic': {\"user\": …, \"password\": …}"),
    Row("apiKey key header in headers", do: "write it into 'headers' or 'query'"),
    Row(
      "oauth clientCredentials clientId clientSecret tokenUrl", "oauth2",
      "write 'oauth2': {\"tokenURL\": …, \"clientId\": …, \"clientSecret\": …}"),
    Row("aws awsv4 sigv4 awsSignature awsIam", "awsSigV4"),
    Row("none noauth", do: "write 'auth': null"),
    Row(
      "ntlm kerberos negotiate hawk",
      do: "there is none; the schemes are 'bearer', 'basic', 'digest', 'oauth2' and 'awsSigV4'"),
  ]

  private static let credentials = [
    Row("username login name userName", "user"),
    Row("pass pwd passwd secret", "password"),
    Row("usernameAndPassword userPass", "user", "write 'user' and 'password'"),
  ]

  private static let oauth2 = [
    Row("url accessTokenUrl tokenUri tokenEndpoint authUrl issuer", "tokenURL"),
    Row("id client user", "clientId"),
    Row("secret password", "clientSecret"),
    Row("scope", "scopes", "write 'scopes', a list"),
    Row(
      "grantType grant flow",
      do: "leave it out: client credentials are sent, or the refresh token if 'refreshToken' is"
        + " given"),
    Row("refresh", "refreshToken"),
    Row(
      "authStyle authMethod tokenEndpointAuthMethod clientAuthentication credentialsIn",
      "clientAuth", "write 'clientAuth': \"basic\" or \"post\""),
    Row(
      "audience resource",
      do: "this parameter is not supported; fetch the token in a separate step"),
  ]

  private static let awsSigV4 = [
    Row("accessKeyId key id accessId awsAccessKeyId", "accessKey"),
    Row("secretAccessKey secret awsSecretAccessKey", "secretKey"),
    Row("token securityToken awsSessionToken", "sessionToken"),
    Row("serviceName", "service"), Row("awsRegion", "region"),
  ]

  private static let tls = [
    Row(
      "verify insecure rejectUnauthorized skipVerify verifySSL strict check", "ca",
      "certificates are always checked; name the authority to trust: 'ca': \"./ca.pem\""),
    Row("cacert caFile caPath certificateAuthority root trust", "ca"),
    Row("certificate certFile clientCert crt pem", "cert"),
    Row("keyFile privateKey clientKey", "key"),
  ]

  private static let body = [
    Row("mode raw options", do: "write 'json' for JSON, 'text' for a text, or 'form'"),
    Row("type contentType mimeType", do: "the kind of the body is its key: {\"json\": …}"),
    Row("payload data object content body value", "json"),
    Row("urlencoded formUrlencoded formParams params", "form", "write 'form', an object"),
    Row(
      "formdata multipartForm multipartFormData parts files", "multipart",
      "write 'multipart': [{\"name\": …, \"value\": …}]"),
    Row("string xml plain html", "text"),
    Row("path src binary filename upload", "file"),
    Row("query variables", "graphql", "write 'graphql': {\"query\": …}"),
  ]

  private static let part = [
    Row("key field fieldName", "name"),
    Row("type mimeType mime contentType", "contentType"),
    Row("data content text body", "value"),
    Row("src path filePath upload", "file"),
    Row("fileName", "filename"),
  ]

  private static let graphql = [
    Row("operation document mutation body text queryText", "query"),
    Row("vars input inputs args arguments params", "variables"),
    Row("name operationId", "operationName"),
  ]

  private static let parameter = [
    Row("data values default", "value"), Row("format collectionFormat", "style"),
    Row("exploded", "explode"),
    Row("key name in required type", do: "the parameter's name is its key: 'query': {\"page\": …}"),
  ]

  // MARK: - Responses

  private static let extractor = [
    Row(
      "path jsonpath query json selector expression jsonPointer pointer field from fieldPath"
        + " response", "body", "write 'body': \"$.data.id\""),
    Row("jq jmespath", "body", "write 'body' with a JSONPath query, such as \"$.data[*].id\""),
    Row(
      "xpath css html xml selectorCss", "regex",
      "there are no queries of HTML and XML; write 'regex': \"<title>([^<]*)\""),
    Row("pattern match regexp re", "regex"),
    Row("headerName", "header"), Row("cookieName", "cookie"),
    Row("statusCode code", "status", "write 'status': true"),
    Row("raw bodyText string", "text", "write 'text': true"),
    Row("location effectiveUrl finalUrl", "url", "write 'url': true"),
    Row("fallback defaultValue orElse", "default"),
    Row("required mandatory", do: "it is, unless 'optional' is true"),
    Row("nullable missing allowMissing", "optional"),
    Row("sensitive masked hidden", "secret"),
    Row("index nth position", "take", "write 'take': \"first\" or \"last\", or [0] in the query"),
    Row("cast convert as", "type"), Row("multiple many list", "all"),
    Row("encoding decoder", "decode"), Row("parameter queryParam", "param"),
    Row("name key id", do: "the extractor's name is its key: 'extract': {\"id\": …}"),
  ]

  private static let expect = [
    Row("code statusCode statuses httpStatus", "status"),
    Row(
      "json body jsonpath bodyContains contains equals", "where",
      "write 'where': [\"@.body.name == 'Ada'\"]"),
    Row("headers header", "where", "write 'where': [\"@.headers['x-name'] == 'Ada'\"]"),
    Row(
      "assert asserts assertions conditions condition that checks test tests", "where",
      "write 'where', a list of conditions"),
    Row("type mimeType mediaType mime", "contentType"),
    Row("jsonSchema bodySchema", "schema"),
    Row(
      "duration time latency responseTime maxTime elapsed", "where",
      "write 'where': [\"@.elapsed < 2\"]"),
    Row("text bodyText", "where", "write 'where': [\"search(@.text, 'done')\"]"),
  ]

  private static let check = [
    Row("condition if when expression assert test where", "that"),
    Row("error text reason title name", "message"),
  ]

  private static let timeout = [
    Row("connectTimeout connection", "connect"),
    Row("idle read readTimeout inactivity socket write response", "silence"),
    Row("max request overall all", "total"),
  ]

  private static let retry = [
    Row(
      "max count times maxAttempts retries maxRetries limit stopAfterAttempt tries number",
      "attempts", "write 'attempts', the first one included"),
    Row(
      "backoff backoffRate multiplier exponent exponential backoffFactor strategy", "factor",
      "write 'factor': 2, by which each pause is longer"),
    Row(
      "interval wait pause sleep initialDelay retryInterval minTimeout intervalSeconds every"
        + " retryDelay warning", "delay"),
    Row("maxInterval maxBackoff maxTimeout maxWait maxDuration maxDelaySeconds", "maxDelay"),
    Row(
      "statusCodes statuses status codes errorEquals retryOn statusForcelist conditions onStatus",
      "on", "write 'on': [\"network\", 429, \"5xx\"]"),
    Row("if condition until", "when"),
    Row("jitterStrategy randomize random", "jitter"),
    Row("methods allowPost nonIdempotent allMethods", "unsafe"),
    Row("timeout", do: "it belongs beside 'retry', and limits one attempt"),
  ]

  private static let poll = [
    Row("interval delay wait pause sleep period frequency every_seconds retryInterval", "every"),
    Row("timeout max maxTime maxWait deadline maxDuration total", "within"),
    Row("maxAttempts retries count limit times tries max_attempts", "attempts"),
    Row("condition while successWhen stopWhen done exitCondition when if", "until"),
    Row("fail failIf errorWhen abortWhen failOn", "failWhen"),
    Row("backoff multiplier", "factor"), Row("maxInterval maxDelay", "maxEvery"),
  ]

  private static let paginate = [
    Row(
      "type strategy mode kind style",
      do: "the kind is the key: 'link', 'next', 'cursor', 'page' or 'offset'"),
    Row(
      "limit pageSize perPage size count recordsPerPage batchSize limitValue", "by",
      "write 'by' for the records on a page, and send the limit in 'query'"),
    Row("limitParam sizeParam perPageParam", do: "send the page's size in 'query'"),
    Row("start startPage first initial basePage startFrom initialPage", "from"),
    Row("max maxPage maximumPage pagesLimit maxIterations pageLimit", "maxPages"),
    Row("pageParam pageParameter pageField number", "page"),
    Row("offsetParam skip start_index", "offset"),
    Row("cursorParam parameter tokenParam cursorField queryParam", "param"),
    Row("cursorPath nextToken nextCursor token nextPageToken", "cursor"),
    Row("nextUrl nextUrlPath nextLink nextPage nextPath", "next"),
    Row("rel header linkHeader headerLink", "link"),
    Row("totalPath totalCount totalItems", "total"), Row("totalPages lastPage pageCount", "pages"),
    Row("data records results path selector dataSelector", "items"),
    Row(
      "until stop stopWhen hasMore condition stopCondition hasNext", "while",
      "write 'while', which holds as long as a page follows"),
    Row("location where place", "in"),
  ]

  private static let range = [
    Row("end last stop max until upTo through", "to"),
    Row("start first begin min", "from"),
    Row("step increment stride every", "by"),
    Row("count times", "to", "write 'from': 1 and 'to'"),
    Row(
      "items in list query values array each elements",
      do: "write the query itself: 'forEach': \"$.list.ids\""),
    Row(
      "as concurrency batch until indexAs distinct",
      do: "it belongs beside 'forEach', in the step"),
    Row("matrix", do: "write a list: 'forEach': [1, 2]"),
  ]

  // MARK: - Values

  private static let input = [
    Row(
      "required mandatory",
      do: "leave it out: an input is required unless it has 'default' or 'optional': true"),
    Row("values options choices allowed oneOf", "enum"),
    Row("value initial fallback example", "default"),
    Row("sensitive masked hidden password private noEcho", "secret", "write 'secret': true"),
    Row("nullable allowEmpty", "optional"),
    Row("variable environment envVar fromEnv", "env"),
    Row("schema datatype kind", "type"),
    Row("title label help prompt displayName", "description"),
    Row("in", do: "where a value goes is written in the step: {{inputs.NAME}}"),
    Row("format", "type", "write 'type': \"date\" or \"datetime\""),
    Row(
      "minimum maximum pattern minLength maxLength min max",
      do: "test it in a step: 'when' with 'fail'"),
  ]

  private static let state = [
    Row("secret", do: "state is written to a file, so it cannot contain secrets"),
    Row("value set update", "next"), Row("initial start initialValue", "default"),
    Row("optional", do: "without 'default' the value is absent until a run leaves one"),
  ]

  private static let output = [
    Row("show visible sensitive secret", "reveal", "write 'reveal': true to show a secret"),
    Row("from data", "value"),
  ]

  private static let limits = [
    Row("parallel parallelism maxConcurrency workers maxParallel threads", "concurrency"),
    Row("timeout maxDuration total maxTime", "deadline"),
    Row("rateLimit requestsPerSecond rps qps throttle", "rate", "write 'rate': \"10/1s\""),
    Row("perHost perDomain maxPerHost connectionsPerHost", "perOrigin"),
    Row("ratePerHost ratePerDomain", "ratePerOrigin"),
    Row("maxRequests", "requests"), Row("maxItems", "items"),
    Row("bodySize maxBodySize maxResponseSize", "responseSize"), Row("maxMemory", "memory"),
    Row("retries retry", do: "it belongs in 'defaults' or in a step: 'retry'"),
  ]

  private static let failure = [
    Row("text error reason title name msg", "message"), Row("data info context body", "details"),
    Row("status code", "details", "write 'details': {\"status\": …}"),
  ]

  private static let branch = [
    Row(
      "else default otherwise",
      do: "the last branch has no 'when'; write its action here, or 'otherwise' in the step"),
    Row("case test is", "when"),
    Row("then do", do: "write the action itself: 'endpoint', 'values', 'steps', …"),
  ]

  private static let recovery = [
    Row("on catch errors statuses status codes when", "recover"),
    Row("otherwise default values fallback", do: "write 'otherwise' in the step"),
  ]

  // MARK: - Tests

  private static let tests = [
    Row("file target subject path", "workflow"),
    Row("cases specs scenarios test examples", "tests"),
  ]

  private static let test = [
    Row("title description it id", "name"),
    Row("input params variables vars with given args set", "inputs"),
    Row("env profile", "environment"),
    Row("responses response mock mocks stub stubs answers answer steps routes", "respond"),
    Row("recording har cassette fixture", "replay"),
    Row("outputs", "expect", "write 'expect': {\"outputs\": …}"),
    Row("failures", "expect", "write 'expect': {\"failures\": …}"),
    Row("status", "expect", "write 'expect': {\"status\": …}"),
    Row("where", "expect", "write 'expect': {\"where\": …}"),
    Row("assert asserts assertions expected expects then should", "expect"),
  ]

  private static let answer = [
    Row("delay wait latency sleep delayMs responseTime", "after"),
    Row(
      "body data payload response content", "json",
      "write 'json' for a body of JSON, or 'text' or 'file'"),
    Row("statusCode code httpStatus", "status"), Row("header", "headers"),
    Row("error failure networkError", "fault"), Row("extract outputs value", "values"),
    Row("path bodyFile", "file"),
  ]

  private static let expected = [
    Row("output result results returns", "outputs"),
    Row("failure error errors", "failures"),
    Row("assert asserts assertions conditions checks that", "where"),
    Row("exact strict", "exactly", "write 'exactly': true"),
    Row("outcome", "status"),
  ]

  private static let expectedFailure = [
    Row("statusCode code", "status"), Row("type reason", "kind"), Row("index", "item"),
    Row("text contains", "message"), Row("id", "step"),
  ]
}
