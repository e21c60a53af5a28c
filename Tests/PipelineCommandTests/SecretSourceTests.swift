import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Secret inputs out of files, programs and other places.
@Suite(.ownThreads) struct SecretSourceTests {
  private let folder = TemporaryFolder()
  private let path = "/usr/local/bin:/usr/bin:/bin"

  /// A workflow that shows its secret, and the name of the file.
  private var workflow: String {
    folder.write(
      """
      { "inputs": { "token": { "type": "string", "secret": true, "env": "TOKEN" } },
        "steps": [{ "id": "made", "values": { "text": "<{{inputs.token}}>" } }],
        "outputs": { "text": { "value": "{{made.text}}", "reveal": true } } }
      """, to: "w.json")
  }

  private func secrets(_ text: String, mode: mode_t = 0o600) -> String {
    let path = folder.write(text, to: "secrets.json")
    chmod(path, mode)
    return path
  }

  /// A program in a folder of its own. It is copied by another process: a file that this one had
  /// open for writing may still be so in a program that another test has just started, and can then
  /// not be carried out.
  @discardableResult
  private func program(_ name: String, _ text: String) -> String {
    let source = folder.write("#!/bin/sh\n" + text + "\n", to: "text-of-" + name)
    let path = folder.path + "/bin/" + name
    _ = system("mkdir -p '\(folder.path)/bin' && cp '\(source)' '\(path)' && chmod 700 '\(path)'")
    return path
  }

  /// The number in a file; waits for it if the file is a pipe.
  private func number(_ name: String) -> pid_t? {
    folder.read(name).flatMap { pid_t($0.prefix { $0.isNumber }) }
  }

  private func run(
    _ source: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
  ) async -> Outcome {
    let secrets = secrets("{\"TOKEN\": \(source)}")
    let variables = ["PATH": folder.path + "/bin:" + path, "HOME": folder.path]
    return await pipeline(
      ["run", workflow, "-q", "--no-store", "--secrets", secrets] + arguments,
      environment: variables.merging(environment) { $1 })
  }

  private func expect(
    _ outcome: Outcome, gives text: String, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.output == "{\n  \"text\": \"<\(text)>\"\n}\n", sourceLocation: place)
    #expect(outcome.error == "", sourceLocation: place)
  }

  // MARK: Sources

  @Test func eachSourceGivesTheValue() async {
    folder.write("from file\n", to: "token")
    folder.write("export TOKEN='from dotenv' # old\nOTHER=\"x\\ty\"\n", to: "local.env")
    program("vaulted", "printf 'from %s' \"$1\"")
    expect(await run(#"{"file": "token"}"#), gives: "from file")
    expect(await run(#"{"file": "~/token"}"#), gives: "from file")
    expect(await run("{\"file\": \"\(folder.path)/token\"}"), gives: "from file")
    expect(await run(#"{"dotenv": "local.env"}"#), gives: "from dotenv")
    expect(await run(#"{"dotenv": "local.env", "name": "OTHER"}"#), gives: "x\\ty")
    expect(await run(#"{"env": "MINE"}"#, [], ["MINE": "from env"]), gives: "from env")
    expect(await run(#"{"command": ["vaulted", "a; $HOME"]}"#), gives: "from a; $HOME")
    expect(await run(#"{"command": ["bin/vaulted", "a path"]}"#), gives: "from a path")
    folder.write("from systemd\r\n", to: "credentials/my-token")
    expect(
      await run(
        #"{"credential": "my-token"}"#, [],
        ["CREDENTIALS_DIRECTORY": folder.path + "/credentials"]), gives: "from systemd")
  }

  @Test func theOrderOfThePlacesIsFixed() async {
    folder.write("systemd", to: "credentials/TOKEN")
    let variables = ["CREDENTIALS_DIRECTORY": folder.path + "/credentials"]
    func run(_ arguments: [String], _ more: [String: String] = [:]) async -> Outcome {
      await pipeline(
        ["run", workflow, "-q", "--no-store"] + arguments,
        environment: variables.merging(more) { $1 })
    }
    expect(await run([]), gives: "systemd")
    let file = secrets(#"{"TOKEN": {"env": "MINE"}}"#)
    expect(await run(["--secrets", file], ["MINE": "file"]), gives: "file")
    expect(await run([], ["MINE": "file", "PIPELINE_SECRETS": file]), gives: "file")
    expect(await run(["--secrets", file], ["MINE": "file", "TOKEN": "own"]), gives: "own")
    expect(await run(["--secrets", file, "--set", "token=set"], ["TOKEN": "own"]), gives: "set")
    folder.write(#"{"TOKEN": {"env": "MINE"}}"#, to: "config/pipeline/secrets.json")
    chmod(folder.path + "/config/pipeline/secrets.json", 0o600)
    let usual = ["XDG_CONFIG_HOME": folder.path + "/config", "MINE": "usual"]
    expect(await run([], usual), gives: "usual")
    expect(await run([], usual.merging(["PIPELINE_SECRETS": "off"]) { $1 }), gives: "systemd")
  }

  @Test func theValueIsSecretInEverythingThatIsPrinted() async {
    let path = folder.write(
      """
      { "inputs": { "token": { "secret": true, "env": "TOKEN" } },
        "steps": [{ "id": "no", "fail": "I saw {{inputs.token}}" }],
        "outputs": { "text": "{{inputs.token}}" } }
      """, to: "fails.json")
    program("op", "echo s3cret-value")
    let secrets = secrets(#"{"TOKEN": {"command": ["op", "read"]}}"#)
    let result = await pipeline(
      ["run", path, "-v", "--no-store", "--secrets", secrets],
      environment: ["PATH": folder.path + "/bin:" + self.path])
    #expect(result.status == .failure)
    #expect(result.error.contains("I saw •••"))
    #expect(!(result.output + result.error).contains("s3cret-value"))
  }

  // MARK: When they are read

  @Test func aSecretIsReadOnceAndOnlyIfItIsNeeded() async {
    let workflow = folder.write(
      """
      { "inputs": {
          "a": { "secret": true, "env": "SHARED" }, "b": { "secret": true, "env": "SHARED" },
          "c": { "secret": true, "env": "ALONE" }, "plain": { "env": "PLAIN", "default": "p" } },
        "steps": [
          { "id": "both", "values": { "n": "{{inputs.a}}{{inputs.b}}{{inputs.plain}}" } },
          { "id": "one", "values": { "n": "{{inputs.c}}" } } ],
        "outputs": { "n": { "value": "{{both.n}}", "reveal": true }, "o": "{{one.n}}" } }
      """, to: "needs.json")
    program("log", "echo \"$1\" >> '\(folder.path)/log'; echo \"$1\"")
    let secrets = secrets(
      #"{"SHARED": {"command": ["log", "s"]}, "ALONE": {"command": ["log", "a"]}, "#
        + #""PLAIN": {"command": ["log", "p"]}}"#)
    let environment = ["PATH": folder.path + "/bin:" + path]
    func pipeline(_ arguments: [String]) async -> Outcome {
      await PipelineCommandTests.pipeline(
        [arguments[0], workflow, "--secrets", secrets] + arguments.dropFirst(),
        environment: environment)
    }
    let planned = await pipeline(["plan", "--no-store"])
    #expect(planned.output.contains("a      •••  from the command 'log' (\(secrets):1:2)"))
    #expect(folder.read("log") == nil)
    let part = await pipeline(["run", "-q", "--no-store", "--only", "both"])
    #expect(part.status == .success, "\(part.error)")
    #expect(folder.read("log") == "s\n")
    let whole = await pipeline(["run", "-q", "--no-store"])
    #expect(whole.output.contains("\"n\": \"ssp\""))
    #expect(folder.read("log") == "s\ns\na\n")
  }

  @Test func aPartOfARunReadsOnlyItsOwnSecrets() async {
    let workflow = folder.write(
      """
      { "inputs": { "a": { "secret": true, "env": "A" }, "c": { "secret": true, "env": "C" } },
        "steps": [
          { "id": "one", "forEach": [1], "values": { "n": "{{inputs.a}}" } },
          { "id": "two", "forEach": [1], "values": { "n": "{{inputs.c}}" } } ] }
      """, to: "parts.json")
    program("log", "echo \"$1\" >> '\(folder.path)/log'; echo \"$1\"")
    let secrets = secrets(#"{"A": {"command": ["log", "a"]}, "C": {"command": ["log", "c"]}}"#)
    func part(_ arguments: [String]) async -> Outcome {
      await pipeline(
        ["part", arguments[0], workflow, "--folder", folder.path + "/run", "--secrets", secrets]
          + arguments.dropFirst(), environment: ["PATH": folder.path + "/bin:" + path])
    }
    let begun = await part(["begin"])
    #expect(begun.status == .success, "\(begun.error)")
    #expect(folder.read("log") == nil)
    let one = await part(["run", "--step", "one"])
    #expect(one.status == .success, "\(one.error)")
    #expect(folder.read("log") == "a\n")
  }

  @Test func aReplayReadsNoSecrets() async {
    program("log", "touch '\(folder.path)/log'; echo sandbox-secret")
    let secrets = secrets(#"{"APP_KEY": {"command": ["log"]}}"#)
    let har = folder.path + "/app.har"
    let environment = ["PATH": folder.path + "/bin:" + path]
    let run = ["run", "workflows/app.json", "-q", "--no-store", "--secrets", secrets]
    let recorded = await pipeline(run + ["--record", har], environment: environment)
    #expect(recorded.status == .success, "\(recorded.error)")
    #expect(unlink(folder.path + "/log") == 0)
    let replayed = await pipeline(run + ["--replay", har], environment: environment)
    #expect(replayed.output == recorded.output)
    #expect(folder.read("log") == nil)
  }

  // MARK: What goes wrong

  @Test(arguments: [
    (#"{"env": "NONE"}"#, "the environment variable NONE: it is not set"),
    (#"{"file": "none"}"#, "the file 'none': no such file or folder"),
    (#"{"file": "."}"#, "the file '.': it is a folder"),
    (#"{"file": "empty"}"#, "the file 'empty': it is empty"),
    (#"{"file": "latin"}"#, "the file 'latin': it is not UTF-8"),
    (#"{"dotenv": "bad.env"}"#, "TOKEN in 'bad.env': line 2: its quote is not closed"),
    (#"{"dotenv": "good.env"}"#, "TOKEN in 'good.env': there is no such line"),
    (#"{"credential": "x"}"#, "'x': CREDENTIALS_DIRECTORY is not set"),
    (
      #"{"command": ["no-such-program"]}"#,
      "'no-such-program': no absolute folder of PATH has a program of this name"
    ),
    (
      #"{"command": ["./latin"]}"#,
      "'./latin': there is no program of this name that may be started"
    ),
    (#"{"command": ["sh", "-c", "exit 3"]}"#, "'sh': it ended with status 3"),
    (#"{"command": ["sh", "-c", "echo sign in >&2; exit 1"]}"#, "with status 1: sign in\n"),
    (#"{"command": ["sh", "-c", "echo half; echo half >&2; exit 1"]}"#, "it ended with status 1\n"),
    (#"{"command": ["sh", "-c", "kill -9 $$"]}"#, "'sh': signal 9 ended it"),
    (#"{"command": ["true"]}"#, "'true': it is empty"),
    (#"{"command": ["yes"]}"#, "'yes': it printed more than 64 kB"),
    (#"{"command": ["cat"]}"#, "'cat': it is empty"),
    (
      #"{"command": ["sleep", "60"], "timeout": "200ms"}"#,
      "'sleep': it has not ended within 200ms; it cannot ask at the terminal"
    ),
  ])
  func whatCannotBeReadIsNamed(source: String, words: String) async {
    folder.write("", to: "empty")
    folder.write([0x66, 0xFC, 0x72], to: "latin")
    folder.write("A=b\nTOKEN='never\nclosed\n", to: "bad.env")
    folder.write("A=b\n", to: "good.env")
    let result = await run(source)
    #expect(result.status == .invalid && result.output == "")
    #expect(
      result.error.hasPrefix(
        "pipeline: \(folder.path)/secrets.json:1:2: the secret 'TOKEN' cannot be read from "),
      "\(result.error)")
    #expect(result.error.contains(words), "\(result.error)")
  }

  @Test(arguments: [
    ("[]", "secrets.json is not an object of names and sources"),
    (#"{"TOKEN": "ghp_abc"}"#, ":1:11: 'TOKEN' needs a source: "),
    (#"{"TOKEN": {"comand": ["x"]}}"#, ":1:12: 'TOKEN' needs a source: "),
    (#"{"TOKEN": {"comand": ["x"]}}"#, "; did you mean 'command'?"),
    (#"{"TOKEN": {"file": "a", "env": "B"}}"#, "'TOKEN' has several sources: leave one"),
    (#"{"TOKEN": {"file": "a", "timeout": "1s"}}"#, "'timeout', which means nothing beside 'file'"),
    (#"{"TOKEN": {"command": "op read"}}"#, "'TOKEN' needs the program and its words one by one"),
    (#"{"TOKEN": {"command": ["op"], "timeout": "2h"}}"#, "needs a duration up to 1h"),
    (#"{"TOKEN": {"credential": "../x"}}"#, "needs the name of a credential"),
    (#"{"TOKEN": {"file": ""}}"#, "needs a text for 'file'"),
    (#"{"TOKEN": {"file": "a"}, "TOKEN": {"file": "b"}}"#, "secrets.json:1:"),
    (#"{"TOKEN": ghp_abc}"#, ":1:11: "),
  ])
  func aConfigurationThatCannotBeReadIsRefused(text: String, words: String) async {
    let secrets = secrets(text)
    let result = await pipeline(["run", workflow, "--no-store", "--secrets", secrets])
    #expect(result.status == .invalid && result.output == "")
    #expect(result.error.contains(words), "\(result.error)")
    #expect(!result.error.contains("ghp_abc"))
  }

  @Test func aConfigurationThatOthersMayWriteIsRefused() async {
    let secrets = secrets(#"{"TOKEN": {"env": "MINE"}}"#, mode: 0o620)
    let result = await pipeline(
      ["run", workflow, "--no-store", "--secrets", secrets], environment: ["MINE": "x"])
    #expect(result.status == .invalid)
    #expect(result.error.contains("type: chmod go-w '\(secrets)'"))
    let missing = await pipeline(["run", workflow, "--no-store", "--secrets", "/none.json"])
    #expect(missing.error.contains("'/none.json' cannot be read: no such file or folder"))
  }

  // MARK: Programs

  @Test func aProgramIsStartedWithoutSecretsAndWithoutOpenFiles() async throws {
    program("snoop", "env > '\(folder.path)/env'; ls /dev/fd > '\(folder.path)/fd'; cat; echo x")
    let secrets = secrets(
      #"{"TOKEN": {"command": ["snoop"]}, "NEXT": {"env": "OTHER"}}"#)
    let result = await pipeline(
      ["run", workflow, "-q", "--no-store", "--secrets", secrets],
      environment: [
        "PATH": path + ":" + folder.path + "/bin", "NEXT": "n", "OTHER": "o", "VAULT_ADDR": "v",
      ])
    expect(result, gives: "x")
    let variables = try #require(folder.read("env")).split(separator: "\n")
    #expect(variables.contains("VAULT_ADDR=v"))
    #expect(!variables.contains { $0.hasPrefix("NEXT=") || $0.hasPrefix("OTHER=") })
    let open = try #require(folder.read("fd")).split(separator: "\n")
    #expect(open.count == 4, "stdin, stdout, stderr and that of ls: \(open)")
  }

  @Test func aFailureNamesTheVariablesThatAProgramDoesNotGet() async {
    let secrets = secrets(#"{"TOKEN": {"command": ["false"]}, "VAULT_TOKEN": {"file": "x"}}"#)
    let result = await pipeline(
      ["run", workflow, "--no-store", "--secrets", secrets],
      environment: ["PATH": path, "VAULT_TOKEN": "v"])
    #expect(
      result.error.contains(
        "status 1; it is started without VAULT_TOKEN, which holds a secret"), "\(result.error)")
  }

  @Test func aRelativeFolderOfThePathGivesNoProgram() {
    #expect(ChildProgram.path(of: "Package.swift", in: ["PATH": ".:" + path]) == nil)
    #expect(ChildProgram.path(of: "sh", in: ["PATH": "::" + path]) != nil)
  }

  @Test func theTimeLimitEndsWhatAProgramStarted() async throws {
    program("slow", "sleep 1000 & echo $! > '\(folder.path)/id'; wait")
    let result = await run(#"{"command": ["slow"], "timeout": "1s"}"#)
    #expect(result.error.contains("it has not ended within 1s"))
    let id = try #require(number("id"))
    #expect(Self.hasEnded(id))
  }

  @Test func aProgramThatLeavesADaemonBehindIsNotAwaited() async throws {
    program("daemon", "sleep 1000 & echo $! > '\(folder.path)/id'; echo value")
    expect(await run(#"{"command": ["daemon"]}"#), gives: "value")
    kill(try #require(number("id")), SIGKILL)
  }

  @Test(
    .enabled(if: ChildProcess.executable != nil, "the executable was not built"),
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsTheProgramToo(signal: Int32) throws {
    #expect(mkfifo(folder.path + "/begun", 0o600) == 0)
    program("slow", "sleep 1000 & echo $! > '\(folder.path)/begun'; wait")
    let secrets = secrets(#"{"TOKEN": {"command": ["slow"]}}"#)
    let child = try #require(
      ChildProcess(
        ["run", workflow, "--secrets", secrets],
        environment: ["PATH": folder.path + "/bin:" + path]))
    let id = try #require(number("begun"))
    child.send(signal)
    #expect(child.wait().status == 128 + signal)
    #expect(Self.hasEnded(id))
  }

  /// Whether a process ends: it no longer exists, or only its status is left.
  private static func hasEnded(_ id: pid_t) -> Bool {
    Waiting.until {
      if kill(id, 0) != 0 { return true }
      let status = readFile("/proc/\(id)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
      return status.contains(") Z ")
    }
  }

  @Test(arguments: [
    ("password: \"a \"quoted\" word\"", "a \"quoted\" word"),
    ("password: 0x68C3A4  \"h\\303\\244\"", "hä"),
  ])
  func theKeychainGivesTextAndBytes(line: String, value: String) async throws {
    folder.write("keychain: \"/x\"\n\(line)\n", to: "answer")
    let security = program(
      "security", "cat '\(folder.path)/answer' >&2; echo \"$*\" > '\(folder.path)/words'")
    var reader = SecretReader(environment: ["PATH": path], folder: ".", withheld: [])
    reader.keychainProgram = security
    #expect(try await reader.value(of: .keychain(service: "s", account: "a")) == value)
    #expect(folder.read("words") == "find-generic-password -g -s s -a a\n")
    reader.keychainProgram = nil
    await #expect(throws: SecretProblem.self) {
      try await reader.value(of: .keychain(service: "s", account: nil))
    }
  }

  private static let strace: String? = ["/usr/bin/strace", "/bin/strace"].first { path in
    access(path, X_OK) == 0
  }

  /// Stand-ins for the programs of four stores of secrets.
  @Test(
    .enabled(if: strace != nil, "strace is not installed"),
    .enabled(if: ChildProcess.executable != nil, "the executable was not built"))
  func noSecretIsInAnArgumentAVariableOrAFile() throws {
    let executable = try #require(ChildProcess.executable)
    let stores = ["op", "vault", "pass", "secret-tool"]
    var inputs: [String] = []
    var entries: [String] = []
    for store in stores {
      let name = String(store.filter { $0 != "-" })
      program(store, "printf 'value-of-%s\\n' '\(store)'")
      inputs.append("\"\(name)\": { \"secret\": true, \"env\": \"\(store)\" }")
      entries.append("\"\(store)\": {\"command\": [\"\(store)\", \"read\", \"a/b\"]}")
    }
    let path = folder.write(
      """
      { "inputs": { \(inputs.joined(separator: ", ")) },
        "steps": [
          { "id": "wait", "wait": "1ms", "when": "$.inputs != null" },
          { "id": "made", "values": { "text": "{{inputs.op}} {{inputs.vault}} {{inputs.pass}}",
            "tool": "{{inputs.secrettool}}" } } ],
        "outputs": { "text": "{{made.text}}", "tool": "{{made.tool}}" } }
      """, to: "stores.json")
    let secrets = secrets("{\(entries.joined(separator: ", "))}")
    let outcome = Tool.run(
      [
        Self.strace ?? "", "-f", "-v", "-s", "100000", "-e",
        "trace=execve,write,writev,pwrite64,pwritev,sendto,sendmsg", "-o", folder.path + "/trace",
        executable, "run", path, "-v", "--events", folder.path + "/events", "--secrets", secrets,
      ], in: folder, ["PIPELINE_STORE": folder.path + "/store"], tools: [folder.path + "/bin"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains("\"text\": \"•••"))
    let trace = try #require(folder.read("trace"))
    #expect(trace.contains("events") && trace.contains("execve(\"\(folder.path)/bin/op\""))
    let lines = trace.split(separator: "\n").filter { $0.contains("value-of-") }
    // Each stand-in prints its value into its pipe, and that is all. What the shell reads of the
    // programs' own texts has a '%' in it.
    #expect(lines.count == stores.count, "\(lines.joined(separator: "\n"))")
    #expect(lines.allSatisfy { $0.contains("write(1, \"value-of-") })
  }
}

/// `.env` files.
struct DotenvTests {
  @Test(arguments: [
    ("A=b", ["A": "b"]),
    ("A=b\r\nC = d \r\n", ["A": "b", "C": "d"]),
    ("\u{FEFF}# note\n\n  export A=b", ["A": "b"]),
    ("export=x", ["export": "x"]),
    ("A=b # note", ["A": "b"]), ("A=b#c", ["A": "b#c"]), ("A=#c", ["A": ""]), ("A=", ["A": ""]),
    ("A='b # $c \\n'# note", ["A": "b # $c \\n"]),
    ("A=\"b\\n\\t\\\"\\\\\\$c\\d\"", ["A": "b\n\t\"\\$c\\d"]),
    ("A=\"-----BEGIN\nx\n-----END\"\nB=c", ["A": "-----BEGIN\nx\n-----END", "B": "c"]),
    ("A=b=c", ["A": "b=c"]), ("A=$B", ["A": "$B"]), ("A=1\nA=2", ["A": "2"]),
    ("", [:]),
  ])
  func linesAreReadAsTheyAreWritten(text: String, values: [String: String]) throws {
    #expect(try Dotenv(Array(text.utf8)).values == values)
  }

  @Test(arguments: [
    ("A=b\nB", 2, "it is not NAME=value"), ("=b", 1, "it is not NAME=value"),
    ("A='b", 1, "its quote is not closed"), ("A=\"b\\\"", 1, "its quote is not closed"),
    ("A='b' c", 1, "there is text after its closing quote"),
  ])
  func whatCannotBeReadHasItsLine(text: String, line: Int, reason: String) {
    #expect {
      try Dotenv(Array(text.utf8))
    } throws: { error in
      guard let problem = error as? Dotenv.Problem else { return false }
      return problem.line == line && problem.reason == reason
    }
  }
}
