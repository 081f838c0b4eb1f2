"""A report by the keyboard: from the top to the report itself, to its first table and past it; and its landmarks."""

import unittest

from example_pages import Pages, on_each_page
from own_page import Keys, WebDriverWait, browser

TO_PASS = 12  # the most keys that take a reader past a table, however many rows it has
# What the tab key reaches in each table's box, all folds being open.
STOPS = """for (let left = 9; left && all('noscript').length; left--) all('noscript').forEach(fill);
for (const fold of all('details')) { fold.removeAttribute('name'); fold.open = true; }
for (const box of all('input.more')) if (!box.checked) box.click();
await new Promise(done => setTimeout(done));
return all('main .scroll > table').map(table => table.parentElement.parentElement).map(box => [box.id,
    [...box.querySelectorAll('a[href], button, input, select, summary, [tabindex]')].filter(e => e.tabIndex >= 0 && e.getClientRects().length).length]);"""
# The first table that can be seen, and where the focus is to it: before, within or behind.
PLACE = """const table = all('main .scroll > table').find(t => t.getClientRects().length), box = table && table.parentElement.parentElement, at = document.activeElement;
return !box || box.contains(at) ? 0 : at === document.body ? -1 : box.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;"""
# The box of a switch is not seen; its label is.
SEEN = """const box = document.activeElement.getBoundingClientRect();
return box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight || document.activeElement.matches('input[type=checkbox]');"""


class Keyboard(Pages):
    def press(self, driver, *keys):
        for key in keys:
            driver.switch_to.active_element.send_keys(key)

    @on_each_page
    def test_the_first_key_leads_past_the_rail(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            self.press(driver, Keys.TAB)
            self.assertTrue(driver.execute_script("return document.activeElement.matches('a.skip') && document.activeElement.getBoundingClientRect().top >= 0"))
            self.press(driver, Keys.ENTER, Keys.TAB)
            self.assertTrue(driver.execute_script("return document.activeElement.closest('main') !== null"))

    @on_each_page
    def test_few_keys_lead_past_each_table(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            stops = driver.execute_script(f"return (async () => {{ {STOPS} }})()")
            self.assertTrue(stops)
            self.assertEqual([box for box in stops if box[1] > TO_PASS], [])

    def test_the_first_table_is_reached_and_passed(self):
        for page in self.pages[-3:]:
            with self.subTest(page=page.name), browser(1440, 900) as driver:
                driver.get(page.as_uri() + "#findings")
                within = 0
                for _ in range(120):
                    self.press(driver, Keys.TAB)
                    self.assertTrue(driver.execute_script(SEEN), driver.execute_script("return document.activeElement.outerHTML.slice(0, 200)"))
                    place = driver.execute_script(PLACE)
                    within += place == 0
                    if place == 1 and within:
                        break
                self.assertEqual(place, 1)
                self.assertLessEqual(within, TO_PASS)

    @on_each_page
    def test_landmarks_have_names(self, page):
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            self.assertEqual(driver.execute_script("""return all('nav, main > section').filter(e => !e.getAttribute('aria-label')).map(e => e.outerHTML.slice(0, 120));"""), [])
            self.assertEqual(driver.execute_script("return [all('main').length, all('body > footer').length, all('main footer').length]"), [1, 1, 0])

    @on_each_page
    def test_checks_that_passed_open_without_scripts(self, page):
        with browser(1440, 900) as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(page.as_uri())
            folds = [fold for fold in driver.find_elements("css selector", "main details > summary") if "passed" in fold.text and "check" in fold.text]
            for fold in folds[:1]:
                fold.send_keys(Keys.ENTER)
                WebDriverWait(driver, 20).until(lambda _, fold=fold: fold.find_element("xpath", "..").get_attribute("open"))
                self.assertGreater(fold.find_element("xpath", "..").size["height"], fold.size["height"] + 10)


if __name__ == "__main__":
    unittest.main()
