"""manifests.py FILE: checks Kubernetes documents as far as one can without a server, and prints what
matters of them as JSON."""

import json
import re
import sys

import yaml

LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
documents = list(yaml.safe_load_all(open(sys.argv[1], encoding="utf-8")))
names = [(document["kind"], document["metadata"]["name"]) for document in documents]
assert len(set(names)) == len(names), names
assert all(LABEL.fullmatch(name) for _, name in names), names
jobs = {}
for document in documents:
    if document["kind"] != "Job":
        continue
    assert document["apiVersion"] == "batch/v1"
    spec = document["spec"]
    pod = spec["template"]["spec"]
    # A pod failure policy needs this, and FailIndex needs a limit for each index.
    assert pod["restartPolicy"] == "Never"
    actions = [rule["action"] for rule in spec["podFailurePolicy"]["rules"]]
    assert ("FailIndex" in actions) == ("backoffLimitPerIndex" in spec)
    assert ("completionMode" in spec) == ("completions" in spec)
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for volume in volumes.values():
        for kind, key, target in [
            ("configMap", "name", "ConfigMap"),
            ("persistentVolumeClaim", "claimName", "PersistentVolumeClaim"),
        ]:
            if kind in volume:
                assert (target, volume[kind][key]) in names, volume
    for container in pod["containers"] + pod.get("initContainers", []):
        mounted = {mount["name"] for mount in container["volumeMounts"]}
        assert mounted <= set(volumes), container
        for entry in container["env"]:
            assert isinstance(entry.get("value", ""), str), entry
            reference = entry.get("valueFrom", {}).get("configMapKeyRef")
            if reference:
                assert ("ConfigMap", reference["name"]) in names, reference
    (container,) = pod["containers"]
    statuses = [
        rule["onExitCodes"]["values"] for rule in spec["podFailurePolicy"]["rules"] if "onExitCodes" in rule
    ]
    assert statuses == [[1, 2, 3, 5, 6, 64]]
    jobs[document["metadata"]["name"]] = {
        "command": container["command"] + container["args"],
        "waits": [mark for c in pod.get("initContainers", []) for mark in c["args"]],
        "completions": spec.get("completions", 1),
        "secrets": "secrets" in volumes,
    }
json.dump({"jobs": jobs, "scripts": documents[0]["data"]}, sys.stdout)
