internal import PipelineByteText

/// The options of curl that a pasted command is likely to have.
enum CurlOption: String, Sendable, CaseIterable {
  case request, header, data, json, form, get, head, user, cookie, referer, digest, insecure
  case globoff, location, proxy, cacert, cert, key, retry, url, output, basic, range
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
  case urlQuery = "url-query"
  case pathAsIs = "path-as-is"
  case remoteName = "remote-name"
  case signature = "aws-sigv4"

  /// Whether a value follows.
  var takesValue: Bool {
    switch self {
    case .get, .head, .digest, .insecure, .location, .remoteName, .basic, .pathAsIs, .globoff: false
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
    "r": .range, "g": .globoff,
  ]

  /// Options that change only the display, or ask for the default.
  static let silent: Set<String> = [
    "compressed", "silent", "show-error", "verbose", "include", "fail", "fail-with-body",
    "progress-bar", "no-progress-meter", "no-buffer", "tcp-nodelay", "http1.1",
    "http2", "no-keepalive", "tr-encoding", "s", "S", "v", "i", "f", "#", "N", "n", "j", "q",
  ]

  /// Whether an option only switches another one off that has no effect here: `--no-location`.
  static func isSwitchedOff(_ name: String) -> Bool {
    guard name.hasPrefix(bytes: "no-") else { return false }
    let other = String(name.dropFirst(bytes: 3))
    return silent.contains(other) || switches.contains(other)
      || CurlOption(rawValue: other)?.takesValue == false
  }

  /// Options that are not carried over, and take no value.
  static let switches: Set<String> = words(
    """
    anyauth append ca-native cert-status compressed-ssh create-dirs crlf disable
    disable-eprt disable-epsv disallow-username-in-url doh-cert-status doh-insecure fail-early
    false-start form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc
    ftp-ssl-control get haproxy-protocol http0.9 http1.0 http2-prior-knowledge http3 http3-only
    ignore-content-length ipv4 ipv6 junk-session-cookies list-only location-trusted
    mail-rcpt-allowfails manual metalink mptcp negotiate netrc netrc-optional no-alpn no-clobber
    no-npn no-sessionid ntlm ntlm-wb out-null parallel parallel-immediate post301 post302 post303
    proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure
    proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1
    proxytunnel raw remote-header-name remote-name-all remote-time remove-on-error
    retry-all-errors retry-connrefused sasl-ir skip-existing socks5-basic socks5-gssapi
    socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd
    ssl-revoke-best-effort sslv2 sslv3 styled-output suppress-connect-headers tcp-fastopen
    tftp-no-options tls-earlydata tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 trace-ids trace-time
    use-ascii version xattr
    """)

  /// Options that are not carried over, and take a value.
  static let valued: Set<String> = words(
    """
    abstract-unix-socket alt-svc capath cert-type ciphers config connect-to continue-at
    cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr
    dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save
    expect100-timeout ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode
    happy-eyeballs-timeout-ms haproxy-clientip hostpubmd5 hostpubsha256 hsts interface ip-tos
    ipfs-gateway keepalive-cnt keepalive-time key-type krb libcurl limit-rate local-port
    login-options mail-auth mail-from mail-rcpt max-filesize netrc-file noproxy output-dir
    parallel-max parallel-max-host pass pinnedpubkey postquote preproxy prequote proto
    proto-default proto-redir proxy-cacert proxy-capath proxy-cert proxy-cert-type
    proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass
    proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype
    proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file rate
    request-target resolve retry-delay retry-max-time sasl-authzid service-name sigalgs socks4
    socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time ssl-sessions
    stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword
    tlsuser trace trace-ascii trace-config unix-socket upload-flags variable vlan-priority
    write-out w c D K C U y Y z t Q P
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0.isWhitespace }.map(String.init))
  }
}
