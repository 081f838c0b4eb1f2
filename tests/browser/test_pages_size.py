"""Each example's HTML page in a real browser: it can be read in one sitting, and what is folded is found by its address."""

import os
import unittest
from pathlib import Path

from example_pages import Pages, browser, on_each_page

DATA = os.environ.get("TPREPORT_TEST_DATA")
LARGEST = [  # under TPREPORT_TEST_DATA: with most pixels, words and elements
    "synth/resnet_v3_input_bound/logdir",
    "synth/pod_v3_32_straggler/logdir",
    "pytorch/found/tracelens/h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
]


class PagesSize(Pages):
    def is_short(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            px, words, nodes = driver.execute_script("""
                return [document.documentElement.scrollHeight, document.body.innerText.split(/\\s+/).length,
                        document.getElementsByTagName("*").length];""")
            self.assertLessEqual(px, 9000)
            self.assertLessEqual(words, 3000)
            self.assertLessEqual(nodes, 15000)

    @on_each_page
    def test_can_be_read_in_one_sitting(self, page):
        self.is_short(page)

    def test_so_can_the_largest(self):
        for path in LARGEST if DATA else []:
            with self.subTest(path):
                self.is_short(self.report(Path(DATA, path)))

    @on_each_page
    def test_what_is_folded_is_found_by_its_address(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            later = driver.execute_script("""
                return [...document.querySelectorAll("noscript")].flatMap(n => [...n.textContent.matchAll(/ id="([^"&]+)"/g)].map(m => m[1]))
                    .filter(id => !/--(more|deep|columns)$|^tp-chart/.test(id));""")
            for name in later[::max(1, len(later) // 2)]:
                driver.get("about:blank")
                driver.get(page.as_uri() + "#" + name)
                shown = driver.execute_script("return document.getElementById(arguments[0]).getClientRects().length", name)
                self.assertGreater(shown, 0, name)


if __name__ == "__main__":
    unittest.main()
