"""What a reader sees in a report: texts out of the HTML page and the PDF, made comparable."""

import html.parser
import re
import subprocess
import xml.etree.ElementTree as ElementTree

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# Never read as text: scripts, drawings, and what is there for screen readers alone.
SILENT = {"script", "style", "svg", "template"}


def plain(text):
    """One blank for each run of blanks, of control characters and of what each output shows in their place."""
    text = re.sub(r"\[U\+[0-9A-F]{4,6}\]", " ", text)
    text = re.sub(r"[\x00-\x20\x7f-\xa0\u200b\u200e\u200f\u2028-\u202f\u2060-\u206f\u2400-\u2421\ufeff\ufff0-\ufffb\ufffd-\uffff\U000e0000-\U000e0fff]+", " ", text)
    return text.strip()


def tight(text):
    """The same without any blanks, for a PDF, where words are what stands close together."""
    return plain(text).replace(" ", "")


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, dict(attributes), parent
        self.children = []

    def classes(self):
        return (self.attributes.get("class") or "").split()

    def text(self):
        if self.tag in SILENT or "sr" in self.classes():
            return ""
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)

    def raw_text(self):
        return "".join(c if isinstance(c, str) else c.raw_text() for c in self.children)

    def walk(self):
        yield self
        for child in self.children:
            if not isinstance(child, str):
                yield from child.walk()

    def inside(self, tag):
        at = self
        while at is not None and at.tag != tag:
            at = at.parent
        return at


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", [], None)

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attrs):
        self.at.children.append(Element(tag, attrs, self.at))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if tag != self.at.tag:
            raise ValueError(f"</{tag}> closes <{self.at.tag}>")
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)


def read_html(text):
    """The page as a tree of elements."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader.root


class Word:
    def __init__(self, page, node):
        self.page, self.text = page, node.text or ""
        self.x, self.y = float(node.get("xMin")), float(node.get("yMin"))
        self.right, self.bottom = float(node.get("xMax")), float(node.get("yMax"))


def read_pdf(path):
    """The words of the PDF with their places."""
    xml = subprocess.run(["pdftotext", "-bbox", str(path), "-"], check=True, capture_output=True).stdout.decode("utf-8")
    xml = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", " ", xml)
    root = ElementTree.fromstring(xml)
    space = "{http://www.w3.org/1999/xhtml}"
    return [Word(number, node) for number, page in enumerate(root.iter(f"{space}page"), 1) for node in page.iter(f"{space}word")]


def line_below(words, label, right):
    """The first line of words under `label` (a word) that begins between its left edge and `right`."""
    under = [w for w in words if w.page == label.page and w.y >= label.bottom - 2 and label.x - 2 <= w.x < right]
    if not under:
        return ""
    middle = min((w.y + w.bottom) / 2 for w in under if w.y < label.bottom + 60)
    line = [w for w in under if w.y <= middle <= w.bottom]
    return tight("".join(w.text for w in sorted(line, key=lambda w: w.x)))
