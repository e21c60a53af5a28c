import Foundation

/// nginx with a configuration, files and a certificate of its own making.
struct NginxServer: Sendable {
  let folder: URL
  let version: String
  private let program: String
  private let port: Int
  private let ports: (http1: Int, http2: Int)?

  var origin: String { "http://127.0.0.1:\(port)" }

  /// The origins over TLS; `nil` without openssl.
  var secure: SecureOrigins? {
    ports.map {
      SecureOrigins(
        http1: "https://127.0.0.1:\($0.http1)", http2: "https://127.0.0.1:\($0.http2)",
        authority: path("server.pem"))
    }
  }

  /// The record that every item's address answers with.
  static let record = """
    {"id":7,"name":"Record 7","email":"record.7@sandbox.example","active":true,"score":7.8,\
    "account":9007199254740999,"city":"Delft","note":"An entry like those of a customer list, \
    in one line of text.","tags":["alpha","beta","gamma"],\
    "address":{"street":"8 Harbour Road","postcode":"10007"}}
    """

  /// `nil` where nginx is not installed.
  ///
  /// - Throws: `Subprocess.Failed` where it cannot be started.
  static func start(in parent: URL, _ processes: Subprocess) throws -> NginxServer? {
    guard let program = Tool.path("nginx") else { return nil }
    let folder = parent.appendingPathComponent("nginx")
    // Its workers may run as another user.
    let readable: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("www"), withIntermediateDirectories: true,
      attributes: readable)
    for open in [parent, folder] {
      try FileManager.default.setAttributes(readable, ofItemAtPath: open.path)
    }
    let free = try freePorts(3)
    let openssl = Tool.path("openssl")
    let server = NginxServer(
      folder: folder, version: try versionText(program, processes), program: program,
      port: free[0], ports: openssl == nil ? nil : (free[1], free[2]))
    if let openssl { try server.makeCertificate(openssl, processes) }
    try server.configuration.write(
      toFile: server.path("nginx.conf"), atomically: true, encoding: .utf8)
    // It returns once its sockets are open.
    _ = try processes.run(server.command)
    processes.cleanup.add { server.stop(processes) }
    return server
  }

  /// Where a file lies that is served as `/name`.
  func file(_ name: String) -> String { path("www/\(name)") }

  private var command: [String] {
    [program, "-p", folder.path, "-c", path("nginx.conf"), "-e", path("error.log")]
  }

  /// Returns once nginx has removed its last file: the folder is removed next.
  private func stop(_ processes: Subprocess) {
    guard (try? processes.run(command + ["-s", "stop"])) != nil else { return }
    // A process that is not a child of this one gives no sign of its end.
    for _ in 0..<500 where FileManager.default.fileExists(atPath: path("nginx.pid")) {
      usleep(10_000)
    }
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private static func versionText(_ program: String, _ processes: Subprocess) throws -> String {
    let text = try processes.run(
      ["/bin/sh", "-c", "\(program) -v 2>&1"], output: .captured
    ).output
    return text.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) } ?? "nginx"
  }

  private var configuration: String {
    let places = """
      location /items/ { return 200 '\(Self.record)'; }
          location / { root \(path("www")); }
      """
    func secured(_ port: Int, _ more: String) -> String {
      """
        server {
          listen 127.0.0.1:\(port) ssl\(more) backlog=4096;
          ssl_certificate \(path("server.pem")); ssl_certificate_key \(path("server.key"));
          \(places)
        }
      """
    }
    let secure = ports.map { secured($0.http1, "") + "\n" + secured($0.http2, " http2") } ?? ""
    return """
      worker_processes 1; worker_rlimit_nofile 8192;
      pid \(path("nginx.pid")); error_log \(path("error.log"));
      events { worker_connections 4096; }
      http {
        access_log off; keepalive_requests 100000000; default_type application/json;
        client_body_temp_path \(path("tmp")); proxy_temp_path \(path("tmp"));
        fastcgi_temp_path \(path("tmp")); uwsgi_temp_path \(path("tmp"));
        scgi_temp_path \(path("tmp"));
        server {
          listen 127.0.0.1:\(port) backlog=4096;
          \(places)
        }
      \(secure)
      }
      """
  }

  private func makeCertificate(_ openssl: String, _ processes: Subprocess) throws {
    _ = try processes.run([
      openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
      path("server.key"), "-out", path("server.pem"),
    ])
  }

  private static func freePorts(_ count: Int) throws -> [Int] {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    return try (0..<count).map { _ in
      #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      descriptors.append(descriptor)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          bind(descriptor, generic, length) == 0
            && getsockname(descriptor, generic, &length) == 0
        }
      }
      guard bound else { throw Subprocess.Failed(description: "no free port on 127.0.0.1") }
      return Int(UInt16(bigEndian: address.sin_port))
    }
  }
}

/// Where the same answers are given over TLS.
struct SecureOrigins: Sendable {
  /// Answers with HTTP/1.1 only.
  let http1: String
  let http2: String
  /// The file with the certificate to trust.
  let authority: String
}
