"""drive.py DAG [SETTINGS]: imports a DAG file on the stand-in for Airflow beside this file, prints its
structure as JSON, and runs it if SETTINGS (JSON) give a run: params, run_id, connections."""

import json
import logging
import runpy
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from airflow import sdk
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

runpy.run_path(sys.argv[1])
(dag,) = sdk.DAGS
params = dag.settings["params"]
answer = {
    "dag": {
        name: value
        for name, value in dag.settings.items()
        if name in ("dag_id", "dag_display_name", "schedule", "catchup", "description")
    },
    "params": {
        name: {**param.schema, **({"default": param.value} if param.value is not sdk.NOTSET else {})}
        for name, param in params.items()
    },
    "tasks": {
        task.id: {
            "follows": [other.id for other in task.follows],
            "rule": task.rule,
            "mapped": bool(task.each),
        }
        for task in dag.tasks
    },
}


def attempt(task, words, named):
    """Runs a task as often as Airflow would."""
    for number in range(dag.settings["default_args"]["retries"] + 1):
        try:
            return "success", task.function(*words, **named), number + 1
        except AirflowSkipException as error:
            return "skipped", str(error), number + 1
        except AirflowFailException as error:
            return "failed", str(error), number + 1
        except Exception as error:
            problem = str(error)
    return "failed", problem, number + 1


class Lines(logging.Handler):
    """Keeps what the tasks log."""

    def emit(self, record):
        answer.setdefault("log", []).append([record.levelname, record.getMessage()])


logging.getLogger("airflow.task").setLevel(logging.INFO)
logging.getLogger("airflow.task").addHandler(Lines())

if len(sys.argv) > 2:
    settings = json.loads(sys.argv[2])
    given = {name: param.value for name, param in params.items()} | settings.get("params", {})
    sdk.CONTEXT.update(params=given, run_id=settings["run_id"])
    sdk.CONNECTIONS.update(settings.get("connections", {}))
    states, results, attempts = {}, {}, {}
    waiting = list(dag.tasks)
    while waiting:
        task = next(t for t in waiting if all(other.id in states for other in t.follows))
        waiting.remove(task)
        if task.rule == "all_success" and any(states[t.id] != "success" for t in task.follows):
            states[task.id] = "upstream_failed"
            continue
        words, named = task.arguments
        if not task.each:
            states[task.id], results[task.id], attempts[task.id] = attempt(task, words, named)
            continue
        ((name, source),) = task.each.items()
        if states[source.id] != "success":
            states[task.id] = "skipped" if states[source.id] == "skipped" else "upstream_failed"
            continue
        runs = [attempt(task, (), {**named, name: value}) for value in results[source.id]]
        ends = {run[0] for run in runs}
        states[task.id] = next(end for end in ("failed", "success", "skipped") if end in ends)
        attempts[task.id] = sum(run[2] for run in runs)
    answer["states"], answer["results"], answer["attempts"] = states, results, attempts
print(json.dumps(answer))
