"""The page where it is published: on servers that let it do all, as GitLab Pages and GitHub Pages do, that run its scripts in a sandbox,
that refuse scripts, or that refuse its style, too, as Jenkins does. Charts keep their colours; with --css-file the page has all of its looks."""

import http.server
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

try:
    from browser import browser, console_errors, requests
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(__file__).parents[2] / "examples"
POLICIES = {
    "jenkins": "sandbox; default-src 'none'; img-src 'self'; style-src 'self'",
    # raw.githubusercontent.com, and viewers of files that took it over.
    "github": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    # The preview of an artifact in Gitea and Forgejo, and frames that viewers put around a page.
    "gitea": "sandbox allow-scripts",
    # GitLab Pages, which shows HTML among a job's artifacts, too, adds no policy; nor do GitHub Pages and CircleCI.
    "pages": None,
}
SHAPES = """
const out = [];
for (const shape of document.querySelectorAll(".plot rect, .plot circle, .plot polygon, .plot polyline, .plot line, .plot path, .legend rect, .ib rect, .sb rect")) {
    const look = getComputedStyle(shape), line = ["line", "polyline", "path"].includes(shape.tagName) && look.fill === "none";
    if (line || shape.tagName === "line" ? look.stroke === "none" : look.fill === "rgb(0, 0, 0)" && !shape.classList.contains("f-ink"))
        out.push(shape.outerHTML.slice(0, 120));
}
return out;
"""
# What is not used, and what was not recorded.
HATCHES = {
    "tf_slow_input": [],
    "torch_ddp": ["url(#tp-dots)", "url(#tp-hatch-collective)", "url(#tp-hatch-idle)"],
    "estimator_job": ["url(#tp-hatch-idle)"],
    "diff": ["url(#tp-dots)"],
    "history": [],
}
NOWHERE = """
return [...document.querySelectorAll("[fill^='url(']")].map(e => /#([^)]*)/.exec(e.getAttribute("fill"))[1])
    .filter(id => !(document.getElementById(id) instanceof SVGPatternElement));
"""
HATCHED = """return [...new Set([...document.querySelectorAll("main rect[fill^='url('], main g[fill^='url(']")].map(e => e.getAttribute("fill").split(" ")[0]))].sort();"""
OUTSIDE = """
return [...document.querySelectorAll(".plot text")].filter(t => t.getBoundingClientRect().width && t.getBoundingClientRect().left < 0)
    .map(t => t.textContent);
"""


class Server(http.server.SimpleHTTPRequestHandler):
    """/NAME/FILE is FILE with the policy of that name."""

    def translate_path(self, path):
        return super().translate_path(path[path.find("/", 1):])

    def end_headers(self):
        policy = POLICIES.get(self.path.split("/")[1])
        if policy:
            self.send_header("Content-Security-Policy", policy)
        super().end_headers()

    def log_message(self, *_):
        pass


class Policy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for name in ("tf_slow_input", "torch_ddp", "estimator_job"):
            logs, page = EXAMPLES / name / "input", Path(folder.name, name)
            subprocess.run([TPREPORT, "-q", logs, "-o", f"{page}.html"], check=True)
        ranks = sorted((EXAMPLES / "torch_ddp/input").glob("rank*.gz"))
        for name, command in (("diff", "diff"), ("history", "history")):
            subprocess.run([TPREPORT, "-q", command, *ranks, "-o", Path(folder.name, f"{name}.html")], check=True)
        subprocess.run([TPREPORT, "-q", EXAMPLES / "jax_cnn/input", "-o", Path(folder.name, "styled.html"),
                        "--css-file", Path(folder.name, "looks.css")], check=True)
        cls.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), lambda *args: Server(*args, directory=folder.name))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)

    def visit(self, driver, name, policy="jenkins", fragment=""):
        driver.get(f"http://127.0.0.1:{self.server.server_port}/{policy}/{name}.html{fragment}")

    def test_without_scripts_the_page_has_its_looks_and_folds_open(self):
        for name in HATCHES:
            with self.subTest(name), browser(width=1440) as driver:
                self.visit(driver, name, "github")
                self.assertEqual(driver.execute_script("return [getComputedStyle(document.body).display, document.documentElement.className]"), ["grid", ""])
                self.assertEqual(driver.execute_script(SHAPES), [])
                self.assertEqual(driver.execute_script(NOWHERE), [])
                fold = driver.execute_script("return [...document.querySelectorAll('main details:not([open])')].find(d => d.checkVisibility() && d.querySelector('table'))")
                if fold:
                    fold.find_element("tag name", "summary").click()
                    self.assertTrue(fold.find_element("tag name", "table").is_displayed())

    def test_scripts_work_in_a_sandbox_and_on_a_server_that_lets_them(self):
        for policy in ("gitea", "pages"):
            with self.subTest(policy), browser(width=1440) as driver:
                self.visit(driver, "torch_ddp", policy, "#operators/list")
                WebDriverWait(driver, 20).until(lambda d: d.execute_script("return document.documentElement.classList.contains('js')"))
                asked = requests(driver)
                find = driver.find_element("css selector", "[id='operators/list'] .find")
                find.send_keys("allreduce")
                rows = "return [...document.querySelectorAll(\"[id='operators/list'] tbody tr\")].filter(r => r.getClientRects().length).length"
                WebDriverWait(driver, 20).until(lambda d: 0 < d.execute_script(rows) < 10)
                search = driver.find_element("css selector", ".rail .search")
                search.send_keys("memory")
                WebDriverWait(driver, 20).until(lambda d: d.find_elements("css selector", ".hits a"))
                driver.find_element("css selector", ".hits a").click()
                self.assertIn("memory", driver.current_url.split("#")[1])
                driver.execute_script("location.hash = 'timeline/view'")
                WebDriverWait(driver, 20).until(lambda d: d.execute_script("const f = document.querySelector('figure.tl-live'); return f && f.timeline && f.timeline.view.isComplete()"))
                self.assertEqual(asked + requests(driver), [asked[0]])
                self.assertEqual(console_errors(driver), [])

    def test_without_styles_shapes_have_colours_and_labels_have_room(self):
        for name in HATCHES:
            with self.subTest(name), browser(width=1440) as driver:
                self.visit(driver, name)
                self.assertEqual(driver.execute_script("return getComputedStyle(document.body).display"), "block")
                self.assertEqual(driver.execute_script(SHAPES), [])
                self.assertEqual(driver.execute_script(OUTSIDE), [])
                self.assertEqual(driver.execute_script(NOWHERE), [])
                self.assertEqual(driver.execute_script(HATCHED), HATCHES[name])
                self.assertGreater(driver.execute_script("return document.querySelectorAll('.plot').length"), 0)

    def test_a_style_sheet_beside_the_page_is_used(self):
        with browser(width=1440) as driver:
            self.visit(driver, "styled")
            self.assertEqual(driver.execute_script("return getComputedStyle(document.body).display"), "grid")

    def test_a_style_sheet_elsewhere_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([TPREPORT, "-q", EXAMPLES / "jax_cnn/input", "-o", f"{folder}/r.html", "--css-file", f"{folder}/a/r.css"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, os.listdir(folder)), (2, []), done.stderr)


if __name__ == "__main__":
    unittest.main()
