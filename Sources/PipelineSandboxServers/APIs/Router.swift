internal import PipelineHTTPServers
internal import PipelineJSONText

/// Finds a request's route. Without one, the response is 404 or 405 as JSON.
struct Router {
  private let routes: [String: [Route]]

  init(_ routes: [Route] = Router.all) {
    self.routes = Dictionary(grouping: routes, by: \.key)
  }

  /// Every route of every API, in the order of docs/sandbox.md.
  static let all: [Route] =
    [
      IndexAPI.routes, ReqresAPI.routes, BankAPI.routes, ImagesAPI.routes, UploadsAPI.routes,
      StockAPI.routes, ExchangeAPI.routes, JobsAPI.routes,
      FlakyAPI.routes, AnnouncedAPI.routes, TimingAPI.routes, PagesAPI.routes, OAuthAPI.routes,
      PasswordAPI.routes,
      EchoAPI.routes, CookiesAPI.routes, RedirectAPI.routes, GraphQLAPI.routes,
      ContentAPI.routes, FormatsAPI.routes, RowsAPI.routes, FaultsAPI.routes,
    ].flatMap { $0 }

  func respond(to request: ServerRequest, _ state: inout SandboxState) -> ServerResponse {
    let candidates = routes[request.segments.first ?? ""] ?? []
    var allowed: [String] = []
    for route in candidates {
      guard let values = route.values(in: request.segments) else { continue }
      if route.takes(request.method) {
        return held(route.handle(&state, request, values), as: request)
      }
      allowed.append(route.method)
    }
    guard !allowed.isEmpty else {
      return .object(404) { writer in
        writer.member("error", "no such resource")
        writer.member("path", request.path)
      }
    }
    if allowed.contains("GET") { allowed.append("HEAD") }
    return .failure(
      405, "\(request.method) is not allowed here",
      [ServerResponse.Field("Allow", allowed.joined(separator: ", "))])
  }

  /// `?delay=` holds any answer back, in seconds.
  private func held(_ response: ServerResponse, as request: ServerRequest) -> ServerResponse {
    guard !request.rawQuery.isEmpty, let delay = request.duration("delay", unit: .seconds(1)),
      delay > .zero
    else { return response }
    return response.delayed(by: max(delay, response.delay))
  }
}
