#!/usr/bin/env bash
# cleanup: Clean up whatever happens: 'finally' runs once after the other steps, even after a
# failure, a deadline or Ctrl-C, and sees how they ended.
#
# Slurm jobs of workflows/cleanup.json, made by `pipeline export slurm`.
# It is yours to edit.
#
#   ./run.sh --set NAME=VALUE     begins a run and submits its jobs; the options give its inputs
#   PIPELINE_WAIT=1 ./run.sh      waits for the last job, and exits as the run ends
#   PIPELINE_FOLDER=DIR ./run.sh  goes on with the run in DIR; a part that is done ends at once
#
# A job starts when the jobs before it have ended, whether they succeeded or not. A part finds
# out by itself whether its step is skipped.
set -euo pipefail

# The program, the workflow's file and a folder for runs, as all nodes see them.
program=pipeline
file=workflows/cleanup.json
runs=runs/cleanup
folder=${PIPELINE_FOLDER:-$runs/$(date +%Y%m%d-%H%M%S)-$$}

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
  job=$(sbatch --parsable --job-name="$name" --output="${folder//\%/%%}/log/$log.txt" \
    ${after:+"--dependency=afterany:$after"} "${options[@]}" "$folder/job.sh" "$@")
  echo "${job%%;*}"
}

# The run begins here and now, so what is wrong with its inputs is said at once.
"$program" part begin "$file" --folder "$folder" "$@" >"$folder/parts.json"
run=("$program" part run "$file" --folder "$folder" --step)
echo "the run's folder is $folder"

# upload: PUT /images/draft
job_upload=$(submit upload "" -- "${run[@]}" upload)

# check: GET /images/{{upload.id}}
job_check=$(submit check "$job_upload" -- "${run[@]}" check)

# Runs the `finally` steps and writes the outputs. It ends as the run ends.
submit run-finish "$job_check" ${PIPELINE_WAIT:+--wait} -- \
  "$program" part finish "$file" --folder "$folder" --output "$folder/outputs.json"
