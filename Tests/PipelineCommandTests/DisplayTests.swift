import Testing

@testable import PipelineCommand

struct DisplayTests {
  private let size = TerminalSize(width: 80, height: 24)

  private func text(_ lines: [Line], width: Int = 79) -> String {
    lines.map { $0.text(colored: false, limit: width) + "\n" }.joined()
  }

  @Test func aTimelineOfARun() {
    var display = Display(title: "users", steps: ["list", "user", "report"])
    #expect(
      text(display.live(at: .zero, size: size)) == """
          0 of 3 steps · 0 requests · 0.0 s · waiting: list, user, report

        """)
    display.start("list", at: .milliseconds(10))
    #expect(
      text(display.live(at: .milliseconds(1250), size: size)) == """
        ⠹ list    1.2 s
          0 of 3 steps · 0 requests · 1.3 s · waiting: user, report

        """)
    display.finishRequest(of: "list", retry: "status 503, again in 2.0 s")
    #expect(
      text(display.live(at: .milliseconds(1500), size: size)) == """
        ⠴ list    1.5 s  status 503, again in 2.0 s
          0 of 3 steps · 1 request · 1.5 s · waiting: user, report

        """)
    display.finishRequest(of: "list")
    #expect(
      text([display.finish("list", .done, at: .seconds(4))]) == "✓ list    2 requests · 4.0 s\n")

    display.start("user", items: 2000, at: .seconds(4))
    for item in 1...500 {
      display.finishRequest(of: "user")
      display.finishItem(
        of: "user", item == 7 ? .failed : .done, at: .seconds(4) + .milliseconds(item * 4))
    }
    #expect(
      text(display.live(at: .seconds(6), size: size)) == """
        ⠋ user    ━━━━━╸─────────────────    500/2,000  1 failed  250/s  0:06 left
          1 of 3 steps · 502 requests · 6.0 s · waiting: report

        """)
    #expect(
      text([display.finish("user", .failed, at: .seconds(9))])
        == "✗ user    500 of 2,000 items · 1 failed · 500 requests · 5.0 s\n")
    #expect(
      text([display.finish("report", .skipped("'user' failed"), at: .seconds(9))])
        == "– report  skipped: 'user' failed\n")
    #expect(
      text([display.summary(.failed, at: .seconds(9))])
        == "✗ users failed  1 of 3 steps done · 1 failed · 1 skipped · 502 requests · 9.0 s\n")
  }

  @Test func theSummaryCountsWhatWasCancelledApart() {
    var display = Display(title: "t", steps: ["a", "b", "c"])
    _ = display.finish("a", .done, at: .zero)
    _ = display.finish("b", .cancelled, at: .zero)
    _ = display.finish("c", .skipped("the run stopped"), at: .zero)
    #expect(
      display.summary(.interrupted, at: .seconds(1)).text(colored: false)
        == "✗ t interrupted  1 of 3 steps done · 1 skipped · 1 cancelled · 0 requests · 1.0 s")
  }

  @Test func theSummarySaysIfEveryStepWasSkipped() {
    var display = Display(title: "t", steps: ["a", "b"])
    _ = display.finish("a", .skipped("its 'when' does not hold"), at: .zero)
    _ = display.finish("b", .skipped("step 'a' was skipped"), at: .zero)
    #expect(
      display.summary(.succeeded, at: .seconds(1)).text(colored: false)
        == "✓ t  2 steps · 2 skipped · 0 requests · 1.0 s · nothing was done: every step was skipped"
    )
    #expect(
      Display(title: "t", steps: []).summary(.succeeded, at: .seconds(1)).text(colored: false)
        == "✓ t  0 steps · 0 requests · 1.0 s")
  }

  @Test func collectionsComeFirstInASmallWindow() {
    var display = Display(title: "t", steps: ["a", "b", "c", "all"])
    for step in ["a", "b", "c"] { display.start(step, at: .zero) }
    display.start("all", items: 10, at: .zero)
    func first(_ height: Int) -> String {
      text(Array(display.live(at: .zero, size: TerminalSize(width: 60, height: height))), width: 59)
    }
    #expect(first(3).contains("all") && first(3).contains("0/10") && !first(3).contains(" a "))
    // With room for all of them they keep their order.
    #expect(first(9).split(separator: "\n").first?.contains(" a ") == true)
  }

  @Test func manyRunningStepsFitTheTerminal() {
    var display = Display(title: "t", steps: (1...9).map { "step\($0)" })
    for step in 1...9 { display.start("step\(step)", at: .zero) }
    let lines = display.live(at: .zero, size: TerminalSize(width: 40, height: 5))
    #expect(
      text(lines, width: 39)
        == """
        ⠋ step1  0.0 s
        ⠋ step2  0.0 s
        ⠋ step3  0.0 s
          … 6 more running
          0 of 9 steps · 0 requests · 0.0 s

        """)
    #expect(display.live(at: .zero, size: TerminalSize(width: 40, height: 1)).count == 1)
  }

  @Test func ofManyWaitingStepsTheNextAreNamed() {
    let names = (1...20_000).map { "s\($0)" }
    var display = Display(title: "t", steps: names)
    for name in names.prefix(19_000) {
      display.start(name, at: .zero)
      _ = display.finish(name, .done, at: .zero)
    }
    let status = display.live(at: .zero, size: TerminalSize(width: 300, height: 5)).last
    let text = status?.text(colored: false) ?? ""
    #expect(text.contains("waiting: s19001, s19002, "))
    #expect(text.hasSuffix(", s19012, …"))
  }

  @Test func narrowTerminalsDropTheBar() {
    var display = Display(title: "t", steps: ["a"])
    display.start("a", items: 10, at: .zero)
    let lines = display.live(at: .zero, size: TerminalSize(width: 30, height: 10))
    #expect(text(Array(lines.prefix(1))) == "⠋ a   0/10\n")
  }

  @Test func failuresAreTheLastToBeCut() {
    var display = Display(title: "t", steps: ["a"])
    display.start("a", items: 20_000, at: .zero)
    for item in 1...12_400 {
      display.finishItem(
        of: "a", item <= 12_341 ? .failed : .done, at: .milliseconds(item))
    }
    func first(_ width: Int) -> String {
      let size = TerminalSize(width: width, height: 10)
      return display.live(at: .seconds(13), size: size)[0].text(colored: false, limit: width - 1)
    }
    #expect(
      first(80)
        == "⠋ a  ━━━━━━━━━━━━━━━━──────────  12,400/20,000  12,341 failed  890/s  0:09 left")
    #expect(first(50) == "⠋ a  12,400/20,000  12,341 failed  890/s")
    #expect(first(40) == "⠋ a  12,400/20,000  12,341 failed")
    #expect(first(30) == "⠋ a  12,341 failed")
  }

  @Test func theBarShowsFailedItemsInRed() {
    var display = Display(title: "t", steps: ["a"])
    display.start("a", items: 100, at: .zero)
    for item in 1...60 { display.finishItem(of: "a", item > 30 ? .failed : .done, at: .zero) }
    let text = display.live(at: .zero, size: size)[0].text(colored: true)
    let cells = { (ink: Int, count: Int) in
      "\u{1B}[\(ink)m" + (ink == 32 ? "  " : "") + String(repeating: "━", count: count)
    }
    #expect(text.contains(cells(32, 9)) && !text.contains(cells(32, 10)))
    #expect(text.contains(cells(31, 10)) && !text.contains(cells(31, 11)))
  }

  @Test func theEndOfAStepSaysHowMuchItDid() {
    var display = Display(title: "t", steps: ["a", "b"])
    display.start("a", at: .zero)
    display.finishRequest(of: "a")
    #expect(
      display.finish("a", .recovered("answered 500"), at: .seconds(2)).text(colored: false)
        == "✓ a  recovered: answered 500 · 1 request · 2.0 s")
    display.start("b", items: 100, at: .zero)
    for item in 1...40 { display.finishItem(of: "b", item > 30 ? .recovered : .done, at: .zero) }
    #expect(
      display.finish("b", .cancelled, at: .seconds(3)).text(colored: false)
        == "– b  cancelled · 40 of 100 items · 10 recovered · 3.0 s")
  }

  @Test func aBlockShowsWhichOfItsStepsRun() {
    var display = Display(title: "t", steps: ["each", "last"])
    display.start("each", items: 12, at: .zero)
    for _ in 1...3 { display.startInner("load", of: "each") }
    display.startInner("save", of: "each")
    func live(_ height: Int, _ width: Int = 80) -> String {
      text(display.live(at: .zero, size: TerminalSize(width: width, height: height)), width: width)
    }
    #expect(live(24).contains("    load ×3, save\n"))
    #expect(live(24, 16).contains("    load ×3, …\n"))
    #expect(!live(2).contains("load"))
    for _ in 1...3 { display.finishInner("load", of: "each") }
    #expect(live(24).contains("    save\n"))
  }

  @Test func permanentLinesWrapBetweenWords() {
    #expect(
      Wrapping.lines(of: "✗ a  the server closed the connection early", width: 24) == [
        "✗ a  the server closed", "  the connection early",
      ])
    #expect(
      Wrapping.lines(of: "      = request: GET /x/y (3 attempts)", width: 28) == [
        "      = request: GET /x/y (3", "        attempts)",
      ])
    let source = "   24 |       \"endpoint\": \"GET /users\""
    #expect(Wrapping.lines(of: source, width: 20) == [source])
    #expect(
      Wrapping.lines(of: "\u{1B}[31mred words\u{1B}[0m", width: 9) == [
        "\u{1B}[31mred words\u{1B}[0m"
      ])
  }

  @Test func linesAreCutByCellsAndKeepTheirInks() {
    var line = Line("日本", .good)
    line.append("語です")
    #expect(line.width == 10)
    #expect(line.text(colored: false, limit: 8) == "日本語…")
    #expect(line.text(colored: true, limit: 4) == "\u{1B}[32m日\u{1B}[0m…")
    #expect(Line("a\u{1B}[2Jb").text(colored: true) == "a␛[2Jb")
  }

  @Test func aFrameErasesWhatWasDrawnAlsoAfterAResize() {
    var screen = Screen(colored: false)
    let wide = TerminalSize(width: 80, height: 24)
    let long = Line(String(repeating: "x", count: 60))
    #expect(screen.frame(permanent: [], live: [long, Line("b")], size: wide).hasSuffix("x\nb\n"))
    // 60 cells in 25 columns are 3 rows, and 1 for the other line.
    let narrow = TerminalSize(width: 25, height: 24)
    #expect(
      screen.frame(permanent: ["done"], live: [], size: narrow) == "\u{1B}[4A\r\u{1B}[Jdone\n")
    #expect(screen.frame(permanent: ["p"], live: [], size: narrow) == "p\n")
  }

  @Test(arguments: [
    (Duration.microseconds(420), "0.4 ms"), (.milliseconds(12), "12 ms"),
    (.milliseconds(999), "999 ms"), (.milliseconds(1234), "1.2 s"), (.seconds(42), "42 s"),
    (.seconds(65), "1:05"), (.seconds(3609), "1:00:09"), (.zero, "0.0 ms"),
  ])
  func durationsReadWell(duration: Duration, expected: String) {
    #expect(duration.text == expected)
  }

  @Test func numbersReadWell() {
    #expect(
      [0, 999, 1000, -20_000, 1_234_567].map(\.grouped) == [
        "0", "999", "1,000", "-20,000", "1,234,567",
      ])
    #expect(
      [340, 1229, 64 << 20, 1 << 40].map(\.byteText) == ["340 B", "1.2 KB", "64 MB", "1.0 TB"])
    #expect(decimal(-0.04, digits: 1) == "0.0")
    #expect(decimal(.infinity, digits: 1) == "–")
  }
}

struct ColoringTests {
  private let terminal = CapturedStream(terminal: TerminalSize(width: 80, height: 24))
  private let pipe = CapturedStream()

  @Test func colouringFollowsOptionThenEnvironmentThenTerminal() {
    let environment = ["TERM": "xterm"]
    func isColored(
      _ stream: CapturedStream, _ choice: ColorChoice, _ more: [String: String] = [:]
    ) -> Bool {
      Coloring.isColored(
        TextStream(stream, environment: [:]), choice: choice,
        environment: environment.merging(more) { $1 })
    }
    #expect(isColored(terminal, .auto) && !isColored(pipe, .auto))
    #expect(!isColored(terminal, .auto, ["NO_COLOR": "1"]))
    #expect(isColored(terminal, .auto, ["NO_COLOR": ""]))
    #expect(isColored(terminal, .always, ["NO_COLOR": "1"]) && isColored(pipe, .always))
    #expect(!isColored(terminal, .never))
    #expect(!isColored(terminal, .auto, ["TERM": "dumb"]))
    #expect(isColored(pipe, .auto, ["CLICOLOR_FORCE": "1"]))
    #expect(!isColored(pipe, .auto, ["CLICOLOR_FORCE": "0"]))
    #expect(!isColored(pipe, .auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]))
  }
}
