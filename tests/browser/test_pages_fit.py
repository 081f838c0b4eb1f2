"""Each example's HTML page in a real browser: the first screen holds what matters, a phone shows all."""

import unittest

from example_pages import Pages, browser, on_each_page

NARROW = 390


def wide_elements(driver):
    """Elements that stick out at the right and are not within something that scrolls."""
    return driver.execute_script("""
        return [...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, .drawing, .rail, .sr, .skip, .defs") &&
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
    def test_no_note_of_a_tile_is_cut(self, page):
        for width in (1280, 1440, NARROW):
            with browser(width, 800) as driver:
                driver.get(page.as_uri())
                self.assertEqual(driver.execute_script("""
                    return [...document.querySelectorAll(".summary .tile :is(dt, .v, .d)")].filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
                        .map(e => e.textContent);"""), [])

    def test_the_longest_figure_of_a_tile_fits(self):
        """One kernel can be all of the kernel time."""
        for width in (1180, 1280, 1341, 1440, 1920):
            with browser(width, 800) as driver:
                driver.get(self.pages[0].as_uri())
                past = driver.execute_script(r"""
                    return [...document.querySelectorAll(".summary .tile .v")].filter(v => {
                        v.innerHTML = '<span>100.0\u202f<small>%</small></span><small>, of kernel time</small>';
                        return v.scrollWidth > v.clientWidth;
                    }).length;""")
                self.assertEqual(past, 0, width)

    @on_each_page
    def test_no_tile_stands_alone_below_others(self, page):
        for width in (800, 1020, 1200, 1280, 1440):
            with browser(width, 800) as driver:
                driver.get(page.as_uri())
                rows = driver.execute_script("""
                    const rows = {};
                    for (const e of document.querySelectorAll(".summary .tile")) { const top = e.getBoundingClientRect().top; rows[top] = (rows[top] || 0) + 1; }
                    return Object.values(rows);""")
                self.assertTrue(len(rows) < 2 or min(rows) > 1, (width, rows))

    @on_each_page
    def test_swatches_stand_beside_their_names(self, page):
        for width in (1280, NARROW):
            with browser(width, 800) as driver:
                driver.get(page.as_uri())
                driver.execute_script("for (const d of document.querySelectorAll('details')) { d.removeAttribute('name'); d.open = true; }")
                apart = driver.execute_script("""
                    return [...document.querySelectorAll(".t tbody .x > .sw + *")].filter(e => e.checkVisibility() &&
                        e.getBoundingClientRect().top - e.previousElementSibling.getBoundingClientRect().top > 8).map(e => e.parentNode.textContent);""")
                self.assertEqual(apart, [])

    @on_each_page
    def test_lines_for_curves_stand_beside_curves(self, page):
        """Tiles without any curve have no empty line."""
        with browser(1280, 800) as driver:
            driver.get(page.as_uri())
            empty, curves = driver.execute_script("""
                const sparks = [...document.querySelectorAll(".summary .spark svg")];
                return [sparks.filter(s => !s.hasAttribute("role")).length, sparks.filter(s => s.hasAttribute("role")).length];""")
            self.assertTrue(curves or not empty, (empty, curves))

    @on_each_page
    def test_fits_a_phone(self, page):
        with browser(NARROW, 844) as driver:
            driver.get(page.as_uri())
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), NARROW)
            self.assertEqual(wide_elements(driver), [])


if __name__ == "__main__":
    unittest.main()
