"""What an address or the rail leads to stays in its place, though parts of the page, such as the timeline, grow once they come near."""

import unittest

from example_pages import Pages, browser, on_each_page

# How far below the place that the page's own margins give it what an address names stands; the end of the page may stop it earlier.
PLACE = """const done = arguments[0], heights = [];
    const look = () => {
        heights.unshift(document.body.offsetHeight);
        if (heights.length < 12 || heights.slice(0, 8).some(height => height !== heights[0])) return setTimeout(look, 50);
        const name = location.hash.slice(1), e = document.getElementById(name) || document.getElementById(decodeURIComponent(name));
        const margin = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + parseFloat(getComputedStyle(e).scrollMarginTop);
        done([e.getBoundingClientRect().top - margin, scrollY >= document.documentElement.scrollHeight - innerHeight - 1, scrollY]);
    };
    look();"""


class Landing(Pages):
    def lands(self, driver, name):
        off, at_end, y = driver.execute_async_script(PLACE)
        self.assertTrue(abs(off) <= 2 or at_end and 0 <= off <= 900, (name, off, at_end))
        return y

    @on_each_page
    def test_addresses_and_the_rail_lead_to_their_places(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            count = driver.execute_script("return document.querySelectorAll('.rail ol:not(.hits) a').length")
            # The last first: the timeline above it is made only then.
            for at in sorted({count - 1, count // 2, 1}, reverse=True):
                driver.execute_script("document.querySelectorAll('.rail ol:not(.hits) a')[arguments[0]].click()", at)
                y = self.lands(driver, at)
            # Who scrolls is not brought back.
            driver.execute_script("scrollTo(0, arguments[0])", y + 400)
            driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            driver.execute_script("document.querySelector('.sec').append(Object.assign(document.createElement('p'), { textContent: 'more' }))")
            driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            self.assertGreaterEqual(driver.execute_script("return scrollY"), y + 390)
            address = driver.execute_script("return location.hash")
            driver.get("about:blank")
            driver.get(page.as_uri() + address)
            self.lands(driver, address)


if __name__ == "__main__":
    unittest.main()
