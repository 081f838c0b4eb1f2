"""What a mail program leaves of a page: no scripts, style sheets and fields, no ids, classes and style attributes, no hidden copies of
rows; drawings or none. Gmail, Outlook and Yahoo show no SVG (caniemail.com), Apple Mail, Thunderbird and Roundcube do."""

from html.parser import HTMLParser

EMPTY = {"br", "hr", "img", "input", "link", "meta", "wbr"}
GONE = {"script", "style", "link", "meta", "title", "noscript", "input", "button"}


class Sanitiser(HTMLParser):
    def __init__(self, drawings, patterns):
        super().__init__(convert_charrefs=False)
        self.gone = GONE if drawings else GONE | {"svg"}
        self.patterns = patterns
        self.out, self.within, self.depth = ["<!doctype html><meta charset='utf-8'>"], None, 0

    def keeps(self, name, value):
        return name not in ("id", "class", "style") and not name.startswith(("data-", "on")) and (self.patterns or "url(" not in (value or ""))

    def handle_starttag(self, tag, attrs):
        if self.within:
            self.depth += tag == self.within
        elif tag not in self.gone:
            kept = "".join(f' {name}="{(value or "").replace("&", "&amp;").replace(chr(34), "&quot;")}"' for name, value in attrs if self.keeps(name, value))
            self.out.append(f"<{tag}{kept}>")
        elif tag not in EMPTY:
            self.within, self.depth = tag, 1

    def handle_endtag(self, tag):
        if not self.within and tag not in EMPTY:
            self.out.append(f"</{tag}>")
        elif tag == self.within:
            self.depth -= 1
            if self.depth == 0:
                self.within = None

    def put(self, text):
        if not self.within:
            self.out.append(text)

    handle_data = put

    def handle_entityref(self, name):
        self.put(f"&{name};")

    def handle_charref(self, name):
        self.put(f"&#{name};")


def mailed(page, drawings=True, patterns=True):
    """The text of a page without what mail programs take away. patterns: attributes that point to an id stay, without that id."""
    sanitiser = Sanitiser(drawings, patterns)
    sanitiser.feed(page)
    sanitiser.close()
    return "".join(sanitiser.out)
