"""tpreport merge of XLA hosts: figures are those of a report on all profiles together, whatever the hosts compute with, and sets are the same bytes
however they are put together."""

import json
import os
from pathlib import Path

import made_hosts
import made_ranks
from cases import must, run_all
from command_line import DAMAGED, OK, expect, run
from summaries import any_grouping, merge, report_of, summarised, tables, values

DATA = Path(os.environ.get("TPREPORT_TEST_DATA", "/nonexistent"))
HELD = ["synth/pod_v3_32_straggler", "synth/transformer_v5e_compute_bound", "synth/outfeed_and_idle", "synth/resnet_v3_input_bound",
        "xla/found/xprof/xprof/convert/test_xplanes", "xla/found/xprof/demo", "xla/found/tracelens/jax_te", "xla/captured/jax_cnn",
        "xla/captured/tf_slow_api", "xla/captured/synth_tpu_steps"]
NOT_KEPT = ("run.batch.",)  # by the shapes of what programs take in
TOLD = ("step.time.", "step.class.", "step.tpu.", "step.count", "pod.", "device.busy", "device.duty", "flops.utilization", "memory_bandwidth.utilization",
        "input.wait", "input.worst", "op.top", "memory.peak_bytes", "memory.measured.peak_bytes", "run.devices", "run.cores")
SECTIONS = ("steps/", "distributed/", "hosts/", "devices/")
NEED_EVENTS = {"steps/slowest/operations"}


def agrees(folder, files, of):
    """All figures of the merged report against those of all profiles read together; both reports."""
    merged = report_of("merge", *summarised(folder, files), "--top", "all")
    whole = report_of("report", of, "--top", "all")
    a, b = values(merged), values(whole)
    differ = [(k, a[k], b[k]) for k in sorted(a.keys() & b.keys()) if a[k] != b[k] and not k.startswith(NOT_KEPT)]
    must(not differ, of, "other figures:", differ[:5])
    lost = [k for k, v in b.items() if k.startswith(TOLD) and "@" not in k and v is not None and k not in a]
    must(not lost, of, "figures that no summary tells:", lost[:5])
    ours, theirs = tables(merged), tables(whole)
    for id in theirs:
        if id.startswith(SECTIONS) and id not in NEED_EVENTS:
            must(ours.get(id) == theirs[id], of, id, "differs:", [(x, y) for x, y in zip(ours.get(id, []), theirs[id]) if x != y][:2])
    operators_agree(of, ours, theirs)
    return merged, whole


def operators_agree(of, ours, theirs):
    """Each operation's sum, where all lists are whole; else it is within its bound."""
    if "operations/list" not in theirs or "ranks/operators" not in ours:
        return
    sums = {}
    for row in theirs["operations/list"]:
        key = row["name"]
        sums[key] = tuple(map(sum, zip(sums.get(key, (0, 0)), (row["self_ms"], row["occurrences"]))))
    found = {}
    for row in ours["ranks/operators"]:
        times = (row["host_self_ms"] + row["device_self_ms"], row["calls"], row.get("not_listed_ms") or 0)
        found[row["name"]] = tuple(map(sum, zip(found.get(row["name"], (0, 0, 0)), times)))
    for name, (ms, calls) in sums.items():
        if name in found:
            low, count, more = found[name]
            must(low - 1e-6 <= ms <= low + more + 1e-6, of, name, "takes", ms, "not", low, "to", low + more)
            must(more or count == calls, of, name, "is called", calls, "times, not", count)
    all_ms, all_calls, _ = found["All operations"]
    must(abs(all_ms - sum(ms for ms, _ in sums.values())) < 1e-6 * all_ms + 1e-9 and all_calls == sum(n for _, n in sums.values()), of, "all operations:", all_ms)


def made(kind):
    def figures_are_those_of_all_profiles(folder):
        files = made_hosts.KINDS[kind](folder + "/run", 3)
        merged, _ = agrees(folder + "/t", files, folder + "/run")
        must(values(merged)["step.time.mean_ms"] > 0, "no step")
    figures_are_those_of_all_profiles.__name__ += "_" + kind
    return figures_are_those_of_all_profiles


def the_straggler_and_its_channels_are_found(folder):
    """What no host shows by itself."""
    files = made_hosts.tpu(folder + "/run", 4)
    merged, _ = agrees(folder + "/t", files, folder + "/run")
    must(values(merged)["pod.straggler.name"].startswith("core 3 "), "the straggler is", values(merged)["pod.straggler.name"])
    must(len(tables(merged)["distributed/links"]) == 8, "channels:", len(tables(merged)["distributed/links"]))
    must(values(merged)["step.count"] == 5, "steps that all cores have:", values(merged)["step.count"])


def figures_agree_on_held_profiles(folder):
    for i, name in enumerate(n for n in HELD if (DATA / n).is_dir()):
        of = DATA / name
        agrees("%s/%d" % (folder, i), sorted(of.rglob("*.xplane.pb")), of)


def any_order_and_grouping_gives_the_same_bytes(folder):
    for kind, make in made_hosts.KINDS.items():
        here = folder + "/" + kind
        files = make(here + "/run", 5)
        first = any_grouping(here, summarised(here + "/t", files), tries=4)
        expect(OK, "summarize", "-q", here + "/run", "-o", here + "/folder.tps")
        must(merge(here + "/of.tps", here + "/folder.tps") == first, kind, "hosts are other bytes when they are summarised together")


def a_merged_file_is_an_input(folder):
    files = made_hosts.tpu(folder + "/run", 3)
    summaries = summarised(folder + "/t", files)
    merge(folder + "/all.tps", *summaries)
    must(values(report_of("merge", *summaries)) == values(report_of("report", folder + "/all.tps")), "read back it has other figures")
    expect(OK, "show", folder + "/all.tps", "distributed", out=b"tpu-01")
    expect(OK, "diff", folder + "/all.tps", folder + "/run")
    for suffix in ("html", "pdf", "md", "csv", "sqlite"):
        expect(OK, "merge", "-q", *map(str, summaries), "-o", folder + "/r." + suffix + "/" * (suffix == "csv"))


def missing_hosts_are_counted(folder):
    """Hosts have names, no numbers: how many of --ranks are missing is known, not which ones."""
    summaries = summarised(folder + "/t", made_hosts.tpu(folder + "/run", 2))
    found = report_of("merge", *summaries, "--ranks", "0-7")
    must(values(found)["ranks.missing"] == 6, "missing:", values(found)["ranks.missing"])
    must("0\u20137" not in json.dumps(found["sections"]), "hosts that are here are said to be missing")
    must(values(report_of("merge", *summaries, "--ranks", "0-1"))["ranks.missing"] == 0, "missing, though all are here")


def only_what_summaries_hold_is_judged(folder):
    for kind, make in made_hosts.KINDS.items():
        here = folder + "/" + kind
        report = report_of("merge", *summarised(folder + "/t_" + kind, make(here, 2)))
        whole = {f["id"]: f["status"] for f in report_of("report", here)["findings"]}
        for finding in report["findings"]:
            must(finding["status"] in ("undecided", whole[finding["id"]]), kind, finding["id"], finding["status"], "but of events", whole[finding["id"]])
            must(finding["title"], kind, finding["id"], "does not say why it is undecided")


def large_hosts_are_cut_alike(folder):
    """At most so many bytes a host; figures are then of the same first steps of all."""
    files = made_hosts.tpu(folder + "/run", 3, steps=80)
    summaries = summarised(folder + "/t", files)
    whole = max(map(len, made_ranks.parts(merge(folder + "/whole.tps", *summaries))))
    expect(OK, "summarize", "-q", str(files[2]), "--size", "3K", "-o", str(summaries[2]))
    cut = made_ranks.parts(merge(folder + "/all.tps", *summaries))
    must(min(map(len, cut)) <= 3 << 10 < whole, "sizes:", sorted(map(len, cut)), whole)
    report = report_of("merge", folder + "/all.tps")
    must(0 < values(report)["step.count"] < 79, "steps:", values(report)["step.count"])
    must("did not fit" in json.dumps(report), "it does not say that steps are left out")
    first = report_of("report", folder + "/run", "--top", "all")
    each = {row["step"]: row["time_ms"] for row in tables(first)["steps/each"]}
    for row in tables(report)["steps/each"]:
        must(row["time_ms"] == each[row["step"]], "step", row["step"], "takes", row["time_ms"], "not", each[row["step"]])


def hosts_that_lie_are_left_out(folder):
    """Columns of other lengths than they say, indices beyond lists, times beyond all bounds, with a check that is right."""
    parts = made_ranks.parts(merge(folder + "/all.tps", *summarised(folder + "/t", made_hosts.tpu(folder + "/run", 2))))
    from xspace_writer import field
    for xla in (field(2, b""), field(2, field(4, 9)), field(40, b"\x00"), field(28, 2.5), field(2, field(16, b"\0" * 56) + field(42, b"\x00")), b"\xff"):
        lie = made_ranks.part_of(made_ranks.rank_of(parts[1]) + field(100, xla), "tpu-01", -1)
        Path(folder, "lie.tps").write_bytes(made_ranks.merged([parts[0], lie]))
        done = run("merge", "-q", folder + "/lie.tps", "-o", folder + "/lie.html")
        must(done.returncode == DAMAGED and b"damaged" in done.stderr, xla, "exit status", done.returncode, done.stderr)


def ranks_of_two_kinds_make_no_report(folder):
    hosts = summarised(folder + "/h", made_hosts.cpu(folder + "/hosts", 2))
    traces = summarised(folder + "/r", made_ranks.make(folder + "/traces", 2, steps=2))
    merge(folder + "/all.tps", *hosts, *traces)
    must(len(made_ranks.parts(Path(folder, "all.tps").read_bytes())) == 4, "a set may hold both")
    expect(DAMAGED, "merge", "-q", folder + "/all.tps", "-o", folder + "/all.html", says="one kind")


run_all([*map(made, made_hosts.KINDS), the_straggler_and_its_channels_are_found, figures_agree_on_held_profiles, any_order_and_grouping_gives_the_same_bytes,
         a_merged_file_is_an_input, missing_hosts_are_counted, only_what_summaries_hold_is_judged, large_hosts_are_cut_alike, hosts_that_lie_are_left_out,
         ranks_of_two_kinds_make_no_report])
