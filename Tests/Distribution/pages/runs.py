"""The views of runs, in the browser: author → run → fail → fix → resume, answers, history, tests."""

import http.server
import json
import os
import re
import threading
import time

from checks import HOSTILE, TURNED, accessible, check, fits, read, saved, shoot, until, write


class API(http.server.BaseHTTPRequestHandler):
    """Answers markup, scripts, controls and marks that turn text around, in every field."""

    protocol_version = "HTTP/1.1"
    items = 40
    broken = set()
    pause = 0.0
    total = "total"
    held = None

    def answer(self, status, content, kind="application/json"):
        body = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Hostile", HOSTILE)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/items":
            return self.answer(200, json.dumps({
                "data": [{"id": 90071992547409930 + n, "na'me": f"n{n}" + HOSTILE + TURNED}
                         for n in range(self.items)], HOSTILE: HOSTILE, self.total: self.items}))
        if self.path == "/page":
            return self.answer(200, f"<!DOCTYPE html><title>x</title>{HOSTILE}", "text/html")
        number = int(self.path.rsplit("/", 1)[1]) - 90071992547409930
        time.sleep(self.pause)
        if number in self.broken:
            return self.answer(500, json.dumps({"error": HOSTILE}))
        self.answer(200, json.dumps({"data": {"id": number, "mail": f"{number}@example.org"}}))

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if API.held is not None:
            API.held.wait(20)
            return
        self.answer(201, json.dumps({"id": 1}))

    def log_message(self, *_):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # A run that is stopped closes its connections.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def flow(port):
    return {
        "format": 1, "name": "hostile-run",
        "inputs": {
            "api": {"type": "string", "default": f"http://127.0.0.1:{port}"},
            "region": {"type": "string", "enum": ["eu", "us"], "default": "eu", "description": HOSTILE},
            "day": {"type": "date", "default": "2026-01-31"}, "most": {"type": "integer", "default": 3},
            "token": {"type": "string", "secret": True}},
        "environments": {"other": {"most": 7}},
        "defaults": {"baseURL": "{{inputs.api}}", "auth": {"bearer": "{{inputs.token}}"}},
        "limits": {"concurrency": 4},
        "steps": [
            {"id": "list", "endpoint": "GET /items?region={{inputs.region}}",
             "extract": {"ids": "$.data[*].id"}},
            {"id": "item", "forEach": "$.list.ids", "as": "id", "onItemError": "collect", "endpoint": "GET /items/{{id}}",
             "extract": {"mail": "$.data.mail"}},
            {"id": "page", "endpoint": "GET /page"}],
        "outputs": {"mails": "$.item[*].mail", "most": "{{inputs.most}}", "day": "{{inputs.day}}"}}


def ended(page):
    until(page, lambda: page.locator(".runhead .tag").count() == 1
          and page.inner_text(".runhead .tag") not in ("running", "stopping"), "the run does not end", 300)
    return page.inner_text(".runhead .tag")


def stopped_search(page):
    """A search that takes long shows what it has found, lets a person look at it, and can be stopped."""
    held = []

    def answer(route):
        asked = route.request.post_data_json
        if asked["method"] != "answers/search":
            route.continue_()
        elif asked["params"]["from"] == 0:
            route.fulfill(json={"jsonrpc": "2.0", "id": asked["id"], "result": {"rows": [3, 5], "next": 20}})
        else:
            held.append(route)

    page.route("**/rpc", answer)
    page.fill(".items input", "found early")
    until(page, lambda: page.locator(".item").count() == 2, "what is found is not shown at once")
    until(page, lambda: "[3]" in page.inner_text(".detail h2"), "the first one is not opened")
    check(page.is_visible(".items progress"), "it is not said that the search goes on")
    accessible(page, "a search that goes on")
    shoot(page, "search")
    page.click(".item >> text=[5]")
    until(page, lambda: "[5]" in page.inner_text(".detail h2"), "a search blocks other calls")
    page.click(".items >> text=Stop")
    check("2 answers, then stopped" in page.inner_text(".items"), page.inner_text(".items"))
    check(page.is_hidden(".items progress") and held, "the search is not stopped")
    page.unroute("**/rpc")


def left_early(page, address):
    """A view that takes long to read says so. If it is left before, it does not come back."""
    held = []

    def hold(route):
        if route.request.post_data_json["method"] == "answers/steps":
            held.append(route)
        else:
            route.continue_()

    page.route("**/rpc", hold)
    page.goto(address)
    page.wait_for_selector("text=Reading the recording…")
    page.click("#nav >> text=Files")
    page.wait_for_selector(".filelist li")
    held[0].continue_()
    page.wait_for_timeout(500)
    check(page.locator(".filelist li").count() > 0, "a view that was left comes back")
    page.unroute("**/rpc")


def as_runner(page, server, folder, state, schemes):
    api = serve()
    text = flow(api.server_address[1])
    text["steps"][0]["endpoint"] = "GET /items"
    write(folder, "runs/hostile.json", json.dumps(text, indent=2))
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    base = f"http://127.0.0.1:{server.port}/?file=runs%2Fhostile.json"
    page.goto(base + "&view=run")
    page.wait_for_selector("form.form")
    page.wait_for_selector(".graph [data-step=item]")
    kinds = page.eval_on_selector_all("form :is(input, select, textarea)[id^=input-]", "all => all.map(e => e.type)")
    check(kinds == ["text", "select-one", "date", "number", "password"], f"the fields are {kinds}")
    check(HOSTILE in page.inner_text("form"), "a description is not text")
    page.select_option("#environment", "other")
    check("Left empty: 7, of 'other'" in page.inner_text("form"), "the environment's value is not said")
    accessible(page, "the form")
    shoot(page, "form")

    # What a workflow needs and lacks is said, and nothing is sent.
    page.click("button >> text=Plan first")
    page.wait_for_selector("form pre:not(.twin)")
    check("list" in page.inner_text("form"), "the plan is not shown")
    page.fill("#input-token", "very-secret-4711")
    page.fill("#input-day", "2026-02-28")
    check("very-secret" not in page.inner_text("main"), "the secret is in a command line")
    API.broken = {3, 5}
    page.focus("form button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".runhead")
    check(ended(page) == "failed", "a failed run is not called so")
    run = re.search(r"run=([0-9a-f]+)", page.url)[1]
    check(page.locator(".lane").count() == 4, "there is not a lane a step")
    loop = page.inner_text("[aria-label='Loop item']")
    check("2\nfailed" in loop or "2 failed" in loop, f"the loop is counted {loop!r}")
    check(page.locator(".strip").count() == 1, "the strip of failures is missing")
    check("item" in page.inner_text(".failures"), "the failures are not listed")
    check(page.locator(".graph [data-step=item] .icon.bad").count() == 1, "the graph has no states")
    accessible(page, "a failed run")
    shoot(page, "run")
    page.reload()
    check(ended(page) == "failed", "a reload loses the run")

    # Its answers: nothing in them is markup, secrets have their names, digits are kept.
    page.click(".runhead >> text=Answers")
    page.wait_for_selector(".tree .node")
    page.click(".steplist >> text=list")
    page.wait_for_selector(".answersplit.single .tree .node")
    body = page.inner_text(".tree")
    check(HOSTILE in body, "a hostile body is not text")
    check("\\u{1b}[31m\\u{202e}gnp.exe\\u{2066}" in body, "controls of a body are not visible")
    check("90071992547409930" in body, "a long number has lost digits")
    page.click("text=Request, as it was sent")
    sent = page.inner_text(".detail")
    check("very-secret" not in sent and "token" in sent.lower(), f"the secret is shown: {sent[:300]}")
    page.click("summary >> text=Header fields of the response")
    check(HOSTILE in page.inner_text(".detail"), "a hostile header field is not text")
    accessible(page, "an answer")
    shoot(page, "answer")
    page.click(".steplist >> text=page")
    page.wait_for_selector("pre.whole")
    check(HOSTILE in page.inner_text("pre.whole"), "a page of HTML is not text")
    check("owned" not in page.title(), "an answer has run")

    # Click a value: the list is proposed, what it finds is marked, and the text has it.
    page.click(".steplist >> text=list")
    page.wait_for_selector(".answersplit.single .tree .node")
    page.focus(".tree")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("form.take")
    check(page.input_value("#extract-query") == "$.data[*]['na\\'me']", page.input_value("#extract-query"))
    check(page.input_value("#extract-name") == "na_mes", page.input_value("#extract-name"))
    check("40 found" in page.inner_text("form.take"), "it is not said how many are found")
    check(page.locator(".node.found").count() > 3, "what is found is not marked")
    accessible(page, "extracting")
    shoot(page, "extract")
    page.keyboard.press("ArrowDown")
    check(page.input_value("#extract-query") == "$.data[0]['na\\'me']", "one value cannot be chosen")
    page.keyboard.press("ArrowUp")
    page.fill("#extract-query", "$.nothing")
    until(page, lambda: "0 found" in page.inner_text("form.take"), "a query is not tried at once")
    page.fill("#extract-query", "$.data[*]['na\\'me']")
    page.fill("#extract-name", "names")
    page.keyboard.press("Enter")
    page.click(".toast a")
    page.wait_for_selector(".graph [data-step=list]")
    changed = page.input_value("textarea")
    check('"ids": "$.data[*].id",\n        "names": "$.data[*][\'na\\\\\'me\']"' in changed, changed)
    until(page, lambda: "names" in page.inner_text(".finds"), "the pinned answers are not tried")
    check("of run" in page.inner_text(".finds"), "it is not said whose answers these are")
    accessible(page, "pinned answers")
    shoot(page, "pinned")
    page.focus("textarea")
    page.keyboard.press("Control+z")
    check("names" not in page.input_value("textarea"), "an extractor cannot be undone")
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+s")
    saved(page)
    check("names" in read(folder, "runs/hostile.json"), "the extractor is not saved")

    # Items: filter, search, keyboard.
    page.goto(f"{base}&view=answers&run={run}&step=item")
    page.wait_for_selector(".item")
    check(page.locator(".item").count() < 41, "all rows are elements")
    page.click(".items >> text=Failed")
    until(page, lambda: "2 answers" in page.inner_text(".items"), "failed answers are not filtered")
    page.click(".items >> text=All")
    page.fill(".items input", "17@example")
    until(page, lambda: page.locator(".item").count() == 1, "a body is not found")
    check(page.is_hidden(".items progress"), "a search does not end")
    # Debian's Firefox does not tell what a request holds.
    if "dark" in schemes:
        stopped_search(page)
    page.fill(".items input", "no such text")
    until(page, lambda: "No answer matches" in page.inner_text(".detail"), "nothing is found, and that is not said")
    page.fill(".items input", "")
    until(page, lambda: "40 answers" in page.inner_text(".items"), "the search stays")
    page.focus(".items .virtual")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    until(page, lambda: "[39]" in page.inner_text(".detail h2"), "the keyboard does not reach the last")
    check("row=" in page.url, "an answer has no address")
    page.reload()
    until(page, lambda: "[39]" in page.inner_text(".detail h2"), "a reload loses the answer")
    accessible(page, "items")
    shoot(page, "items")

    if "dark" in schemes:
        left_early(page, f"{base}&view=answers&run={run}")

    # Resume: what was carried out is not sent again. The secret is asked for again.
    API.broken = set()
    page.goto(f"{base}&view=history&run={run}")
    page.wait_for_selector("form[aria-label='Go on']")
    accessible(page, "history")
    shoot(page, "history")
    page.fill("#input-token", "very-secret-4711")
    page.click("form >> text=Resume")
    check(ended(page) == "succeeded", "the run is not resumed")
    page.goto(f"{base}&view=run")
    page.wait_for_selector("form.form")
    page.fill("#input-token", "very-secret-4711")
    page.select_option("#part", "list")
    page.click("form button.primary")
    check(ended(page) == "succeeded", "a part cannot be run")
    check("names" in page.inner_text(".livecol"), "the values of a part are not shown")

    # While news come, what can be clicked stays the same element.
    API.pause = 0.3
    API.broken = {1, 2, 30}
    page.goto(f"{base}&view=run")
    page.wait_for_selector("form.form")
    page.fill("#input-token", "very-secret-4711")
    page.click("form button.primary")
    page.wait_for_selector(".failures a")
    kept = [page.query_selector(name) for name in (".failures li", ".failures a", ".loop", ".loop a")]
    counted = page.inner_text(".loop .counts")
    until(page, lambda: page.inner_text(".loop .counts") != counted, "the loop is not counted")
    check(page.inner_text(".runhead .tag") == "running", "the run has ended too early")
    check(ended(page) == "failed", "the failures are not counted")
    until(page, lambda: page.is_visible(".loop a"), "the failed items are not linked")
    check(all(element.evaluate("e => e.isConnected") for element in kept), "what can be clicked is replaced")
    check("(3 times)" in page.inner_text(".failures"), page.inner_text(".failures"))
    kept[3].click()
    page.wait_for_selector(".items [aria-pressed=true] >> text=Failed")
    API.broken = set()

    # Stop, and two runs beside each other.
    API.pause = 0.6
    page.goto(f"{base}&view=run")
    page.wait_for_selector("form.form")
    page.fill("#input-token", "very-secret-4711")
    page.click("form button.primary")
    page.wait_for_selector("[aria-label='Loop item']")
    accessible(page, "a run that goes on")
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.go_back()
    page.wait_for_selector(".runhead >> text=running")
    page.click("text=Stop")
    check(ended(page) == "stopped", "a run cannot be stopped")
    API.pause = 0
    page.click(".runhead >> text=In History")
    page.wait_for_selector(".runs li")
    for box in page.locator(".runs input").all()[:2]:
        box.check()
    page.click("text=Compare")
    page.wait_for_selector("h2 >> text=Two runs")
    accessible(page, "two runs")
    shoot(page, "compare")
    with page.expect_download() as download:
        page.goto(f"{base}&view=history&run={run}")
        page.click("text=Report")
    report = open(download.value.path(), encoding="utf-8").read()
    check("hostile-run" in report and "<script>document.title" not in report, "the report is another")
    page.wait_for_selector("text=Delete")
    before = page.locator(".runs li").count()
    page.click("text=Delete")
    until(page, lambda: page.locator(".runs li").count() == before - 1, "a run cannot be deleted")
    check(not os.path.exists(os.path.join(state, "pipeline/runs", run)), "the folder of a run is left")
    for name in os.listdir(os.path.join(state, "pipeline/runs")):
        for where, _, names in os.walk(os.path.join(state, "pipeline/runs", name)):
            for other in names:
                content = open(os.path.join(where, other), "rb").read()
                check(b"very-secret" not in content, f"{other} has the secret")

    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for width in (1400, 700, 400):
            page.set_viewport_size({"width": width, "height": 800})
            for view, ready in (("run", "form.form"), ("answers", ".tree .node, pre.whole"),
                                ("history", ".runs li")):
                page.goto(f"{base}&view={view}")
                page.wait_for_selector(ready)
                fits(page, f"{view} at {width} px")
                accessible(page, f"{view} at {width} px, {scheme}")
                shoot(page, f"{view}-{scheme}-{width}")
    api.shutdown()


def as_reader(page, server):
    """With --read-only nothing is written, run or deleted, and no control offers it."""
    base = f"http://127.0.0.1:{server.port}/?file=runs%2Fhostile.json"
    page.goto(server.link)
    page.wait_for_selector("text=read-only")
    for view, ready in (("write", ".graph [data-step=list]"), ("run", ".livecol h2"),
                        ("answers", ".detail h2"), ("history", ".runs li")):
        page.goto(f"{base}&view={view}")
        page.wait_for_selector(ready)
        names = page.locator("main button, main a.button").all_inner_texts()
        wrong = {"Save", "Format", "Rename", "Fix", "Run", "Stop", "Resume", "Delete"} & set(names)
        if view == "write":
            wrong -= {"Run"}  # It leads to the last run.
            check(not page.is_editable("textarea"), "a text can be edited")
        check(not wrong, f"{view} offers {wrong}")
        accessible(page, f"{view}, read-only")
    refused = page.evaluate(
        """async () => (await (await fetch("/rpc", { method: "POST",
             headers: { "Content-Type": "application/json" },
             body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "run/start",
               params: { path: "users.json" } }) })).json()).error.message""")
    check("--read-only" in refused, f"a call is answered with {refused!r}")
