"""The timeline in a page by keys, mouse, wheel and touch."""

import unittest

from timeline_page import TL, US, By, Keys, TimelinePage, WebDriverWait, browser, console_errors, made


class Input(TimelinePage):
    def test_keys(self):
        with browser() as driver:
            body = self.open(driver)
            body.click()
            self.keys(driver, Keys.ESCAPE, "f")
            self.assertEqual(self.window(driver), [0, 1000])
            self.keys(driver, "+")
            low, high = self.window(driver)
            self.assertAlmostEqual(high - low, 700, 3)
            self.keys(driver, "d", "d")
            self.assertAlmostEqual(self.window(driver)[0], low + 140, 0)
            self.keys(driver, "a", "w", "s", "-")
            self.assertEqual(self.window(driver)[1] - self.window(driver)[0], 1000)
            self.keys(driver, "+", "+", Keys.HOME)
            self.assertEqual(self.window(driver)[0], 0)
            self.keys(driver, Keys.ENTER, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
            self.assertIn("copy", driver.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.keys(driver, "m")
            self.assertIn("30.000\u202fµs", driver.find_element(By.CSS_SELECTOR, ".tl-range h4").text)
            for key, tool in zip("1234", ("select", "pan", "zoom", "time")):
                self.keys(driver, key)
                self.assertEqual(driver.find_element(By.CSS_SELECTOR, ".tl-bar [aria-pressed=true]").text.split()[0], tool)
            self.keys(driver, "?")
            self.assertTrue(driver.find_element(By.CSS_SELECTOR, ".tl-keys").get_attribute("open"))
            self.keys(driver, Keys.ESCAPE, Keys.ESCAPE, Keys.ESCAPE)
            self.assertEqual([e for e in driver.find_elements(By.CSS_SELECTOR, ".tl-event, .tl-range, .tl-key-list") if e.is_displayed()], [])
            self.keys(driver, "/")
            self.assertEqual(driver.switch_to.active_element.get_attribute("aria-label"), "Find events by name")
            self.assertEqual(console_errors(driver), [])

    def drag(self, driver, low, high, y):
        window = self.window(driver)
        for kind, time in (("mousePressed", low), ("mouseMoved", (low + high) / 2), ("mouseMoved", high), ("mouseReleased", high)):
            self.mouse(driver, kind, time, y, window)
        self.settle(driver)

    def test_tools(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + f"view.set({100 * US}, {300 * US});")
            y = self.row(driver, 1)
            self.mouse(driver, "mousePressed", 130, y)
            self.mouse(driver, "mouseReleased", 130, y)
            self.assertIn("wait", driver.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.keys(driver, "4")
            self.drag(driver, 100.4, 160.3, y)
            self.assertEqual(driver.execute_script(TL + "return [tl.measured.from, tl.measured.to]"), [100 * US, 160 * US])
            self.keys(driver, "2")
            self.drag(driver, 200, 150, y)
            self.assertAlmostEqual(self.window(driver)[0], 150, 0)
            self.keys(driver, "3")
            self.drag(driver, 200, 240, y)
            self.assertAlmostEqual(self.window(driver)[0], 200, 0)
            self.assertAlmostEqual(self.window(driver)[1], 240, 0)
            y = self.row(driver, 1, 1)
            self.mouse(driver, "mousePressed", 225, y, clickCount=2)
            self.mouse(driver, "mouseReleased", 225, y, clickCount=2)
            self.assertEqual(self.window(driver), [217, 253])
            before = self.window(driver)
            left, top = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [box.left + 300, box.top + 60];")
            driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": left, "y": top, "deltaX": 0, "deltaY": -100})
            WebDriverWait(driver, 5).until(lambda d: self.window(d)[1] - self.window(d)[0] < before[1] - before[0])
            self.assertEqual(console_errors(driver), [])

    def test_touch(self):
        with browser(390, 844) as driver:
            self.open(driver)
            driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
            driver.execute_script(TL + f"tl.setTool('pan'); view.set({200 * US}, {400 * US}); document.querySelector('.tl-scroll').scrollIntoView({{ block: 'center' }});")
            left, top = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [box.left, box.top + 60];")
            def touch(kind, *points):
                driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left + x, "y": top, "id": i} for i, x in enumerate(points)]})
            touch("touchStart", 100)
            for x in (90, 70, 50):
                touch("touchMove", x)
            touch("touchEnd")
            panned = self.window(driver)
            self.assertGreater(panned[0], 210)
            self.assertAlmostEqual(panned[1] - panned[0], 200, 3)
            touch("touchStart", 100, 140)
            for apart in (10, 20, 40):
                touch("touchMove", 100 - apart, 140 + apart)
            touch("touchEnd")
            low, high = self.window(driver)
            self.assertAlmostEqual(high - low, 200 * 40 / 120, 0)
            self.assertTrue(panned[0] < low < high < panned[1])

    def test_the_wheel_scrolls_the_page_until_the_rows_are_pressed(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("window.scrollTo(0, 0); document.querySelector('.tl-scroll').scrollIntoView({ block: 'center' }); document.activeElement.blur();")
            before, x, y = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [view.span(), box.left + 50, box.top + 50];")
            def wheel(**more):
                driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -60, **more})
            wheel()
            self.assertEqual(driver.execute_script(TL + "return view.span();"), before)
            wheel(modifiers=2)
            WebDriverWait(driver, 5).until(lambda d: d.execute_script(TL + "return view.span();") < before)

    def test_the_step_field_shows_a_long_number(self):
        marks = [{"label": str(120340 + n), "from_ps": n * 100 * US, "to_ps": (n + 1) * 100 * US} for n in range(10)]
        page = self.write({**made(), "marks": marks})
        for width in (390, 1280):
            with browser(width, 844) as driver:
                self.open(driver, page)
                WebDriverWait(driver, 5).until(lambda d: d.execute_script("return document.querySelector('.tl-step input').value !== ''"))
                value, scroll, client = driver.execute_script("const field = document.querySelector('.tl-step input'); return [field.value, field.scrollWidth, field.clientWidth];")
                self.assertIn(value, [mark["label"] for mark in marks])
                self.assertLessEqual(scroll, client)


if __name__ == "__main__":
    unittest.main()
