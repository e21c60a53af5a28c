/// Why a request was sent.
///
/// A request has one cause: the last event that led to it. The request of a redirect has the cause
/// `redirect`, whatever led to the request before it.
public enum RequestCause: String, Sendable, Hashable, CaseIterable {
  /// The step or its item began, or a token was needed for it.
  case first
  /// `retry` covers the status of the answer before.
  case status
  /// `retry` covers the error of the attempt before, which got no complete response.
  case error
  /// `retry.when` held for the answer before.
  case condition
  /// The connection ended before a response came, and the request may be sent again.
  case lostConnection
  /// The server refused the token of the request before.
  case refusedToken
  /// The answer before redirected to another URL.
  case redirect
  /// The kept response is stale, so the server is asked whether it is still valid, or for a new one
  /// after it confirmed a response that is not kept.
  case validation
  /// The condition of `poll` did not hold yet.
  case poll
  /// A page after the first is fetched.
  case page
  /// `settle` asks whether an earlier request was carried out.
  case settle

  /// Words for people that follow the place of a request; `nil` if the place says it already.
  package var text: String? {
    switch self {
    case .first, .poll, .page: nil
    case .status: "retry by status"
    case .error: "retry by error"
    case .condition: "retry by condition"
    case .lostConnection: "after a lost connection"
    case .refusedToken: "after a refused token"
    case .redirect: "redirect"
    case .validation: "validation"
    case .settle: "look-up"
    }
  }
}

/// The place of a request in its step.
package struct RequestPlace: Sendable, Hashable {
  /// The position of the item; `nil` if the step does not run over a collection.
  package var item: Int?
  /// The page, from 0; `nil` if the step does not read pages.
  package var page: Int?
  /// The number of polls before, from 0; `nil` if the step does not poll.
  package var poll: Int?
  /// Whether the request is for a token.
  package var isForToken: Bool

  package init(item: Int?, page: Int?, poll: Int?, isForToken: Bool) {
    self.item = item
    self.page = page
    self.poll = poll
    self.isForToken = isForToken
  }

  /// For people: `item 3, page 1, retry by status`. Empty for the first request of a step.
  ///
  /// - Parameter path: The positions of the items around, outermost first.
  package func text(in path: [Int] = [], _ cause: RequestCause) -> String {
    var parts: [String] = []
    let items = path + (item.map { [$0] } ?? [])
    if !items.isEmpty { parts.append("item " + items.map { String($0) }.joined(separator: ".")) }
    if let page, page > 0 { parts.append("page \(page)") }
    if let poll, poll > 0 { parts.append("poll \(poll)") }
    if isForToken { parts.append("token") }
    if let text = cause.text { parts.append(text) }
    return parts.joined(separator: ", ")
  }
}
