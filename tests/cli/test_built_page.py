"""Scripts and styles that the program holds packed and hashed are those of templates/: a page from the same files, given as the user's own,
holds the same code and style, under the same policy but for the packing; what a page holds has the hash that its policy names."""

import base64
import hashlib
import json
import os
import re
import shutil
import zlib
from pathlib import Path

import page_figures
import pages
from cases import must, run_all
from columns_told import same_columns
from command_line import OK, expect
from told import with_texts

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
INPUTS = {"with a timeline and views": "examples/torch_ddp/input", "without": "examples/jax_cnn/input/memory.prof"}


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def parts(page):
    """The style, the script, what that unpacks, and the policy."""
    text = page.read_text(encoding="utf-8")
    style, script = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1], re.search(r"<script>((?:(?!</script>).)*runPacked.*?)</script>", text, re.DOTALL)[1]
    packed = re.search(r'runPacked\("([A-Za-z0-9+/=]+)"\);\n$', script)[1]
    code = zlib.decompressobj(-15).decompress(base64.b64decode(packed)).decode()
    return style, script, code, re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")


def same_as_from_files(folder):
    own = Path(folder, "own")
    shutil.copytree(SOURCE / "templates", own)
    for what, source in INPUTS.items():
        expect(OK, SOURCE / source, "-o", "built.html", folder=folder)
        expect(OK, SOURCE / source, "--template-dir", own, "-o", "files.html", folder=folder)
        built, files = (parts(Path(folder, name)) for name in ("built.html", "files.html"))
        must(built[0] == files[0] and built[2] == files[2], what, "other style or code")
        for style, script, code, policy in (built, files):
            must(all(hashed(text) in policy for text in (style, script, code)), what, "a hash is not that of the policy", policy)
        must(len(built[1]) <= len(files[1]), what, "packed worse at build time")
        must(("const timelineMap" in built[2]) == ("timeline and" in what), what, "scripts of a timeline")


def a_changed_file_is_taken(folder):
    own = Path(folder, "own")
    own.mkdir()
    for name, words in (("search.js", "\n/* mine */\n"), ("report.css", "\n.mine { color: red; }\n")):
        (own / name).write_text((SOURCE / "templates" / name).read_text(encoding="utf-8") + words, encoding="utf-8")
    expect(OK, SOURCE / INPUTS["without"], "--template-dir", own, "-o", "mine.html", folder=folder)
    style, script, code, policy = parts(Path(folder, "mine.html"))
    must("/* mine */" in code and ".mine {" in style, "own files are not in the page")
    must(all(hashed(text) in policy for text in (style, script, code)), "a hash is not that of the policy", policy)


def heads(page):
    """Of each table the titles of its columns, and which of them are hidden at first."""
    tree = pages.read_html(page.read_text(encoding="utf-8"))
    return {box.attributes["id"]: [(pages.plain(e.text()), "far" in e.inside("th").classes()) for e in box.walk() if "h" in e.classes() and e.inside("th")]
            for box in tree.walk() if box.tag == "div" and "tb" in box.classes() and "id" in box.attributes}


def an_older_table_loses_no_column(folder):
    """A table.html from before tables said in words what is the same in all rows, and hid further columns, shows all of them."""
    old = Path(folder, "old")
    old.mkdir()
    lines = (SOURCE / "templates/table.html").read_text(encoding="utf-8").splitlines(keepends=True)
    (old / "table.html").write_text("".join(line for line in lines if "same" not in line and "further" not in line), encoding="utf-8")
    source = SOURCE / INPUTS["with a timeline and views"]
    expect(OK, source, "-o", "new.html", "-o", "r.json", folder=folder)
    expect(OK, source, "--template-dir", old, "-o", "old.html", folder=folder)
    report = with_texts(json.loads(Path(folder, "r.json").read_text(encoding="utf-8")))
    new, kept = heads(Path(folder, "new.html")), heads(Path(folder, "old.html"))
    tables = [table for table in page_figures.blocks(report, "table") if table["id"] in kept and kept[table["id"]]]
    lost = [(table["id"], column["title"]) for table in tables for column in same_columns(table)
            if not any(title.startswith(column["title"]) for title, _ in kept[table["id"]])]
    must(sum(len(same_columns(table)) for table in tables) > 3, "no column is the same in all rows")
    must(not lost, "columns that the older table loses", lost)
    must(any(far for table in new.values() for _, far in table) and not any(far for table in kept.values() for _, far in table), "further columns are hidden")


run_all([same_as_from_files, a_changed_file_is_taken, an_older_table_loses_no_column])
