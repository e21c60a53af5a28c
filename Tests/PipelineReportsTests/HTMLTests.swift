import Foundation
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineReports

@Suite struct HTMLTests {
  /// Texts that would act if they were taken for markup.
  private static let injections = [
    "<script>document.documentElement.dataset.hacked = 1</script>",
    "</style><script>document.documentElement.dataset.hacked = 2</script>",
    "</title></head><body onload=\"document.documentElement.dataset.hacked = 3\">",
    "\"><img src=\"http://injected.example/a\" onerror=\"document.documentElement.dataset.hacked = 4\">",
    "'><svg onload='document.documentElement.dataset.hacked = 5'>",
    "javascript:document.documentElement.dataset.hacked=6", "--><script>hacked()</script><!--",
    "</svg><iframe src=http://injected.example/b></iframe>",
    "</pre><link rel=stylesheet href=http://injected.example/c>",
    "<style>@import 'http://injected.example/d'; body { background: url(http://injected.example/e) }</style>",
    "<meta http-equiv=refresh content='0;url=http://injected.example/f'>",
    "<base href=http://injected.example/>",
    "<form action=http://injected.example/><input autofocus>",
    "</details></section></main></body></html><script>hacked()</script>",
    "&lt;script&gt;hacked()&lt;/script&gt;", "]]><script>hacked()</script>", "{{constructor}}",
    "\u{0}<\u{0}script>hacked()</script>", "<scr\u{0}ipt>hacked()</script>",
    "\u{202E}<script>\u{2028}hacked()\u{2029}</script>", "`${hacked()}`",
    "<math><mtext><script>hacked()</script>",
    "<noscript><p title=\"</noscript><img src=x onerror=hacked()>\">",
  ]

  /// A trace in which every text is an injection.
  private static func hostile() -> RunTrace {
    var trace = RunTrace()
    trace.workflow = injections[0]
    trace.run = injections[1]
    trace.file = injections[2]
    trace.status = "failed"
    trace.duration = 1_000_000
    trace.stopReason = injections[3]
    for (number, text) in injections.enumerated() {
      var step = RunTrace.Step(id: text, action: text, file: text)
      step.start = 0
      step.end = 1_000_000
      step.reason = text
      step.outcomes.failed = 1
      step.after = [injections[max(0, number - 1)]]
      step.items = 3
      step.density = Density()
      step.density?.add(at: 5, isGood: false)
      step.latency.add(100)
      trace.steps.append(step)
      trace.failures.append(
        RunTrace.Failed(
          step: text, path: [], item: 1, kind: text, message: text, method: text, url: text,
          attempts: 2, status: 500, body: text, details: text, file: text, line: 1, column: 1,
          time: 1, isRecovered: false))
      trace.notes.append(RunTrace.Note(time: 0, step: text, message: text))
      trace.requests.append(
        RunTrace.Request(
          step: number, path: [], item: 1, attempt: 2, method: text, url: text, status: 500,
          error: text, bytes: 1, sent: 10, end: 20, waits: [], connecting: 1, server: 2,
          receiving: 3, isReused: false, isRetried: false, cache: text))
      trace.path.append(
        RunTrace.PathPart(
          step: number, item: nil, start: number * 43_000, end: (number + 1) * 43_000, links: 1,
          uses: [RunTrace.Use(use: .server, origin: text, time: 43_000)]))
      trace.uses.append(RunTrace.Use(use: .server, origin: text, time: 43_000))
    }
    return trace
  }

  @Test func nothingInTextsIsMarkup() {
    let html = HTMLReport.text(of: Self.hostile())
    let allowed: Set<Substring> = [
      "!DOCTYPE", "html", "head", "meta", "title", "style", "body", "header", "main", "footer",
      "section", "article", "div", "span", "p", "h1", "h2", "h3", "dl", "dt", "dd", "i", "a",
      "small", "code", "pre", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
      "ul", "li", "svg", "path", "g", "rect", "text", "defs", "marker", "tspan",
    ]
    for part in html.split(separator: "<").dropFirst() {
      let name = part.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "!" }
      #expect(allowed.contains(name), "\(part.prefix(80))")
    }
    #expect(html.split(separator: "<meta").count == 5)
    for text in ["dataset.hacked = 1</", "<script", "<img", "onerror=\"", "src=\""] {
      #expect(!html.contains(text), "\(text)")
    }
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
    #expect(!html.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
  }

  private static let chromium = ["chromium", "google-chrome"].first(where: Tool.isInstalled)

  @Test(.enabled(if: chromium != nil, "Chromium is not installed"), .timeLimit(.minutes(5)))
  func aBrowserRunsNoScriptAndSendsNoRequest() throws {
    let folder = TemporaryFolder()
    let page = folder.write(HTMLReport.text(of: Self.hostile()), to: "page.html")
    let output = Tool.run(
      [
        try #require(Self.chromium), "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-component-update", "--user-data-dir=\(folder.path)/profile",
        "--log-net-log=\(folder.path)/net.json", "--virtual-time-budget=2000", "--dump-dom",
        "file://" + page,
      ], in: folder
    ).output
    #expect(output.contains("<main>") && output.contains("</footer>"))
    #expect(!output.contains("data-hacked"))
    #expect(!output.contains("<script") && !output.contains("<iframe"))
    let log = try #require(folder.read("net.json"))
    #expect(log.contains("page.html"))
    #expect(!log.contains("http://injected.example"))
  }

  @Test func theSizeDependsOnTheFileAndNotOnTheItems() {
    var trace = RunTrace()
    trace.workflow = "huge"
    trace.duration = 3_600_000_000
    for number in 0..<3_000 {
      var step = RunTrace.Step(
        id: "a-step-with-a-name-\(number)", action: "request", file: "huge.json")
      step.start = number
      step.end = 3_600_000_000 - number
      step.items = 1_000_000
      step.requests = 1_000_000
      step.outcomes.succeeded = 1
      step.after = number == 0 ? [] : ["a-step-with-a-name-\(number - 1)"]
      var density = Density()
      for second in stride(from: 0, to: 3_600, by: 7) {
        density.add(at: second * 1_000_000, isGood: second % 5 > 0)
        step.latency.add(second * second * 10)
      }
      step.density = density
      trace.steps.append(step)
    }
    let text = String(repeating: "<é\"&>", count: 400)
    trace.failures = (0..<RunTrace.Most.failures).map { number in
      RunTrace.Failed(
        step: "a-step-with-a-name-\(number)", path: [1, 2], item: number, kind: "status",
        message: text, method: "GET", url: text.cut(to: 400), attempts: 3, status: 500,
        body: text, details: text, file: "huge.json", line: 1, column: 1, time: 5)
    }
    trace.requests = (0..<400).map { number in
      RunTrace.Request(
        step: number, path: [], item: number, attempt: 1, method: "GET",
        url: text.cut(to: 400), status: 200, error: nil, bytes: 1, sent: number, end: number + 9,
        waits: [], connecting: 1, server: 5, receiving: 1, isReused: true, isRetried: false,
        cache: nil)
    }
    trace.path = (0..<2_000).map { number in
      RunTrace.PathPart(
        step: number % 200, item: number, start: number * 1_800_000, end: (number + 1) * 1_800_000,
        links: 3, uses: [RunTrace.Use(use: .server, origin: text, time: 1_800_000)])
    }
    let html = HTMLReport.text(of: trace)
    #expect(html.utf8.count < 1_000_000, "\(html.utf8.count) bytes")
  }

  @Test func aRunWithoutStepsIsAPageToo() {
    let html = HTMLReport.text(of: RunTrace())
    #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
  }

  // MARK: For everybody

  /// The contrast of two colors (WCAG 2.2, 1.4.3).
  private static func contrast(_ one: String, _ other: String) -> Double {
    func luminance(_ color: String) -> Double {
      let parts = [1, 3, 5].map { start -> Double in
        let digits = color.dropFirst(start).prefix(2)
        let value = Double(Int(digits, radix: 16) ?? 0) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let (light, dark) = (
      max(luminance(one), luminance(other)), min(luminance(one), luminance(other))
    )
    return (light + 0.05) / (dark + 0.05)
  }

  @Test func everyTextCanBeReadOnItsGround() throws {
    let schemes = HTMLReport.style.components(separatedBy: ":root {").dropFirst()
    #expect(schemes.count == 2)
    for scheme in schemes {
      func color(_ name: String) throws -> String {
        let start = try #require(scheme.range(of: "--\(name): ")?.upperBound)
        return String(scheme[start...].prefix(7))
      }
      let pairs = [
        ("ok", "oktint"), ("bad", "badtint"), ("warn", "warntint"), ("idle", "idletint"),
        ("soft", "paper"), ("soft", "card"), ("ink", "card"), ("ink", "track"), ("link", "card"),
        ("bad", "card"), ("onlink", "link"), ("get", "box"), ("post", "box"), ("put", "box"),
        ("delete", "box"), ("other", "box"), ("soft", "box"), ("soft", "chosen"),
      ]
      for (text, ground) in pairs {
        let contrast = Self.contrast(try color(text), try color(ground))
        #expect(contrast >= 4.5, "\(text) on \(ground)")
      }
    }
  }

  @Test func noTwoRegionsHaveOneName() {
    let page = HTMLReport.text(of: Self.hostile())
    let names = page.components(separatedBy: "role=\"region\" aria-label=\"").dropFirst()
      .map { $0.prefix { $0 != "\"" } }
    #expect(names.count > 1 && Set(names).count == names.count, "\(names)")
  }
}
