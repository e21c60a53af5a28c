import PipelineRecordings
import PipelineTestSupport
import SQLiteJournals
import Testing

@testable import PipelineCommand

/// The answers of a recording, as the page lists and searches them.
@Suite struct PageAnswersTests {
  private let folder = TemporaryFolder()

  @Test func anIndexGivesTheSameRowsAndIsOfOneRecording() async throws {
    let rows = (0..<3_000).map { number in
      """
      {"request": {"method": "GET", "url": "https://a.example/\(number)"},
       "response": {"status": \(number % 7 == 0 ? 500 : 200), "content": {"size": 2, "text": "{}"}},
       "_pipeline": {"step": "s\(number % 2)", "path": [1], "item": \(number), "page": 0, "poll": 0,
         "attempt": 2}}
      """
    }
    let path = folder.write(
      "{\"log\": {\"entries\": [\(rows.joined(separator: ","))]}}", to: "answers.har")
    let index = AnswersIndex(path: folder.path + "/answers.index")
    let signature = try #require(FileSignature(of: path))
    let first = try await PageAnswers.opened(path, index: index, signature)
    #expect(first.rows.count == 3_000 && first.steps.map(\.step) == ["s0", "s1"])
    let kept = try #require(index.rows(.system, of: signature))
    let second = try await PageAnswers.opened(path, index: index, signature)
    Self.expectEqual(first.rows, second.rows)
    #expect(kept.count == 3_000 && second.steps.map(\.rows) == first.steps.map(\.rows))
    #expect(try second.exchange(1_234).request.url == second.rows[1_234].summary.url)
    // Another recording at the same place.
    folder.write("{\"log\": {\"entries\": [\(rows[0])]}}", to: "answers.har")
    let other = try #require(FileSignature(of: path))
    #expect(index.rows(.system, of: other) == nil)
    #expect(try await PageAnswers.opened(path, index: index, other).rows.count == 1)
    // What is cut off is no index.
    let text = try #require(readFile(index.path))
    folder.write(text.dropLast(), to: "answers.index")
    #expect(index.rows(.system, of: signature) == nil)
  }

  private static func expectEqual(_ first: [RecordedRow], _ second: [RecordedRow]) {
    #expect(first.count == second.count)
    for (one, other) in zip(first, second) {
      #expect(one.key == other.key && one.bytes == other.bytes && one.isBad == other.isBad)
      #expect(one.summary.fields == other.summary.fields)
    }
  }

  @Test(.enabled(if: hasSQLite, "SQLite is not installed"))
  func aRunLeavesTheIndexOfItsAnswers() async throws {
    let path = folder.write(
      """
      {"name": "many", "limits": {"concurrency": 8},
       "steps": [{"id": "list", "endpoint": "GET sandbox:/reqres/users"},
         {"id": "a", "forEach": {"from": 1, "to": 2100}, "as": "n", "onItemError": "collect",
          "endpoint": "GET sandbox:/status/{{n}}"}], "outputs": {}}
      """, to: "many.json")
    let store = folder.path + "/store"
    let result = await pipeline(["run", path, "--keep-answers", "--store", store])
    #expect(result.error.contains("recorded 2,101 requests"), "\(result.error)")
    let runs = RunStore(path: store + "/runs")
    let answers = try #require(runs.ids().first.flatMap { runs.answers(ofRun: $0) })
    let index = AnswersIndex(path: try #require(runs.index(ofAnswers: answers)))
    let rows = index.rows(.system, of: try #require(FileSignature(of: answers)))
    let read = try await PageAnswers.opened(answers)
    #expect(read.rows.count == 2_101 && read.rows.contains(where: \.isBad))
    Self.expectEqual(try #require(rows), read.rows)
  }

  @Test func indexesOfOtherRecordingsAreKeptAndBounded() async throws {
    let runs = RunStore(path: folder.path + "/store/runs")
    let entries = (0..<AnswersIndex.least).map {
      #"{"request": {"url": "https://a.example/\#($0)"}, "response": {"status": 200}}"#
    }
    let path = folder.write(
      "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}", to: "many.har")
    let shelf = PageShelf(store: runs)
    // Two that ask at once wait for one reading.
    async let first = shelf.answers(at: path)
    async let second = shelf.answers(at: path)
    #expect(try await first === second)
    let place = try #require(runs.index(ofRecording: path))
    let index = AnswersIndex(path: place)
    let signature = try #require(FileSignature(of: path))
    Self.expectEqual(try #require(index.rows(.system, of: signature)), try await first.rows)
    for number in 0..<40 {
      let other = try #require(runs.index(ofRecording: "/other/\(number).har"))
      AnswersIndex(path: other).write { _ in signature }
    }
    #expect(try FileSystem.system.names(runs.path + "/.recordings").count == 32)
    #expect(runs.ids().isEmpty && runs.listing().runs.isEmpty)
    // Nothing is written if the page only looks.
    _ = try await PageShelf(store: nil).answers(at: path)
  }

  @Test func aSearchFindsInPartsWhatBodiesHold() async throws {
    let bodies = [
      #"{\"name\": \"Zoë\", \"id\": 7}"#, #"a \/ b \u0041"#, "", #"no \\u0041 here"#,
      "YSBiYXNlNjQgdGV4dA==",
    ]
    let rows = (0..<200).map { number in
      """
      {"request": {"method": "GET", "url": "https://a.example/\(number)"},
       "response": {"status": \(number % 5 == 2 ? 404 : 200), "content": {"size": 2,
         "text": "\(bodies[number % 5])"\(number % 5 == 4 ? ", \"encoding\": \"base64\"" : "")}},
       "_pipeline": {"step": "s", "item": \(number)}}
      """
    }
    let path = folder.write(
      "{\"log\": {\"entries\": [\(rows.joined(separator: ","))]}}", to: "answers.har")
    let answers = try await PageAnswers.opened(path)
    func found(_ text: String, onlyBad: Bool = false) throws -> [Int] {
      var (rows, next, parts): ([Int], Int?, Int) = ([], 0, 0)
      while let start = next {
        let part = try AnswersSearch(answers, for: text).found(
          in: "s", onlyBad: onlyBad, from: start, most: 4_000)
        rows += part.rows
        next = part.next
        parts += 1
      }
      #expect(parts > (onlyBad ? 1 : 4))
      return rows
    }
    let numbers = { (rest: Int) in (0..<200).filter { $0 % 5 == rest } }
    #expect(try found(#""Zoë", "id": 7"#) == numbers(0))
    #expect(try found("a / b A") == numbers(1))
    #expect(try found("u0041") == numbers(3))
    #expect(try found("base64 text") == numbers(4))
    #expect(try found("404") == numbers(2))
    #expect(try found("example/17") == [17] + (170..<180))
    #expect(try found("200", onlyBad: true).isEmpty)
    #expect(try found("size").isEmpty)
  }
}
