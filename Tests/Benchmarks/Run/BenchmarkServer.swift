import Foundation
import PipelineHTTPServers
import PipelineSandboxServers

/// The server that the cases send to: nginx where it is installed, otherwise the sandbox.
struct BenchmarkServer: Sendable {
  let nginx: NginxServer?
  private let sandbox: SandboxServer

  /// - Throws: `Subprocess.Failed`, `ServerError`.
  static func start(in folder: URL, _ processes: Subprocess) throws -> BenchmarkServer {
    let sandbox = try SandboxServer.start()
    return BenchmarkServer(nginx: try .start(in: folder, processes), sandbox: sandbox)
  }

  var description: String {
    nginx.map { "\($0.version), one worker" } ?? "the sandbox, in this process (no nginx here)"
  }

  /// Where a list of so many ids is, and what selects them.
  func list(_ count: Int) throws -> (url: String, ids: String) {
    guard let nginx else { return ("\(sandbox.origin)/large?records=\(count)", "$[*].id") }
    return (try ServedFiles(nginx: nginx).list(count), "$.data[*].id")
  }

  /// Where a body of about 10 MB is.
  func largeBody() throws -> String {
    guard let nginx else { return "\(sandbox.origin)/binary/10000000" }
    return try ServedFiles(nginx: nginx).records("ten.json", atLeast: 10_000_000).url
  }

  /// Where `/slow?ms=20` is answered late.
  var sandboxOrigin: String { sandbox.origin }

  /// What a record's number is appended to. A record has `id`, `email` and `name`.
  var itemsURL: String { nginx.map { "\($0.origin)/items/" } ?? "\(sandbox.origin)/large/" }

  /// The bytes of a row of one record as a run holds it: its email and its name.
  static let rowText = #"{"email":"record.7@sandbox.example","name":"Record 7"}"#
}

/// The files that nginx serves, each written when a case first asks for it.
struct ServedFiles {
  let nginx: NginxServer

  /// `/list.json`: `count` ids.
  func list(_ count: Int) throws -> String {
    let ids = (1...count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let path = nginx.file("list.json")
    try Data(#"{"data":[\#(ids)]}"#.utf8).write(to: URL(fileURLWithPath: path))
    return "\(nginx.origin)/list.json"
  }

  /// A list of user records of at least so many bytes.
  ///
  /// It is written in parts, for what this program holds would count as its children's memory.
  func records(_ name: String, atLeast byteCount: Int) throws -> (url: String, byteCount: Int) {
    let path = nginx.file(name)
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let part = UserRecords.json(atLeast: min(byteCount, 1 << 20))
    let opening = part.prefix { $0 != UInt8(ascii: "[") }.count + 1
    let records = Data(part[opening..<(part.count - 2)])
    try file.write(contentsOf: Data(part[..<opening]))
    try file.write(contentsOf: records)
    var written = opening + records.count
    while written < byteCount {
      try file.write(contentsOf: Data(",".utf8) + records)
      written += records.count + 1
    }
    try file.write(contentsOf: Data("]}".utf8))
    return ("\(nginx.origin)/\(name)", written + 2)
  }

  func remove(_ name: String) { try? FileManager.default.removeItem(atPath: nginx.file(name)) }
}
