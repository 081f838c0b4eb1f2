"""The sample document as JSON, outline, text, Markdown and HTML: the same as in sample/. With --update they are written anew."""

import difflib
import re
import sys
from pathlib import Path

import sample_doc

FORMS = ["json", "outline", "text", "markdown", "html"]
EXPECTED = Path(__file__).resolve().parent / "sample"


# Of the page: its style and script are files of their own, and the JSON within it is compared as JSON.
EMBEDDED = re.compile(rb"(<style>|<script>|<script type=\"application/gzip\" id=\"report-json\">).*?(</style>|</script>)", re.S)


def rendered(form):
    """What is compared: the page without what it embeds, one element a line."""
    got = sample_doc.render(form)
    if form != "html":
        return got
    got = re.sub(rb"'sha256-[^']*'", b"'sha256-'", EMBEDDED.sub(rb"\1\2", got))
    return got.replace(b"><", b">\n<")


def compare(form):
    """Lines of the difference, empty when there is none."""
    path = EXPECTED / f"expected.{form}"
    want = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    got = rendered(form).decode("utf-8").splitlines()
    return list(difflib.unified_diff(want, got, str(path), f"now.{form}", lineterm="", n=1))


def main():
    different = False
    for form in FORMS:
        if "--update" in sys.argv:
            EXPECTED.mkdir(exist_ok=True)
            (EXPECTED / f"expected.{form}").write_bytes(rendered(form))
            continue
        if sample_doc.render(form) != sample_doc.render(form):
            print(f"{form}: two runs differ")
            different = True
        lines = compare(form)
        for line in lines[:60]:
            print(line[:300])
        different |= bool(lines)
    if different:
        print("when the change is meant: cmake --build BUILD -t sample-update")
    return 1 if different else 0


sys.exit(main())
