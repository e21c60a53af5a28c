package import PipelineTemplates

/// Files that prove the sender, or that list trusted authorities.
package struct TLS: Sendable, DeclaredObject {
  package let ca: Written<Template>?
  package let cert: Written<Template>?
  package let key: Written<Template>?
  package var isInherited = false

  init(_ keys: inout Keys) {
    ca = keys.optional(
      "ca", .pathTemplate, "Certificates of the authorities to trust, in PEM.",
      example: #""./ca.pem""#,
      foreign: [
        .says(
          "verify insecure rejectUnauthorized skipVerify verifySSL strict check",
          "certificates are always checked; name the authority to trust: 'ca': \"./ca.pem\""),
        "cacert caFile caPath certificateAuthority root trust",
      ])
    cert = keys.optional(
      "cert", .pathTemplate, "The client's certificate, in PEM.", example: #""./client.pem""#,
      beside: ["key"], foreign: ["certificate certFile clientCert crt pem"])
    key = keys.optional(
      "key", .pathTemplate, "The certificate's private key, in PEM.",
      example: #""./client.key""#, beside: ["cert"], foreign: ["keyFile privateKey clientKey"])
  }
}
