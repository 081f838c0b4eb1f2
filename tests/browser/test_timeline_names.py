"""Names of groups and threads in the timeline: where they are cut, what tells them apart is seen."""

import unittest

from timeline_maker import Event, block, track
from timeline_page import TL, US, TimelinePage, browser

NAMES = [{"name": "step"}, {"name": "matmul", "hue": "compute"}]


class Names(TimelinePage):
    def test_names_of_groups_that_are_cut_show_what_tells_them_apart(self):
        names = ["TPU:0 of t1v-n-synth-0a1b2c3d-w-0", "TPU:0 of t1v-n-synth-0a1b2c3d-w-1", "TPU:1 of t1v-n-synth-0a1b2c3d-w-1", "/job:worker/replica:0/task:0/device:gpu:0", "GPU:0"]
        page = self.write(block([{"name": name, "tracks": [track("T", "thread", [Event(0, US, 1)], US)]} for name in names], NAMES, US))
        with browser() as driver:
            self.open(driver, page)
            shown = driver.execute_script("""return [...document.querySelectorAll(".tl-group > .tl-row")].map(row => {
                const [head, end] = row.children, at = end.getBoundingClientRect(), box = row.getBoundingClientRect();
                return [row.textContent, head.scrollWidth > head.clientWidth, end.textContent, at.right <= box.right + 1 && at.width + 1 >= end.scrollWidth, head.clientWidth];
            });""")
            self.assertEqual([name for name, *_ in shown], names)
            self.assertEqual([cut for _, cut, *_ in shown], [True] * 4 + [False])
            self.assertTrue(all(whole for *_, whole, _ in shown), shown)
            # The first two differ at their ends, the last two of three at their heads, which have room for it.
            self.assertNotEqual(shown[0][2], shown[1][2])
            self.assertGreater(min(width for *_, width in shown[:4]), 36)

    def test_a_bar_shows_the_short_name_of_a_kernel_and_the_pane_the_whole(self):
        whole = "void at::native::vectorized_kernel<2, at::native::FillFunctor<long> >(int, long)"
        names = [{"name": whole, "hue": "compute", "shown": "vectorized_kernel<FillFunctor>"}, {"name": "matmul", "hue": "compute"}]
        page = self.write(block([{"name": "GPU 0", "tracks": [track("T", "stream", [Event(0, US, 0), Event(US, US, 1)], 2 * US)]}], names, 2 * US))
        with browser() as driver:
            self.open(driver, page)
            drawn = driver.execute_script(TL + """const pen = document.createElement("canvas").getContext("2d");
                return [0, 1].map(name => [tl.texts.fitting(pen, name, 1000), tl.texts.of(name)]);""")
            self.assertEqual(drawn, [["vectorized_kernel<FillFunctor>", whole], ["matmul", "matmul"]])

    SEEN = """const out = [];
        for (const row of document.querySelectorAll(".tl-name > .tl-row")) {
            const box = row.getBoundingClientRect(), walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT), range = new Range();
            let text = "";
            while (walker.nextNode()) {
                const node = walker.currentNode, clip = node.parentElement.closest(".tl-cut, .tl-end, .tl-row").getBoundingClientRect();
                if (getComputedStyle(node.parentElement).fontSize === "0px") { text += "…"; continue; }
                for (let i = 0; i < node.length; i++) {
                    range.setStart(node, i); range.setEnd(node, i + 1);
                    const at = range.getBoundingClientRect();
                    if (at.width && at.right <= Math.min(box.right, clip.right) + 1) text += node.data[i];
                }
            }
            out.push([row.textContent, text.replace(/…+/g, "…")]);
        }
        return out;"""

    def test_names_on_a_phone_show_what_tells_them_apart(self):
        """Groups by device and host; threads by what stands anywhere in their names."""
        hosts = [f"TPU:{core} of t1v-n-synth-0a1b2c3d-w-{host}" for host in range(12) for core in (0, 1)]
        threads = ["thread 140234567890 (python)", "thread 140234567891 (python)", "thread 99 (python)", "stream 7", "stream 20",
                   "stream 7, annotations", "stream 20, annotations", "main", "tf_data_private_threadpool, thread 1", "tf_data_private_threadpool, thread 2"]
        streams = [f"Stream #{n}(Memcpy{way})" for n, way in ((63, "H2D"), (83, "H2D"), (135, "H2D"), (145, "H2D"), (136, "D2H"))] + ["Stream #134(Compute)"]
        page = self.write(block(
            [{"name": "Host threads", "tracks": [track(name, "thread", [Event(0, US, 1)], US) for name in threads]},
             {"name": "GPU 4", "tracks": [track(name, "stream", [Event(0, US, 1)], US) for name in streams]}] +
            [{"name": name, "tracks": [track("T", "thread", [Event(0, US, 1)], US)]} for name in hosts], NAMES, US))
        for width in (390, 1280):
            with browser(width, 844) as driver:
                self.open(driver, page)
                shown = [pair for pair in driver.execute_script(self.SEEN) if pair[0] != "T"]
                self.assertEqual([name for name, _ in shown], ["Host threads", *threads, "GPU 4", *streams, *hosts])
                alike = {text: [name for name, other in shown if other == text] for _, text in shown}
                self.assertEqual({text: names for text, names in alike.items() if len(names) > 1}, {}, width)
                # Of streams the whole number.
                told = dict(shown)
                self.assertEqual([name for name in streams if name.split("#")[1].split("(")[0] not in told[name]], [], width)
            if width == 390:
                told = dict(shown)
                self.assertEqual(told[hosts[7]], "TPU:1…w-3")
                self.assertEqual(told["stream 7"], "stream 7")


if __name__ == "__main__":
    unittest.main()
