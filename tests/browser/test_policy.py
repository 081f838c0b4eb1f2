"""The page where a server lets it do next to nothing, as Jenkins does by default: no script, no style within the page. Charts keep
their colours; with --css-file the page has all of its looks."""

import http.server
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

try:
    from browser import browser
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(__file__).parents[2] / "examples"
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"
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
return [...document.querySelectorAll("[fill^='url(']")].map(e => e.getAttribute("fill").slice(5, -1))
    .filter(id => !(document.getElementById(id) instanceof SVGPatternElement));
"""
HATCHED = """return [...new Set([...document.querySelectorAll("main rect[fill^='url('], main g[fill^='url(']")].map(e => e.getAttribute("fill")))].sort();"""
OUTSIDE = """
return [...document.querySelectorAll(".plot text")].filter(t => t.getBoundingClientRect().width && t.getBoundingClientRect().left < 0)
    .map(t => t.textContent);
"""


class Strict(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Content-Security-Policy", JENKINS)
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
            ("127.0.0.1", 0), lambda *args: Strict(*args, directory=folder.name))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.shutdown)

    def visit(self, driver, name):
        driver.get(f"http://127.0.0.1:{self.server.server_port}/{name}.html")

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
