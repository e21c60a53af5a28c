import CurlTransports
import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineSourceText
import PipelineTestSupport
import PipelineTestTraits
import Synchronization
import Testing

@testable import PipelineCommand

/// The workflows below `workflows/`, against the sandbox.
@Suite(.ownThreads) struct SampleTests {
  static let folder = Conformance.packageRoot + "/workflows"

  /// Every sample by its path below the folder.
  static let all = files("").filter { $0 != "parts/bank.json" }

  /// The samples for which nobody has to log in before.
  static let samples = all.filter { $0 != "login.json" }

  /// Every test file by its path below the folder `tests`.
  static let tests = files("tests/")

  /// The JSON files directly in a folder and in `parts` below it, by their paths below the folder.
  private static func files(_ place: String) -> [String] {
    ["", "parts/"].flatMap { part in
      ((try? FileSystem.system.names(folder + "/" + place + part)) ?? [])
        .filter { $0.hasSuffix(".json") }.map { part + $0 }
    }
  }

  @Test func everySampleHasTestsAndTheyPass() async throws {
    let names = Self.all.map { String($0.dropLast(".json".count)) + ".test.json" }
    #expect(Set(names) == Set(Self.tests))
    let outcome = await pipeline(["test", Self.folder])
    #expect(outcome.status == .success, "\(outcome.error)")
  }

  /// What a sample needs besides its defaults.
  private static let arguments = [
    "parts/account.json": ["--set", "user=7"], "export.json": ["--no-store"],
    "months.json": ["--no-store"],
    "approve.json": ["--no-store", "--answer", "confirm.answer=true"],
  ]

  private func run(
    _ path: String, _ transport: @escaping @Sendable () -> any Transport = { CurlTransport() },
    _ more: [String] = []
  ) async -> Outcome {
    let output = TemporaryFolder()
    let (stdout, stderr) = (CapturedStream(), CapturedStream())
    let console = Console(output: stdout, error: stderr, files: .system, environment: [:])
    let program = Program(console: console, clock: SystemClock(), transport: transport)
    let status = await program.main(
      ["run", path, "--quiet", "--output-dir", output.path] + more)
    return Outcome(status: status, output: stdout.text, error: stderr.text)
  }

  @Test(arguments: samples) func aSampleGivesWhatIsRecorded(_ sample: String) async throws {
    let outcome = await run(
      Self.folder + "/" + sample, { CurlTransport() }, Self.arguments[sample] ?? [])
    #expect(outcome.status == .success, "\(outcome.error)")
    let name = sample.split(separator: "/").joined(separator: "-")
    expectSnapshot(outcome.output, "sample-" + name)
  }

  @Test func lintFindsNothingInAnySample() async {
    let outcome = await pipeline(["lint", "--strict", Self.folder])
    #expect(outcome.output == "")
    // One more is a file that others build on.
    #expect(outcome.error == "No problems in \(Self.all.count + Self.tests.count + 1) files\n")
    #expect(outcome.status == .success)
  }

  @Test(arguments: samples) func theOrderOfAnswersDoesNotMatter(_ sample: String) async throws {
    let more = Self.arguments[sample] ?? []
    let expected = await run(Self.folder + "/" + sample, { CurlTransport() }, more)
    for seed in 1...LongTests.count(2, long: 20) {
      let outcome = await run(
        Self.folder + "/" + sample,
        { ShufflingTransport(CurlTransport(), seed: UInt64(seed)) }, more)
      #expect(outcome.status == .success, "seed \(seed): \(outcome.error)")
      #expect(outcome.output == expected.output, "seed \(seed)")
    }
  }

  @Test func theFourWaysOfACollectionGiveTheSame() async throws {
    let bytes = try #require(readFile(Self.folder + "/images.json"))
    let text = String(decoding: bytes, as: UTF8.self)
    let folder = TemporaryFolder()
    var outputs: [String] = []
    for (batch, concurrency) in [("", 1), ("", 4), ("\"batch\": 5, ", 1), ("\"batch\": 5, ", 3)] {
      let changed = text.replacing(
        "\"concurrency\": 1", with: "\(batch)\"concurrency\": \(concurrency)")
      let outcome = await run(folder.write(changed, to: "images.json"))
      #expect(outcome.status == .success, "\(outcome.error)")
      outputs.append(outcome.output)
    }
    #expect(outputs.allSatisfy { $0 == outputs[0] && !$0.isEmpty })
  }

  @Test func theCookbookNamesEverySampleAndQuotesItRightly() throws {
    let bytes = try #require(readFile(Conformance.packageRoot + "/docs/cookbook.md"))
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    var named: Set<String> = []
    var sample = ""
    var quoted: String?
    for line in lines {
      if line == "```json" {
        quoted = ""
      } else if line == "```", let text = quoted {
        #expect(sample.contains(text.filter { !$0.isWhitespace }), "\(text)")
        quoted = nil
      } else if quoted != nil {
        quoted? += line + "\n"
      }
      let names = line.split(separator: "`").filter { $0.hasPrefix("workflows/") }
      if let name = names.first, quoted == nil {
        let text = try #require(readFile(Conformance.packageRoot + "/" + name))
        sample = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace }
        named.formUnion(names.map(String.init))
      }
    }
    for sample in Self.all { #expect(named.contains("workflows/" + sample), "\(sample)") }
  }

  @Test func theIndexNamesEverySample() throws {
    let bytes = try #require(readFile(Self.folder + "/README.md"))
    let text = String(decoding: bytes, as: UTF8.self)
    for sample in Self.all { #expect(text.contains("](\(sample))"), "\(sample)") }
  }

  @Test func everySampleBeginsWithADescription() throws {
    for sample in Self.all {
      let bytes = try #require(readFile(Self.folder + "/" + sample))
      let root = try JSONDocument.parse(bytes).root
      let keys = root.members.prefix(3).map(\.name)
      #expect(keys == ["format", "name", "description"], "\(sample)")
    }
  }
}

/// Hands on the answers of another transport in an order of its own: those that wait at the same
/// time are released one by one, drawn by a seeded generator.
final class ShufflingTransport: Transport {
  private struct State {
    var generator: SeededGenerator
    /// Requests that the other transport has not answered.
    var inFlight = 0
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let base: any Transport
  private let state: Mutex<State>

  var keepsTimeLimits: Bool { base.keepsTimeLimits }

  /// Where tasks that yield do not wait for other tests.
  func preferredExecutor(for task: Int?) -> (any TaskExecutor)? { OwnThreads.shared }

  init(_ base: any Transport, seed: UInt64) {
    self.base = base
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    state.withLock { $0.inFlight += 1 }
    let result: Result<TransportResponse, TransportError>
    do throws(TransportError) {
      result = .success(try await base.send(request))
    } catch {
      result = .failure(error)
    }
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.held.append(continuation)
        state.inFlight -= 1
      }
      release()
    }
    // Whoever is still held goes on once the run had time to send what this answer makes possible.
    Task(executorPreference: OwnThreads.shared) { [self] in
      for _ in 0..<50 { await Task.yield() }
      release()
    }
    return try result.get()
  }

  /// Lets one answer go, unless others are still to come.
  private func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.inFlight == 0, !state.held.isEmpty else { return nil }
      return state.held.remove(at: Int.random(in: 0..<state.held.count, using: &state.generator))
    }
    next?.resume()
  }
}
