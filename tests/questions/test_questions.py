"""Whether a language model finds what people ask: a fixed set of questions, whose answers stand in the digest or in what at most three calls of
`tpreport show` print. questions.tsv: example, question, what the answer must hold ("&" between its parts), calls (";" between them). Many of the
answers are also counted apart from the program (counted.py)."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from counted import counted

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = os.environ["TPREPORT"]
LEAST_QUESTIONS, LEAST_COUNTED, MOST_CALLS, LEAST_SHARE = 60, 30, 3, 0.95
MOST_BYTES = {"digest": 8 * 1024, "show": 4 * 1024}


def told(kind, *words):
    done = subprocess.run([TPREPORT, "-q", *words], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0 or len(done.stdout) > MOST_BYTES[kind]:
        sys.exit(f"{words}: exit status {done.returncode}, {len(done.stdout)} bytes: {done.stderr.decode()}")
    # Digests escape what Markdown would take for its own.
    return " ".join(done.stdout.decode().replace("\\", "").split())


def main():
    questions = [line.split("\t") for line in (Path(__file__).parent / "questions.tsv").read_text(encoding="utf-8").splitlines()]
    if len(questions) < LEAST_QUESTIONS or len({(e, q) for e, q, _, _ in questions}) != len(questions):
        sys.exit(f"{len(questions)} questions, or one twice")
    answers = {(example, question): answer for example, question, answer, _ in questions}
    by_hand = counted()
    wrong = {of: (answer, answers.get(of)) for of, answer in by_hand.items() if answers.get(of) != answer}
    if wrong or len(by_hand) < LEAST_COUNTED:
        sys.exit(f"counted from the captures, another answer than in questions.tsv: {wrong}")
    digests, found = {}, 0
    for example, question, answer, calls in questions:
        path = SOURCE / "examples" / example / "input"
        if example not in digests:
            digests[example] = told("digest", path, "-o", "-", "--format", "markdown")
        drill = [call for call in calls.split(";") if call]
        if len(drill) > MOST_CALLS:
            sys.exit(f"{question}: {len(drill)} calls")
        read = [digests[example], *(told("show", "show", path, *shlex.split(call)) for call in drill)]
        if any(all(part.strip() in text for part in answer.split("&")) for text in read):
            found += 1
        else:
            print(f"{example}: {question} Not in digest{' or ' + calls if calls else ''}: {answer}")
    print(f"{found} of {len(questions)} questions are answered by the digest or {MOST_CALLS} calls; {len(by_hand)} answers are also counted from the captures")
    sys.exit(found < LEAST_SHARE * len(questions))


main()
