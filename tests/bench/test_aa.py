"""What src/manual/speed.md says of runs of one program: its table follows from the figures kept, the rate of false alarms over all is above the stated one by
no more than its error, that of a program by no more than twice, and of the slow-downs that are promised nine of ten are found."""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
STATED, PROMISED = 1.0, 90.0


def main():
    done = subprocess.run([sys.executable, SOURCE / "tests/bench/aa.py", "rates"], capture_output=True, text=True, check=True)
    readme = (SOURCE / "src/manual/speed.md").read_text(encoding="utf-8")
    if done.stdout not in readme:
        sys.exit(f"src/manual/speed.md has another table than\n{done.stdout}")
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:]]
    if len(rows) != 11 or rows[-1][0] != "all":
        sys.exit(f"the table has {len(rows)} rows, not 11, or no row of all")
    for row in rows:
        errors = 1 if row[0] == "all" else 2
        for alarms, error in re.findall(r"([\d.]+) ± ([\d.]+) %", row[4]):
            if float(alarms) - errors * float(error) > STATED:
                sys.exit(f"more false alarms than stated: {row}")
        if min(map(float, re.findall(r"([\d.]+) %", row[5]))) < PROMISED:
            sys.exit(f"fewer found than promised: {row}")
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
