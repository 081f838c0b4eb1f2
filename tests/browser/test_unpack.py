"""What deflate makes of scripts, in all of its ways, is run by the page's own script as it was; and the page's own weight is small."""

import base64
import os
import random
import unittest
import zlib
from pathlib import Path

from example_pages import Pages, browser, on_each_page

UNPACK = (Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "templates/unpack.js").read_text(encoding="utf-8")
MOST_BYTES = 150_000


def packed(code, level=4, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
    return base64.b64encode(packer.compress(code.encode()) + packer.flush()).decode()


class Unpack(Pages):
    def test_all_ways(self):
        chance = random.Random(1)
        texts = ["", "x", "… é 中 \U0001f600", "abc" * 40_000, "".join(chance.choice("abcdefgh 0123\n") for _ in range(150_000)),
                 "".join(chr(chance.randrange(32, 0x2000)) for _ in range(30_000)).replace("\\", "").replace("`", "").replace("$", "")]
        with browser() as driver:
            driver.get("data:text/html,<title>x</title><body>")
            for text in texts:
                code = f"window.done = String.raw`{text}`;"
                for level, strategy in ((0, zlib.Z_DEFAULT_STRATEGY), (1, zlib.Z_DEFAULT_STRATEGY), (4, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_DEFAULT_STRATEGY),
                                        (4, zlib.Z_FIXED), (4, zlib.Z_HUFFMAN_ONLY), (4, zlib.Z_RLE)):
                    done = driver.execute_async_script(UNPACK.replace("const runPacked", "window.runPacked") + """window.done = null;
                        runPacked(arguments[0]).then(() => arguments[1](window.done));""", packed(code, level, strategy))
                    self.assertEqual(done, text, (len(text), level, strategy))

    @on_each_page
    def test_a_page_weighs_little_of_its_own(self, page):
        """Its style and scripts, whatever it is of."""
        text = page.read_text(encoding="utf-8")
        own = sum(len(text[text.index(f"<{name}>"):text.index(f"</{name}>", text.index(f"<{name}>"))].encode()) for name in ("style", "script"))
        self.assertLess(own, MOST_BYTES)
        with browser() as driver:
            driver.get(page.as_uri())
            self.assertFalse(driver.execute_script("return document.querySelector('.tools').hidden"), "the scripts did not run")


if __name__ == "__main__":
    unittest.main()
