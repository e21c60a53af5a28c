internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates
internal import PipelineURIs

// What a step sends, with the settings that decide when and how many times.

extension PlanText {
  func request(_ request: Request, credentials: [String]) -> [String] {
    var lines = [
      [request.shownMethod, CredentialText.masked(url(of: request))].compactMap { $0 }
        .joined(separator: " ")
    ]
    for header in request.headers {
      let hides = ["authorization", "cookie", "proxy-authorization"].contains(
        header.name.lowercased())
      for text in known.texts(header.value.node, encodes: false) {
        lines.append(
          header.name + ": " + (hides && !text.contains(bytes: "{{") ? KnownValues.mask : text))
      }
    }
    for cookie in request.cookies {
      for text in known.texts(cookie.value.node, encodes: false) {
        lines.append(
          "cookie \(cookie.name) = " + (text.contains(bytes: "{{") ? text : KnownValues.mask))
      }
    }
    if let auth = request.auth {
      lines.append("auth   " + credentialText.auth(auth.scheme.form))
    }
    lines += credentials
    if let body = request.body, let data = known.data(body.node) {
      let value = Self.oneLine(data)
      lines.append("body   " + Cells.truncated(value, to: 400))
    }
    if let timeout = request.timeout { lines.append("limits " + limits(timeout)) }
    switch request.cache {
    case .asAnswered? where request.cachesAnswers: lines.append("cache  as each response says")
    case .fresh(let duration)? where request.cachesAnswers:
      lines.append("cache  for " + Quantities.text(of: duration))
    default: break
    }
    if let retry = retry(request.retry) { lines.append(retry) }
    if let paginate = request.paginate { lines.append("pages  " + pages(paginate)) }
    if let poll = request.poll { lines.append("polls  " + polls(poll)) }
    if let read = request.read {
      let end = read.until.map { " until " + $0.value.text } ?? ""
      let place = onDisk.contains(ObjectIdentifier(request)) ? ", whose rows wait on the disk" : ""
      lines.append("reads  \(read.format.words)" + end + place)
    }
    if let settle = request.settle { lines += settles(settle) }
    if let save = request.save { lines.append("saves  " + known.text(save.value)) }
    var names = request.extract.map(\.name)
    if request.save != nil { names += ["path", "size"].filter { !names.contains(bytes: $0) } }
    if !names.isEmpty { lines.append("gives  " + names.joined(separator: ", ")) }
    return lines
  }

  /// `by cursor $.next in 'after', while @.body.more == true, at most 100`, `by number in 'page',
  /// from 1, 5 together, until $.data is short, at most 1,000`
  private func pages(_ paginate: Pagination) -> String {
    var text = paginate.form.planText
    if let items = paginate.items {
      text +=
        ", until \(items.value.text) is \(paginate.form.numbering?.size == nil ? "empty" : "short")"
    }
    if let condition = paginate.while?.node.string { text += ", while " + condition }
    return text + ", at most \(paginate.maxPages.grouped)"
  }

  private func polls(_ poll: Poll) -> String {
    "every \(Quantities.text(of: poll.every)), until " + (poll.until.node.string ?? "")
      + (poll.within.map { ", within " + Quantities.text(of: $0) } ?? "")
      + (poll.attempts.map { ", at most " + $0.grouped + " requests" } ?? "")
  }

  private func settles(_ settle: Settle) -> [String] {
    let method = settle.request.method
    return [
      "looks  \(method) \(CredentialText.masked(url(of: settle.request)))",
      "       done if \(settle.done.node.string ?? ""), within \(Quantities.text(of: settle.within))",
    ]
  }

  func retry(_ policy: RetryPolicy) -> String? {
    guard policy.attempts > 1 else { return nil }
    let condition = policy.when?.node.string
    return "tries  up to \(policy.attempts) times" + (condition.map { ", also if " + $0 } ?? "")
  }

  /// `10s in all, 2s to connect, 5m of silence`
  private func limits(_ timeout: TimeLimits) -> String {
    let parts = [
      (timeout.total, "in all"), (timeout.connect, "to connect"), (timeout.silence, "of silence"),
    ]
    return parts.compactMap { limit, words in
      limit?.node.string.map { $0 + " " + words }
    }.joined(separator: ", ")
  }

  var credentialText: CredentialText { CredentialText(plan: plan, known: known) }

  private func url(of request: Request) -> String {
    let endpoint = request.endpoint.value
    var url = known.url(endpoint.url, of: endpoint.text)
    if endpoint.url.isRelative, let base = request.baseURL?.value.url {
      var start = known.url(base, of: base.text)
      while start.hasSuffix(bytes: "/") { start.removeLast() }
      while url.hasPrefix(bytes: "/") { url.removeFirst() }
      url = start + "/" + url
    }
    let parameters = request.query.flatMap { parameter in
      known.texts(parameter.value.node, encodes: true).map { "\(parameter.name)=\($0)" }
    }
    if parameters.isEmpty { return url }
    return url + (url.contains(bytes: "?") ? "&" : "?") + parameters.joined(separator: "&")
  }

  /// The value of a parameter that may also say how it is written.
}
