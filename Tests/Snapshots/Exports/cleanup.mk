# cleanup: Clean up whatever happens: 'finally' runs once after the other steps, even after a
# failure, a deadline or Ctrl-C, and sees how they ended.
#
# A Makefile of workflows/cleanup.json, made by `pipeline export make`.
# It is yours to edit.
#
#   make -j4                              carries out the workflow, up to four parts at a time
#   make -j4 PIPELINE_FOLDER=DIR          another run; each run has a folder of its own
#   make -j4 PIPELINE_INPUTS=inputs.json  with inputs, a JSON object
#
# The outputs are in the run's folder. Start make again to go on: a part that is done ends at
# once, and one that failed or was killed sends only what is missing.

empty :=
# The program, the workflow's file and the run's folder.
PIPELINE := pipeline
PIPELINE_FILE := workflows/cleanup.json
PIPELINE_FOLDER := runs/cleanup
PIPELINE_INPUTS :=
export PIPELINE PIPELINE_FILE PIPELINE_FOLDER PIPELINE_INPUTS

part = "$$PIPELINE" part $(1) "$$PIPELINE_FILE" --folder "$$PIPELINE_FOLDER"
# A part that has ended is done for make, even if its step failed (1, 5), is skipped (4) or waits
# for another one (6), or if a request is in doubt (3). The parts after it find out by themselves
# what that means for them, and so does the run's end.
ended = || { status=$$?; case $$status in 1|3|4|5|6) ;; *) exit $$status ;; esac; }
run = $(call part,run) --step

.PHONY: run-finish run-begin
run-finish:

# Writes down what the run is given.
run-begin:
	mkdir -p "$$PIPELINE_FOLDER"
	$(call part,begin) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} >"$$PIPELINE_FOLDER/parts.json"

# upload: PUT /images/draft
.PHONY: upload
upload: run-begin
	$(run) upload $(ended)

# check: GET /images/{{upload.id}}
.PHONY: check
check: upload
	$(run) check $(ended)

# Runs the `finally` steps and writes the outputs. It ends as the run ends.
run-finish: check
	$(call part,finish) --output "$$PIPELINE_FOLDER/outputs.json"
