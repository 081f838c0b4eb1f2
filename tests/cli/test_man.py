"""Man pages: one a command and one a topic, with the options, examples and exit statuses that --help prints; mandoc finds no fault with them.
Installing puts them and the completions in the usual places."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from cases import must, run_all

TPREPORT = Path(os.environ["TPREPORT"])
SOURCE = Path(os.environ["TPREPORT_SOURCE"])
BUILD = TPREPORT.parent


def told(*words):
    done = subprocess.run([TPREPORT, *words], capture_output=True, text=True, check=False, timeout=60)
    must(done.returncode == 0, words, done.stderr)
    return done.stdout


def pages():
    return told("--man").split()


def plain(mdoc):
    """Without what is only layout."""
    text = re.sub(r"\\f[BR]|\\&", "", mdoc).replace("\\-", "-").replace("\\e", "\\")
    return re.sub(r"\\\[u([0-9A-F]{4,6})\]", lambda sign: chr(int(sign[1], 16)), text)


def commands():
    return re.findall(r"^  tpreport \[?(\w+)\]? ", told("--help").split("Usage:")[1], re.M)


def test_options(folder):
    """Each option of a command, with its letter, argument and text, and no other."""
    for words, page in [((), "tpreport.1")] + [((name,), f"tpreport-{name}.1") for name in commands()]:
        must(page in pages(), page, "is missing")
        help_text, man = told(*words, "--help"), plain(told("--man", page))
        options = man.split(".Sh OPTIONS")[1].split(".Sh ")[0]
        found = [(letter, name, argument.replace("Ns Op = Ns Ar ", "[=").strip().removeprefix("Ar ") + ("]" if "Ns Op" in argument else ""), " ".join(text.split()))
                 for letter, name, argument, text in re.findall(r"^\.It (?:Fl (\w) , )?Fl -([a-z-]+)(.*)\n([^.][\s\S]*?)(?=^\.It|^\.El)", options, re.M)]
        wanted = [(letter, name, argument.strip(), " ".join(text.split()))
                  for letter, name, argument, text in re.findall(r"^  (?:-(\w), |    )--([a-z-]+)(\[=\S+|(?: [A-Z]\S*)?)\s+([\s\S]*?)(?=^  -\w, |^      --|\Z)",
                                                                   help_text.split("\nOptions:\n")[1].split("\n\nExit status")[0] + "\n", re.M)]
        must([w[1] for w in wanted] == [f[1] for f in found], page, {w[1] for w in wanted} ^ {f[1] for f in found})
        for want, have in zip(wanted, found):
            must(want == have, page, want, have)
        for status, says in re.findall(r"^  (\d)  (.*?)$", help_text, re.M):
            must(f".It {status}\n{says[:30]}" in man, page, "exit status", status)


def test_examples(folder):
    for name in commands():
        man = " ".join(plain(told("--man", f"tpreport-{name}.1")).split())
        examples = re.findall(r"^  (tpreport .*?)(?:\s{2,}.*)?$", told(name, "--help").split("Usage:")[0], re.M)
        for example in examples:
            must(example.split(" several ")[0] in man, name, "lacks the example", example)


def test_topics(folder):
    """Those that help lists, each with a page of the same text."""
    topics = re.findall(r"^  ([a-z]+) ", told("help").split("A section of")[0], re.M)
    must(topics and [f"tpreport-{t}.7" for t in topics] == [p for p in pages() if p.endswith(".7")], topics, pages())
    for topic in topics:
        words = set(re.findall(r"[A-Za-z]{4,}", told("help", topic)))
        lost = words - set(re.findall(r"[A-Za-z]{4,}", plain(told("--man", f"tpreport-{topic}.7"))))
        must(not lost, topic, "the page lacks", sorted(lost)[:20])
    see = re.findall(r"^\.Xr (\S+) (\d)", told("--man", "tpreport.1"), re.M)
    must(sorted(f"{name}.{section}" for name, section in see) == sorted(set(pages()) - {"tpreport.1"}), "SEE ALSO", see)


def test_lint(folder):
    if not shutil.which("mandoc"):
        return
    for page in pages():
        path = Path(folder, page)
        path.write_text(told("--man", page), encoding="utf-8")
        lint = subprocess.run(["mandoc", "-T", "lint", path], capture_output=True, text=True, check=False)
        # Ours may not be installed here; that they exist is compared above.
        faults = [line for line in (lint.stdout + lint.stderr).splitlines() if not re.search(r"referenced manual not found: Xr tpreport\S* [17]$", line)]
        must(not faults, *faults)


def test_installed(folder):
    """From the build folder that the tests run in."""
    done = subprocess.run(["cmake", "--install", BUILD, "--prefix", folder], capture_output=True, text=True, check=False)
    must(done.returncode == 0, done.stdout, done.stderr)
    files = {str(p.relative_to(folder)) for p in Path(folder).rglob("*") if p.is_file()}
    wanted = {f"share/man/man{page[-1]}/{page}" for page in pages()} | {
        "bin/tpreport", "share/bash-completion/completions/tpreport", "share/zsh/site-functions/_tpreport",
        "share/fish/vendor_completions.d/tpreport.fish", "share/doc/tpreport/SKILL.md"}
    must(wanted <= files, "not installed:", sorted(wanted - files))
    must(all(f.startswith(("bin/", "share/")) for f in files), sorted(files))


def test_found(folder):
    """Where `man` does not look, it finds the pages of a shell that read `tpreport completion`; what MANPATH held stays, and nothing is added twice."""
    subprocess.run(["cmake", "--install", BUILD, "--prefix", f"{folder}/plain"], capture_output=True, check=True)
    prefix = Path(folder, "plain").rename(f"{folder}/it's \\ $HOME")
    program, pages_of = prefix / "bin/tpreport", prefix / "share/man"
    read = 'eval "$("$TPREPORT" completion {shell})"; eval "$("$TPREPORT" completion {shell})"; '
    for shell, reads, told_path in (("bash", read, 'printf "%s\\n" "$MANPATH"'), ("zsh", "compdef() {{ :; }}; " + read, 'printf "%s\\n" "$MANPATH"'),
                                    ("fish", "$TPREPORT completion fish | source; $TPREPORT completion fish | source; ", "string join : $MANPATH")):
        if not shutil.which(shell):
            continue
        for before in (None, "/x", "/x:"):
            environment = {**os.environ, "TPREPORT": str(program), "HOME": folder}
            environment.pop("MANPATH", None)
            if before is not None:
                environment["MANPATH"] = before
            commands_of = [reads.format(shell=shell) + command for command in (told_path, "man -w tpreport-diff")]
            done = [subprocess.run([shell, "-c", command], capture_output=True, text=True, check=False, env=environment) for command in commands_of]
            must(done[0].stdout == f"{before or ''}:{pages_of}\n", shell, before, done[0].stdout, done[0].stderr)
            if shutil.which("man"):
                must(done[1].stdout == f"{pages_of}/man1/tpreport-diff.1\n", shell, before, done[1].stdout, done[1].stderr)


run_all([test_options, test_examples, test_topics, test_lint, test_installed, test_found])
