"""left_out.py LOG PRINTED: what a run of ctest left out: the tests that were skipped, with their last line, which says why and how
to run them, and what the others say that they tried in part or not at all (sampled.py). LOG is ctest's LastTest.log, PRINTED what ctest printed."""

import re
import sys


def outputs(log):
    """{test: lines of its output}."""
    found = {}
    for part in re.split(r"^(?=\d+/\d+ Testing: )", log, flags=re.M)[1:]:
        output = re.search(r"^Output:\n-+\n(.*?)\n?<end of output>", part, flags=re.M | re.S)
        found[part.split()[2]] = [line for line in output[1].splitlines() if line.strip()] if output else []
    return found


def said(found, word):
    """What tests say in lines that begin with this word."""
    return [f"  {name}: {line[len(word):]}" for name, lines in found.items() for line in dict.fromkeys(lines) if line.startswith(word)]


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        found = outputs(log.read())
    with open(sys.argv[2], encoding="utf-8", errors="replace") as printed:
        names = re.findall(r"Test +#\d+: (\S+) \.*\*{3}Skipped", printed.read())
    skipped = [f"  {name}: {(found.get(name) or ['the test does not say why'])[-1]}" for name in names]
    of_others = {name: lines for name, lines in found.items() if name not in names}
    for title, word in (("Tried in part (TPREPORT_ALL=1 tries all, TPREPORT_SEED=N another part):", "sampled: "),
                        ("Not tried, as something is not installed:", "not tried: ")):
        if lines := said(of_others, word):
            print(title, *lines, sep="\n")
    print(f"{len(skipped)} tests skipped" + (":" if skipped else ""), *skipped, sep="\n")


main()
