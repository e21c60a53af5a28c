/// The way back to the client of one request, from any thread.
///
/// What it is given after the client has gone is dropped.
package struct ServerReply: Sendable {
  /// Names a request of a connection for as long as the server runs.
  struct Exchange: Sendable, Equatable {
    let connection: UInt64
    let serial: UInt64
  }

  let exchange: Exchange
  let mailbox: Mailbox

  /// Gives a response that is `.awaited`.
  package func finish(status: Int, fields: [ServerRequest.Field], body: [UInt8]) {
    mailbox.put(.finish(exchange, status: status, fields: fields, body: body))
  }

  /// Gives a piece of a response that is `.pushed`. An empty one is passed over.
  package func append(_ piece: [UInt8]) {
    if !piece.isEmpty { mailbox.put(.append(exchange, piece)) }
  }

  /// Ends a response that is `.pushed`.
  package func end() { mailbox.put(.end(exchange)) }
}
