internal import PipelineByteText
internal import PipelineLanguage

/// A workflow as a Makefile, for several processes on one machine.
struct Makefile {
  let run: ExportedRun
  let options: ExportOptions

  var text: String {
    [heading, constants, recipes, targets, finish].joined(separator: "\n\n") + "\n"
  }

  private var heading: String {
    let about = CommentText.lines(
      run.name + (run.description.map { ": " + $0 } ?? ""), width: 96)
    var lines = about.map(Self.comment)
    lines += """
      #
      # A Makefile of \(CommentText.line(options.file)), made by `pipeline export make`.
      # It is yours to edit.
      #
      #   make -j4                              carries out the workflow, up to four parts at a time
      #   make -j4 PIPELINE_FOLDER=DIR          another run; each run has a folder of its own
      #   make -j4 PIPELINE_INPUTS=inputs.json  with inputs, a JSON object
      #
      # The outputs are in the run's folder. Start make again to go on: a part that is done ends at
      # once, and one that failed or was killed sends only what is missing.
      """.split(ascii: "\n", omittingEmptySubsequences: false).map(String.init)
    if !run.secrets.isEmpty {
      let names = run.secrets.map { input in
        input.name + (input.variable.map { " (variable \($0.value))" } ?? "")
      }
      lines += ["#"]
      lines += CommentText.lines(
        "Secret inputs come from the environment, or from the file of PIPELINE_INPUTS, which only you"
          + " should be able to read: " + names.joined(separator: ", ") + ".", width: 96
      ).map { "# " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// A line for people. A backslash at its end would draw the next line into it.
  private static func comment(_ line: String) -> String {
    "# " + line + (line.hasSuffix(bytes: "\\") ? " ." : "")
  }

  private var constants: String {
    let name = ExportedName.file(run.name)
    let folder = options.folder ?? "runs/" + name
    let state = (options.folder ?? "runs/" + name) + "-state.json"
    return """
      empty :=
      # The program, the workflow's file and the run's folder.
      PIPELINE := \(MakeText.value(options.program))
      PIPELINE_FILE := \(MakeText.value(options.file))
      PIPELINE_FOLDER := \(MakeText.value(folder))
      PIPELINE_INPUTS :=
      \(run.keepsState ? "# The values that a run leaves to the next run.\nPIPELINE_STATE := \(MakeText.value(state))\n" : "")\
      export PIPELINE PIPELINE_FILE PIPELINE_FOLDER PIPELINE_INPUTS\(run.keepsState ? " PIPELINE_STATE" : "")
      """
  }

  private var secrets: String {
    run.secrets.isEmpty ? "" : " $${PIPELINE_INPUTS:+--inputs \"$$PIPELINE_INPUTS\"}"
  }

  private var stateWords: String { run.keepsState ? " --state \"$$PIPELINE_STATE\"" : "" }

  private var files: String {
    run.savesFiles ? " --output-dir \"$$PIPELINE_FOLDER/files\"" : ""
  }

  private var recipes: String {
    """
    part = "$$PIPELINE" part $(1) "$$PIPELINE_FILE" --folder "$$PIPELINE_FOLDER"
    # A part that has ended is done for make, even if its step failed (1, 5), is skipped (4) or waits
    # for another one (6), or if a request is in doubt (3). The parts after it find out by themselves
    # what that means for them, and so does the run's end.
    ended = || { status=$$?; case $$status in 1|3|4|5|6) ;; *) exit $$status ;; esac; }
    run = $(call part,run)\(files)\(secrets) --step

    .PHONY: run-finish run-begin
    run-finish:

    # Writes down what the run is given.
    run-begin:
    \tmkdir -p "$$PIPELINE_FOLDER"
    \t$(call part,begin)\(stateWords) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} >"$$PIPELINE_FOLDER/parts.json"
    """
  }

  private var targets: String {
    run.parts.map { part in
      let step = part.step
      let before = part.follows.isEmpty ? "run-begin" : part.follows.joined(separator: " ")
      let comment = Self.comment("\(step): \(CommentText.line(part.meaning))")
      guard let shards = part.shards else {
        return """
          \(comment)
          .PHONY: \(step)
          \(step): \(before)
          \t$(run) \(step) $(ended)
          """
      }
      let names = (1...shards).map { "\(step)-\($0)" }.joined(separator: " ")
      return """
        \(comment)
        .PHONY: \(step) \(names)
        \(step): \(names)
        \(names): \(step)-%: \(before)
        \t$(run) \(step) --shard $*/\(shards) $(ended)
        """
    }.joined(separator: "\n\n")
  }

  private var finish: String {
    let steps = run.parts.map(\.step).filter(run.last.contains)
    let last = steps.isEmpty ? "run-begin" : steps.joined(separator: " ")
    return """
      # Runs the `finally` steps and writes the outputs. It ends as the run ends.
      run-finish: \(last)
      \t$(call part,finish)\(stateWords)\(files)\(secrets) --output "$$PIPELINE_FOLDER/outputs.json"
      """
  }
}
