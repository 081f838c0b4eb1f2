"""README.md and the manual: the tables of formats.md are what --list says, runnable commands work. With --update, writes the tables. The other README.md:
their links lead somewhere, and that of templates/ has every slot."""

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = os.environ["TPREPORT"]
README = SOURCE / "README.md"
MANUAL = SOURCE / "src/manual"
FORMATS = MANUAL / "formats.md"


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, check=False, **options)


def table_of(kind):
    """The Markdown table of a list: `tpreport --list kind` prints name TAB summary, one a line."""
    listing = run([TPREPORT, "--list", kind])
    if listing.returncode != 0 or not listing.stdout.strip():
        sys.exit(f"tpreport --list {kind}: exit status {listing.returncode}: {listing.stderr}")
    rows = ["| name | what it does |", "|---|---|"]
    for line in listing.stdout.splitlines():
        name, _, summary = line.partition("\t")
        text = html.escape(" · ".join(part.strip() for part in summary.split("\t")), quote=False)
        rows.append(f"| `{name.strip()}` | {text.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def with_tables(text):
    for kind in ("readers", "passes", "renderers"):
        block = re.compile(rf"(<!-- {kind}:begin -->\n).*?(<!-- {kind}:end -->)", re.S)
        if not block.search(text):
            sys.exit(f"formats.md has no markers for the table of {kind}")
        table = table_of(kind)
        text = block.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)
    return text


def runnable_commands(text):
    """Each tpreport command of each sh block that follows the marker <!-- runnable -->."""
    for block in re.findall(r"<!-- runnable -->\n+```sh\n(.*?)```", text, re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("tpreport "):
                yield line


def check_commands(text):
    """Runs them in order in an empty folder that holds examples/, as somebody reading along would."""
    failed = 0
    count = 0
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(SOURCE / "examples", Path(directory, "examples"))
        for line in runnable_commands(text):
            count += 1
            words = shlex.split(line, comments=True)
            done = run([TPREPORT, *words[1:]], cwd=directory)
            outputs = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "-o"]
            missing = [o for o in outputs if o != "-" and not Path(directory, o).exists()]
            if done.returncode != 0 or missing:
                failed += 1
                print(f"{line}\n  exit status {done.returncode}, not written: {missing}\n{done.stderr}")
    if count == 0:
        sys.exit("there is no runnable command")
    print(f"{count} commands, {failed} failed")
    return failed


def links_to_nowhere(page):
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    return [target for target in targets if not (page.parent / target).exists()]


def slots_untold():
    """Slots of templates that templates/README.md does not name beside their template, and those that are none (any more)."""
    text = (SOURCE / "templates/README.md").read_text(encoding="utf-8")
    told = {name: set(re.findall(r"`([a-z0-9-]+)`", slots)) for name, slots in re.findall(r"^\| `(\S+\.html)` \|.*?\|(.*)\|$", text, re.M)}
    for template in sorted((SOURCE / "templates").glob("*.html")):
        page = re.sub(r"<!--.*?-->", "", template.read_text(encoding="utf-8"), flags=re.S)
        slots = set(re.findall(r"\{([a-z0-9-]+)\}", page)) | set(re.findall(r'\bif="([a-z0-9-]+)"', page))
        if told.get(template.name) != slots:
            yield f"{template.name}: {sorted(slots ^ told.get(template.name, set()))}"


def main():
    text = FORMATS.read_text(encoding="utf-8")
    if "--update" in sys.argv[1:]:
        FORMATS.write_text(with_tables(text), encoding="utf-8")
        return

    failed = 0
    if with_tables(text) != text:
        print("the tables of src/manual/formats.md differ from tpreport --list; cmake --build build/dev -t readme-update")
        failed += 1
    for page in (README, SOURCE / "src/README.md", SOURCE / "src/package/README.md", SOURCE / "templates/README.md", SOURCE / "examples/ci/README.md"):
        for target in links_to_nowhere(page):
            print(f"{page.relative_to(SOURCE)} links to {target}, which is not there")
            failed += 1
    for slots in slots_untold():
        print(f"templates/README.md: slots of {slots}")
        failed += 1
    failed += check_commands("\n".join(page.read_text(encoding="utf-8") for page in (README, MANUAL / "usage.md")))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
