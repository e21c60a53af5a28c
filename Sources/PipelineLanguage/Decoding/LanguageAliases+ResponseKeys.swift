// What other tools call the keys that read, judge and repeat responses.

extension LanguageAliases.Keys {
  static let extractor = [
    Row(
      "path jsonpath query json selector expression jsonPointer pointer field from fieldPath"
        + " response", "body", "write 'body': \"$.data.id\"", as: "…"),
    Row("jq jmespath", "body", "write 'body' with a JSONPath query, such as \"$.data[*].id\""),
    Row(
      "xpath css html xml selectorCss", "regex",
      "there are no queries of HTML and XML; write 'regex': \"<title>([^<]*)\""),
    Row("pattern match regexp re", "regex"),
    Row("headerName", "header"), Row("cookieName", "cookie"),
    Row("statusCode code", "status", "write 'status': true", as: "true"),
    Row("raw bodyText string", "text", "write 'text': true", as: "true"),
    Row("location effectiveUrl finalUrl", "url", "write 'url': true", as: "true"),
    Row("fallback defaultValue orElse", "default"),
    Row("required mandatory", do: "it is, unless 'optional' is true"),
    Row("nullable missing allowMissing", "optional"),
    Row("sensitive masked hidden", "secret"),
    Row("index nth position", "take", "write 'take': \"first\" or \"last\", or [0] in the query"),
    Row("cast convert as", "type"), Row("multiple many list", "all"),
    Row("encoding decoder", "decode"), Row("parameter queryParam", "param"),
    Row("name key id", do: "the extractor's name is its key: 'extract': {\"id\": …}"),
  ]

  static let expect = [
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

  static let retry = [
    Row(
      "max count times maxAttempts retries maxRetries limit stopAfterAttempt tries number",
      "attempts", "write 'attempts', the first one included"),
    Row(
      "backoff backoffRate multiplier exponent exponential backoffFactor strategy", "factor",
      "write 'factor': 2, by which each pause is longer", as: "…"),
    Row(
      "interval wait pause sleep initialDelay retryInterval minTimeout intervalSeconds every"
        + " retryDelay warning", "delay"),
    Row("maxInterval maxBackoff maxTimeout maxWait maxDuration maxDelaySeconds", "maxDelay"),
    Row(
      "statusCodes statuses status codes errorEquals retryOn statusForcelist conditions onStatus",
      "on", "write 'on': [\"network\", 429, \"5xx\"]", as: "…"),
    Row("if condition until", "when"),
    Row("jitterStrategy randomize random", "jitter"),
    Row("methods allowPost nonIdempotent allMethods", "unsafe"),
    Row("timeout", do: "it belongs beside 'retry', and limits one attempt"),
  ]
}
