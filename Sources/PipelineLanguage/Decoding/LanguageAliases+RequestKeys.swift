// What other tools call the settings of requests.

extension LanguageAliases.Keys {
  static let auth = [
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

  static let credentials = [
    Row("username login name userName", "user"),
    Row("pass pwd passwd secret", "password"),
    Row("usernameAndPassword userPass", "user", "write 'user' and 'password'"),
  ]

  static let oauth2 = [
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

  static let awsSigV4 = [
    Row("accessKeyId key id accessId awsAccessKeyId", "accessKey"),
    Row("secretAccessKey secret awsSecretAccessKey", "secretKey"),
    Row("token securityToken awsSessionToken", "sessionToken"),
    Row("serviceName", "service"), Row("awsRegion", "region"),
  ]

  static let tls = [
    Row(
      "verify insecure rejectUnauthorized skipVerify verifySSL strict check", "ca",
      "certificates are always checked; name the authority to trust: 'ca': \"./ca.pem\""),
    Row("cacert caFile caPath certificateAuthority root trust", "ca"),
    Row("certificate certFile clientCert crt pem", "cert"),
    Row("keyFile privateKey clientKey", "key"),
  ]

  static let body = [
    Row("mode raw options", do: "write 'json' for JSON, 'text' for a text, or 'form'"),
    Row("type contentType mimeType", do: "the kind of the body is its key: {\"json\": …}"),
    Row("payload data object content body value", "json"),
    Row("urlencoded formUrlencoded formParams params", "form", "write 'form', an object"),
    Row(
      "formdata multipartForm multipartFormData parts files", "multipart",
      "write 'multipart': [{\"name\": …, \"value\": …}]"),
    Row("string xml plain html", "text"),
    Row("path src binary filename upload", "file"),
    Row("query", "graphql", "write 'graphql': {\"query\": …}"),
    Row("variables operationName", "graphql", "write it into 'graphql', beside 'query'"),
  ]

  static let part = [
    Row("key field fieldName", "name"),
    Row(
      "type", "contentType",
      "write 'contentType' for a media type; 'file' and 'value' tell files from texts"),
    Row("mimeType mime contentType", "contentType"),
    Row("data content text body", "value"),
    Row("src path filePath upload", "file"),
    Row("fileName", "filename"),
  ]

  static let graphql = [
    Row("operation document mutation body text queryText", "query"),
    Row("vars input inputs args arguments params", "variables"),
    Row("name operationId", "operationName"),
  ]

  static let parameter = [
    Row("data values default", "value"), Row("format collectionFormat", "style"),
    Row("exploded", "explode"),
    Row("key name in required type", do: "the parameter's name is its key: 'query': {\"page\": …}"),
  ]
}
