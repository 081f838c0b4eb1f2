"""Each example's HTML page in a real browser: it can be read in one sitting, and what is folded is found by its address."""

import unittest

from example_pages import Pages, browser, on_each_page


class PagesSize(Pages):
    @on_each_page
    def test_can_be_read_in_one_sitting(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            px, words, nodes = driver.execute_script("""
                return [document.documentElement.scrollHeight, document.body.innerText.split(/\\s+/).length,
                        document.getElementsByTagName("*").length];""")
            self.assertLessEqual(px, 9000)
            self.assertLessEqual(words, 3000)
            self.assertLessEqual(nodes, 15000)

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
