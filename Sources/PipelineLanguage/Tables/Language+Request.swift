extension LanguageObject {
  /// The request settings, which a step and `defaults` share.
  static let requestSettings = [
    LanguageKey(
      "query", "The URL's query parameters; a list repeats one.",
      .either([.map(.either([.data, .object(.parameter), .none])), .none]),
      example: #"{"page": "{{inputs.page}}"}"#),
    LanguageKey(
      "headers", "The request's headers; a list repeats one.",
      .either([.map(.either([.data, .none])), .none]),
      example: #"{"Accept": "application/json"}"#),
    LanguageKey(
      "cookies", "The cookies that the request sends.",
      .either([.map(.either([.data, .none])), .none]),
      example: #"{"session": "{{login.session}}"}"#),
    LanguageKey(
      "auth", "How the request authenticates its sender.", .either([.object(.auth), .none]),
      example: #"{"bearer": "{{inputs.token}}"}"#),
    LanguageKey(
      "tls", "The files with the client's certificate or the trusted authorities.",
      .either([.object(.tls), .none]), example: #"{"ca": "./ca.pem"}"#),
    LanguageKey(
      "proxy", "The proxy that the request goes through.", .either([.template, .none]),
      example: #""http://proxy.example.com:3128""#),
    LanguageKey(
      "redirects", "The maximum number of redirects; with 0, the 3xx is the response.",
      .either([.integer(minimum: 0), .none]), default: "10", example: "0"),
    LanguageKey(
      "cache",
      "Keeps responses to GET for later runs; a duration says how long they are fresh.",
      .either([.boolean, .duration, .none]), default: "false", example: "true"),
    LanguageKey(
      "read", "How the body of an expected response becomes data. By default, JSON.",
      .either([
        .choice(ResponseFormat.Name.allCases.map(\.rawValue)), .object(.reading), .none,
      ]), example: #""csv""#),
    LanguageKey(
      "sendCredentials",
      "Origins that get all credentials of the step, even if a response names them.",
      .either([.list(.text), .none]), example: #"["https://files.example.com"]"#),
    LanguageKey(
      "body", "The body of the request.", .either([.object(.body), .none]),
      example: #"{"json": {"name": "{{inputs.name}}"}}"#),
  ]

  /// `defaults`.
  static let defaults = LanguageObject(
    .defaults, "defaults", place: "in 'defaults'",
    keys: [
      LanguageKey(
        "baseURL", "The address that relative endpoints are appended to.", .url,
        example: #""https://api.example.com""#)
    ] + requestSettings
      + ["expect", "retry", "timeout", "onError", "concurrency"].compactMap { name in
        step[name].map { key in
          LanguageKey(
            key.name, key.meaning, key.type, default: key.defaultValue, example: key.example)
        }
      })

  /// A member of `query` or of a form that says how a list or an object is written.
  static let parameter = LanguageObject(
    .parameter, "parameter", place: "in a parameter of 'query' or 'form'",
    keys: [
      LanguageKey(
        "value", "The parameter's value.", .data, example: #""{{list.ids}}""#, isRequired: true),
      LanguageKey(
        "style", "How a list or an object is written, as in OpenAPI.",
        .choice(Request.Parameter.Style.Name.allCases.map(\.rawValue)), default: #""form""#,
        example: #""pipeDelimited""#),
      LanguageKey(
        "explode", "Whether each element is a separate parameter.", .boolean,
        default: "true", example: "false"),
    ])

  /// `auth`.
  static let auth = LanguageObject(
    .auth, "auth", place: "in 'auth'",
    keys: [
      LanguageKey(
        "bearer", "A token, sent as `Authorization: Bearer …` (RFC 6750).", .template,
        example: #""{{login.token}}""#),
      LanguageKey(
        "basic", "A user and a password (RFC 7617).", .object(.credentials),
        example: #"{"user": "{{inputs.user}}", "password": "{{inputs.password}}"}"#),
      LanguageKey(
        "digest", "A user and a password; the password is never sent in the clear (RFC 7616).",
        .object(.credentials),
        example: #"{"user": "{{inputs.user}}", "password": "{{inputs.password}}"}"#),
      LanguageKey(
        "oauth2", "A token that the run fetches and renews itself (RFC 6749).",
        .object(.oauth2),
        example:
          #"{"tokenURL": "https://id.example.com/token", "clientId": "{{inputs.client}}", "clientSecret": "{{inputs.key}}"}"#
      ),
      LanguageKey(
        "awsSigV4", "AWS Signature Version 4.", .object(.awsSigV4),
        example:
          #"{"service": "s3", "region": "eu-west-1", "accessKey": "{{inputs.access}}", "secretKey": "{{inputs.key}}"}"#
      ),
    ],
    choices: [
      Choice(keys: ["bearer", "basic", "digest", "oauth2", "awsSigV4"], isRequired: true)
    ])

  /// `basic` and `digest`.
  static let credentials = LanguageObject(
    .credentials, "credentials", place: "in 'basic' or 'digest'",
    keys: [
      LanguageKey(
        "user", "The user's name.", .content, example: #""{{inputs.user}}""#, isRequired: true),
      LanguageKey(
        "password", "The user's password.", .content, example: #""{{inputs.password}}""#,
        isRequired: true),
    ])

  /// `oauth2`.
  static let oauth2 = LanguageObject(
    .oauth2, "oauth2", place: "in 'oauth2'",
    keys: [
      LanguageKey(
        "tokenURL", "The address that issues tokens.", .url,
        example: #""https://id.example.com/token""#, isRequired: true),
      LanguageKey(
        "clientId", "The client's public name.", .template, example: #""{{inputs.client}}""#,
        isRequired: true),
      LanguageKey(
        "clientSecret", "The client's secret.", .template, example: #""{{inputs.key}}""#),
      LanguageKey(
        "clientAuth",
        "How the client's id and secret are sent: in an `Authorization` header, or in the body.",
        .choice(Auth.OAuth2.ClientAuth.allCases.map(\.rawValue)), default: #""basic""#,
        example: #""post""#, with: "clientSecret"),
      LanguageKey(
        "scopes", "The permissions to request.", .list(.template), example: #"["read"]"#),
      LanguageKey(
        "refreshToken",
        "A refresh token, used to fetch the token instead of the client credentials.",
        .template, example: #""{{inputs.refresh}}""#),
    ])

  /// `awsSigV4`.
  static let awsSigV4 = LanguageObject(
    .awsSigV4, "awsSigV4", place: "in 'awsSigV4'",
    keys: [
      LanguageKey(
        "service", "The name of the AWS service.", .template, example: #""s3""#,
        isRequired: true),
      LanguageKey(
        "region", "The AWS region.", .template, example: #""eu-west-1""#,
        isRequired: true),
      LanguageKey(
        "accessKey", "The access key's id.", .template, example: #""{{inputs.access}}""#,
        isRequired: true),
      LanguageKey(
        "secretKey", "The secret access key.", .template, example: #""{{inputs.key}}""#,
        isRequired: true),
      LanguageKey(
        "sessionToken", "The token of temporary credentials.", .template,
        example: #""{{inputs.session}}""#),
    ])

  /// `tls`.
  static let tls = LanguageObject(
    .tls, "tls", place: "in 'tls'",
    keys: [
      LanguageKey(
        "ca", "Certificates of the authorities to trust, in PEM.", .template,
        example: #""./ca.pem""#),
      LanguageKey(
        "cert", "The client's certificate, in PEM.", .template, example: #""./client.pem""#,
        with: "key"),
      LanguageKey(
        "key", "The certificate's private key, in PEM.", .template,
        example: #""./client.key""#, with: "cert"),
    ])

  /// `body`.
  static let body = LanguageObject(
    .body, "body", place: "in 'body'",
    keys: [
      LanguageKey("json", "Any JSON.", .data, example: #"{"name": "{{inputs.name}}"}"#),
      LanguageKey(
        "form", "Fields, encoded like an HTML form.", .map(.either([.data, .object(.parameter)])),
        example: #"{"grant_type": "password"}"#),
      LanguageKey(
        "multipart", "Parts of any type, encoded like a file upload of an HTML form.",
        .list(.object(.part)),
        example: #"[{"name": "image", "file": "./cat.png"}]"#),
      LanguageKey(
        "text", "A text, or a list of its lines.", .either([.content, .list(.content)]),
        example: #""hello {{inputs.name}}""#),
      LanguageKey("file", "A file's content.", .template, example: #""./report.pdf""#),
      LanguageKey(
        "graphql", "A GraphQL operation; errors in the response fail the step.",
        .object(.graphql), example: #"{"query": "{ viewer { login } }"}"#),
    ],
    choices: [
      Choice(keys: ["json", "form", "multipart", "text", "file", "graphql"], isRequired: true)
    ])

  /// An element of `multipart`.
  static let part = LanguageObject(
    .part, "part", place: "in a part of 'multipart'",
    keys: [
      LanguageKey("name", "The part's name.", .template, example: #""image""#, isRequired: true),
      LanguageKey(
        "value", "The content of the part. A list makes a part of each element.", .data,
        example: #""{{inputs.title}}""#),
      LanguageKey(
        "file",
        "A file with the content of the part. A template that is a list of paths makes a part of each.",
        .template, example: #""./cat.png""#),
      LanguageKey(
        "filename", "The file name that is sent to the server.", .template,
        example: #""cat.png""#),
      LanguageKey(
        "contentType", "The part's media type.", .template, example: #""image/png""#),
    ],
    choices: [Choice(keys: ["value", "file"], isRequired: true)])

  /// `graphql`.
  static let graphql = LanguageObject(
    .graphql, "graphql", place: "in 'graphql'",
    keys: [
      LanguageKey(
        "query", "The operation, or a list of its lines.",
        .either([.content, .list(.content)]), example: #""{ viewer { login } }""#,
        isRequired: true),
      LanguageKey(
        "variables", "The operation's variables.", .data,
        example: #"{"id": "{{inputs.id}}"}"#),
      LanguageKey(
        "operationName", "The operation to run, if the query holds several.", .template,
        example: #""Viewer""#),
    ])
}
