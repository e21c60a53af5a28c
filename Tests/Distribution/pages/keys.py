"""The keyboard alone: author → run → fail → fix → resume → extract, and nothing is clicked."""

import json

from checks import check, read, saved, until, write
from runs import API, ended, serve


def tab_to(page, what, holds, key="Tab"):
    """Presses Tab, or Shift and Tab, until the focused element is the one that is meant."""
    for _ in range(90):
        page.keyboard.press(key)
        focused = page.evaluate(
            """() => { const e = document.activeElement;
                 return [e.tagName, e.className, e.getAttribute("aria-label") ?? "", e.textContent]; }""")
        if holds(*focused):
            return
    check(False, f"Tab does not reach {what}")


def on(text):
    return lambda tag, name, label, content: content.strip() == text or label == text


def as_typist(page, server, folder):
    api = serve()
    API.broken = set()
    base = f"http://127.0.0.1:{api.server_address[1]}"
    write(folder, "keys/keyflow.json", json.dumps({
        "format": 1, "name": "keyflow", "defaults": {"baseURL": base},
        "steps": [
            {"id": "list", "endpoint": "GET /items",
             "extract": {"ids": "$.data[*].id", "total": "$.totals"}},
            {"id": "item", "forEach": {"from": 1, "to": 3}, "as": "n", "dependsOn": ["list"],
             "endpoint": "GET /items/9007199254740993{n}", "extract": {"mail": "$.data.mail"}}],
        "outputs": {"total": "{{list.total}}", "ids": "$.list.ids", "mails": "$.item[*].mail"}}, indent=2))
    # A window of its own: who has tabbed out of a page has left it for the browser.
    page = page.context.new_page()
    page.bring_to_front()
    page.set_viewport_size({"width": 1400, "height": 900})
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait_for_selector(".filelist li")

    # Find it, heal what is found in it, save it.
    tab_to(page, "the skip link", on("Skip to the content"))
    page.keyboard.press("Enter")
    tab_to(page, "the filter", lambda tag, name, label, content: name == "search")
    page.keyboard.type("keyflow")
    tab_to(page, "the file", lambda tag, name, label, content: "keys/keyflow.json" in content and tag == "A")
    page.keyboard.press("Enter")
    page.wait_for_selector(".problem")
    tab_to(page, "the text", lambda tag, name, label, content: tag == "TEXTAREA")
    page.keyboard.press("Control+.")
    page.wait_for_selector(".pop")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=No findings")
    check("{{n}}" in page.input_value("textarea"), "the fix is not made")
    page.keyboard.press("Control+s")
    saved(page)

    # Run it: an extractor finds nothing. The failure leads to its place in the text.
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("form.form")
    tab_to(page, "Run", lambda tag, name, label, content: tag == "BUTTON" and content == "Run")
    page.keyboard.press("Enter")
    check(ended(page) == "failed", "an extractor that finds nothing fails no run")
    tab_to(page, "the failure", on("To the text"))
    page.keyboard.press("Enter")
    page.wait_for_selector(".graph [data-step=list]")
    until(page, lambda: page.evaluate("document.activeElement.tagName") == "TEXTAREA",
          "the failure does not lead to the text")
    text = page.input_value("textarea")
    wanted = text.index("$.totals") + len("$.totals")
    at = page.evaluate("document.activeElement.selectionStart")
    check(text.count("\n", min(at, wanted), max(at, wanted)) < 8, "the failure leads elsewhere")
    for _ in range(abs(wanted - at)):
        page.keyboard.press("ArrowRight" if wanted > at else "ArrowLeft")
    page.keyboard.press("Backspace")
    page.keyboard.press("Control+s")
    saved(page)
    check('"$.total"' in read(folder, "keys/keyflow.json"), "the fix is not saved")

    # Go on with the run.
    tab_to(page, "History", on("History"), "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("form[aria-label='Go on']")
    tab_to(page, "Resume", on("Resume"))
    page.keyboard.press("Enter")
    check(ended(page) == "succeeded", "the run is not resumed")
    check("40" in page.inner_text(".livecol"), "the outputs are missing")

    # Take a value of an answer.
    tab_to(page, "Answers", lambda tag, name, label, content: content == "Answers" and "button" in name)
    page.keyboard.press("Enter")
    page.wait_for_selector(".answersplit.single .tree .node")
    tab_to(page, "the body", lambda tag, name, label, content: label == "Body")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("form.take")
    tab_to(page, "the name", lambda tag, name, label, content: page.evaluate(
        "document.activeElement.id") == "extract-name")
    page.keyboard.press("Control+a")
    page.keyboard.type("numbers")
    page.keyboard.press("Enter")
    page.wait_for_selector(".toast a")
    tab_to(page, "the text", on("To the text"))
    page.keyboard.press("Enter")
    page.wait_for_selector(".graph [data-step=list]")
    check('"numbers": "$.data[*].id"' in page.input_value("textarea"), "the extractor is not written")
    page.close()
    api.shutdown()
