/// Sees the body of a response while it arrives, and says what becomes of it.
///
/// A transport that gives a body in pieces hands them on as they come, from one thread at a time. Of
/// one that does not, the receiver gets the whole body at the end.
package protocol BodyReceiver: AnyObject, Sendable {
  /// The header of a response has come, and its body follows. It takes the place of a former response
  /// to the same request, such as one that asked for authentication.
  func begin(_ response: TransportResponse)

  /// Takes the next piece of the decoded body.
  func take(_ piece: UnsafeRawBufferPointer) -> BodyVerdict

  /// The response is whole, or what was wanted of it has come.
  ///
  /// - Parameter response: What the transport gives. A receiver that has seen nothing of its body
  ///   takes it here, and drops what is not wanted.
  /// - Throws: Why the response cannot be used.
  func end(_ response: inout TransportResponse) throws(TransportError)
}

/// What becomes of a piece of a body.
package enum BodyVerdict {
  /// It is kept, and more may follow.
  case goesOn
  /// The body ends after the given number of these bytes. The request has succeeded, whatever the
  /// server would have sent.
  case ends(keeping: Int)
  /// The receiver has it, and it is not kept.
  case taken
  /// It cannot be used, and the request has failed.
  case fails(TransportError)
}
