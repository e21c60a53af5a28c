import Foundation
import PipelineFormats
import PipelineJSONText

/// Reading CSV, NDJSON, XML and server-sent events, beside Python's `csv`, orjson, lxml, and a loop over
/// lines with orjson, in the same run.
///
/// Each reading ends with values: rows of `csv.DictReader`, objects of orjson, a tree of lxml; here
/// a document. The pieces of the last part are thrown away as they come, so its memory is what the
/// reader itself needs.
struct FormatBenchmark {
  let rounds: Int

  /// The size of the texts, in bytes.
  private static let size = 50_000_000

  func run() {
    print("medians of \(rounds) rounds, processor time; MB/s of the text that is read")
    report("CSV", Self.csv(atLeast: Self.size), .separated(SeparatedFormat(.csv)), Self.pythonCSV)
    report("NDJSON", Self.lines(atLeast: Self.size), .lines, Self.pythonLines)
    report("XML", Self.xml(atLeast: Self.size), .xml(XMLFormat()), Self.pythonXML)
    report("events", Self.events(atLeast: Self.size), .events, Self.pythonEvents)
    print("\npeak memory of reading 2 GB in pieces of 64 KB")
    reportMemory("CSV", Self.csv(atLeast: 1 << 20), .separated(SeparatedFormat(.csv)))
    reportMemory("NDJSON", Self.lines(atLeast: 1 << 20), .lines)
    reportMemory("server-sent events", Self.events(atLeast: 1 << 20), .events)
  }

  // MARK: Speed

  private func report(
    _ name: String, _ bytes: [UInt8], _ format: BodyFormat, _ python: (name: String, text: String)
  ) {
    var contest = Contest(byteCount: bytes.count, rounds: rounds)
    if format.givesRows {
      contest.enter("\(name) → rows as text") {
        ((try? format.rows(of: bytes)) ?? nil)?.count ?? -1
      }
    }
    contest.enter("\(name) → values") {
      (try? format.document(of: bytes, charset: nil, limit: .max))?.root.count ?? -1
    }
    print("\n\(name), \(bytes.count) bytes")
    let results = contest.medians()
    for result in results { line(result.name, bytes.count, result.seconds, "\(result.value)") }
    guard let own = results.last else { return }
    guard let other = pythonTime(bytes, python.text) else {
      print("  \(python.name): not measured, Python or its package is missing")
      return
    }
    line(
      python.name, bytes.count, other,
      String(format: "%.2f × as long", other / own.seconds))
  }

  private func line(_ name: String, _ count: Int, _ seconds: Double, _ remark: String) {
    print(
      "  " + name.padding(toLength: 26, withPad: " ", startingAt: 0)
        + String(format: "%9.1f MB/s  ", Double(count) / seconds / 1e6) + remark)
  }

  /// The median of the processor's time that a Python script takes to read a file; `nil`: it cannot.
  private func pythonTime(_ bytes: [UInt8], _ body: String) -> Double? {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pipeline-bench-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: file) }
    guard (try? Data(bytes).write(to: file)) != nil else { return nil }
    let script = """
      import sys, time
      \(body)
      times = []
      for _ in range(int(sys.argv[2]) + 1):
          start = time.process_time()
          read(sys.argv[1])
          times.append(time.process_time() - start)
      times = sorted(times[1:])
      print(times[len(times) // 2])
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, file.path, "\(rounds)"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static let pythonCSV = (
    "Python csv.DictReader",
    """
    import csv
    def read(path):
        with open(path, newline='', encoding='utf-8') as file:
            return len(list(csv.DictReader(file)))
    """
  )
  private static let pythonLines = (
    "Python orjson",
    """
    import orjson
    def read(path):
        with open(path, 'rb') as file:
            return len([orjson.loads(line) for line in file])
    """
  )
  private static let pythonXML = (
    "Python lxml",
    """
    from lxml import etree
    def read(path):
        return len(etree.parse(path, etree.XMLParser(huge_tree=True)).getroot())
    """
  )

  private static let pythonEvents = (
    "Python lines and orjson",
    """
    import orjson
    def read(path):
        events, event = [], {}
        with open(path, 'rb') as file:
            for line in file:
                line = line.rstrip(b'\\n')
                if not line:
                    if 'data' in event:
                        events.append(event)
                    event = {}
                    continue
                name, _, value = line.partition(b':')
                value = value[1:] if value.startswith(b' ') else value
                event[name.decode()] = orjson.loads(value) if name == b'data' else value.decode()
        return len(events)
    """
  )

  // MARK: Memory

  private func reportMemory(_ name: String, _ piece: [UInt8], _ format: BodyFormat) {
    let before = rusage.ownPeakBytes
    let seconds = Self.read(piece, times: 2 << 10, format)
    line(
      name, piece.count << 11, seconds,
      String(format: "%.1f MB more than before", (rusage.ownPeakBytes - before) / 1e6))
  }

  /// Reads the same text again and again as one stream, and throws its rows away.
  ///
  /// - Returns: The seconds that it took.
  private static func read(_ text: [UInt8], times: Int, _ format: BodyFormat) -> Double {
    let start = Date()
    var separated = SeparatedReader(SeparatedFormat(.csv))
    var lines = LineReader()
    var events = EventReader()
    for _ in 0..<times {
      for begin in stride(from: 0, to: text.count, by: 1 << 16) {
        let bytes = Array(text[begin..<min(begin + 1 << 16, text.count)])
        var rows = RowText(.lines, capacity: 2 * bytes.count)
        switch format {
        case .separated: try? separated.read(bytes, to: &rows)
        case .lines: try? lines.read(bytes, to: &rows)
        default: try? events.read(bytes, to: &rows)
        }
      }
    }
    return Date().timeIntervalSince(start)
  }

  // MARK: Texts

  private static func repeated(_ count: Int, _ head: String, _ row: (Int) -> String) -> [UInt8] {
    var text = Array(head.utf8)
    var number = 0
    while text.count < count {
      number += 1
      text += row(number).utf8
    }
    return text
  }

  private static func csv(atLeast count: Int) -> [UInt8] {
    repeated(count, "id,name,email,city,amount,note\n") { number in
      "\(number),User \(number),user\(number)@example.com,\"Berlin, Mitte\",\(number % 1000).25,"
        + "\"said \"\"hello\"\" \(number)\"\n"
    }
  }

  private static func lines(atLeast count: Int) -> [UInt8] {
    repeated(count, "") { number in
      #"{"id": \#(number), "name": "User \#(number)", "email": "user\#(number)@example.com","#
        + #" "tags": ["a", "b"], "amount": \#(number % 1000).25, "active": true}"# + "\n"
    }
  }

  private static func xml(atLeast count: Int) -> [UInt8] {
    repeated(count, "<?xml version=\"1.0\"?>\n<orders>\n") { number in
      "  <order id=\"\(number)\" state=\"open\">\n    <name>User &amp; \(number)</name>\n"
        + "    <city>Berlin</city>\n    <amount currency=\"EUR\">\(number % 1000).25</amount>\n"
        + "  </order>\n"
    } + Array("</orders>\n".utf8)
  }

  private static func events(atLeast count: Int) -> [UInt8] {
    repeated(count, "") { number in
      "id: \(number)\nevent: change\ndata: {\"id\": \(number), \"name\": \"User \(number)\"}\n\n"
    }
  }
}
