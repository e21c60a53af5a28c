"""oauth: Sign in with OAuth 2.0 client credentials. The token is fetched once, shared by all
steps, and renewed when it expires or is refused.

An Airflow DAG of workflows/oauth.json, made by `pipeline export airflow`. It is yours to edit.
Airflow decides when and where a part of a run starts, and `pipeline part` carries it out. A
part finds out by itself whether its step is skipped. So a task starts when the tasks before it
have ended, whether they succeeded or not.
"""

import contextlib
import json
import logging
import math
import os
import subprocess
import tempfile
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from airflow.sdk import Connection, Param, dag, get_current_context, task
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowNotFoundException, AirflowSkipException

# The program and the workflow's file, as every worker finds them.
PIPELINE = "pipeline"
FILE = str(Path(__file__).parent / "workflows/oauth.json")
# How often a part that failed or was killed is started again. It sends only what is missing. The
# delay doubles each time.
RETRIES = 2
RETRY_DELAY = timedelta(seconds=10)
MAX_RETRY_DELAY = timedelta(minutes=10)
# A collection is split into shards of so many items.
ITEMS_PER_SHARD = 500
LOG = logging.getLogger("airflow.task")

# The workflow's inputs, as Airflow's form shows them. A value that is left as it is here is not
# passed on. Then the workflow's default, its environment or a variable of the worker decides.
INPUTS = {
    "api": Param("sandbox:/", type="string"),
}
# Where the run is kept.
RUN = {
    "run-folder": Param(
        "/shared/oauth",
        type="string",
        description="A folder that all workers see. Each run has its own folder below it.",
    ),
}


# Secret inputs: for each a variable of the worker's environment, and a connection of Airflow whose
# password is used if the variable is not set.
SECRETS = {
    "secret": ("CLIENT_SECRET", "oauth_secret"),
}


def secrets() -> dict[str, str]:
    """The secret inputs. They go to `pipeline` through a pipe, and nowhere else."""
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


def folder() -> str:
    """The folder of this DAG run, which its tasks share."""
    context = get_current_context()
    return str(Path(context["params"]["run-folder"]) / quote(context["run_id"], safe="+:"))


def execute(words: list[str], given: str) -> tuple[int, str]:
    """Runs a program, and logs what it says. Its status and its output are returned."""
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
                    LOG.log(level, "%s", line.rstrip("\n"))
            except BaseException:
                process.terminate()
                raise
        output.seek(0)
        return process.returncode, output.read()


def part(verb: str, *options: str, inputs: dict | None = None) -> str:
    """Runs `pipeline part`, without a shell. Its exit status decides how the task ends."""
    if verb != "begin" and not Path(folder(), "run.json").exists():
        # One cause gives one failure, and the run must not end well.
        failure = AirflowFailException if verb == "finish" else AirflowSkipException
        raise failure("The run has not begun: see the log of run-begin.")
    words = [PIPELINE, "part", verb, FILE, "--folder", folder(), "--inputs", "-", *options]
    status, output = execute(words, json.dumps((inputs or {}) | secrets()))
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


@task(task_id="run-begin")
def begin() -> None:
    """Writes down what the run is given."""
    params = get_current_context()["params"]
    inputs = {name: params[name] for name, param in INPUTS.items() if params[name] != param.value}
    Path(folder()).mkdir(parents=True, exist_ok=True)
    part("begin", inputs=inputs)


@task(trigger_rule="all_done")
def whole(step: str) -> None:
    """Carries out a step."""
    part("run", "--step", step)


@task(trigger_rule="all_done")
def split(step: str, most: int) -> list[str]:
    """Names the shards of a collection: 1/3, 2/3 and 3/3."""
    items = int(part("items", "--step", step))
    count = min(max(math.ceil(items / ITEMS_PER_SHARD), 1), most)
    return [f"{number}/{count}" for number in range(1, count + 1)]


@task(trigger_rule="all_done", map_index_template="{{ shard }}")
def some(step: str, shard: str) -> None:
    """Carries out a shard of a collection."""
    get_current_context()["shard"] = shard  # The grid shows it.
    part("run", "--step", step, "--shard", shard)


@task(task_id="run-finish", trigger_rule="all_done")
def finish() -> str:
    """Runs the `finally` steps, and returns where the outputs are. It ends as the run ends."""
    outputs = f"{folder()}/outputs.json"
    part("finish", "--output", outputs)
    return outputs


@dag(
    dag_id="oauth",
    description="Sign in with OAuth 2.0 client credentials. The token is fetched once, shared by all steps, and renewed when it expires or is refused.",
    schedule=None,
    catchup=False,
    params=INPUTS | RUN,
    default_args={
        "retries": RETRIES,
        "retry_delay": RETRY_DELAY,
        "retry_exponential_backoff": 2.0,
        "max_retry_delay": MAX_RETRY_DELAY,
    },
    doc_md=__doc__,
    tags=["pipeline"],
)
def workflow():
    started = begin()
    ended = finish()

    # me: GET /oauth/me
    step_me = whole.override(task_id="me", trigger_rule="all_success")("me")
    started >> step_me
    step_me >> ended

    # users: GET /bank/secure/users/{{id}}, for 3 items
    shards_users = split.override(task_id="users-shards", trigger_rule="all_success")("users", 64)
    step_users = some.override(task_id="users").partial(step="users").expand(shard=shards_users)
    started >> shards_users
    step_users >> ended


workflow()
