"""The colours of the classes of time in a real browser: told apart by everybody, in light and in the dark, and text on them can be read."""

import itertools
import unittest

from colour_vision import contrast, distance
from example_pages import Pages, browser

HUES = ("compute", "memory", "collective", "input", "output", "host", "compile")
TINTS = ("", " t1", " t2", " t3")
# The fill of a mark of each class, and of text upon it, in full, as they are seen on the ground.
FILLS = """
const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true }), svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
const seen = (fill, share) => {
    for (const [colour, alpha] of [[getComputedStyle(document.body).backgroundColor, 1], [fill, share]]) {
        pen.globalAlpha = alpha;
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
    }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
document.body.append(svg);
return arguments[0].map(([tag, classes]) => {
    const mark = document.createElementNS(svg.namespaceURI, tag);
    mark.setAttribute("class", classes);
    svg.append(mark);
    const style = getComputedStyle(mark);
    return seen(style.fill, Number(style.opacity));
}).concat([seen(getComputedStyle(document.body).backgroundColor, 1)]);
"""

# The colours of "high" and "medium", as texts have them.
JUDGEMENTS = """
return ["bad", "warn"].map(name => {
    const mark = document.createElement("b");
    mark.className = name;
    document.body.append(mark);
    return getComputedStyle(mark).color.match(/[0-9]+/g).map(Number);
});
"""


def fills(driver, marks):
    """By classes; the ground's is "ground"."""
    found = driver.execute_script(FILLS, marks)
    return dict(zip([classes for _, classes in marks] + ["ground"], map(tuple, found)))


class Colours(Pages):
    def each(self, marks):
        """In light and in the dark."""
        for dark in (False, True):
            with browser(dark=dark) as driver:
                driver.get(self.pages[0].as_uri())
                found = fills(driver, marks)
            yield dark, found

    def test_classes_are_told_apart_by_everybody(self):
        """In the dark better than in light, where one pair of hues, host and input, is closer for the few who lack the cones of blue."""
        for dark, fill in self.each([("rect", f"c-{hue}") for hue in HUES]):
            for one, other in itertools.combinations(HUES, 2):
                self.assertGreaterEqual(distance(fill["c-" + one], fill["c-" + other]), 7.5 if dark else 5.4, (one, other, dark))

    def test_classes_stand_out_from_the_ground_and_bear_their_text(self):
        for dark, fill in self.each([(tag, before + hue) for hue in HUES for tag, before in (("rect", "c-"), ("text", "on-"))]):
            for hue in HUES:
                self.assertGreaterEqual(contrast(fill["c-" + hue], fill["ground"]), 3, (hue, dark))
                self.assertGreaterEqual(contrast(fill["c-" + hue], fill["on-" + hue]), 4.5, (hue, dark))

    def test_tints_are_nearer_to_the_ground_the_less_they_matter(self):
        """In both schemes; each is told from the one before it and, the palest, from the ground. The page's own ink is read on them in the dark."""
        marks = [("rect", f"c-{hue}{tint}") for hue in HUES for tint in TINTS] + [("text", "f-ink")]
        for dark, fill in self.each(marks):
            for hue in HUES:
                tints = [fill[f"c-{hue}{tint}"] for tint in TINTS]
                for one, other in zip(tints, tints[1:] + [fill["ground"]]):
                    self.assertGreater(contrast(one, fill["ground"]), contrast(other, fill["ground"]), (hue, dark))
                    self.assertGreaterEqual(contrast(one, other), 1.18, (hue, dark))
                for tint in tints[1:] if dark else tints[2:]:
                    self.assertGreaterEqual(contrast(tint, fill["f-ink"]), 4.5, (hue, dark))

    def test_no_class_has_the_colour_of_a_judgement(self):
        """Of those that charts draw where judgements stand beside them: Input wait is not amber, nor red."""
        for dark, fill in self.each([("rect", "c-input")]):
            with browser(dark=dark) as driver:
                driver.get(self.pages[0].as_uri())
                judged = driver.execute_script(JUDGEMENTS)
            for colour in judged:
                self.assertGreaterEqual(distance(fill["c-input"], tuple(colour)), 6, (colour, dark))


if __name__ == "__main__":
    unittest.main()
