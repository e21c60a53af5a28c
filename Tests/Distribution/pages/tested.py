"""The view of tests: orders, drift, coverage, and a run that becomes a test."""

import json
import os
import subprocess

from checks import HOSTILE, PIPELINE, accessible, check, fits, shoot, until, write
from runs import API, ended, serve


def as_tester(page, server, folder):
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    base = f"http://127.0.0.1:{server.port}/?file="
    page.goto(base + "users.test.json&view=tests")
    page.wait_for_selector("form.form")
    page.click("form button.primary")
    page.wait_for_selector(".results li")
    check("all pass" in page.inner_text(".livecol"), page.inner_text(".livecol"))
    check("20 orders" in page.inner_text(".results"), "it is not said under how many orders")
    accessible(page, "tests")
    shoot(page, "tests")

    # A workflow that was never run here has no tests. A run becomes one.
    api = serve()
    API.broken = set()
    flow = {
        "format": 1, "name": "tested", "inputs": {"n": {"type": "integer", "default": 1}},
        "defaults": {"baseURL": f"http://127.0.0.1:{api.server_address[1]}"},
        "steps": [{"id": "list", "endpoint": "GET /items", "extract": {"total": "$.total"}}],
        "outputs": {"total": "{{list.total}}", "n": "{{inputs.n}}"}}
    write(folder, "tested/flow.json", json.dumps(flow, indent=2))
    page.goto(base + "tested%2Fflow.json&view=tests")
    page.wait_for_selector("text=It has no tests yet")
    accessible(page, "no tests")
    page.click(".empty a")
    page.wait_for_selector("form.form")
    page.fill("#input-n", "7")
    page.click("form button.primary")
    check(ended(page) == "succeeded", "the run fails")
    page.click(".runhead >> text=Make a test")
    page.wait_for_selector("#test-name")
    accessible(page, "making a test")
    shoot(page, "test-making")
    page.fill("#test-name", HOSTILE)
    page.keyboard.press("Enter")
    page.click(".toast >> text=To the tests")
    page.wait_for_selector("form.form")
    with open(os.path.join(folder, "tested/flow.test.json"), encoding="utf-8") as file:
        made = json.load(file)
    test = made["tests"][0]
    check(made["workflow"] == "./flow.json" and test["name"] == HOSTILE, f"the test is {made}")
    check(test["inputs"] == {"n": 7} and test["expect"] == {"outputs": {"total": 40, "n": 7}}, f"it is {test}")
    check(os.path.exists(os.path.join(folder, "tested", test["replay"])), "the recording is missing")
    page.click("form button.primary")
    page.wait_for_selector(".results li")
    check("all pass" in page.inner_text(".livecol"), page.inner_text(".livecol"))
    check(HOSTILE in page.inner_text(".results"), "a test's name is not text")

    # The server answers otherwise now: drift.
    API.total = "count"
    page.click("text=Compare with the server")
    page.wait_for_selector(".results .part")
    shown = page.inner_text(".livecol")
    check("the server has changed" in shown and "drifted" in shown, f"no drift is shown: {shown}")
    accessible(page, "drift")
    shoot(page, "drift")
    API.total = "total"
    page.click("text=Compare with the server")
    until(page, lambda: "no drift" in page.inner_text(".livecol"), "drift stays")
    page.click("form >> text=tested/flow.test.json")
    page.wait_for_selector("textarea")
    check("replay" in page.input_value("textarea"), "the test file is not shown")

    # Orders: two writes to one place that nothing orders.
    write(folder, "tested/race.json", json.dumps({
        "format": 1, "name": "race", "defaults": {"baseURL": "https://api.example"},
        "steps": [{"id": "a", "endpoint": "PUT /x", "body": {"json": 1}},
                  {"id": "b", "endpoint": "PUT /x", "body": {"json": 2}}]}, indent=2))
    write(folder, "tested/race.test.json", json.dumps({
        "workflow": "./race.json",
        "tests": [{"name": "race", "respond": {"a": {"json": 1}, "b": {"json": 2}}}]}, indent=2))
    page.goto(base + "tested%2Frace.json&view=tests")
    page.wait_for_selector("form.form")
    page.click("form button.primary")
    page.wait_for_selector(".results .part")
    shown = page.inner_text(".results")
    check("dependsOn" in shown and "one order:" in shown and "another:" in shown, f"orders: {shown}")
    shoot(page, "orders")
    for width in (1400, 400):
        page.set_viewport_size({"width": width, "height": 800})
        fits(page, f"tests at {width} px")
        accessible(page, f"tests at {width} px")
    page.set_viewport_size({"width": 1400, "height": 900})

    # Answers of a run in a terminal, of a recording, and of one step only.
    state = {"XDG_STATE_HOME": os.path.join(os.path.dirname(folder), "state")}
    flow["name"] = "kept"
    write(folder, "tested/kept.json", json.dumps(flow, indent=2))
    place = os.path.join(folder, "tested/kept.json")
    page.goto(base + "tested%2Fkept.json")
    page.wait_for_selector(".graph [data-step=list]")
    page.click(".graph [data-step=list]")
    until(page, lambda: "No answer of this step" in page.inner_text(".finds"), "answers come from nowhere")
    page.click(".finds >> text=Run this step")
    until(page, lambda: "step list only" in page.inner_text(".finds"), "the step's answers are not pinned")
    check("succeeded" in page.inner_text(".finds") and "40" in page.inner_text(".finds table"), "it finds nothing")
    accessible(page, "one step's answers")
    shoot(page, "one-step")
    subprocess.run([PIPELINE, "run", "-q", "--keep-answers", place], env={**os.environ, **state},
                   capture_output=True, check=True)
    subprocess.run([PIPELINE, "run", "-q", "--record", place.replace(".json", ".har"), place],
                   env={**os.environ, **state}, capture_output=True, check=True)
    page.goto(base + "tested%2Fkept.json&view=answers")
    page.wait_for_selector(".pinned select")
    sources = page.locator(".pinned option").all_inner_texts()
    check(len(sources) == 3 and sources[-1] == "the recording tested/kept.har", f"the sources are {sources}")
    page.select_option(".pinned select", label=sources[-1])
    until(page, lambda: "recording=tested" in page.url, "a recording has no address")
    page.wait_for_selector(".tree .node")
    page.click("text=Make a test")
    page.wait_for_selector("#test-name")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast >> text=To the tests")
    check(os.path.exists(os.path.join(folder, "tested/kept.test.json")), "no test is made of a recording")
    accessible(page, "a recording")
    api.shutdown()
