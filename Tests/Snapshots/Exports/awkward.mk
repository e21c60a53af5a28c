# it's "50%" $(rm -rf) ${HOME} #1 \ naïve evil: Line one. Line """ two: {a} 'b' `c` $d \ .
#
# A Makefile of it's a "$file" #1 50%.json, made by `pipeline export make`.
# It is yours to edit.
#
#   make -j4                              carries out the workflow, up to four parts at a time
#   make -j4 PIPELINE_FOLDER=DIR          another run; each run has a folder of its own
#   make -j4 PIPELINE_INPUTS=inputs.json  with inputs, a JSON object
#
# The outputs are in the run's folder. Start make again to go on: a part that is done ends at
# once, and one that failed or was killed sends only what is missing.
#
# Secret inputs come from the environment, or from the file of PIPELINE_INPUTS, which only you
# should be able to read: token (variable AWKWARD_TOKEN), key.

empty :=
# The program, the workflow's file and the run's folder.
PIPELINE := /opt/my tools/pipeline's
PIPELINE_FILE := it's a "$$file" \#1 50%.json
PIPELINE_FOLDER := /shared/50% of $$runs \#1
PIPELINE_INPUTS :=
export PIPELINE PIPELINE_FILE PIPELINE_FOLDER PIPELINE_INPUTS

part = "$$PIPELINE" part $(1) "$$PIPELINE_FILE" --folder "$$PIPELINE_FOLDER"
# A part that has ended is done for make, even if its step failed (1, 5), is skipped (4) or waits
# for another one (6), or if a request is in doubt (3). The parts after it find out by themselves
# what that means for them, and so does the run's end.
ended = || { status=$$?; case $$status in 1|3|4|5|6) ;; *) exit $$status ;; esac; }
run = $(call part,run) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} --step

.PHONY: run-finish run-begin
run-finish:

# Writes down what the run is given.
run-begin:
	mkdir -p "$$PIPELINE_FOLDER"
	$(call part,begin) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} >"$$PIPELINE_FOLDER/parts.json"

# list: GET /a'b$(c)%20{{inputs.kind}}
.PHONY: list
list: run-begin
	$(run) list $(ended)

# Class: GET /x, if $.list.ids[0] == 'é $HOME'
.PHONY: Class
Class: list
	$(run) Class $(ended)

# begin: POST /y/{{id}}, for each of $.list.ids
.PHONY: begin begin-1 begin-2 begin-3 begin-4
begin: begin-1 begin-2 begin-3 begin-4
begin-1 begin-2 begin-3 begin-4: begin-%: list
	$(run) begin --shard $*/4 $(ended)

# class: GET /z/{{id}}, for each of $.list.ids
.PHONY: class
class: list
	$(run) class $(ended)

# all: values
.PHONY: all
all: begin Class class
	$(run) all $(ended)

# Runs the `finally` steps and writes the outputs. It ends as the run ends.
run-finish: all
	$(call part,finish) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} --output "$$PIPELINE_FOLDER/outputs.json"
