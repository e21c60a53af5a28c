"""What the tests of the page share."""

import json
import os
import sys

PIPELINE = os.path.abspath(os.environ.get("PIPELINE", ".build/debug/pipeline"))
SHOTS = os.environ.get("SHOTS")
HOSTILE = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"
TURNED = "\x1b[31m\u202egnp.exe\u2066"

checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"page: {what}")


def write(folder, name, content):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))


def shoot(page, name):
    if SHOTS:
        page.screenshot(path=os.path.join(SHOTS, name + ".png"))


def accessible(page, what):
    """No violation of axe-core, if it is installed."""
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        return
    found = Axe().run(page).response["violations"]
    check(not found, f"{what}: {[(v['id'], v['nodes'][0]['html']) for v in found]}")


def fits(page, what):
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(wide <= 0, f"{what} scrolls sideways by {wide} px")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def until(page, holds, what, turns=400):
    """Waits up to 50 ms a turn, without a string of code, which the page's policy forbids."""
    for _ in range(turns):
        if holds():
            break
        page.wait_for_timeout(50)
    check(holds(), what)


def saved(page):
    until(page, lambda: page.inner_text(".editor .bar [role=status]") == "saved", "it is not saved")


def caret(page, text, within=0):
    """Puts the caret into a part of the text."""
    page.evaluate(
        """([text, within]) => { const area = document.querySelector("textarea");
             const at = area.value.indexOf(text); area.focus();
             area.setSelectionRange(at + within, at + within);
             area.dispatchEvent(new Event("keyup")); }""", [text, within])
