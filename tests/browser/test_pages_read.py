"""Each example's HTML page in a real browser: its text can be read in light and dark, its headings, tables and ids are in order."""

import unittest

from example_pages import By, Pages, browser, on_each_page

CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
const light = c => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.closest("svg, script, style") || !e.getClientRects().length) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.push(ratio.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 40));
}
return poor;
"""


class PagesRead(Pages):
    @on_each_page
    def test_text_can_be_read_in_light_and_dark(self, page):
        for dark, paper in ((False, "rgb(255, 255, 255)"), (True, "rgb(20, 23, 26)")):
            with browser(dark=dark) as driver:
                driver.get(page.as_uri())
                ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                self.assertEqual(ground, paper)
                self.assertEqual(driver.execute_script(CONTRAST), [])

    @on_each_page
    def test_headings_tables_and_ids_are_in_order(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            driver.execute_script("""
                for (const later of document.querySelectorAll("noscript")) {  // what is folded is elements, too
                    const made = document.createElement("template");
                    made.innerHTML = later.textContent;
                    later.replaceWith(made.content);
                }""")
            self.assertEqual(len(driver.find_elements(By.TAG_NAME, "h1")), 1)
            self.assertEqual(driver.execute_script("""
                const all = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
                return all.filter((h, i) => i && +h.tagName[1] > +all[i - 1].tagName[1] + 1).map(h => h.textContent);"""), [])
            self.assertEqual(driver.execute_script("""
                return [...document.querySelectorAll("main table")].filter(t => !t.closest(".later")).filter(t => !t.caption || !t.querySelector("thead th[scope=col]") ||
                    !t.tBodies.length || [...t.tBodies[0].rows].some(r => !r.querySelector("th[scope=row]"))).map(t => t.outerHTML.slice(0, 120));"""), [])
            self.assertEqual(driver.execute_script("""
                const seen = new Set();
                return [...document.querySelectorAll("[id]")].map(e => e.id).filter(i => seen.has(i) || !seen.add(i));"""), [])
            self.assertEqual(driver.execute_script("""
                return [...document.querySelectorAll("a[href^='#']")].map(a => a.getAttribute("href"))
                    .filter(h => !document.getElementById(h.slice(1).split("?")[0]));"""), [])


if __name__ == "__main__":
    unittest.main()
