internal import PipelineByteText
internal import PipelineLanguage

/// A workflow as a script that submits Slurm jobs.
struct SlurmScript {
  let run: ExportedRun
  let options: ExportOptions

  var text: String {
    [heading, constants, functions, begin, jobs, finish].joined(separator: "\n\n") + "\n"
  }

  private var runs: String {
    options.folder ?? "runs/" + ExportedName.file(run.name)
  }

  private var heading: String {
    let about = CommentText.lines(
      run.name + (run.description.map { ": " + $0 } ?? ""), width: 96)
    return """
      #!/usr/bin/env bash
      \(about.map { "# " + $0 }.joined(separator: "\n"))
      #
      # Slurm jobs of \(CommentText.line(options.file)), made by `pipeline export slurm`.
      # It is yours to edit.
      #
      #   ./run.sh --set NAME=VALUE     begins a run and submits its jobs; the options give its inputs
      #   PIPELINE_WAIT=1 ./run.sh      waits for the last job, and exits as the run ends
      #   PIPELINE_FOLDER=DIR ./run.sh  goes on with the run in DIR; a part that is done ends at once
      #
      # A job starts when the jobs before it have ended, whether they succeeded or not. A part finds
      # out by itself whether its step is skipped.
      \(secretsNote)
      set -euo pipefail
      """.replacing(bytes: "\n\n", with: "\n")
  }

  private var secretsNote: String {
    guard !run.secrets.isEmpty else { return "" }
    let names = run.secrets.map { input in
      input.name + (input.variable.map { " ($\($0.value))" } ?? "")
    }
    return CommentText.lines(
      "Secret inputs come from the environment, or from a JSON file of inputs that PIPELINE_INPUTS names"
        + " and that only you should be able to read: " + names.joined(separator: ", ") + ".",
      width: 96
    ).map { "# " + $0 }.joined(separator: "\n")
  }

  private var constants: String {
    """
    # The program, the workflow's file and a folder for runs, as all nodes see them.
    program=\(ShellText.word(options.program))
    file=\(ShellText.word(options.file))
    runs=\(ShellText.word(runs))
    folder=${PIPELINE_FOLDER:-$runs/$(date +%Y%m%d-%H%M%S)-$$}
    """
  }

  private var functions: String {
    """
    # What every job runs. A part that fails or is killed is started again, up to twice. It sends only
    # what is missing. The statuses named below do not change by trying again. A part whose step is
    # skipped (4) is done.
    mkdir -p "$folder/log"
    cat >"$folder/job.sh" <<'END'
    #!/usr/bin/env bash
    for pause in 5 10 0; do
      status=0
      "$@" || status=$?
      case $status in
        4) status=0 && break ;;
        0 | 2 | 3 | 5 | 6 | 64 | 130) break ;;
      esac
      sleep "$pause"
    done
    exit "$status"
    END

    # Submits a job: its name, the jobs before it, options of sbatch up to --, and its command. A task
    # of an array has its number in the name of its log.
    submit() {
      local name=$1 after=$2 options=() job log=%x-%j
      shift 2
      while [ "$1" != -- ]; do
        case $1 in --array=*) log=%x-%A_%a ;; esac
        options+=("$1")
        shift
      done
      shift
      job=$(sbatch --parsable --job-name="$name" --output="${folder//\\%/%%}/log/$log.txt" \\
        ${after:+"--dependency=afterany:$after"} "${options[@]}" "$folder/job.sh" "$@")
      echo "${job%%;*}"
    }
    """
  }

  private var begin: String {
    let inputs =
      run.secrets.isEmpty
      ? "" : "inputs=(${PIPELINE_INPUTS:+--inputs \"$PIPELINE_INPUTS\"})\n"
    return """
      # The run begins here and now, so what is wrong with its inputs is said at once.
      \(inputs)"$program" part begin "$file" --folder "$folder" \(state)\(given)"$@" >"$folder/parts.json"
      run=("$program" part run "$file" --folder "$folder" \(files)\(given)--step)
      echo "the run's folder is $folder"
      """
  }

  /// Where the file's state is kept, which one run leaves to the next.
  private var state: String { run.keepsState ? "--state \"$runs/state.json\" " : "" }

  private var files: String { run.savesFiles ? "--output-dir \"$folder/files\" " : "" }

  private var given: String { run.secrets.isEmpty ? "" : "\"${inputs[@]}\" " }

  private var jobs: String {
    run.parts.map { part in
      let after = part.follows.map { "$job_" + $0 }.joined(separator: ":")
      let array = part.shards.map { "--array=1-\($0) " } ?? ""
      let shard = part.shards == nil ? "" : " --shard auto"
      let command = "-- \"${run[@]}\" \(part.step)\(shard)"
      return """
        # \(part.step): \(CommentText.line(part.meaning))
        job_\(part.step)=$(submit \(part.step) "\(after)" \(array)\(command))
        """
    }.joined(separator: "\n\n")
  }

  private var finish: String {
    let all = run.parts.filter { run.last.contains($0.step) }.map { "$job_" + $0.step }
      .joined(separator: ":")
    return """
      # Runs the `finally` steps and writes the outputs. It ends as the run ends.
      submit run-finish "\(all)" ${PIPELINE_WAIT:+--wait} -- \\
        "$program" part finish "$file" --folder "$folder" \(state)\(files)\(given)--output "$folder/outputs.json"
      """
  }
}
