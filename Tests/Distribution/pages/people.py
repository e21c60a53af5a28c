"""What a run needs of a person: a login, decisions about requests in doubt, answers to questions."""

import http.server
import json
import os
import re
import subprocess
import threading

from checks import HOSTILE, PIPELINE, accessible, check, fits, shoot, until, write
from runs import API, ended, serve


class Authority(http.server.BaseHTTPRequestHandler):
    """Gives codes and tokens to whoever asks, and shows the API to a bearer."""

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/device":
            here = f"http://{self.headers['Host']}/"
            return self.answer(200, {"device_code": "d-4711", "user_code": "ABCD", "interval": 1,
                                     "verification_uri": here, "expires_in": 60})
        self.answer(200, {"access_token": "access-4711", "token_type": "Bearer",
                          "refresh_token": "refresh-4711", "expires_in": 3600})

    def do_GET(self):
        known = self.headers["Authorization"] == "Bearer access-4711"
        self.answer(200 if known else 401, {"id": 1})

    def log_message(self, *_):
        pass


def as_newcomer(page, server, folder, state):
    """A login that was not made yet: the form says what to do, and knows when it is done."""
    authority = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Authority)
    threading.Thread(target=authority.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{authority.server_address[1]}"
    write(folder, "runs/mail.json", json.dumps({
        "format": 1, "name": "mail", "inputs": {"account": {"type": "string", "default": "work"}},
        "environments": {"home": {"account": "private"}},
        "defaults": {"baseURL": base, "auth": {"oauth2": {
            "grant": "deviceAuthorization", "deviceAuthorizationURL": f"{base}/device",
            "tokenURL": f"{base}/token", "clientId": "app", "credential": "{{inputs.account}}"}}},
        "steps": [{"id": "me", "endpoint": "GET /me", "extract": {"id": "$.id"}}],
        "outputs": {"id": "{{me.id}}"}}, indent=2))
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(f"http://127.0.0.1:{server.port}/?file=runs%2Fmail.json&view=run")
    page.wait_for_selector("form .notice")
    place = os.path.join(os.path.realpath(folder), "runs/mail.json")
    shown = page.inner_text("form .notice")
    command = f"pipeline login {place} --credential work"
    check("There is no login 'work' yet; log in:" in shown and command in shown, f"the form says {shown!r}")
    accessible(page, "a missing login")
    shoot(page, "login")
    page.set_viewport_size({"width": 400, "height": 800})
    fits(page, "a missing login at 400 px")
    shoot(page, "login-400")
    page.set_viewport_size({"width": 1400, "height": 900})
    page.select_option("#environment", "home")
    check(f"{place} --credential private --environment home" in page.inner_text("form .notice"),
          page.inner_text("form .notice"))
    page.select_option("#environment", "")
    # Who runs it all the same reads the same.
    page.click("form button.primary")
    check(ended(page) == "not begun", "a run without its login begins")
    check(command in page.inner_text(".livecol"), page.inner_text(".livecol"))
    shoot(page, "login-missing")
    login = subprocess.run([PIPELINE, "login", place], capture_output=True, check=False, text=True,
                           env={**os.environ, "XDG_STATE_HOME": state})
    check(login.returncode == 0, login.stderr)
    page.evaluate("dispatchEvent(new Event('focus'))")
    until(page, lambda: page.locator("form .notice").count() == 0, "the login is not seen")
    page.click("form button.primary")
    until(page, lambda: page.inner_text(".runhead .tag") == "succeeded", "the login is not used")
    authority.shutdown()


def as_decider(page, server, folder, restart):
    """A server that is killed during a run: what may have arrived is decided by a person."""
    api = serve()
    write(folder, "runs/order.json", json.dumps({
        "format": 1, "name": "order", "steps": [
            {"id": "order", "endpoint": f"POST http://127.0.0.1:{api.server_address[1]}/orders",
             "body": {"json": {"note": HOSTILE}}, "extract": {"id": "$.id"}}],
        "outputs": {"id": "{{order.id}}"}}, indent=2))
    API.held = threading.Event()
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(f"http://127.0.0.1:{server.port}/?file=runs%2Forder.json&view=run")
    page.wait_for_selector("form.form")
    page.click("form button.primary")
    page.wait_for_selector(".runhead >> text=running")
    page.wait_for_timeout(1200)
    run = re.search(r"run=([0-9a-f]+)", page.url)[1]
    server.process.kill()
    server.process.communicate()
    API.held.set()
    API.held = None
    server = restart()
    page.goto(server.link)
    page.wait_for_selector(".needs >> text=runs/order.json")
    shoot(page, "doubt-files")
    page.click(".needs >> text=runs/order.json")
    page.wait_for_selector(".doubts li")
    check(HOSTILE.split('"')[0] in page.inner_text(".doubts"), "the body in doubt is not text")
    check(page.is_disabled("form >> text=Resume"), "an undecided run can be resumed")
    accessible(page, "in doubt")
    shoot(page, "doubt")
    page.click("text=It was carried out")
    page.fill(".doubts input[type=text]", '{"id": 42}')
    page.click("form >> text=Resume")
    check(ended(page) == "succeeded", "a decided run is not resumed")
    check("42" in page.inner_text(".livecol"), "the decided value is not used")
    check(run in page.url, "another run is shown")
    api.shutdown()
    return server


def as_asked(page, server, folder):
    """A run asks a person: it waits, and goes on with the answers that the page takes."""
    write(folder, "runs/ask.json", json.dumps({
        "format": 1, "name": "ask", "steps": [
            {"id": "show", "say": f"To be deleted: {HOSTILE}"},
            {"id": "ok", "dependsOn": ["show"], "ask": f"Delete {HOSTILE}?", "within": "2d", "answers": {
                "yes": {"type": "boolean", "description": HOSTILE},
                "count": {"type": "integer", "default": 3},
                "pin": {"type": "string", "secret": True, "optional": True},
                "kind": {"type": "string", "enum": ["soft", "hard"], "default": "soft"}}}],
        "outputs": {"count": "{{ok.count}}", "kind": "{{ok.kind}}", "yes": "{{ok.yes}}"}}, indent=2))
    base = f"http://127.0.0.1:{server.port}/?file=runs%2Fask.json"
    page.set_viewport_size({"width": 1400, "height": 900})
    page.emulate_media(color_scheme="light")
    page.goto(f"{base}&view=run")
    page.wait_for_selector("form.form")
    page.click("form button.primary")
    page.wait_for_selector(".runhead >> text=waits for an answer")
    check("To be deleted: <" in page.inner_text(".livecol:last-child"), "what a step says is not shown")
    accessible(page, "a run that waits")
    page.click(".runhead >> a.primary")
    page.wait_for_selector("text=It waits for an answer")
    check(HOSTILE in page.inner_text("form[aria-label='Go on']"), "a question is not text")
    check("Left empty: 3." in page.inner_text("form[aria-label='Go on']"), "a default is not shown")
    accessible(page, "a question")
    shoot(page, "question")
    # A wrong answer is refused before anything is sent, and the run waits on.
    page.fill("form >> label:has-text('count') >> input", "many")
    page.click("form >> text=Resume")
    page.wait_for_selector("text=must be a whole number")
    page.click(".runhead >> a.primary")
    page.wait_for_selector("text=It waits for an answer")
    page.select_option("form >> label:has-text('yes') >> select", "true")
    page.fill("form >> label:has-text('count') >> input", "5")
    page.fill("form >> label:has-text('pin') >> input", "pin-4711")
    shown = page.inner_text("form[aria-label='Go on']")
    check("--answer ok.count=5" in shown and "4711" not in shown, shown)
    page.click("form >> text=Resume")
    check(ended(page) == "succeeded", "a run that was answered does not go on")
    text = page.inner_text(".livecol:last-child")
    check("5" in text and "soft" in text, text)
