"""What a phone shows of each page: marks of a strip have their names, sliders a line each, and texts in tables fit the screen."""

import unittest

from example_pages import Pages, WebDriverWait, browser, on_each_page

OPEN = "all('noscript').forEach(fill); for (const d of document.querySelectorAll('details')) { d.removeAttribute('name'); d.open = true; }"
WIDTH_PX = 390


class Phone(Pages):
    @on_each_page
    def test_rules_of_a_strip_are_named(self, page):
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            strips = driver.execute_script("""return [...document.querySelectorAll("figure[id$='/strip']")].filter(f => f.checkVisibility()).map(f => {
                const svg = f.querySelector(".plot svg").getBoundingClientRect();
                return [...f.querySelectorAll(".plot text:not(.halo)")].filter(t => /^p(50|95) /.test(t.textContent) && t.checkVisibility())
                    .map(t => { const r = t.getBoundingClientRect(); return [t.textContent.slice(0, 3), r.left >= svg.left && r.right <= innerWidth, r.top, r.bottom]; });
            });""")
            rules = driver.execute_script("return report().then(whole => { const b = blockOf(whole, 'summary/step/strip') || blockOf(whole, 'steps/strip'); return b ? b.rules.map(r => r.label) : []; })")
            labels = [sorted(label[0] for label in strip) for strip in strips if strip]
            self.assertEqual(labels[:1], [sorted(rules)] if rules else [])
            self.assertEqual([label for strip in strips for label in strip if not label[1]], [])
            for strip in strips:
                self.assertFalse(len(strip) == 2 and strip[0][2] < strip[1][3] - 2 and strip[1][2] < strip[0][3] - 2, strip)

    @on_each_page
    def test_sliders_have_a_line_each(self, page):
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script(OPEN)
            lines = driver.execute_script("""return reportLater().then(() => [...document.querySelectorAll(".ranges label")].filter(l => l.checkVisibility())
                .map(l => [l.getBoundingClientRect().height, l.querySelector("input").getBoundingClientRect().width]));""")
            self.assertEqual([line for line in lines if line[0] > 30 or line[1] < 200], [])
            self.assertTrue(lines or "torch" not in page.name or page.name.startswith("torch_serving"))  # which has no memory

    @on_each_page
    def test_a_text_in_a_table_fits_beside_the_name_of_its_row(self, page):
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script(OPEN)
            wide = driver.execute_script("""return [...document.querySelectorAll("main tbody td.w:not(:has(.op))")].filter(c => c.checkVisibility() && !c.closest(".rows")).map(cell => {
                const name = cell.parentElement.querySelector("th"), left = name ? name.getBoundingClientRect().width : 0;
                return [cell.textContent.slice(0, 40), cell.getBoundingClientRect().width + left, (cell.closest("[id]") || {}).id];
            }).filter(([, width]) => width > innerWidth);""")
            self.assertEqual(wide, [])

    @on_each_page
    def test_the_time_of_operations_is_seen(self, page):
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script(OPEN)
            hidden = driver.execute_script("""return [...document.querySelectorAll(":is(#operations, #operators, #tfprof) th[aria-sort]")].filter(h => h.checkVisibility() && /^(Self time|Device self|Host self|Time per step)/.test(h.textContent))
                .map(h => [h.closest("[id]").id, h.textContent, h.getBoundingClientRect().right - h.closest(".scroll").getBoundingClientRect().right])
                .filter(([, , beyond]) => beyond > 0);""")
            self.assertEqual(hidden, [])

    @on_each_page
    def test_names_of_rows_are_told_apart(self, page):
        """What is seen of different names of rows differs, on a phone as on a desk; not of call stacks, which may differ in their last calls."""
        seen = """const shownOf = span => {
                const box = span.getBoundingClientRect(), walker = document.createTreeWalker(span, NodeFilter.SHOW_TEXT), range = new Range();
                const cut = span.querySelector(":scope > [data-cut]");
                let text = "";
                if (cut && cut.getBoundingClientRect().top >= box.bottom) {
                    const short = span.cloneNode();
                    short.textContent = cut.dataset.cut;
                    short.style.width = box.width + "px";
                    span.after(short);
                    text = shownOf(short);
                    short.remove();
                    return text;
                }
                while (walker.nextNode() && text.length < 200) {
                    const node = walker.currentNode;
                    for (let i = 0; i < node.length; i++) {
                        range.setStart(node, i); range.setEnd(node, i + 1);
                        const at = range.getBoundingClientRect();
                        if (at.bottom > box.bottom + 2 || at.right > box.right + 1) return text;
                        text += node.data[i];
                    }
                }
                return text;
            };
            return [...document.querySelectorAll("main table:has(th .op.long), [id$='-types'] table:has(th .long)")].filter(t => t.checkVisibility()).flatMap(table => {
                const by = new Map();
                for (const row of table.rows) {
                    const name = row.querySelector("th .op, th .long");
                    if (!name || !row.checkVisibility() || name.textContent.includes("›")) continue;
                    const key = name.classList.contains("long") ? shownOf(name) : name.textContent;
                    by.set(key, new Set([...by.get(key) || [], name.textContent]));
                }
                return [...by].filter(([, names]) => names.size > 1).map(([key, names]) => [table.closest("[id]").id, key, ...names]);
            });"""
        for width in (WIDTH_PX, 1280):
            with browser(width, 800) as driver:
                driver.get(page.as_uri())
                driver.execute_script(OPEN)
                self.assertEqual(driver.execute_script(seen), [], width)

    def test_a_short_table_with_prose_fits_the_screen(self):
        [page] = [page for page in self.pages if page.name == "torch_ddp.html"]
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script(OPEN)
            table, box = driver.execute_script("""const box = document.getElementById("steps/roles/mean").querySelector(".scroll");
                return [box.firstElementChild.offsetWidth, box.clientWidth];""")
            self.assertLessEqual(table, box + 1)

    def test_the_search_leads_there_and_goes(self):
        [page] = [page for page in self.pages if page.name == "torch_ddp.html"]
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.find_element("css selector", ".search").send_keys("memory")
            shown = "return [...document.querySelectorAll('.hits a')].filter(a => a.checkVisibility()).map(a => { const r = a.getBoundingClientRect(); return [r.left >= 0 && r.right <= innerWidth, a.getAttribute('href')]; })"
            hits = WebDriverWait(driver, 30).until(lambda d: d.execute_script(shown))
            self.assertTrue(all(fits for fits, _ in hits), hits)
            driver.execute_script("document.querySelector('.hits a').click()")
            WebDriverWait(driver, 30).until(lambda d: d.execute_script("return document.querySelector('.hits').hidden && document.querySelector('.search').value === ''"))
            self.assertEqual(driver.execute_script("return location.hash"), hits[0][1])

    @on_each_page
    def test_the_head_of_names_stays_with_them(self, page):
        with browser(WIDTH_PX, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script(OPEN)
            apart = driver.execute_script("""return [...document.querySelectorAll(".tb > .scroll")].filter(s => s.checkVisibility() && s.scrollWidth > s.clientWidth + 60).map(box => {
                box.scrollLeft = 60;
                const name = box.querySelector("tbody tr:not(.gap) > th"), head = name && box.querySelector("thead tr").children[name.cellIndex];
                return [box.parentElement.id, head ? head.getBoundingClientRect().left - name.getBoundingClientRect().left : 0];
            }).filter(([, px]) => Math.abs(px) > 1);""")
            self.assertEqual(apart, [])

    @on_each_page
    def test_a_drawing_is_scrolled_not_cut(self, page):
        """Boxes of a graph say on a phone what they say elsewhere."""
        said = """const open = () => { %s }; open(); return [[...document.querySelectorAll(".drawing text")].filter(t => t.checkVisibility()).map(t => t.textContent),
            [...document.querySelectorAll("figure:has(> .drawing)")].filter(f => f.checkVisibility()).map(f => [f.scrollWidth, f.clientWidth])];""" % OPEN
        shown = {}
        for width in (WIDTH_PX, 1440):
            with browser(width, 800) as driver:
                driver.get(page.as_uri())
                shown[width] = driver.execute_script(said)
        self.assertEqual(shown[WIDTH_PX][0], shown[1440][0])
        for scroll, client in shown[WIDTH_PX][1]:
            self.assertGreaterEqual(scroll, 720)
            self.assertLess(client, WIDTH_PX)
        self.assertTrue(shown[1440][0] or "graph" not in page.name)


if __name__ == "__main__":
    unittest.main()
