import CurlTransports
import PipelineKit
import PipelineTestTraits
import Testing

@testable import PipelineEngine

@Suite(.ownThreads) struct AddressTests {
  let transport = CurlTransport()

  private func refusing(_ url: String) -> TransportRequest {
    var request = TransportRequest(url: url)
    request.connection.refusesPrivateAddresses = true
    return request
  }

  @Test func aLoopbackAddressIsRefusedBeforeConnecting() async throws {
    let server = try RawServer.echo()
    await #expect(throws: TransportError(.refusedAddress, "'127.0.0.1' is a loopback address")) {
      try await transport.send(refusing(server.url()))
    }
    await #expect(throws: TransportError(.refusedAddress, "'localhost' is this machine's own name"))
    {
      try await transport.send(refusing("http://localhost:\(server.port)/"))
    }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: [
    "http://127.1/", "http://0x7f000001/", "http://2130706433/", "http://[::1]/",
    "http://[::ffff:127.0.0.1]/", "http://0/", "http://169.254.169.254/latest",
    "http://10.0.0.1/", "http://user@127.0.0.1/", "http://[fe80::1%25lo]/", "http://a.localhost/",
    "http://127.0.0.1./", "http://127.1./", "http://localhost./", "http://a.localhost./",
    "http://0x7F.1/", "http://0177.0.0.1/", "http://017700000001/", "http://127.0.0.1.:80/",
    "http://%31%32%37.0.0.1/", "http://127%2e0.0.1/", "http://１２７.0.0.1/", "http://127。0。0。1/",
    "http://①②⑦.0.0.1/", "http://ｌocalhost/", "http://[::ffff:7f00:1]/", "http://[::1%25lo]/",
    "http://[0:0:0:0:0:0:0:1]/", "http://[64:ff9b::7f00:1]/", "http://ip6-localhost/",
  ])
  func noNotationOfAPrivateAddressPasses(_ url: String) async throws {
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(refusing(url))
    }
    #expect(error.kind == .refusedAddress)
  }

  @Test func aNameThatLeadsToThisMachineIsRefused() async throws {
    // `ip6-localhost` and the machine's own name stand in /etc/hosts of most systems; both lead here.
    let error = try await #require(throws: TransportError.self) {
      try await transport.send(refusing("http://ip6-localhost:1/"))
    }
    #expect([.refusedAddress, .nameResolution].contains(error.kind))
  }

  @Test func anOpenConnectionIsNotReusedForARequestThatMayNotHaveIt() async throws {
    let server = try RawServer.echo()
    _ = try await transport.send(TransportRequest(url: server.url()))
    await #expect(throws: TransportError.self) { try await transport.send(refusing(server.url())) }
    #expect(try await transport.send(TransportRequest(url: server.url())).status == 200)
  }

  @Test(arguments: [
    ("127.0.0.1", "a loopback address"), ("127.255.0.9", "a loopback address"),
    ("10.1.2.3", "a private address"), ("172.16.0.1", "a private address"),
    ("172.31.255.255", "a private address"), ("192.168.1.1", "a private address"),
    ("169.254.0.1", "a link-local address"), ("100.64.0.1", "a carrier's shared address"),
    ("100.127.255.255", "a carrier's shared address"), ("0.0.0.0", "an unspecified address"),
    ("224.0.0.1", "a multicast address"), ("255.255.255.255", "a reserved address"),
    ("198.18.0.1", "a reserved address"), ("::", "an unspecified address"),
    ("::1", "a loopback address"), ("::ffff:10.0.0.1", "a private address"),
    ("::127.0.0.1", "a loopback address"), ("fe80::1", "a link-local address"),
    ("febf::1", "a link-local address"), ("fc00::1", "a private address"),
    ("fdff::1", "a private address"), ("fec0::1", "a private address"),
    ("ff02::1", "a multicast address"), ("2002:7f00:1::", "a loopback address"),
    ("64:ff9b::10.0.0.1", "a private address"), ("64:ff9b:1::1", "a private address"),
    ("127.0.0.1.", "a loopback address"), ("10.1.", "a private address"),
    ("2130706433.", "a loopback address"), ("0X7F000001", "a loopback address"),
    ("[::ffff:127.0.0.1]", "a loopback address"), ("[fe80::1%25eth0]", "a link-local address"),
    ("LOCALHOST.", "this machine's own name"), ("a.Localhost.", "this machine's own name"),
    ("127%2e0.0.1", "a name that not every reader reads alike"),
    ("１２７.0.0.1", "a name that not every reader reads alike"),
  ])
  func anAddressThatIsNotPublicSaysWhatItIs(address: String, reason: String) {
    #expect(AddressRule.reasonToRefuse(literalHost: address) == reason)
  }

  @Test(arguments: [
    "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1", "193.0.0.1",
    "2606:4700::1111", "2002:101:101::", "64:ff9b::1.1.1.1", "::ffff:8.8.8.8", "example.com",
  ])
  func aPublicAddressPasses(_ address: String) {
    #expect(AddressRule.reasonToRefuse(literalHost: address) == nil)
  }
}
