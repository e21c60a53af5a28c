# oauth: Sign in with OAuth 2.0 client credentials. The token is fetched once, shared by all
# steps, and renewed when it expires or is refused.
#
# A Makefile of workflows/oauth.json, made by `pipeline export make`.
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
# should be able to read: secret (variable CLIENT_SECRET).

empty :=
# The program, the workflow's file and the run's folder.
PIPELINE := pipeline
PIPELINE_FILE := workflows/oauth.json
PIPELINE_FOLDER := runs/oauth
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

# me: GET /oauth/me
.PHONY: me
me: run-begin
	$(run) me $(ended)

# users: GET /bank/secure/users/{{id}}, for 3 items
.PHONY: users users-1 users-2 users-3 users-4
users: users-1 users-2 users-3 users-4
users-1 users-2 users-3 users-4: users-%: run-begin
	$(run) users --shard $*/4 $(ended)

# Runs the `finally` steps and writes the outputs. It ends as the run ends.
run-finish: me users
	$(call part,finish) $${PIPELINE_INPUTS:+--inputs "$$PIPELINE_INPUTS"} --output "$$PIPELINE_FOLDER/outputs.json"
