"""Every PyTorch trace among the test data, event by event: what the reader puts into columns is what a second reader finds."""

import json
import os
import subprocess
import sys

import torch_reader
from sampled import small
from truth import test_data


# Packed size of files that are compared by one of a kind: there is more of the same in them.
LARGE = 400_000
SAME = ("num_workers_4", "vllm_prefilldecode", "sglang_decode", "timesformer", "autograd_api", "3566756")


def differences(got, want, where=""):
    if isinstance(want, dict):
        for key, value in want.items():
            yield from differences(got.get(key), value, "%s %s" % (where, key))
    elif got != want:
        yield "%s: got %s, want %s" % (where, got, want)


def by_place(sums):
    sums["lanes"] = {lane["place"]: lane for lane in sums["lanes"]}
    return sums


def main():
    root = test_data("pytorch")
    paths = sorted(os.path.join(folder, name)
                   for where in ("found", "captured") for folder, _, names in os.walk(root / where)
                   for name in names if name.endswith((".json", ".json.gz")))
    paths = small("traces", paths, lambda path: os.path.getsize(path) >= LARGE and any(same in path for same in SAME))
    done = subprocess.run([os.environ["TPREPORT_TORCH_SUMS"], *paths], stdout=subprocess.PIPE, text=True, check=True)
    events = failed = compared = 0
    for path, line in zip(paths, done.stdout.splitlines(), strict=True):
        got, trace = json.loads(line), torch_reader.load(path)
        want = torch_reader.sums(trace) if trace is not None else None
        if want is None or "error" in got:
            if (want is None) != ("error" in got):
                failed += 1
                print("FAILED %s: got %s, want %s" % (path, line[:100], want and want["events"]))
            continue
        compared += 1
        events += want["events"] + want["memory"]
        wrong = list(differences(by_place(got), by_place(want)))
        if wrong:
            failed += 1
            print("FAILED %s\n  %s" % (path, "\n  ".join(wrong[:12])))
    print("%d traces with %d events and memory records compared, %d differ" % (compared, events, failed))
    return 1 if failed or compared < 90 else 0


if __name__ == "__main__":
    sys.exit(main())
