"""Each example's HTML page in a real browser: the first screen holds what matters, a phone shows all."""

import unittest

from example_pages import Pages, browser, on_each_page

NARROW = 390


def wide_elements(driver):
    """Elements that stick out at the right and are not within something that scrolls."""
    return driver.execute_script("""
        return [...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, .rail, .sr, .skip, .defs") &&
            e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1)
            .map(e => e.outerHTML.slice(0, 120));""")


class PagesFit(Pages):
    @on_each_page
    def test_first_screen_holds_what_matters(self, page):
        with browser(1280, 800) as driver:
            driver.get(page.as_uri())
            bottoms = driver.execute_script("""
                return Object.fromEntries([...document.querySelectorAll(".run-line, h1, .because, .quality, .tiles, "
                    + ".chart svg[role=img], .todo li:nth-child(-n + 3), .checks")].filter(e => e.closest(".summary"))
                    .map(e => [e.id || e.tagName, e.getBoundingClientRect().bottom]));""")
            self.assertGreater(len(bottoms), 3)
            self.assertEqual({k: b for k, b in bottoms.items() if b > 800}, {})

    @on_each_page
    def test_fits_a_phone(self, page):
        with browser(NARROW, 844) as driver:
            driver.get(page.as_uri())
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), NARROW)
            self.assertEqual(wide_elements(driver), [])


if __name__ == "__main__":
    unittest.main()
