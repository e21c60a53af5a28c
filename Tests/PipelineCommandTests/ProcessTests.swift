import PipelineTestSupport
import PipelineTestTraits
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What only a process shows: signals and closed pipes.
@Suite(.ownThreads, .enabled(if: ChildProcess.executable != nil, "the executable was not built"))
struct ProcessTests {
  private let folder = TemporaryFolder()

  /// A run whose first step ends at once and whose second takes a minute.
  private var slow: String {
    folder.write(
      """
      { "defaults": { "baseURL": "sandbox:/" },
        "steps": [
          { "id": "fast", "endpoint": "GET /reqres/users" },
          { "id": "slow", "dependsOn": ["fast"], "endpoint": "GET /slow",
            "query": { "ms": "50000" } }
        ],
        "outputs": { "done": true } }
      """, to: "slow.json")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsTheRunInOrder(signal: Int32) throws {
    folder.write("old", to: "out.json")
    let child = try #require(ChildProcess(["run", slow, "-o", folder.path + "/out.json"]))
    #expect(child.errorLine().hasPrefix("✓ fast"))
    child.send(signal)
    let (status, output, error) = child.wait()
    #expect(status == 130)
    #expect(output.isEmpty)
    #expect(error.contains("slow.json interrupted") || error.contains("slow interrupted"))
    #expect(folder.read("out.json") == "old")
    #expect(folder.names == ["out.json", "slow.json"])
  }

  /// A log that a script writes, and to which it sends the outputs by name, keeps what it has.
  @Test(arguments: ["-o", "--report markdown", "--events"])
  func theFileOfStdoutIsWrittenThrough(option: String) throws {
    let path = folder.write(#"{"steps": [], "outputs": {"done": true}}"#, to: "w.json")
    folder.write("first\n", to: "log")
    let script = "(echo before; \"$0\" \"$@\"; echo after) >> \(folder.path)/log 2>/dev/null"
    let words = option.split(separator: " ").map(String.init)
    let target = words.count == 1 ? ["/dev/stdout"] : [words[1] + "=/dev/stdout"]
    let child = try #require(
      ChildProcess(["run", path, words[0]] + target, under: ["/bin/sh", "-c", script]))
    #expect(child.wait().status == 0)
    let log = folder.read("log") ?? ""
    #expect(log.hasPrefix("first\nbefore\n") && log.hasSuffix("\nafter\n"), "\(log)")
    #expect(log.utf8.count > 30, "\(log)")
  }

  /// Not into a file or a socket that was opened with the number of the stream.
  @Test func whatIsPrintedIntoAClosedStreamGoesNowhere() throws {
    let path = folder.write(
      """
      { "steps": [{ "id": "list", "endpoint": "GET sandbox:/reqres/users",
                    "extract": { "page": "$.page" } }],
        "outputs": { "page": "{{list.page}}" } }
      """, to: "list.json")
    let child = try #require(
      ChildProcess(
        ["run", "-q", path, "--events", folder.path + "/events"], closed: STDOUT_FILENO))
    let (status, output, error) = child.wait()
    #expect(status == 1)
    #expect(output.isEmpty)
    #expect(error == "pipeline: cannot write to stdout: it is closed\n")
    let events = try #require(folder.read("events"))
    #expect(events.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"event\":") })
  }

  @Test func theSecondSignalEndsTheRunAtOnce() throws {
    let path = folder.write(
      """
      { "defaults": { "baseURL": "sandbox:/", "timeout": "50s" },
        "steps": [
          { "id": "fast", "endpoint": "GET /reqres/users" },
          { "id": "slow", "dependsOn": ["fast"], "endpoint": "GET /slow?ms=50000" }
        ],
        "finally": [{ "id": "tidy", "endpoint": "GET /slow?ms=40000" }] }
      """, to: "tidy.json")
    let child = try #require(ChildProcess(["run", path, "--events", folder.path + "/e"]))
    #expect(child.errorLine().hasPrefix("✓ fast"))
    child.send(SIGINT)
    #expect(child.errorLine().hasPrefix("– slow"))
    child.send(SIGINT)
    let (status, output, error) = child.wait()
    #expect(status == 130)
    #expect(output.isEmpty && error.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsARunThatComputes(signal: Int32) throws {
    let path = folder.write(
      """
      { "limits": { "items": 2000000000 },
        "steps": [
          { "id": "fast", "endpoint": "GET sandbox:/reqres/users" },
          { "id": "long", "dependsOn": ["fast"], "forEach": { "from": 1, "to": 1000000000 },
            "values": { "x": "{{item}}" } }
        ],
        "outputs": { "x": "$.long[0].x" } }
      """, to: "computes.json")
    let child = try #require(ChildProcess(["run", path, "-o", folder.path + "/out.json"]))
    #expect(child.errorLine().hasPrefix("✓ fast"))
    child.send(signal)
    let (status, output, error) = child.wait()
    #expect(status == 130)
    #expect(output.isEmpty)
    #expect(error.contains("computes.json interrupted") || error.contains("computes interrupted"))
    #expect(folder.names == ["computes.json"])
  }

  /// Each thread would take 1 GB of addresses, of which there are 3.
  @Test func aRunThatGetsNoThreadsSaysSo() throws {
    let executable = try #require(ChildProcess.executable)
    let limits = "ulimit -s 1048576 && ulimit -v 3145728"
    guard system("bash -c '\(limits)' 2>/dev/null") == 0 else { return }
    let line = "\(limits) && '\(executable)' run '\(slow)' 2>'\(folder.path)/error'"
    #expect(system("bash -c \"\(line)\"") >> 8 & 0xFF == 1)
    #expect(
      folder.read("error")?.hasPrefix("pipeline: cannot start 4 threads: ") == true)
    #expect(folder.read("error")?.contains("'ulimit -v'") == true)
  }

  @Test func theSandboxServesUntilASignal() throws {
    let child = try #require(ChildProcess(["sandbox"]))
    #expect(child.outputLine().hasPrefix("http://127.0.0.1:"))
    child.send(SIGTERM)
    #expect(child.wait().status == 130)
  }

  @Test func aReaderThatGoesAwayIsNoFailure() throws {
    let executable = try #require(ChildProcess.executable)
    let line =
      "\"set -o pipefail; '\(executable)' --help | true; '\(executable)' lint --help | head -1 >/dev/null\""
    #expect(system("bash -c \(line)") == 0)
  }

  @Test func aFullDiskIsAFailure() throws {
    let executable = try #require(ChildProcess.executable)
    guard access("/dev/full", W_OK) == 0 else { return }
    #expect(system("'\(executable)' --help >/dev/full 2>/dev/null") >> 8 & 0xFF == 1)
  }
}
