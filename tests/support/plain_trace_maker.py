"""Makes a trace of a program that never ran, with all that the format knows of events, in an order that nobody promised."""

import random

HOSTILE = ["</script><script>alert(1)</script>", 'a "quoted" \\ name', "controls \x01\x02\t\n", "\u202eright to left \u05d0\u05d1",
           "x" * 10000, "", "é ü 漢字 \U0001f600"]


def made(seed=1):
    """Entries: nested B/E and X on threads, overlapping async events, instants, counters, flows; shuffled but for the order
    of entries of one time."""
    r = random.Random(seed)
    entries = []

    def nest(pid, tid, start, end, depth):
        at = start
        while depth and end - at > 40:
            begin = at + r.randrange(1, 10)
            until = min(end - 1, begin + r.randrange(5, 400))
            name = f"work {r.randrange(8)}"
            if r.random() < 0.5:
                entries.append({"ph": "B", "name": name, "cat": "b", "pid": pid, "tid": tid, "ts": begin / 1000})
                nest(pid, tid, begin, until, depth - 1)
                entries.append({"ph": "E", "pid": pid, "tid": tid, "ts": until / 1000, **({"name": name} if r.random() < 0.5 else {})})
            else:
                entries.append({"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": begin / 1000, "dur": (until - begin) / 1000,
                                "args": {"n": r.randrange(100), "deep": {"a": [1, 2]}}})
                nest(pid, tid, begin, until, depth - 1)
            at = until + r.randrange(0, 30)

    for pid in (7, 8, "gpu-0"):
        for tid in (1, 2, "stream"):
            nest(pid, tid, 0, 4000, 4)
    for i in range(40):
        start = r.randrange(0, 3000)
        entries += [{"ph": "b", "name": f"request {i % 5}", "cat": "net", "id": hex(i), "pid": 7, "tid": 1, "ts": start / 1000},
                    {"ph": "n", "name": "halfway", "cat": "net", "id": hex(i), "pid": 7, "tid": 1, "ts": (start + 100) / 1000},
                    {"ph": "e", "name": f"request {i % 5}", "cat": "net", "id": hex(i), "pid": 7, "tid": 1, "ts": (start + r.randrange(200, 900)) / 1000}]
    for i, name in enumerate(HOSTILE):
        entries.append({"ph": "X", "name": name, "pid": 9, "tid": 1, "ts": i, "dur": 0.5})
        entries.append({"ph": "i", "name": name, "pid": 9, "tid": 1, "ts": i + 0.25, "s": "t"})
    for i in range(50):
        entries.append({"ph": "C", "name": "memory", "pid": 7, "ts": i / 10, "args": {"used": i * i, "free": 2500 - i * i}})
        entries.append({"ph": "C", "name": "load", "pid": 8, "ts": i / 10, "args": {"value": r.random()}})
    works = [e for e in entries if e["ph"] == "X" and e["pid"] in (7, 8)]
    for i in range(60):
        a, b = sorted(r.sample(works, 2), key=lambda e: e["ts"])
        entries += [{"ph": "s", "name": "leads", "cat": "flow", "id": i, "pid": a["pid"], "tid": a["tid"], "ts": a["ts"]},
                    {"ph": "f", "bp": "e", "name": "leads", "cat": "flow", "id": i, "pid": b["pid"], "tid": b["tid"], "ts": b["ts"]}]
    order = sorted(range(len(entries)), key=lambda i: (r.randrange(4), entries[i]["ts"], i))
    entries = [entries[i] for i in order]
    entries += [{"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "server"}},
                {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "main </b>"}},
                {"ph": "P", "name": "sample", "pid": 7, "tid": 1, "ts": 1}]
    return entries
