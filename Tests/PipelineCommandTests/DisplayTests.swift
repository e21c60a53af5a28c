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
          0 of 3 steps · 0 requests · 0 s · waiting: list, user, report

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
        of: "user", failed: item == 7, at: .seconds(4) + .milliseconds(item * 4))
    }
    #expect(
      text(display.live(at: .seconds(6), size: size)) == """
        ⠋ user    ━━━━━╸─────────────────    500/2,000  250/s  0:06 left  1 failed
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

  @Test func manyRunningStepsFitTheTerminal() {
    var display = Display(title: "t", steps: (1...9).map { "step\($0)" })
    for step in 1...9 { display.start("step\(step)", at: .zero) }
    let lines = display.live(at: .zero, size: TerminalSize(width: 40, height: 5))
    #expect(
      text(lines, width: 39)
        == """
        ⠋ step1
        ⠋ step2
        ⠋ step3
          … 6 more running
          0 of 9 steps · 0 requests · 0 s

        """.replacing("step1", with: "step1  ").replacing("step2", with: "step2  ")
        .replacing("step3", with: "step3  "))
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
        stream, choice: choice, environment: environment.merging(more) { $1 })
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
