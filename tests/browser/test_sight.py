"""What is not in sight is not laid out, and yet is found: by its address, from the rail, by the browser's search, and on paper."""

import unittest

from example_pages import Pages, browser, console_errors, on_each_page

SKIPPED = """return [...document.querySelectorAll(".sec")].filter(s => { const e = s.querySelector("h2"); return e && !e.checkVisibility({contentVisibilityAuto: true}); }).map(s => s.id)"""
# How far below the upper edge what an address names stands; 16 is where the page's own margin puts it, and the end of the page stops it earlier.
PLACE = """const name = location.hash.slice(1), e = document.getElementById(name) || document.getElementById(decodeURIComponent(name)), end = document.documentElement.scrollHeight - innerHeight;
    return [e.getBoundingClientRect().top - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) - parseFloat(getComputedStyle(e).scrollMarginTop), scrollY >= end - 1, scrollY];"""
MOST_OFF_PX = 50


class Sight(Pages):
    def lands(self, driver, name):
        off, at_end, _ = driver.execute_script(PLACE)
        self.assertTrue(abs(off) <= MOST_OFF_PX or at_end and 0 <= off <= 900, (name, off, at_end))

    @on_each_page
    def test_what_is_below_is_laid_out_when_it_comes_in_sight(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            skipped = driver.execute_script(SKIPPED)
            names = driver.execute_script("return [...document.querySelectorAll('.sec')].map(s => s.id)")
            self.assertIn(names[-1], skipped)
            self.assertNotIn(names[0], skipped)
            driver.execute_script("document.getElementById(arguments[0]).scrollIntoView()", names[-1])
            self.assertNotIn(names[-1], driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done((() => {" + SKIPPED + "})())));"))
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            self.assertEqual(set(driver.execute_script("return [...document.querySelectorAll('.sec')].map(s => getComputedStyle(s).contentVisibility)")), {"visible"})
            self.assertEqual(console_errors(driver), [])

    @on_each_page
    def test_an_address_leads_to_its_place(self, page):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), browser(1440, 900) as driver:
                driver.get(page.as_uri())
                names = driver.execute_script("""return [...document.querySelectorAll(".sec, .sec section[id], .sec tbody tr[id]")]
                    .filter(e => e.getClientRects().length && !e.closest(".rest") && !e.id.includes("%")).map(e => e.id)""")
                driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
                for name in [*names[::max(1, len(names) // 6)], names[-1]]:
                    driver.get("about:blank")
                    driver.get(page.as_uri() + "#" + name)
                    self.lands(driver, name)

    @on_each_page
    def test_the_rail_leads_to_each_section(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            for at in range(driver.execute_script("return document.querySelectorAll('.rail ol:not(.hits) a').length"))[::-1]:
                driver.execute_script("scrollTo(0, 0); document.querySelectorAll('.rail ol:not(.hits) a')[arguments[0]].click()", at)
                self.lands(driver, at)

    @on_each_page
    def test_the_browsers_search_finds_the_last_section(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            text = driver.execute_script("return [...document.querySelectorAll('.sec > .ans')].at(-1).textContent.trim().slice(0, 24)")
            self.assertTrue(driver.execute_script("return window.find(arguments[0])", text), text)
            top = driver.execute_script("return getSelection().getRangeAt(0).getBoundingClientRect().top")
            self.assertTrue(0 <= top <= 900, (text, top))

    @on_each_page
    def test_the_estimate_is_about_the_height(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            heights = driver.execute_script("""return [...document.querySelectorAll(".sec")].map(s => { const px = Number((/ px(\\d+)/.exec(s.className) || [])[1]);
                s.style.contentVisibility = "visible"; return [s.id, px, s.offsetHeight]; });""")
        self.assertEqual([h for h in heights if not h[1]], [])
        told, real = (sum(h[i] for h in heights) for i in (1, 2))
        self.assertTrue(real * 0.6 <= told <= real * 1.5, (told, real, heights))


if __name__ == "__main__":
    unittest.main()
