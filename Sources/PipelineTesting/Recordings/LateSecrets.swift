internal import PipelineByteText
internal import PipelineKit
internal import PipelineRecordings
internal import Synchronization

/// Hides in the entries of a recording what became known as a credential only after they were made.
///
/// A login answers with a token, and a later request carries it as `auth`: its value is hidden in
/// the answer, too.
final class LateSecrets: Sendable {
  private struct State {
    /// The run's own, once a request has named it.
    var run: Redactor?
    /// What stood in the place of a credential.
    var credentials: Redactor?
  }

  private let state = Mutex(State())

  func note(_ redactor: Redactor) {
    state.withLock { state in
      guard state.run == nil else { return }
      state.run = redactor
      state.credentials = Redactor(names: redactor.names)
    }
  }

  /// Hides a credential that a request or a response carried.
  func hide(_ value: String, as name: String) {
    state.withLock { $0.credentials }?.hide(value, as: name)
  }

  /// How many secrets are known. A text that was searched before it grew may hold a secret.
  var revision: Int {
    state.withLock { ($0.run?.count ?? 0) + ($0.credentials?.count ?? 0) }
  }

  /// Whether a text holds a secret, and is therefore not written as it is.
  func isHidden(_ text: String) -> Bool {
    let (run, credentials) = state.withLock { ($0.run, $0.credentials) }
    return [run, credentials].contains { $0?.places(in: Array(text.utf8)).isEmpty == false }
  }

  /// The shape of the credential of a name.
  func shape(of name: String) -> String? { state.withLock { $0.run }?.names?.shape(of: name) }

  /// An entry with names in place of secrets, and the shapes of the secrets that it held, by name;
  /// `nil` if it holds none.
  func named(
    _ entry: [UInt8], _ exchange: () -> RecordedExchange?
  ) -> (exchange: RecordedExchange, shapes: [String: String])? {
    let (run, credentials) = state.withLock { ($0.run, $0.credentials) }
    let redactors = [run, credentials].compactMap(\.self).filter(\.isActive)
    guard redactors.contains(where: { !$0.places(in: entry).isEmpty }), let names = run?.names,
      var exchange = exchange()
    else { return nil }
    var shapes: [String: String] = [:]
    func named(_ bytes: [UInt8], _ kind: SecretNames.TextKind) -> [UInt8] {
      var places = MaskedPlaces()
      for redactor in redactors { places.add(redactor.places(in: bytes)) }
      return names.named(bytes, places, kind) { shapes[$0] = names.shape(of: $0) }
    }
    func text(_ text: String, _ kind: SecretNames.TextKind = .plain) -> String {
      String(decoding: named(Array(text.utf8), kind), as: UTF8.self)
    }
    exchange.request.url = text(exchange.request.url, .url)
    exchange.request.headers = exchange.request.headers.map {
      RecordedField($0.name, text($0.value))
    }
    switch exchange.request.body {
    case .bytes(let bytes, let type)?:
      exchange.request.body = .bytes(named(bytes, .plain), type: type)
    case .form(let parts, let type)?:
      exchange.request.body = .form(
        parts.map { part in
          var part = part
          part.value = part.value.map { text($0) }
          return part
        }, type: type)
    case .file, nil: break
    }
    switch exchange.outcome {
    case .response(var response):
      response.headers = response.headers.map { RecordedField($0.name, text($0.value)) }
      response.body = named(response.body, .plain)
      exchange.outcome = .response(response)
    case .failure(let kind, let message):
      exchange.outcome = .failure(kind: kind, message: text(message))
    }
    return (exchange, shapes)
  }
}
