import CurlTransports
import PipelineJSONText
import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineCommand
@testable import PipelineEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every sample is recorded on the sandbox, and replayed in any order without a socket.
///
/// With `LONG_TESTS=1` a hundred times each.
@Suite(.serialized) struct SampleReplayTests {
  /// Under how many orders a sample is replayed with each of four concurrencies.
  private static let orders = LongTests.count(2, long: 25)

  private let folder = TemporaryFolder()

  private func call(_ arguments: [String]) async -> Outcome {
    let (stdout, stderr) = (CapturedStream(), CapturedStream())
    let console = Console(output: stdout, error: stderr, files: .system, environment: [:])
    let program = Program(
      console: console, clock: SystemClock(), transport: { CurlTransport() })
    let status = await program.main(arguments)
    return Outcome(status: status, output: stdout.text, error: stderr.text)
  }

  private static let arguments = [
    "parts/account.json": ["--set", "user=7"], "approve.json": ["--answer", "confirm.answer=true"],
  ]

  private static func inputs(of sample: String) -> String {
    sample == "parts/account.json" ? #""inputs": {"user": 7}, "# : ""
  }

  /// Where the copy of a sample lies.
  private func place(of sample: String) -> String {
    folder.path + "/workflows/" + sample.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// Records a copy of a sample; the recording's text, and the outputs.
  private func record(_ sample: String) async throws -> (text: String, outputs: String) {
    let (source, target) = (SampleTests.folder, folder.path + "/workflows/")
    TemporaryFolder.make(target)
    #expect(system("cp -r '\(source)/parts' '\(source)/files' '\(target)'") == 0)
    if !sample.hasPrefix("parts/") {
      folder.write(try #require(readFile(source + "/" + sample)), to: "workflows/" + sample)
    }
    let har = place(of: sample) + "/recorded.har"
    let more = Self.arguments[sample] ?? []
    let outcome = await call(
      [
        "run", folder.path + "/workflows/" + sample, "--no-store", "--quiet", "--output-dir",
        folder.path + "/out", "--record", har,
      ] + more)
    #expect(outcome.status == .success, "\(outcome.error)")
    let bytes = try #require(readFile(har))
    return (String(decoding: bytes, as: UTF8.self), outcome.output)
  }

  @Test(arguments: SampleTests.samples)
  func everyReplayGivesTheSame(_ sample: String) async throws {
    let (text, outputs) = try await record(sample)
    for secret in ["sandbox-secret", "c2FuZGJveC1jbGllbnQ6"] { #expect(!text.contains(secret)) }
    let tests = LongTests.share([1, 2, 5, 16], step: 2, part: 1).map { concurrency in
      """
      {"name": "\(concurrency) at once", \(Self.inputs(of: sample))"concurrency": \(concurrency),
      "replay": "./recorded.har", "orders": \(Self.orders),
      "expect": {"outputs": \(outputs), "exactly": true}}
      """
    }
    let name = sample.split(separator: "/").last ?? ""
    let file = place(of: sample) + "/replayed.test.json"
    let written = "{\"workflow\": \"./\(name)\", \"tests\": [\(tests.joined(separator: ","))]}"
    try AtomicFile(path: file).write(Array(written.utf8))
    let outcome = await call(["test", file])
    #expect(outcome.status == .success, "\(outcome.error)")
    #expect(
      outcome.error.contains(
        "\(tests.count) tests passed in 1 file; \(tests.count * Self.orders) runs"),
      "\(outcome.error)")
  }

  /// Recorded again, a recording is the same to the byte where the answers are.
  @Test(arguments: ["users.json", "accounts.json", "pages-link.json", "job.json", "oauth.json"])
  func recordedAgainASampleDiffersNowhere(_ sample: String) async throws {
    let first = try await record(sample).text
    let again = try await record(sample).text
    #expect(first.contains(#""cause": "first""#))
    if sample == "job.json" { #expect(first.contains(#""cause": "poll""#)) }
    if sample == "oauth.json" || sample == "job.json" {
      // The sandbox counts its tokens and jobs.
      #expect(again.split(separator: "\n").count == first.split(separator: "\n").count)
    } else {
      #expect(again == first)
    }
  }

  private static let strace: String? = ["/usr/bin/strace", "/bin/strace"].first { path in
    access(path, X_OK) == 0
  }

  @Test(.enabled(if: strace != nil, "strace is not installed"))
  func aReplayOpensNoSocket() async throws {
    let strace = try #require(Self.strace)
    let program = try #require(ChildProcess.executable)
    _ = try await record("users.json")
    let command = """
      '\(strace)' -f -e trace=%network -o '\(folder.path)/trace' '\(program)' run \
      '\(folder.path)/workflows/users.json' --no-store -q --replay \
      '\(folder.path)/workflows/recorded.har' \
      >'\(folder.path)/out.json'
      """
    #expect(system(command) == 0)
    let trace = folder.read("trace") ?? ""
    #expect(trace.contains("exited"))
    #expect(!trace.contains("socket("), "\(trace)")
    #expect(!trace.contains("connect("), "\(trace)")
  }
}
