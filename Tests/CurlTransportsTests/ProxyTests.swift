import Foundation
import PipelineKit
import PipelineTestSupport
import PipelineTestTraits
import PipelineURIs
import Testing

@testable import CurlTransports

@Suite(.ownThreads) struct ProxyTests {
  let transport = CurlTransport()

  /// libcurl does not say which proxy it means.
  @Test func aProxyThatCannotBeUsedIsNamed() async {
    var request = TransportRequest(url: "http://192.0.2.1/")
    request.connection.proxy = "ftp://user:secret@localhost:1"
    let error = await #expect(throws: TransportError.self) {
      try await CurlTransport().send(request)
    }
    #expect(error?.kind == .proxy)
    #expect(
      error?.message.hasPrefix("no connection to the proxy 'ftp://localhost:1': ") == true,
      "\(error?.message ?? "")")
  }

  @Test func aPlainRequestGoesToTheProxyWithItsWholeURL() async throws {
    let proxy = try RawServer.echo()
    var request = TransportRequest(url: "http://example.invalid/a/../b?c=%2f#d")
    request.connection.proxy = "http://us%65r:p%40ss@127.0.0.1:\(proxy.port)"
    let text = String(decoding: try await transport.send(request).body, as: UTF8.self)
    #expect(text.hasPrefix("GET http://example.invalid/a/../b?c=%2f HTTP/1.1\r\n"))
    #expect(text.contains("\r\nHost: example.invalid\r\n"))
    let credentials = Data("user:p@ss".utf8).base64EncodedString()
    #expect(text.contains("\r\nProxy-Authorization: Basic \(credentials)\r\n"))
  }

  @Test func connectionsOfDifferentProxyUsersAreNotShared() async throws {
    let proxy = try RawServer.echo()
    for user in ["a", "b", "a"] {
      var request = TransportRequest(url: "http://example.invalid/")
      request.connection.proxy = "http://\(user):x@127.0.0.1:\(proxy.port)"
      let text = String(decoding: try await transport.send(request).body, as: UTF8.self)
      #expect(text.contains(Data("\(user):x".utf8).base64EncodedString()))
    }
  }

  @Test func manySettingsTakeTurnsWithFewHandles() async throws {
    let proxy = try RawServer.echo()
    for user in 0..<200 {
      var request = TransportRequest(url: "http://example.invalid/")
      request.connection.proxy = "http://\(user):x@127.0.0.1:\(proxy.port)"
      #expect(try await transport.send(request).status == 200)
    }
    #expect(proxy.connectionCount == 200)
  }

  @Test func aProxyThatRefusesATunnelIsNamedAsSuch() async throws {
    let proxy = try RawServer(
      answering: "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    var request = TransportRequest(url: "https://example.invalid/")
    request.connection.proxy = "http://127.0.0.1:\(proxy.port)"
    await #expect(throws: TransportError(.proxy, "the proxy answered CONNECT with 407")) {
      try await transport.send(request)
    }
  }

  @Test func aProxyWithoutAddress() async throws {
    var request = TransportRequest(url: "http://example.invalid/")
    request.connection.proxy = "http://no-such-proxy.invalid:1"
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(request)
    }
    #expect(error.kind == .proxy)
    #expect(error.message.contains("no-such-proxy.invalid"))
  }

  @Test func aProxyThatIsNotThere() async throws {
    let port = ClosedPort()
    var request = TransportRequest(url: "http://example.invalid/")
    request.connection.proxy = "http://127.0.0.1:\(port.number)"
    await #expect(
      throws: TransportError(.proxy, "connection refused by the proxy 127.0.0.1:\(port.number)")
    ) {
      try await transport.send(request)
    }
  }

  /// The proxy's own address may be private, the URL's host may not.
  @Test func behindAProxyOnlyLiteralHostsAreRefused() async throws {
    let proxy = try RawServer.echo()
    var request = TransportRequest(url: "http://example.invalid/")
    request.connection.proxy = "http://127.0.0.1:\(proxy.port)"
    request.connection.refusesPrivateAddresses = true
    #expect(try await transport.send(request).status == 200)
    request.url = "http://10.0.0.1/"
    await #expect(throws: TransportError(.refusedAddress, "'10.0.0.1' is a private address")) {
      try await transport.send(request)
    }
    for host in ["127.0.0.1.", "127.1.", "localhost.", "0x7f.1", "127%2e0.0.1", "１２７.0.0.1"] {
      request.url = "http://\(host)/"
      let error = try await #require(throws: TransportError.self) {
        try await transport.send(request)
      }
      #expect(error.kind == .refusedAddress, "\(host)")
    }
    #expect(proxy.connectionCount == 1)
  }

  @Test(arguments: environments)
  func theEnvironmentNamesAProxy(
    url: String, variables: String, proxy: String?
  ) throws {
    let origin = try #require(Origin(of: url))
    let pairs = variables.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1) }
    let found = EnvironmentProxy.forOrigin(origin) { name in
      pairs.first { $0[0] == name }.map { String($0[1]) }
    }
    #expect(found == proxy)
  }
}

private let environments: [(url: String, variables: String, proxy: String?)] = [
  ("http://a.example/", "http_proxy=http://p:1", "http://p:1"),
  ("http://a.example/", "HTTP_PROXY=http://p:1", nil),
  ("https://a.example/", "HTTPS_PROXY=http://p:2", "http://p:2"),
  ("https://a.example/", "http_proxy=http://p:1", nil),
  ("https://a.example/", "ALL_PROXY=http://p:3", "http://p:3"),
  ("http://a.example:80/", "http_proxy=http://p:1|no_proxy=b, .example", nil),
  ("http://user@a.example/", "http_proxy=http://p:1|no_proxy=A.example", nil),
  ("http://a.example/", "http_proxy=http://p:1|NO_PROXY=*", nil),
  ("http://anexample/", "http_proxy=http://p:1|no_proxy=example", "http://p:1"),
  ("http://[fd00::1]:8/", "http_proxy=http://p:1|no_proxy=[fd00::1]", nil),
]
