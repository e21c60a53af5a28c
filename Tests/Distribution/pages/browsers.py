"""The browsers in which the page is opened."""

import os
import shutil

FIREFOX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "firefox")
# A name of an attacker, which resolves to this machine.
EVIL = "evil.example"


def missing(name):
    """Why a browser cannot be used, or nothing."""
    programs = {"chromium": ["chromium"], "firefox": ["firefox-esr", "firefox"]}[name]
    return "" if any(shutil.which(program) for program in programs) else f"{programs[0]} is not installed"


def launch(playwright, name, rebinds=False):
    if name == "firefox":
        # Debian's Firefox speaks WebDriver BiDi. Playwright's own build of Firefox is not needed.
        preferences = {"network.dns.localDomains": EVIL} if rebinds else {}
        return playwright.firefox.launch(
            channel="moz-firefox", executable_path=FIREFOX, firefox_user_prefs=preferences)
    arguments = [f"--host-resolver-rules=MAP {EVIL} 127.0.0.1"] if rebinds else []
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)


def schemes(name):
    """The colour schemes that can be emulated: this Firefox does not know how."""
    return ("light", "dark") if name == "chromium" else ("light",)
