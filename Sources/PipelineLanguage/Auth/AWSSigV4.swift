package import PipelineTemplates

/// AWS Signature Version 4.
package struct AWSSigV4: AuthForm {
  package let service: Written<Template>
  package let region: Written<Template>
  package let accessKey: Written<Template>
  package let secretKey: Written<Template>
  package let sessionToken: Written<Template>?

  package func forEachPart(_ visit: (StepPart) -> Void) {
    visit(.text(service))
    visit(.text(region))
    visit(.text(accessKey))
    visit(.text(secretKey, .credential))
    if let sessionToken { visit(.text(sessionToken, .credential)) }
  }

  package var needed: [[Written<Template>]] { [[service], [region], [accessKey], [secretKey]] }

  package var secrets: [Written<Template>] {
    [accessKey, secretKey, sessionToken].compactMap(\.self)
  }

  package func planText(_ values: PlannedCredentials) -> String {
    "awsSigV4 " + values.text(service) + " " + values.text(region)
  }
}

extension AWSSigV4: DeclaredObject {
  init?(_ keys: inout Keys) {
    let service = keys.required(
      "service", .template, "The name of the AWS service.", example: #""s3""#,
      foreign: ["serviceName"])
    let region = keys.required(
      "region", .template, "The AWS region.", example: #""eu-west-1""#, foreign: ["awsRegion"])
    let accessKey = keys.required(
      "accessKey", .template, "The access key's id.", example: #""{{inputs.access}}""#,
      foreign: ["accessKeyId key id awsAccessKeyId"])
    let secretKey = keys.required(
      "secretKey", .template, "The secret access key.", example: #""{{inputs.key}}""#,
      foreign: ["secretAccessKey secret awsSecretAccessKey"])
    sessionToken = keys.optional(
      "sessionToken", .template, "The token of temporary credentials.",
      example: #""{{inputs.session}}""#, foreign: ["token securityToken awsSessionToken"])
    guard let service, let region, let accessKey, let secretKey else { return nil }
    self.service = service
    self.region = region
    self.accessKey = accessKey
    self.secretKey = secretKey
  }
}

extension Keys {
  mutating func awsSigV4() -> AWSSigV4? {
    optional(
      "awsSigV4", .object(.awsSigV4, AWSSigV4.self), "AWS Signature Version 4.",
      example:
        #"{"service": "s3", "region": "eu-west-1", "accessKey": "{{inputs.access}}", "secretKey": "{{inputs.key}}"}"#,
      foreign: ["awsv4 sigv4 awsSignature awsIam"])
  }
}
