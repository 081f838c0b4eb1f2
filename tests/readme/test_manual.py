"""The manual: every section of a report has its page, checks and metrics that it names exist, links lead somewhere, its budget and its header
work as they stand."""

import os
import re
import subprocess
from pathlib import Path

from cases import must, run_all
from laws_of_words import stilted_prose

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = os.environ["TPREPORT"]
MANUAL = sorted((SOURCE / "src/manual").glob("*.md"))
SKILL = SOURCE / "src/package/SKILL.md"
JAX = SOURCE / "examples/jax_cnn/input"


def run(*words, **how):
    return subprocess.run([TPREPORT, *words], capture_output=True, text=True, check=False, **how)


def text(name):
    return (SOURCE / "src/manual" / f"{name}.md").read_text(encoding="utf-8")


def sections_have_pages(folder):
    """By the source: what begins a main or minor section, or stands in another by the name that show lists."""
    known = set(re.findall(r"^## .*\(([a-z-]+)\)$", text("reading"), re.M))
    made = set()
    for source in (SOURCE / "src/analyze").rglob("*.c"):
        made |= set(re.findall(r'tp_doc_section\(\s*[\w>.-]+,\s*[\w>.-]+,\s*TP_SECTION_(?:MAIN|MINOR|SUMMARY),\s*"([a-z-]+)"', source.read_text(encoding="utf-8")))
    must(len(made) > 12 and made <= known, "src/manual/reading.md lacks", sorted(made - known))
    listed = set()
    for example in sorted((SOURCE / "examples").glob("*/input")):
        listed |= {line.split()[0] for line in run("show", example).stdout.splitlines() if re.match(r"[a-z-]+  ", line)}
    must(len(listed) > 8 and listed <= known, "src/manual/reading.md lacks", sorted(listed - known))
    for name in known:
        done = run("help", name)
        must(done.returncode == 0 and "What you see" in done.stdout, name, done.stdout, done.stderr)


def what_it_names_exists(folder):
    catalogue = (SOURCE / "tests/golden/catalogue.txt").read_text(encoding="utf-8")
    rules = set(re.findall(r"^  (TPR-[A-Z]+-\d+) ", catalogue, re.M))
    metrics = {line.split("\t")[0] for line in run("--list", "metrics").stdout.splitlines()}
    options = set(re.findall(r"--([a-z-]+)", run("--help").stdout))
    for page in MANUAL:
        words = page.read_text(encoding="utf-8")
        unknown = set(re.findall(r"TPR-[A-Z]+-\d+", words)) - rules
        must(not unknown, page.name, "names checks that there are not:", sorted(unknown))
        unknown = {m.split("@")[0] for m in re.findall(r"[`\"]([a-z]+(?:\.[a-z0-9_]+)+_(?:ms|s|share|bytes|count)(?:@[^`\"]*)?)[`\"]", words)} - metrics
        must(not unknown, page.name, "names metrics that there are not:", sorted(unknown))
        unknown = {o for line in re.findall(r"`tpreport [^`]*`", words) for o in re.findall(r"--([a-z-]+)", line)} - options
        must(not unknown, page.name, "names options that there are not:", sorted(unknown))
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", words):
            must((page.parent / target).exists(), page.name, "links to", target, "which is not there")
        must(re.match(r"# [a-z-]+: .", words), page.name, "does not begin with its name and what it says")


def it_uses_the_terms_of_the_field(folder):
    """As reports do (the law “terms of the field”)."""
    for page in [*MANUAL, SKILL, *(SOURCE / name for name in ("README.md", "CHANGELOG.md", "src/README.md", "templates/README.md"))]:
        found = list(stilted_prose(page.read_text(encoding="utf-8")))
        must(not found, page.name, *(f"say {better}: {line}" for better, line in found))


def its_limits_are_the_defaults(folder):
    """reading.md names every check, and says "TPR-INPUT-001: from 5 %" or "below 25 %": its medium limit, as the catalogue has it."""
    catalogue = (SOURCE / "tests/golden/catalogue.txt").read_text(encoding="utf-8")
    rules = {m[1]: (m[3], m[2]) for m in re.finditer(r"^  (TPR-[A-Z]+-\d+) \|.*\| ([^|]+) \| [^|]+ \| (at or above|below)$", catalogue, re.M)}
    untold = set(rules) - set(re.findall(r"TPR-[A-Z]+-\d+", text("reading")))
    must(len(rules) > 50 and not untold, "reading.md does not name", sorted(untold))
    told = re.findall(r"(TPR-[A-Z]+-\d+): (from|below) (\d+) %", " ".join(text("reading").split()))
    must(len(told) > 40, "limits in reading.md:", len(told))
    for rule, side, limit in told:
        must(rules[rule] == ({"from": "at or above", "below": "below"}[side], limit), rule, "is told as", side, limit, "and is", rules[rule])


def metrics_are_all(folder):
    told = run("help", "metrics").stdout
    missing = [line.split("\t")[0] for line in run("--list", "metrics").stdout.splitlines() if f"{line.split(chr(9))[0]} " not in told.replace("\n", " ")]
    must(not missing, "help metrics lacks", missing)


def its_skill_works(folder):
    """The commands of SKILL.md, for runs of ours; its head is what agents look for."""
    words = SKILL.read_text(encoding="utf-8")
    must(re.match(r"---\nname: tpreport\ndescription: [^\n]{100,1000}\n---\n", words), "its head")
    for name in ("LOGDIR", "BEFORE", "AFTER", "RUN1", "RUN2", "RUN3"):
        os.symlink(JAX, Path(folder, name))
    commands = [line.split("#")[0].strip() for block in re.findall(r"```sh\n(.*?)```", words, re.S) for line in block.splitlines()]
    must(len(commands) >= 7, commands)
    for command in commands:
        done = run(*command.split()[1:], cwd=folder)
        must(done.returncode in ((0, 6) if "--fail-on" in command else (0,)) and done.stdout, command, done.returncode, done.stderr)


def its_budget_is_read(folder):
    budget = next(b for b in re.findall(r"```\n(.*?)```", text("schemas"), re.S) if '"forbid"' in b)
    Path(folder, "b.json").write_text(budget, encoding="utf-8")
    done = run("check", JAX, "--budget", "b.json", cwd=folder)
    must(done.returncode in (0, 1, 6), done.returncode, done.stderr)
    limits = next(b for b in re.findall(r"```\n(.*?)```", text("schemas"), re.S) if "TPR-INPUT" in b)
    Path(folder, "l.json").write_text(limits, encoding="utf-8")
    must(run(JAX, "--limits", "l.json", cwd=folder).returncode == 0, "limits")


def its_header_stands_on_page_and_paper(folder):
    page = (SOURCE / "templates/README.md").read_text(encoding="utf-8")
    header = re.search(r"```\n(.*?)```", page, re.S)[1]
    Path(folder, "look").mkdir()
    Path(folder, "look/header.html").write_text(header, encoding="utf-8")
    done = run(JAX, "--template-dir", "look", "-o", "r.html", "-o", "r.pdf", cwd=folder)
    must(done.returncode == 0, done.stderr)
    must("Example Ltd" in Path(folder, "r.html").read_text(encoding="utf-8"), "not in the page")
    paper = subprocess.run(["pdftotext", "r.pdf", "-"], cwd=folder, capture_output=True, text=True, check=False).stdout
    sheets = paper.split("\f")[:-1]
    must(len(sheets) > 3 and all("Example Ltd" in sheet for sheet in sheets), "not on every sheet of the PDF")


run_all([sections_have_pages, what_it_names_exists, it_uses_the_terms_of_the_field, its_limits_are_the_defaults,
         metrics_are_all, its_skill_works, its_budget_is_read, its_header_stands_on_page_and_paper])
