"""Each page as axe-core judges it, with all folds open: in light, in the dark, on a phone. axe-core is not part of the tree: where
TPREPORT_AXE names its axe.min.js (npm install axe-core), this test runs."""

import os
import sys
import unittest
from pathlib import Path

if not os.environ.get("TPREPORT_AXE"):
    print("no axe-core: npm install axe-core, and TPREPORT_AXE=…/node_modules/axe-core/axe.min.js")
    sys.exit(77)

from example_pages import Pages, WebDriverWait, browser, on_each_page
from sampled import ALL

AXE = Path(os.environ["TPREPORT_AXE"]).read_text()
# Width, whether dark, and the rules: in the dark nothing but colours is another.
LOOKS = {"light": (1440, False, None), "dark": (1440, True, ["color-contrast", "link-in-text-block"]), "phone": (390, False, None)}
RUNNING = "return document.documentElement.classList.contains('js');"
OPEN = """all('noscript').forEach(fill);
for (const fold of all('details')) { fold.removeAttribute('name'); fold.open = true; }
for (const box of all('input.columns')) if (!box.checked) box.click();
scrollTo(0, document.body.scrollHeight);
return true;"""
DRAWN = "return all('figure.tl-live').every(f => f.timeline && f.timeline.view.isComplete() && !f.timeline.store.waiting);"
# Three rows of each kind: what axe-core says of a row depends on its elements and their classes.
FEW_ROWS = """for (const body of all('tbody')) {
    const seen = {};
    for (const row of [...body.rows]) {
        const kind = [row, ...row.querySelectorAll('*')].map(e => e.tagName + e.getAttribute('class')).join();
        if ((seen[kind] = (seen[kind] || 0) + 1) > 3) row.remove();
    }
}"""
VIOLATIONS = """const [rules, done] = arguments;
axe.run(document, { resultTypes: ["violations"], ...rules && { runOnly: rules } }).then(
    ({ violations }) => done(violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].target.join(" "), nodes[0].failureSummary])),
    error => done([["axe", 1, "", String(error)]]));"""


def violations(driver, page, rules=None):
    """What axe-core finds on a page whose folds and columns are open, while further rows, which are like the first, are not; driver has
    the size and colours."""
    driver.set_script_timeout(300)
    driver.get(page.as_uri())
    for state in (RUNNING, OPEN, DRAWN):
        WebDriverWait(driver, 60).until(lambda _, state=state: driver.execute_script(state))
    if not ALL:
        driver.execute_script(FEW_ROWS)
    driver.execute_script(AXE)
    return driver.execute_async_script(VIOLATIONS, rules)


class Axe(Pages):
    @on_each_page
    def test_finds_nothing(self, page):
        for look, (width, dark, rules) in LOOKS.items():
            with browser(width, 900, dark) as driver:
                self.assertEqual(violations(driver, page, rules), [], look)


if __name__ == "__main__":
    unittest.main()
