import Foundation
import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// What our own runs sent, as another tool would show it, imported and sent again.
struct ImportRoundTripTests {
  private let folder = TemporaryFolder()

  /// A request of a recording.
  private struct Sent {
    let method: String
    let target: String
    let headers: [(name: String, value: String)]
    let body: String?

    /// The command that a browser's "copy as curl" gives.
    func curl(_ origin: String) -> String {
      func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
      }
      var words = ["curl", "-X", method, quoted(origin + target)]
      for (name, value) in headers { words += ["-H", quoted("\(name): \(value)")] }
      if let body { words += ["--data-raw", quoted(body)] }
      return words.joined(separator: " ")
    }
  }

  /// The requests of the samples' recordings, one of each shape. Bytes that are not text, and marks
  /// in place of secrets, cannot be in a command.
  private func recorded() throws -> [Sent] {
    let root = Conformance.packageRoot + "/workflows/tests/recordings/"
    let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
    var shapes: Set<String> = []
    var found: [Sent] = []
    for name in names where name.hasSuffix(".har") {
      let entries = try JSONDocument.parse(try #require(readFile(root + name))).root["log"]?[
        "entries"]
      for entry in entries?.elements.map({ $0 }) ?? [] {
        guard let request = entry["request"], !request.text.contains("•"),
          request["postData"]?["params"] == nil, request["postData"]?["encoding"] == nil,
          let url = request["url"]?.string, let method = request["method"]?.string
        else { continue }
        let target = url.replacingOccurrences(of: "http://sandbox.test", with: "")
        let type = request["postData"]?["mimeType"]?.string
        let shape = method + target.filter { !$0.isNumber } + (type ?? "")
        guard type?.hasPrefix("multipart") != true, shapes.insert(shape).inserted else { continue }
        var headers = (request["headers"]?.elements.map { $0 } ?? []).map {
          (name: $0["name"]?.string ?? "", value: $0["value"]?.string ?? "")
        }
        headers.removeAll { ["content-type", "content-length"].contains($0.name.lowercased()) }
        if let type { headers.append(("Content-Type", type)) }
        found.append(
          Sent(
            method: method, target: target, headers: headers,
            body: request["postData"]?["text"]?.string))
      }
    }
    return found
  }

  @Test func requestsComeBackByCurl() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let requests = try recorded()
    #expect(requests.count > 30)
    for request in requests {
      let command = request.curl(server.origin)
      let file = folder.write(command, to: "command.sh")
      let result = await pipeline(["import", file])
      guard result.status == .success else {
        Issue.record("\(command)\n\(result.error)")
        continue
      }
      let path = folder.write(result.output, to: "w.json")
      let inputs = try JSONDocument.parse(Array(result.output.utf8)).root["inputs"]
      guard inputs == nil else { continue }
      let count = server.records.requestCount
      _ = await pipeline(["run", "--no-store", "--quiet", path])
      let sent = server.records.requests.dropFirst(count)
      guard let first = sent.first else {
        Issue.record("nothing was sent: \(command)")
        continue
      }
      #expect(first.method == request.method, "\(command)")
      #expect(Self.plain(first.target) == Self.plain(request.target), "\(command)")
      if let body = request.body {
        #expect(
          Self.isEqual(first.body, body),
          "\(command)\n\(String(decoding: first.body, as: UTF8.self))")
      } else {
        #expect(first.body.isEmpty, "\(command)")
      }
      for (name, value) in request.headers where name.lowercased() != "content-type" {
        #expect(
          first.headers.first { $0.name.lowercased() == name.lowercased() }?.value == value,
          "\(command)")
      }
    }
  }

  private static func plain(_ target: String) -> String {
    target.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? target
  }

  /// Whether two bodies are equal bytes, or the same JSON.
  private static func isEqual(_ bytes: [UInt8], _ text: String) -> Bool {
    if bytes == Array(text.utf8) { return true }
    guard let one = try? JSONDocument.parse(bytes),
      let other = try? JSONDocument.parse(Array(text.utf8))
    else { return false }
    return one.root.isEqual(to: other.root)
  }
}
