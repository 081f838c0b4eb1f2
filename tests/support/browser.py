"""Debian's Chromium, headless and without a network, for tests that look at the page as a reader does."""

import atexit
import contextlib
import functools
import json
import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils

SCRIPTS_S = 1  # where they are forbidden they never come
HAS_SCRIPTS = "return !document.getElementById('report-json') || document.documentElement.classList.contains('js')"


class LoopbackService(Service):
    """Talks to chromedriver by address: a bare chroot or container may not know the name localhost."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")


class Chromium(webdriver.Chrome):
    """Gives a page when its scripts are at work: they are unpacked while it is shown already."""

    def get(self, url):
        super().get(url)
        self.wait_for_scripts()

    def refresh(self):
        super().refresh()
        self.wait_for_scripts()

    def wait_for_scripts(self):
        until = time.monotonic() + SCRIPTS_S
        while not self.execute_script(HAS_SCRIPTS) and time.monotonic() < until:
            time.sleep(0.02)


@functools.cache
def chromium():
    """One browser for a whole test program: to start it takes longer than to load a page."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
        "--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--lang=en-US",
        # Like LoopbackService: chromedriver would look up localhost to reach the browser.
        "--remote-debugging-pipe",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chromium(service=LoopbackService("/usr/bin/chromedriver"), options=options)
    atexit.register(driver.quit)
    return driver


@contextlib.contextmanager
def browser(width=1280, height=900, dark=False):
    """A fresh tab with a page area of this size; `with browser() as page: page.get(path.as_uri())`. What a test sets by
    execute_cdp_cmd is the tab's and goes with it."""
    driver = chromium()
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        for log in driver.log_types:
            driver.get_log(log)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        yield driver
    finally:
        driver.close()
        driver.switch_to.window(first)


def requests(driver):
    """The addresses of everything the page asked for since the last call."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def console_errors(driver):
    """What the page complained about: failed loads, blocked scripts, uncaught exceptions."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
