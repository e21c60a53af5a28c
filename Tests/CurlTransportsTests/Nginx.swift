import Foundation
import Testing

/// nginx with certificates of its own making, for as long as a suite runs.
struct Nginx: Sendable {
  let folder: URL
  /// Ports of servers that differ in their certificate.
  let valid: Int
  let expired: Int
  let otherHost: Int
  let askingForCertificate: Int
  let plain: Int
  /// One that speaks HTTP/1.1 only, and one that closes after seven requests on a connection.
  let secure: Int
  let short: Int
  /// What a path of `valid` hands its requests to, which never answers.
  private let silent: RawServer

  @TaskLocal static var current: Nginx?

  static var isInstalled: Bool { path(of: "nginx") != nil && path(of: "openssl") != nil }

  func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func url(_ port: Int, _ path: String = "/") -> String { "https://localhost:\(port)\(path)" }

  static func start() throws -> Nginx {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("pipeline-nginx-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let silent = try RawServer { $0.waitForClose() }
    var attempts = 5
    while true {
      let ports = try (0..<7).map { _ in try RawServer { _ in } }
      let nginx = Nginx(
        folder: folder, valid: ports[0].port, expired: ports[1].port, otherHost: ports[2].port,
        askingForCertificate: ports[3].port, plain: ports[4].port,
        secure: ports[5].port, short: ports[6].port, silent: silent)
      if attempts == 5 { try nginx.makeCertificates() }
      try nginx.configuration.write(
        toFile: nginx.file("nginx.conf"), atomically: true, encoding: .utf8)
      try Data(repeating: 65, count: 64 << 10).write(to: URL(fileURLWithPath: nginx.file("slow")))
      for port in ports { port.stop() }
      do {
        // It returns once its sockets are open.
        try nginx.run("nginx", "-p", folder.path, "-c", nginx.file("nginx.conf"))
        return nginx
      } catch let error as ToolFailure where error.output.contains("in use") && attempts > 1 {
        // Another test has taken one of the ports since.
        attempts -= 1
      }
    }
  }

  /// The requests that begin so, once there are `count` of them or five seconds have passed: nginx
  /// writes its log after it has answered.
  func requests(_ start: String, atLeast count: Int) async -> [String] {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(5)
    while requests(start).count < count, clock.now < end { await Task.yield() }
    return requests(start)
  }

  /// The requests that have arrived whole and whose path begins so, as in `POST /a`.
  func requests(_ prefix: String) -> [String] {
    let text = (try? String(contentsOfFile: file("requests.log"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
  }

  /// Begins new workers, and has the old ones end.
  func reload() throws {
    try run("nginx", "-p", folder.path, "-c", file("nginx.conf"), "-s", "reload")
  }

  func stop() {
    try? run("nginx", "-p", folder.path, "-c", file("nginx.conf"), "-s", "stop")
    try? FileManager.default.removeItem(at: folder)
  }

  private var configuration: String {
    func server(
      _ port: Int, _ certificate: String, _ more: String = "", http2: Bool = true
    ) -> String {
      """
      server {
        listen 127.0.0.1:\(port) ssl\(http2 ? " http2" : ""); server_name localhost;
        ssl_certificate \(file(certificate)).pem; ssl_certificate_key \(file("server")).key;
        \(more)
        location /slow { limit_rate 16k; root \(folder.path); }
        location /silent { proxy_pass http://127.0.0.1:\(silent.port); }
        location / { return 200 "$connection $server_protocol $ssl_session_reused"; }
      }

      """
    }
    return """
      pid \(file("nginx.pid")); error_log \(file("error.log")); worker_processes 1;
      events { worker_connections 512; }
      http {
        log_format requests '$request_method $uri $server_protocol $status';
        access_log off;
        client_body_temp_path \(folder.path); proxy_temp_path \(folder.path);
        fastcgi_temp_path \(folder.path); uwsgi_temp_path \(folder.path);
        scgi_temp_path \(folder.path);
        \(server(valid, "server", "access_log \(file("requests.log")) requests;"))
        \(server(
          secure, "server", "access_log \(file("requests.log")) requests;", http2: false))
        \(server(
          short, "server", "access_log \(file("requests.log")) requests; keepalive_requests 7;"))
        \(server(expired, "expired"))
        \(server(otherHost, "other"))
        \(server(
          askingForCertificate, "server",
          "ssl_client_certificate \(file("ca.pem")); ssl_verify_client on;"))
        server { listen 127.0.0.1:\(plain); location / { return 200 "plain"; } }
      }
      """
  }

  private func makeCertificates() throws {
    try run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=CA",
      "-keyout", file("ca.key"), "-out", file("ca.pem"))
    for key in ["server", "client"] {
      try run(
        "openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(key)",
        "-keyout", file("\(key).key"), "-out", file("\(key).csr"))
    }
    try sign("server", as: "server", names: "DNS:localhost,IP:127.0.0.1", days: 2)
    try sign("server", as: "other", names: "DNS:other.example", days: 2)
    try sign("server", as: "expired", names: "DNS:localhost,IP:127.0.0.1", days: -1)
    try sign("client", as: "client", names: "DNS:client", days: 2)
  }

  private func sign(_ request: String, as name: String, names: String, days: Int) throws {
    try "subjectAltName=\(names)".write(
      toFile: file("\(name).ext"), atomically: true, encoding: .utf8)
    try run(
      "openssl", "x509", "-req", "-in", file("\(request).csr"), "-CA", file("ca.pem"), "-CAkey",
      file("ca.key"), "-CAcreateserial", "-days", "\(days)", "-extfile", file("\(name).ext"),
      "-out", file("\(name).pem"))
  }

  private func run(_ tool: String, _ arguments: String...) throws {
    guard let path = Nginx.path(of: tool)?.path else { return }
    // Not Foundation's Process: it waits for whoever inherits its descriptors, and a daemon does.
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      let environment = _NSGetEnviron().pointee
    #else
      var actions = posix_spawn_file_actions_t()
      let environment = environ
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, 2, file("\(tool).log"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    var status: Int32 = -1
    if posix_spawn(&process, path, &actions, nil, &words, environment) == 0 {
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
    guard status == 0 else {
      let text = (try? String(contentsOfFile: file("\(tool).log"), encoding: .utf8)) ?? ""
      throw ToolFailure(tool: tool, arguments: arguments, output: text)
    }
  }

  private struct ToolFailure: Error {
    let tool: String
    let arguments: [String]
    let output: String
  }

  private static func path(of tool: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (folders + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"])
      .map { URL(fileURLWithPath: String($0)).appendingPathComponent(tool) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// Runs nginx around a suite.
struct NginxTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let nginx = try Nginx.start()
    defer { nginx.stop() }
    try await Nginx.$current.withValue(nginx, operation: function)
  }
}
