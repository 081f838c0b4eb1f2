"""How fast objects are fetched, by the time that curl takes for the same ones in parallel, from the same server on this machine.

    PYTHONPATH=tests/support TPREPORT=build/release/tpreport tests/bench/objects.py [OBJECTS] [MIB] [ROUNDS]

tpreport also reads them and makes a report; what they hold beside a small profile is passed over. curl writes them into TMPDIR, where
large ones of tpreport go, too. In turn, medians; it fails below 0.8 of curl's throughput. CPU time is that of the two programs alone."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

from command_line import PROGRAM, logdir, read
from object_server import ObjectServer
from xspace_writer import field

LEAST = 0.8


def cost(command, env):
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **env})
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[0]}: exit status {child.returncode}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime


def main():
    count, mib, rounds = (int(word) for word in (sys.argv[1:] + ["16", "48", "5"][len(sys.argv) - 1:]))
    with tempfile.TemporaryDirectory() as folder, ObjectServer() as server:
        local = logdir(folder, hosts=[f"vm{i:03}" for i in range(count)])
        filler = field(1000, random.Random(1).randbytes((mib << 20) - 8192))
        for path, _, names in os.walk(local):
            for name in names:
                server.objects["b", os.path.relpath(os.path.join(path, name), folder)] = read(os.path.join(path, name)) + filler
        server.open_to_all = True
        urls = [word for _, key in server.objects for word in ("-o", f"{folder}/{os.path.basename(key)}", f"{server.url}/b/{key}")]
        ways = {"curl": ["curl", "--silent", "--fail", "--parallel", "--parallel-max", "16", "--parallel-immediate", *urls],
                "tpreport": [PROGRAM, "--quiet", "get", "s3://b/cnn", "step.count"]}
        found = {name: [] for name in ways}
        for _ in range(rounds):
            for name, command in ways.items():
                found[name].append(cost(command, server.env(TMPDIR=folder)))
        medians = {name: [statistics.median(column) for column in zip(*all_of)] for name, all_of in found.items()}
        for name, (wall, cpu) in medians.items():
            print(f"{name}: {count} × {mib} MiB in {wall:.2f} s ({count * mib / wall:.0f} MiB/s), {cpu:.2f} s of CPU")
        ratio = medians["curl"][0] / medians["tpreport"][0]
        print(f"throughput {ratio:.2f} of curl's, CPU {medians['tpreport'][1] / medians['curl'][1]:.2f}")
        sys.exit(ratio < LEAST)


if __name__ == "__main__":
    main()
