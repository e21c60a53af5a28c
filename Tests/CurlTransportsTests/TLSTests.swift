import CurlTransports
import Foundation
import PipelineKit
import PipelineTestTraits
import Testing

@Suite(
  .ownThreads, .enabled(if: Nginx.isInstalled, "nginx or openssl is not installed"), NginxTrait())
struct TLSTests {
  let transport = CurlTransport()

  private func nginx() throws -> Nginx { try #require(Nginx.current) }

  private func request(_ url: String) throws -> TransportRequest {
    var request = TransportRequest(url: url)
    request.connection.caFile = try nginx().file("ca.pem")
    return request
  }

  private func text(_ request: TransportRequest) async throws -> String {
    String(decoding: try await transport.send(request).body, as: UTF8.self)
  }

  private func failure(_ request: TransportRequest) async throws -> TransportError {
    try await #require(throws: TransportError.self) { try await transport.send(request) }
  }

  @Test func aServerOfATrustedAuthorityIsSpokenToInHTTP2() async throws {
    let response = try await transport.send(try request(try nginx().url(nginx().valid)))
    #expect(response.status == 200)
    #expect(response.version == "2")
    #expect(response.header("server") != nil)
    #expect(response.timings.tls > response.timings.connect)
    #expect(response.timings.firstByte >= response.timings.tls)
  }

  @Test func manyRequestsShareOneConnection() async throws {
    let request = try request(try nginx().url(nginx().valid))
    let connections = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { try await text(request).split(separator: " ").first.map(String.init) ?? "" }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(connections.count == 1)
  }

  @Test func aSilentServerOfHTTP2IsGivenUp() async throws {
    _ = try await text(try request(try nginx().url(nginx().valid)))
    var request = try request(try nginx().url(nginx().valid, "/silent"))
    request.silence = .milliseconds(200)
    let error = try await failure(request)
    #expect(error.limit == .silence)
    #expect(error.message == "nothing received for 200 ms (before any answer)")
  }

  @Test func aLongDownloadOverHTTP2IsNotSilent() async throws {
    var request = try request(try nginx().url(nginx().valid, "/slow"))
    // nginx sends about once a second.
    request.silence = .milliseconds(2500)
    let response = try await transport.send(request)
    #expect(response.version == "2")
    #expect(response.body.count == 64 << 10)
    #expect(response.timings.total > request.silence)
  }

  @Test func anUnknownAuthorityIsRefused() async throws {
    let error = try await failure(TransportRequest(url: try nginx().url(nginx().valid)))
    #expect(error.kind == .tls)
    #expect(error.message.hasPrefix("the server's certificate is not trusted: "))
  }

  @Test func aTrustedAuthorityDoesNotOpenAConnectionToOthers() async throws {
    // The same transport has a connection that was verified with the authority's file.
    _ = try await transport.send(try request(try nginx().url(nginx().valid)))
    #expect(
      try await failure(TransportRequest(url: try nginx().url(nginx().valid))).kind == .tls)
  }

  @Test func anExpiredCertificateIsRefused() async throws {
    let error = try await failure(try request(try nginx().url(nginx().expired)))
    #expect(
      error
        == TransportError(
          .tls, "the server's certificate is not trusted: certificate has expired"))
  }

  @Test func aCertificateOfAnotherHostIsRefused() async throws {
    let error = try await failure(try request(try nginx().url(nginx().otherHost)))
    #expect(error == TransportError(.tls, "the server's certificate is not for host 'localhost'"))
  }

  @Test func aClientCertificateIsShownAndItsConnectionNotLent() async throws {
    let url = try nginx().url(nginx().askingForCertificate)
    let plain = try request(url)
    var signed = plain
    signed.connection.certificateFile = try nginx().file("client.pem")
    signed.connection.keyFile = try nginx().file("client.key")
    #expect(try await transport.send(signed).status == 200)
    // nginx answers 400 where no certificate was shown.
    #expect(try await transport.send(plain).status == 400)
    #expect(try await transport.send(signed).status == 200)
  }

  @Test func aKeyThatDoesNotFitItsCertificateIsNamed() async throws {
    var request = try request(try nginx().url(nginx().askingForCertificate))
    request.connection.certificateFile = try nginx().file("client.pem")
    request.connection.keyFile = try nginx().file("server.key")
    let error = try await failure(request)
    #expect(error.kind == .tls)
    #expect(error.message.hasPrefix("client certificate: "))
  }

  @Test func aFileWithoutAuthoritiesIsNamed() async throws {
    var request = try request(try nginx().url(nginx().valid))
    request.connection.caFile = try nginx().file("nginx.conf")
    let error = try await failure(request)
    #expect(error.kind == .file)
    #expect(error.message.contains("nginx.conf"))
  }

  @Test func aServerThatSpeaksNoTLS() async throws {
    let error = try await failure(try request(try nginx().url(nginx().plain)))
    #expect(error.kind == .tls)
    #expect(error.message.hasPrefix("TLS handshake with localhost:"))
  }

  @Test func aTunnelLeadsThroughAProxyThatAsksForAPassword() async throws {
    let proxy = try RawServer.tunnel(to: nginx().valid, password: "user:secret")
    var request = try request(try nginx().url(nginx().valid))
    request.connection.proxy = "http://user:secret@127.0.0.1:\(proxy.port)"
    #expect(try await transport.send(request).version == "2")
    request.connection.proxy = "http://user:wrong@127.0.0.1:\(proxy.port)"
    #expect(
      try await failure(request)
        == TransportError(.proxy, "the proxy answered CONNECT with 407"))
  }
}

extension RawServer {
  /// A proxy that opens tunnels to one port of this machine.
  fileprivate static func tunnel(to port: Int, password: String) throws -> RawServer {
    let expected = "Proxy-Authorization: Basic \(Data(password.utf8).base64EncodedString())\r\n"
    return try RawServer { connection in
      while let request = connection.readRequest() {
        guard request.hasPrefix("CONNECT localhost:\(port) "), request.contains(expected) else {
          connection.write(
            "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\""
              + "\r\nContent-Length: 0\r\n\r\n")
          continue
        }
        connection.write("HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
        return connection.pump(to: port)
      }
    }
  }
}
