"""Files that are cut off or damaged, through the program: what is left becomes a report that names the loss, or nothing does
and the message says where. unit/test_damage.c goes through every byte; here are some of them, and what is around.

With TPREPORT_TEST_DATA set, also the damaged captures in its xla/found/corrupt.
"""

import glob
import gzip
import json
import os
import re
import shutil
import subprocess

import tiny_xspace as t
from cases import Fault, must, run_all

PROGRAM = os.environ["TPREPORT"]
DATA = os.environ.get("TPREPORT_TEST_DATA")
CUTS = 50
SECONDS = 5


def write(path, data):
    with open(path, "wb") as out:
        out.write(data)
    return path


def run(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, text=True,
                          check=False)


def notices(block):
    """Texts of all notices at or below a block."""
    if isinstance(block, list):
        return [text for item in block for text in notices(item)]
    if not isinstance(block, dict):
        return []
    own = [block["text"]] if block.get("kind") == "notice" else []
    return own + [text for value in block.values() for text in notices(value)]


def read_report(path):
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def whole_fields(data):
    """Where a file may end without anybody noticing: after each plane."""
    ends, at = {0}, 0
    while at < len(data):
        length, shift, at = 0, 0, at + 1
        while True:
            byte = data[at]
            length |= (byte & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if byte < 0x80:
                break
        at += length
        ends.add(at)
    return ends


def check(folder, name, data, unnoticed=False):
    """One damaged file: 0 with a warning and a report that tells it, or 4 with a message and no report."""
    path, report = write(os.path.join(folder, name), data), os.path.join(folder, "r.json")
    if os.path.exists(report):
        os.unlink(report)
    done = run(path, "-o", report)
    must(done.returncode in (0, 4), f"exit status {done.returncode}: {done.stderr}")
    if done.returncode == 4:
        must(not os.path.exists(report), "a report in spite of status 4")
        must(re.match(rf"tpreport: {re.escape(path)}: (at byte \d+: )?\S", done.stderr), f"message: {done.stderr}")
        return 4
    found = read_report(report)
    if unnoticed:
        return 0
    must(re.search(rf"^tpreport: warning: {re.escape(path)}: at byte \d+: ", done.stderr, re.M),
         f"no warning with the place: {done.stderr!r}")
    must(found["metrics"]["data.warnings"]["value"] > 0, "data.warnings is 0")
    told = notices([s for s in found["sections"] if s["id"] == "method"])
    must(any(name in text and "at byte" in text for text in told), f"the report does not tell the loss: {told}")
    strict = run(path, "-o", report, "--strict", "-q")
    must(strict.returncode == 4, f"--strict: exit status {strict.returncode}")
    return 0


def cut_anywhere(folder):
    data = t.space(t.environment(), t.metadata(), t.host(2), t.gpu(0, 2), t.tpu(0, 2), hostname="worker-0")
    step = len(data) / CUTS
    seen = set()
    for i in range(CUTS):
        size = int(i * step)
        try:
            seen.add(check(folder, "vm.xplane.pb", data[:size], size != 0 and size in whole_fields(data)))
        except Fault as fault:
            raise Fault(f"cut at byte {size}: {fault}") from None
    must(seen == {0, 4}, f"statuses {seen}")


def damaged_inside(folder):
    data = t.space(t.environment(), t.metadata(), t.host(2), t.gpu(0, 2), t.tpu(0, 2), hostname="worker-0")
    for at in range(0, len(data), len(data) // 20):
        bad = bytearray(data)
        bad[at] ^= 0xFF
        check(folder, "vm.xplane.pb", bytes(bad), unnoticed=True)  # a changed number is a number


def packed(folder):
    data = gzip.compress(t.every_plane(), mtime=0)
    for size in range(2, len(data), len(data) // 12):
        check(folder, "vm.xplane.pb.gz", data[:size])
    for size in (len(data) - 1, len(data) - 5):
        must(check(folder, "vm.xplane.pb.gz", data[:size]) == 0, "only the sum at the end is missing")
    bad = bytearray(data)
    bad[len(bad) // 2] ^= 0xFF
    check(folder, "vm.xplane.pb.gz", bytes(bad))
    bad = bytearray(data)
    bad[-6] ^= 0xFF
    must(check(folder, "vm.xplane.pb.gz", bytes(bad)) == 0, "only the sum at the end is wrong")
    if shutil.which("zstd") is None:
        return
    zstd = subprocess.run(["zstd", "-q", "-c"], input=t.every_plane(), capture_output=True, check=True).stdout
    for size in range(4, len(zstd), len(zstd) // 6):
        check(folder, "vm.xplane.pb.zst", zstd[:size])


def no_profile_at_all(folder):
    for data, word in ((b"", "empty"), (b"hello, world\n", "it holds no XLA profile"), (os.urandom(3) * 5000, ""),
                       (b"\x0a\x05", ""), (gzip.compress(b""), "")):
        path = write(os.path.join(folder, "vm.xplane.pb"), data)
        done = run(path, "-o", os.path.join(folder, "none.json"))
        must(done.returncode == 4 and word in done.stderr, f"{data[:20]}: {done.returncode} {done.stderr}")
        must(not os.path.exists(os.path.join(folder, "none.json")), "a report of nothing")


def one_bad_file_of_two(folder):
    """The run goes on with the other files."""
    write(os.path.join(folder, "a.xplane.pb"), t.space(t.environment(), t.tpu(0, 3)))
    bad = write(os.path.join(folder, "b.xplane.pb"), b"\xff" * 50)
    report = os.path.join(folder, "r.json")
    done = run(folder, "-o", report)
    must(done.returncode == 0 and f"warning: {bad}: at byte 0" in done.stderr, f"{done.returncode} {done.stderr}")
    found = read_report(report)
    must(found["metrics"]["step.count"]["value"] == 3 and found["metrics"]["data.warnings"]["value"] == 1, "figures")
    must(run(folder, "-o", report, "--strict").returncode == 4, "--strict")


def text_conversion(folder):
    """Every byte above 7F became EF BF BD on the way."""
    mangled = [t.space(*planes).decode("utf-8", errors="replace").encode()
               for planes in ([t.tpu(0, 40)], [t.environment(), t.tpu(0, 40)], [t.host(30), t.gpu(0, 40)])]
    files = [write(os.path.join(folder, f"{i}.xplane.pb"), data) for i, data in enumerate(mangled)]
    files += (sorted(glob.glob(os.path.join(DATA, "xla/found/corrupt/*.xplane.pb"))) if DATA else [])
    must(not DATA or len(files) > len(mangled), f"no damaged captures under {DATA}")
    for path in files:
        done = run(path, "-o", os.path.join(folder, "r.json"))
        must(done.returncode == 4, f"{path}: exit status {done.returncode}")
        must("text conversion" in done.stderr and "binary mode" in done.stderr, f"{path}: {done.stderr}")


TESTS = [cut_anywhere, damaged_inside, packed, no_profile_at_all, one_bad_file_of_two, text_conversion]


run_all(TESTS)
