/// The options of curl that a pasted command is likely to have.
enum CurlOption: String, Sendable, CaseIterable {
  case request, header, data, json, form, get, head, user, cookie, referer, digest, insecure
  case location, proxy, cacert, cert, key, retry, url, output, basic, query
  case dataRaw = "data-raw"
  case dataASCII = "data-ascii"
  case dataBinary = "data-binary"
  case dataURLEncode = "data-urlencode"
  case formString = "form-string"
  case bearer = "oauth2-bearer"
  case userAgent = "user-agent"
  case maxTime = "max-time"
  case connectTimeout = "connect-timeout"
  case maxRedirects = "max-redirs"
  case uploadFile = "upload-file"
  case remoteName = "remote-name"
  case signature = "aws-sigv4"

  /// Whether a value follows.
  var takesValue: Bool {
    switch self {
    case .get, .head, .digest, .insecure, .location, .remoteName, .basic: false
    default: true
    }
  }

  init?(letter: Character) {
    guard let option = Self.letters[letter] else { return nil }
    self = option
  }

  private static let letters: [Character: CurlOption] = [
    "X": .request, "H": .header, "d": .data, "F": .form, "G": .get, "I": .head, "u": .user,
    "b": .cookie, "e": .referer, "k": .insecure, "L": .location, "x": .proxy, "E": .cert,
    "o": .output, "O": .remoteName, "A": .userAgent, "m": .maxTime, "T": .uploadFile,
  ]

  /// Options that change only the display, or ask for the default.
  static let silent: Set<String> = [
    "compressed", "silent", "show-error", "verbose", "include", "fail", "fail-with-body",
    "progress-bar", "no-progress-meter", "no-buffer", "tcp-nodelay", "globoff", "http1.1",
    "http2", "no-keepalive", "tr-encoding", "s", "S", "v", "i", "f", "#", "N", "g", "n", "j", "q",
  ]

  /// Options that are not carried over, and take a value.
  static let valued: Set<String> = [
    "resolve", "interface", "write-out", "cookie-jar", "cacert", "capath",
    "ciphers", "connect-to", "dns-servers", "limit-rate", "local-port", "max-filesize",
    "netrc-file",
    "noproxy", "pass", "pinnedpubkey", "proxy-user", "range", "retry-delay", "retry-max-time",
    "speed-limit", "speed-time", "stderr", "time-cond", "tls-max", "trace", "trace-ascii",
    "unix-socket", "keepalive-time", "proxy-header", "dump-header", "config", "continue-at",
    "cert-type", "key-type", "proto", "request-target", "parallel-max", "w", "c", "r", "D", "K",
    "C", "U", "y", "Y", "z", "t", "Q", "P",
  ]
}
