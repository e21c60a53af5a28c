// What other tools call the keys of steps.

extension LanguageAliases.Keys {
  static let step =
    actions + conditions + collections + requestKeys + responseKeys + endings

  private static let actions = [
    Row("name stepId key taskId", "id", "write 'id', or 'description' for a sentence"),
    Row(
      "url request uri req http https get post put patch delete curl run cmd shell requester "
        + "resource operationPath operationId call.http", "endpoint",
      "write 'endpoint': \"GET https://…\"", as: "\"GET …\""),
    Row("path", "endpoint", "write 'endpoint': \"GET /path\"", as: "\"GET …\""),
    Row("method verb", "endpoint", "write it before the URL: 'endpoint': \"POST /users\""),
    Row("type", "endpoint", "the action is the key: 'endpoint', 'values', 'wait', …"),
    Row(
      "call uses include workflowId template runner", "workflow",
      "write 'workflow': \"./other.json\"", as: "…"),
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
      "write 'steps' for its own steps", as: "…"),
    Row(
      "parallel", "steps",
      "write 'steps' for its own steps, which run at once, or 'concurrency' beside 'forEach'",
      as: "…"),
    Row("throw raise error abort exit", "fail", "write 'fail': \"message\"", as: "…"),
    Row("script exec code", do: "scripts are not supported; compute with 'values'"),
    Row(
      "event prerequest",
      do: "scripts are not supported; write 'extract' for values and 'expect' for tests"),
    Row("env", do: "declare 'inputs' with 'env' at the top of the file, and write {{inputs.NAME}}"),
  ]

  private static let conditions = [
    Row("if condition cond skipUnless runIf only", "when"),
    Row("unless skipIf skip", "when", "write 'when': \"!(…)\"", as: "\"!(…)\""),
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
        + "iterator mapOver", "forEach", "write 'forEach': \"$.list.ids\"", as: "…"),
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
    Row(
      "multipart files", "body", "write 'body': {\"multipart\": [{\"name\": …, \"file\": …}]}",
      as: "{\"multipart\": …}"),
    Row(
      "graphql", "body", "write 'body': {\"graphql\": {\"query\": …}}",
      as: "{\"graphql\": {\"query\": \"…\"}}"),
    Row("text raw", "body", "write 'body': {\"text\": …}"),
    Row(
      "file upload dataBinary", "body", "write 'body': {\"file\": \"data.bin\"}",
      as: "{\"file\": \"…\"}"),
    Row("authorization authentication authenticator", "auth"),
    Row("token bearer", "auth", "write 'auth': {\"bearer\": …}"),
    Row(
      "basic user username password login", "auth",
      "write 'auth': {\"basic\": {\"user\": …, \"password\": …}}"),
    Row("baseURL", do: "it belongs in 'defaults'; an endpoint here may be a complete URL"),
    Row(
      "connectTimeout", "timeout", "write 'timeout': {\"connect\": \"5s\"}",
      as: "{\"connect\": …}"),
    Row(
      "readTimeout", "timeout", "write 'timeout': {\"silence\": \"60s\"}",
      as: "{\"silence\": …}"),
    Row("timeoutMinutes", "timeout", "write 'timeout': \"5m\"", as: "\"…m\""),
    Row("timeoutSeconds", "timeout", "write 'timeout': \"30s\"", as: "\"…s\""),
    Row("timeoutMs", "timeout", "write 'timeout': \"500ms\"", as: "\"…ms\""),
    Row("maxTime requestTimeout", "timeout", "write 'timeout': \"30s\"", as: "…"),
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
    Row(
      "download saveTo outputFile", "save", "write 'save': \"path/below/the/output/folder\"",
      as: "…"),
    Row(
      "inspect dump log print debug echo message",
      do: "nothing is printed during a run; name the value in 'outputs'"),
    Row(
      "onStatus onCode onHttpStatus statusHandlers", "onError",
      "write 'onError': {\"recover\": [404]} with 'otherwise'"),
    Row(
      "stream streaming sse",
      do: "responses are read whole; set it in the body if you want the raw text of a stream"),
    Row(
      "transform jsonata jmespath jq pipe postProcess",
      do: "write 'extract' for values of the response, or 'values' in a separate step"),
    Row(
      "setState saveState remember persist",
      do: "declare the value in 'state' at the top of the file, with its 'next'"),
  ]

  private static let endings = [
    Row(
      "return returns yield", "outputs",
      "write 'outputs' beside 'steps', or 'extract' for values of the response"),
    Row(
      "catch onFailure onFail rescue continueOnError ignoreErrors ignoreError allowFailure"
        + " failOnError errorHandler errorHandling onException fallback", "onError",
      "write 'onError': \"recover\" with 'otherwise', or \"continue\"",
      as: "\"continue\""),
    Row("ensure always cleanup", "finally", "write 'finally', beside 'steps'"),
    Row("resultName", "id"),
  ]
}
