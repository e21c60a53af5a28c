internal import PipelineByteText
internal import PipelineRecordings
internal import PipelineURIs

/// Why an entry of a recording is not part of the workflow.
package enum TrafficNoise: String, Sendable, CaseIterable {
  case preflight = "preflight requests"
  case staticFile = "static files"
  case page = "pages of which nothing is used"
  case analytics = "analytics"
  case stream = "streams of events, web sockets"
  case notSent = "requests that were not sent or got no response"
  case notModified = "responses 304"
  case retried = "attempts that were repeated"
  case repeated = "repeated requests with the same response"

  /// What an entry is by itself; `nil` if it may be a part of the workflow.
  init?(_ entry: TrafficEntry, hasResponses: Bool) {
    let url = entry.request.url
    guard url.hasPrefix(bytes: "http://") || url.hasPrefix(bytes: "https://") else {
      self = url.hasPrefix(bytes: "ws") ? .stream : .notSent
      return
    }
    if entry.isOfServiceWorker || hasResponses && entry.status == 0 {
      self = .notSent
    } else if entry.request.method == "OPTIONS", Self.isPreflight(entry) {
      self = .preflight
    } else if ["eventsource", "websocket"].contains(entry.resourceType)
      || entry.mediaType.equals(bytes: "text/event-stream") || entry.status == 101
    {
      self = .stream
    } else if Self.isAnalytics(entry) {
      self = .analytics
    } else if Self.isStatic(entry) {
      self = .staticFile
    } else {
      return nil
    }
  }

  private static func isPreflight(_ entry: TrafficEntry) -> Bool {
    entry.resourceType.equals(bytes: "preflight")
      || entry.request.headers.contains {
        $0.name.equalsIgnoringASCIICase("access-control-request-method")
      }
  }

  private static let beacons = ["ping", "beacon", "cspviolationreport", "csp_report"]
  private static let hosts = [
    "google-analytics.com", "analytics.google.com", "googletagmanager.com", "doubleclick.net",
    "segment.io", "segment.com", "mixpanel.com", "amplitude.com", "hotjar.com", "hotjar.io",
    "sentry.io", "bugsnag.com", "nr-data.net", "clarity.ms", "fullstory.com", "datadoghq.com",
    "launchdarkly.com", "optimizely.com", "facebook.net", "newrelic.com", "intercom.io",
  ]

  private static func isAnalytics(_ entry: TrafficEntry) -> Bool {
    if beacons.contains(entry.resourceType) { return true }
    guard let host = URI.parse(entry.request.url)?.host?.lowercased() else { return false }
    return hosts.contains { host.equals(bytes: $0) || host.hasSuffix(bytes: "." + $0) }
  }

  private static let staticTypes: Set<String> = [
    "image", "font", "stylesheet", "script", "media", "manifest", "texttrack", "imageset",
    "sourcemap",
  ]
  private static let staticEndings = [
    ".js", ".mjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp",
    ".avif", ".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp4", ".webm", ".mp3", ".wasm",
  ]

  private static func isStatic(_ entry: TrafficEntry) -> Bool {
    guard entry.isSafe else { return false }
    if staticTypes.contains(entry.resourceType) { return true }
    // Browsers say what a request was for. Other recorders do not.
    guard entry.resourceType.isEmpty else { return false }
    let type = entry.mediaType
    if ["font/", "video/", "audio/"].contains(where: { type.hasPrefix(bytes: $0) }) { return true }
    if type.equals(bytes: "text/css") || type.hasSuffix(bytes: "javascript") { return true }
    let path = entry.request.url.prefix(before: "?", "#").lowercased()
    return staticEndings.contains { path.hasSuffix(bytes: $0) }
  }
}
