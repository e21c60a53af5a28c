"""The view of a file's text, in the browser."""

import json
import os

from checks import (
    HOSTILE, accessible, caret, check, fits, read, saved, shoot, until, write)


def as_author(page, server, folder, schemes):
    """Writes a workflow: with findings, fixes, completion, rename, format, undo and the graph."""
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1400, "height": 900})
    flow = {
        "format": 1, "name": "write", "description": HOSTILE, "defaults": {"baseURL": "sandbox:"},
        "steps": [
            {"id": "list", "endpoint": "GET /reqres/users", "extract": {"ids": "$.data[*].id"}},
            {"id": "user", "forEach": "$.list.ids", "as": "id",
             "endpoint": "GET /reqres/users/{id}", "extract": {"email": "$.data.email"}}],
        "outputs": {"users": "{{user}}", "ids": "{{list.ids}}"}}
    text = json.dumps(flow, indent=2)
    write(folder, "write.json", text)
    page.goto(f"http://127.0.0.1:{server.port}/?file=write.json")
    page.wait_for_selector(".problem")
    problems = page.inner_text(".problems")
    check("'{id}' is not a template" in problems, f"the findings are {problems!r}")
    check(page.locator(".writing pre").inner_text().rstrip() == text, "the coloured copy differs")
    check(page.locator(".writing .key").count() > 5, "the text has no colours")
    check(page.locator(".squiggle.bad").inner_text() == "{id}", "the finding is not marked")
    # The fix is an edit of the text, and the browser can undo it.
    caret(page, "{id}", 1)
    page.keyboard.press("Control+.")
    page.wait_for_selector(".pop")
    accessible(page, "a finding")
    shoot(page, "finding")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=No findings")
    check("users/{{id}}" in page.input_value("textarea"), "the fix is not made")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".problem")
    check(page.input_value("textarea") == text, "the fix cannot be undone")
    page.click(".problem >> text=Fix")
    page.wait_for_selector("text=No findings")
    page.wait_for_selector(".graph [data-step=user]")

    # The graph and the text lead to each other.
    page.focus(".graph [data-step=list]")
    page.keyboard.press("Enter")
    at = page.evaluate("document.activeElement.value.slice(document.activeElement.selectionStart)")
    check(at.startswith('"list"') or at.startswith('list"'), f"a step leads to {at[:20]!r}")
    page.wait_for_selector(".graph .chosen[data-step=list]")
    caret(page, '"email"')
    page.wait_for_selector(".graph .chosen[data-step=user]")
    facts = page.inner_text(".facts")
    check("Waits for list" in facts, f"the facts of a step are {facts!r}")

    # Completion and hover say what the language server says.
    caret(page, "{{list.ids}}", 7)
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    page.wait_for_selector(".problem")
    page.keyboard.type("i")
    page.wait_for_selector(".complete li >> text=ids")
    accessible(page, "completions")
    shoot(page, "completions")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=No findings")
    check("{{list.ids}}" in page.input_value("textarea"), "the completion is not written")
    caret(page, '"forEach"', 3)
    page.keyboard.press("Control+i")
    page.wait_for_selector(".pop.hover")
    check("forEach" in page.inner_text(".pop.hover"), "nothing is said about a key")
    page.keyboard.press("Escape")
    check(page.locator(".pop").count() == 0, "Escape closes nothing")

    # A new name everywhere.
    caret(page, '"list"', 2)
    page.keyboard.press("F2")
    page.wait_for_selector("#rename")
    page.fill("#rename", "all")
    accessible(page, "renaming")
    page.keyboard.press("Enter")
    page.wait_for_selector(".graph [data-step=all]")
    changed = page.input_value("textarea")
    check("{{all.ids}}" in changed and "$.all.ids" in changed, "not all is renamed")
    page.click("text=Format")
    until(page, lambda: page.input_value("textarea") != changed, "it is not formatted")
    page.keyboard.press("Control+s")
    saved(page)
    check(read(folder, "write.json") == page.input_value("textarea"), "the file differs from the text")

    # Somebody else changes the file: nothing is overwritten.
    theirs = read(folder, "write.json").replace('"name": "write"', '"name": "written"')
    caret(page, '"outputs"', 0)
    page.keyboard.press("Home")
    page.keyboard.type(" ")
    write(folder, "write.json", theirs)
    page.keyboard.press("Control+s")
    page.wait_for_selector(".notice >> text=has changed on the disk")
    check(read(folder, "write.json") == theirs, "a change on the disk is overwritten")
    accessible(page, "a conflict")
    shoot(page, "conflict")
    page.click(".notice >> text=Merge")
    page.keyboard.press("Control+s")
    saved(page)
    both = read(folder, "write.json")
    check('"name": "written"' in both and '\n   "outputs"' in both, "the changes are not merged")
    # Both have changed one line: a person decides.
    caret(page, '"written"', 1)
    page.keyboard.type("re")
    write(folder, "write.json", both.replace('"written"', '"other"'))
    page.keyboard.press("Control+s")
    page.wait_for_selector("text=the same lines")
    check(page.locator(".notice >> text=Merge").count() == 0, "a conflict can be merged")
    page.click(".notice >> text=Take the disk's")
    check('"other"' in page.input_value("textarea"), "the disk's text is not taken")
    page.focus("textarea")
    page.keyboard.press("Control+z")
    check('"rewritten"' in page.input_value("textarea"), "the own text is lost")
    page.keyboard.press("Control+y")
    # A file that changes under an unchanged text is read again.
    write(folder, "write.json", both)
    page.evaluate("dispatchEvent(new Event('focus'))")
    until(page, lambda: page.input_value("textarea") == both, "the file is not read again")

    # Lines of Windows stay as they are.
    write(folder, "crlf.json", text.replace("\n", "\r\n"))
    page.goto(f"http://127.0.0.1:{server.port}/?file=crlf.json")
    page.wait_for_selector(".problem")
    page.click(".problem >> text=Fix")
    page.wait_for_selector("text=No findings")
    page.keyboard.press("Control+s")
    saved(page)
    with open(os.path.join(folder, "crlf.json"), "rb") as file:
        check(file.read() == text.replace("{id}", "{{id}}").replace("\n", "\r\n").encode(),
              "the ends of lines have changed")

    # A long text is scrolled, and its colours with it.
    long = json.loads(text.replace("{id}", "{{id}}"))
    long["steps"] = [dict(long["steps"][0], id=f"list{n}") for n in range(120)] + long["steps"][1:]
    long["steps"][-1]["forEach"] = "$.list7.ids"
    long["outputs"] = {"end": "{{list119.ids}}"}
    write(folder, "long.json", json.dumps(long, indent=2))
    page.goto(f"http://127.0.0.1:{server.port}/?file=long.json&at=900:1")
    page.wait_for_selector(".graph [data-step=list119]")
    heights = page.evaluate(
        """() => [".code", ".writing pre", ".writing textarea"].map((name) => {
             const e = document.querySelector(name); return [e.clientHeight, e.scrollHeight, e.scrollTop]; })""")
    check(heights[0][1] > 16_000 and heights[0][2] > 10_000, f"a long text is not scrolled: {heights}")
    check(all(abs(inner - whole) < 2 for inner, whole, _ in heights[1:]), f"a long text is cut: {heights}")
    shoot(page, "long")
    page.goto(f"http://127.0.0.1:{server.port}/?file=crlf.json")
    page.wait_for_selector(".graph [data-step=user]")

    # Text is never markup, wherever it is shown, and a mistake leaves the last drawing.
    check(page.evaluate("document.title").startswith("crlf.json"), "a text has run")
    caret(page, '"steps"')
    page.keyboard.type("x")
    page.wait_for_selector(".resting")
    check(page.locator(".graph [data-step]").count() == 2, "the drawing is gone")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        for width in (1400, 700, 400):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(f"http://127.0.0.1:{server.port}/?file=write.json")
            page.wait_for_selector(".graph [data-step]", state="attached")
            fits(page, f"the text at {width} px")
            accessible(page, f"the text at {width} px, {scheme}")
            shoot(page, f"write-{scheme}-{width}")
            if width < 820:
                page.click(".panes >> text=Steps")
                accessible(page, f"the steps at {width} px, {scheme}")
                fits(page, f"the steps at {width} px")
