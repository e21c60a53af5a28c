internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// A workflow as a DAG file of Airflow 3.
struct AirflowFile {
  let run: ExportedRun
  let options: ExportOptions

  var text: String {
    let sections = [constants, parameters].joined(separator: "\n\n")
    let functions = [secrets, helpers, tasks, dag].filter { !$0.isEmpty }
    return heading + "\n\n" + imports + "\n\n"
      + ([sections] + functions).joined(separator: "\n\n\n") + "\n"
  }

  private var identifier: String { ExportedName.file(run.name) }
  private var hasShards: Bool { run.parts.contains { $0.shards != nil } }
  private var hasSecrets: Bool { !run.secrets.isEmpty }

  // MARK: The file's head

  private var heading: String {
    var lines = CommentText.lines(
      run.name + (run.description.map { ": " + $0 } ?? ""), width: 96)
    lines.append("")
    lines += CommentText.lines(
      "An Airflow DAG of \(options.file), made by `pipeline export airflow`. It is yours to edit."
        + " Airflow decides when and where a part of a run starts, and `pipeline part` carries it"
        + " out. A part finds out by itself whether its step is skipped. So a task starts when the"
        + " tasks before it have ended, whether they succeeded or not.", width: 96)
    // A quote in a docstring could end it, and a backslash begins an escape.
    let text = lines.joined(separator: "\n")
      .replacing(bytes: "\\", with: "\\\\").replacing(bytes: "\"\"", with: "\\\"\\\"")
    return "\"\"\"" + (text.hasPrefix(bytes: "\"") ? " " : "") + text + "\n\"\"\""
  }

  private var imports: String {
    let hasSchedule = options.schedule != nil
    let modules =
      ["contextlib", "json", "logging"] + (hasShards ? ["math"] : []) + (hasSecrets ? ["os"] : [])
      + ["subprocess", "tempfile"]
    let times = hasSchedule ? ["datetime", "timedelta", "timezone"] : ["timedelta"]
    let names =
      (hasSecrets ? ["Connection"] : []) + ["Param", "dag", "get_current_context", "task"]
    let errors =
      ["AirflowException", "AirflowFailException"]
      + (hasSecrets ? ["AirflowNotFoundException"] : []) + ["AirflowSkipException"]
    return
      (modules.map { "import " + $0 } + [
        "from datetime import " + times.joined(separator: ", "),
        "from pathlib import Path",
        "from urllib.parse import quote",
        "",
        "from airflow.sdk import " + names.joined(separator: ", "),
        "from airflow.sdk.exceptions import " + errors.joined(separator: ", "),
      ]).joined(separator: "\n")
  }

  private var constants: String {
    let isAbsolute = options.file.hasPrefix(bytes: "/")
    let file = PythonText.literal(options.file)
    var text = """
      # The program and the workflow's file, as every worker finds them.
      PIPELINE = \(PythonText.literal(options.program))
      FILE = \(isAbsolute ? file : "str(Path(__file__).parent / \(file))")
      # How often a part that failed or was killed is started again. It sends only what is missing. The
      # delay doubles each time.
      RETRIES = 2
      RETRY_DELAY = timedelta(seconds=10)
      MAX_RETRY_DELAY = timedelta(minutes=10)
      """
    if hasShards {
      text += """

        # A collection is split into shards of so many items.
        ITEMS_PER_SHARD = \(options.itemsPerShard)
        """
    }
    return text + "\nLOG = logging.getLogger(\"airflow.task\")"
  }

  // MARK: Inputs

  private var parameters: String {
    var lines: [String] = []
    if run.inputs.isEmpty {
      lines.append("INPUTS = {}")
    } else {
      lines += [
        "# The workflow's inputs, as Airflow's form shows them. A value that is left as it is here is not",
        "# passed on. Then the workflow's default, its environment or a variable of the worker decides.",
        "INPUTS = {",
      ]
      lines += run.inputs.flatMap(parameter) + ["}"]
    }
    lines += ["# Where the run is kept, and which inputs of the file it uses.", "RUN = {"]
    if run.environments.isEmpty { lines[lines.count - 2] = "# Where the run is kept." }
    if !run.environments.isEmpty { lines += environmentParameter }
    lines += [
      "    \"run-folder\": Param(",
      "        \(PythonText.literal(options.folder ?? "/shared/" + identifier)),",
      "        type=\"string\",",
      "        description=\"A folder that all workers see. Each run has its own folder below it.\",",
      "    ),",
      "}",
    ]
    return lines.joined(separator: "\n")
  }

  private func parameter(_ input: Input) -> [String] {
    var words: [String] = []
    var description = input.description.map { [$0] } ?? []
    // The workflow's own default may be a time that is known only when the run starts.
    let isMoment = input.type == .date || input.type == .datetime
    if let value = input.defaultValue, !(isMoment && value.string?.hasPrefix(bytes: "now") == true)
    {
      words.append(PythonText.literal(value))
    } else if !input.isRequired || input.variable != nil {
      words.append("None")
      if let value = input.defaultValue { description.append("Default: \(value.string ?? "")") }
      if let variable = input.variable?.value { description.append("Or the variable \(variable)") }
    }
    let isNullable = words == ["None"]
    if let type = input.type { words.append("type=" + Self.schemaType(type, isNullable)) }
    if let format = Self.format(input.type) { words.append("format=\"\(format)\"") }
    if !input.allowed.isEmpty {
      let values = input.allowed.map { PythonText.literal($0) } + (isNullable ? ["None"] : [])
      words.append("enum=[" + values.joined(separator: ", ") + "]")
    }
    if !description.isEmpty {
      words.append("description=" + PythonText.literal(description.joined(separator: ". ")))
    }
    return Self.call("    \"\(input.name)\": Param", words)
  }

  private var environmentParameter: [String] {
    let names = run.environments.map { PythonText.literal($0) }
    let first = run.defaultEnvironment.map { PythonText.literal($0) } ?? "None"
    return Self.call(
      "    \"run-environment\": Param",
      [
        first, "type=[\"null\", \"string\"]",
        "enum=[" + (names + ["None"]).joined(separator: ", ") + "]",
        "description=\"A set of inputs that the workflow names.\"",
      ])
  }

  /// A member of a dictionary that is a call, on one line if it fits.
  private static func call(_ head: String, _ words: [String]) -> [String] {
    let line = head + "(" + words.joined(separator: ", ") + "),"
    if line.unicodeScalars.count <= 88 { return [line] }
    return [head + "("] + words.map { "        \($0)," } + ["    ),"]
  }

  private static func schemaType(_ type: Input.ValueType, _ isNullable: Bool) -> String {
    let name =
      switch type {
      case .string, .date, .datetime: "string"
      case .integer, .number, .boolean, .array, .object: type.rawValue
      }
    return isNullable ? "[\"null\", \"\(name)\"]" : "\"\(name)\""
  }

  private static func format(_ type: Input.ValueType?) -> String? {
    switch type {
    case .date: "date"
    case .datetime: "date-time"
    default: nil
    }
  }

  private var secrets: String {
    guard hasSecrets else { return "" }
    let rows = run.secrets.map { input in
      let variable = input.variable.map { PythonText.literal($0.value) } ?? "None"
      let connection = PythonText.literal(identifier + "_" + input.name)
      return "    \"\(input.name)\": (\(variable), \(connection)),"
    }
    return """
      # Secret inputs: for each a variable of the worker's environment, and a connection of Airflow whose
      # password is used if the variable is not set.
      SECRETS = {
      \(rows.joined(separator: "\n"))
      }


      def secrets() -> dict[str, str]:
          \"""The secret inputs. They go to `pipeline` through a pipe, and nowhere else.\"""
          values = {}
          for name, (variable, connection) in SECRETS.items():
              if variable and variable in os.environ:
                  values[name] = os.environ[variable]
                  continue
              try:
                  password = Connection.get(connection).password
              except AirflowNotFoundException:
                  continue  # `pipeline` says if it needs the value.
              if password is not None:
                  values[name] = password
          return values
      """
  }

  // MARK: Running a part

  private var helpers: String {
    let given = hasSecrets ? "(inputs or {}) | secrets()" : "inputs or {}"
    let files = run.savesFiles ? "\n    words += [\"--output-dir\", f\"{folder()}/files\"]" : ""
    let folder = """
      def folder() -> str:
          \"""The folder of this DAG run, which its tasks share.\"""
          context = get_current_context()
          return str(Path(context["params"]["run-folder"]) / quote(context["run_id"], safe="+:"))
      """
    let state = """
      def state() -> list[str]:
          \"""The file in which a run leaves values to the next run.\"""
          params = get_current_context()["params"]
          return ["--state", str(Path(params["run-folder"]) / "state.json")]
      """
    let part = """
      def part(verb: str, *options: str, inputs: dict | None = None) -> str:
          \"""Runs `pipeline part`, without a shell. Its exit status decides how the task ends.\"""
          if verb != "begin" and not Path(folder(), "run.json").exists():
              # One cause gives one failure, and the run must not end well.
              failure = AirflowFailException if verb == "finish" else AirflowSkipException
              raise failure("The run has not begun: see the log of run-begin.")
          words = [PIPELINE, "part", verb, FILE, "--folder", folder(), "--inputs", "-", *options]\(files)
          status, output = execute(words, json.dumps(\(given)))
          if status == 0:
              return output
          if status == 3:
              raise AirflowFailException("A request is in doubt: see the list in the log, and decide.")
          if status == 4:
              raise AirflowSkipException("The step is skipped, or an earlier step failed.")
          if status == 6:
              raise AirflowSkipException("A part that this one follows has no result.")
          if status in (2, 64):
              raise AirflowFailException("The file, the folder or an input is wrong: see the log.")
          if status == 5 or (status == 1 and verb == "finish"):
              raise AirflowFailException("Trying again does not help: see the log.")
          raise AirflowException(f"The part ended with {status}: see the log.")
      """
    let execute = """
      def execute(words: list[str], given: str) -> tuple[int, str]:
          \"""Runs a program, and logs what it says. Its status and its output are returned.\"""
          pipe = subprocess.PIPE
          with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
              with subprocess.Popen(
                  words, stdin=pipe, stdout=output, stderr=pipe, text=True, encoding="utf-8"
              ) as process:
                  try:
                      # A program that does not read its inputs says why.
                      with contextlib.suppress(BrokenPipeError):
                          process.stdin.write(given)
                          process.stdin.close()
                      level = logging.INFO
                      for line in process.stderr:
                          # The lines below a failure are indented.
                          if not line.startswith(" "):
                              bad = line.startswith(("✗", "pipeline:", "in doubt")) or ": error:" in line
                              level = logging.ERROR if bad else logging.INFO
                          LOG.log(level, "%s", line.rstrip("\\n"))
                  except BaseException:
                      process.terminate()
                      raise
              output.seek(0)
              return process.returncode, output.read()
      """
    return [folder, run.keepsState ? state : "", execute, part].filter { !$0.isEmpty }
      .joined(separator: "\n\n\n")
  }

  // MARK: Tasks

  private var tasks: String {
    let environment =
      run.environments.isEmpty
      ? ""
      : """

          options = ["--environment", params["run-environment"]] if params["run-environment"] else []
      """
    let state = run.keepsState ? "*state(), " : ""
    let begin = """
      @task(task_id="run-begin")
      def begin() -> None:
          \"""Writes down what the run is given.\"""
          params = get_current_context()["params"]
          inputs = {name: params[name] for name, param in INPUTS.items() if params[name] != param.value}\(environment)
          Path(folder()).mkdir(parents=True, exist_ok=True)
          part("begin", \(state)\(run.environments.isEmpty ? "" : "*options, ")inputs=inputs)
      """
    let step = """
      @task(trigger_rule="all_done")
      def whole(step: str) -> None:
          \"""Carries out a step.\"""
          part("run", "--step", step)
      """
    let shards = """
      @task(trigger_rule="all_done")
      def split(step: str, most: int) -> list[str]:
          \"""Names the shards of a collection: 1/3, 2/3 and 3/3.\"""
          items = int(part("items", "--step", step))
          count = min(max(math.ceil(items / ITEMS_PER_SHARD), 1), most)
          return [f"{number}/{count}" for number in range(1, count + 1)]


      @task(trigger_rule="all_done", map_index_template="{{ shard }}")
      def some(step: str, shard: str) -> None:
          \"""Carries out a shard of a collection.\"""
          get_current_context()["shard"] = shard  # The grid shows it.
          part("run", "--step", step, "--shard", shard)
      """
    let finish = """
      @task(task_id="run-finish", trigger_rule="all_done")
      def finish() -> str:
          \"""Runs the `finally` steps, and returns where the outputs are. It ends as the run ends.\"""
          outputs = f"{folder()}/outputs.json"
          part("finish", \(state)"--output", outputs)
          return outputs
      """
    let hasWhole = run.parts.contains { $0.shards == nil }
    return ([begin] + (hasWhole ? [step] : []) + (hasShards ? [shards] : []) + [finish])
      .joined(separator: "\n\n\n")
  }

  private var dag: String {
    var lines = ["@dag(", "    dag_id=\(PythonText.literal(identifier)),"]
    if !identifier.equals(bytes: run.name) {
      lines.append("    dag_display_name=\(PythonText.literal(run.name)),")
    }
    if let description = run.description {
      lines.append("    description=\(PythonText.literal(description)),")
    }
    if let schedule = options.schedule {
      lines += [
        "    schedule=\(PythonText.literal(schedule)),",
        "    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),",
      ]
    } else {
      lines.append("    schedule=None,")
    }
    if run.keepsState { lines.append("    max_active_runs=1,  # The file keeps state.") }
    lines += [
      "    catchup=False,",
      "    params=INPUTS | RUN,",
      "    default_args={",
      "        \"retries\": RETRIES,",
      "        \"retry_delay\": RETRY_DELAY,",
      "        \"retry_exponential_backoff\": 2.0,",
      "        \"max_retry_delay\": MAX_RETRY_DELAY,",
      "    },",
      "    doc_md=__doc__,",
      "    tags=[\"pipeline\"],",
      ")",
      "def workflow():",
      "    started = begin()",
      "    ended = finish()",
    ]
    if run.parts.isEmpty { lines.append("    started >> ended") }
    for part in run.parts { lines += body(of: part) }
    lines += ["", "", "workflow()"]
    return lines.joined(separator: "\n")
  }

  /// The tasks of a step, and their dependencies.
  private func body(of part: ExportedRun.Part) -> [String] {
    let step = "step_" + part.step
    let name = "\"\(part.step)\""
    // Without a run there is nothing to start.
    let rule = part.follows.isEmpty ? ", trigger_rule=\"all_success\"" : ""
    var lines = ["", "    # \(part.step): " + CommentText.line(part.meaning)]
    let first: String
    if let shards = part.shards {
      first = "shards_" + part.step
      lines += [
        "    \(first) = split.override(task_id=\"\(part.step)-shards\"\(rule))(\(name), \(shards))",
        "    \(step) = some.override(task_id=\(name)).partial(step=\(name))"
          + ".expand(shard=\(first))",
      ]
    } else {
      first = step
      lines.append("    \(step) = whole.override(task_id=\(name)\(rule))(\(name))")
    }
    let before = part.follows.map { "step_" + $0 }
    switch before.count {
    case 0: lines.append("    started >> \(first)")
    case 1: lines.append("    \(before[0]) >> \(first)")
    default: lines.append("    [" + before.joined(separator: ", ") + "] >> \(first)")
    }
    if run.last.contains(part.step) { lines.append("    \(step) >> ended") }
    return lines
  }
}
