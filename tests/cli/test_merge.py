"""tpreport merge: sets of ranks that are the same bytes however they are put together, reports that say what one of all traces says, and what is missing or
damaged."""

import json
import lzma
import os
from pathlib import Path

import made_ranks
from cases import must, run_all
from command_line import DAMAGED, NOTHING, OK, USAGE, expect, run
from summaries import any_grouping, merge, report_of, summarised, tables, values

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = Path(os.environ.get("TPREPORT_TEST_DATA", "/nonexistent"))
HELD = ["pytorch/found/param/dlrm_kineto", "pytorch/captured/ddp_gloo2", "pytorch/found/kineto_unit/test_distributed_nccl",
        "pytorch/found/kineto_unit/test_distributed_gloo_gpu", "pytorch/found/kineto_tb_samples/resnet50_num_workers_0"]
OPERATORS = {"name", "calls", "host_self_ms"}


def agrees(folder, traces, of):
    """Figures of the merged report against those of all traces read together; how many were compared."""
    merged = report_of("merge", *summarised(folder, traces))
    whole = report_of("report", of, "--top", "all")
    a, b = values(merged), values(whole)
    both = a.keys() & b.keys()
    differ = [(k, a[k], b[k]) for k in sorted(both) if a[k] != b[k]]
    must(not differ, of, "other figures:", differ[:5])
    ours, theirs = tables(merged), tables(whole)
    for id in sorted(ours.keys() & theirs.keys()):
        # What devices there are is not in a summary.
        if id.startswith(("distributed/", "steps/")) and id != "distributed/devices":
            must(ours[id] == theirs[id], of, id, "differs:", [(x, y) for x, y in zip(ours[id], theirs[id]) if x != y][:2])
    return len(both), merged, whole


def figures_are_those_of_all_traces(folder):
    """Collectives of two groups, messages, clocks that differ, a straggler."""
    made_ranks.make(folder + "/run", 8)
    count, merged, _ = agrees(folder + "/t", sorted(Path(folder, "run").iterdir()), folder + "/run")
    must(count > 150, "few figures in common:", count)
    must(values(merged)["torch.comm.straggler.name"] == "nodeh0_1", "the straggler is", values(merged)["torch.comm.straggler.name"])
    sums = {row["name"]: row["calls"] for row in tables(merged)["ranks/operators"]}
    must(sums["aten::mm"] == 8 * 4 * 3, "calls of aten::mm:", sums)
    example = SOURCE / "examples/torch_ddp/input"
    agrees(folder + "/u", sorted(example.iterdir()), example)


def figures_agree_on_held_captures(folder):
    for i, name in enumerate(n for n in HELD if (DATA / n).is_dir()):
        agrees("%s/%d" % (folder, i), sorted((DATA / name).glob("*.pt.trace.json*")), DATA / name)


def any_order_and_grouping_gives_the_same_bytes(folder):
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 7, steps=2))
    first = any_grouping(folder, summaries)
    whole = Path(folder, "folder.tps")
    expect(OK, "summarize", "-q", folder + "/run", "-o", str(whole))
    must(merge(folder + "/of.tps", whole) == first, "ranks are other bytes when they are summarised together")
    must(merge(folder + "/dir.tps", folder + "/t") == first, "a folder is not all summaries in it")


def a_merged_file_is_an_input(folder):
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 4))
    merge(folder + "/all.tps", *summaries)
    a, b = values(report_of("merge", *summaries)), values(report_of("report", folder + "/all.tps"))
    must(a == b, "read back it has other figures")
    expect(OK, "get", "--require", folder + "/all.tps", "ranks.count", out=b"4")
    expect(OK, "show", folder + "/all.tps", "ranks", out=b"nodeh0_3")
    expect(OK, "diff", folder + "/all.tps", folder + "/run")
    for suffix in ("html", "pdf", "md", "csv", "sqlite"):
        expect(OK, "merge", "-q", *map(str, summaries), "-o", folder + "/r." + suffix + "/" * (suffix == "csv"))


def nothing_is_judged_that_summaries_do_not_hold(folder):
    """No kernel, launch or operator of a rank is in its summary: checks of them are not passed, and not without need either."""
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 2))
    for finding in report_of("merge", *summaries)["findings"]:
        known = finding["id"] == "TPR-LOAD-001"  # whether a DataLoader was recorded is kept
        must(finding["status"] != "not_applicable" or known, finding["id"], "is said not to apply:", finding["title"])
        must(finding["status"] != "undecided" or finding["title"], finding["id"], "does not say why it is undecided")


def ranks_without_a_gpu_have_a_report(folder):
    """What their verdict leads to, operators, has no section in it."""
    trace = lzma.open(SOURCE / "tests/bench/resnet18_step.pt.trace.json.xz").read()
    for rank in range(2):
        Path(folder, "rank%d.1.pt.trace.json" % rank).write_bytes(trace)
    merged = report_of("merge", *summarised(folder + "/t", sorted(Path(folder).glob("*.json"))))
    must(values(merged)["ranks.count"] == 2, "ranks:", values(merged)["ranks.count"])
    must("operators" in json.dumps(merged["sections"][0]), "the verdict names no operators")


def missing_ranks_are_named(folder):
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 8))
    found = report_of("merge", *summaries[:3], *summaries[4:6])
    must(values(found)["ranks.missing"] == 3, "missing:", values(found)["ranks.missing"])
    must("3, 6–7" in json.dumps(found, ensure_ascii=False), "they are not named")
    found = report_of("merge", "--ranks", "0-7,20", *summaries)
    must(values(found)["ranks.missing"] == 1 and '20' in json.dumps(found["sections"]), "a rank of --ranks is not missed")
    must(values(found)["step.collective_wait_ms"] is None, "waiting is told, though others may wait for the missing rank")
    found = report_of("merge", *summaries)
    must(values(found)["ranks.missing"] == 0, "missing, though all are there")
    must(values(found)["step.collective_wait_ms"] > 0, "nobody waits for the straggler")
    for wrong in ("", "x", "3-1", "1,", "0-99999999999999999999"):
        expect(USAGE, "merge", str(summaries[0]), "--ranks=" + wrong, says="--ranks")


def damaged_files_are_named_and_left_out(folder):
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 4))
    whole = merge(folder + "/whole.tps", *summaries[:3])
    good = summaries[3].read_bytes()
    part = made_ranks.parts(merge(folder + "/last.tps", summaries[3]))[0]
    at = good.index(part) + len(part) // 2
    for name, data in {"cut": good[:-20], "bit": good[:at] + bytes([good[at] ^ 1]) + good[at + 1:], "empty": b"", "text": b"hello"}.items():
        bad = Path(folder, name + ".tps")
        bad.write_bytes(data)
        expect(DAMAGED, "merge", *map(str, summaries[:3]), str(bad), "-o", folder + "/out.tps", says=name + ".tps")
        must(Path(folder, "out.tps").read_bytes() == whole, "a damaged file changes the others")
    expect(NOTHING, "merge", *map(str, summaries[:3]), folder + "/none.tps", "-o", folder + "/out.html", says="none.tps")
    page = Path(folder, "out.html").read_text(encoding="utf-8")
    must("none.tps" in page, "the report does not name what could not be used")
    Path(folder, "out.tps").unlink()
    expect(DAMAGED, "merge", folder + "/bit.tps", "-o", folder + "/out.tps", says="nothing is written")
    must(not Path(folder, "out.tps").exists(), "written without any rank")
    expect(USAGE, "merge", says="give summaries")


def ranks_that_lie_are_left_out(folder):
    """Columns of other lengths than they say, and numbers beyond all bounds, with a check that is right."""
    summaries = summarised(folder + "/t", made_ranks.make(folder + "/run", 2))
    parts = made_ranks.parts(merge(folder + "/all.tps", *summaries))
    for wrong in (b"\xba\x02\x01x", b"\xb2\x02\x02\x02\x02", b"\x92\x04\x01\x63", bytes([0x28]) + b"\xff" * 9 + b"\x01", b"garbage"):
        lie = made_ranks.part_of(made_ranks.rank_of(parts[1]) + wrong, "nodeh0_1", 1)
        Path(folder, "lie.tps").write_bytes(made_ranks.merged([parts[0], lie]))
        done = run("merge", "-q", folder + "/lie.tps", "-o", folder + "/lie.html")
        must(done.returncode == DAMAGED and b"damaged" in done.stderr, wrong, "exit status", done.returncode, done.stderr)


def large_ranks_are_cut_alike(folder):
    """At most so many bytes a rank; figures are then of the same first steps of all."""
    traces = made_ranks.make(folder + "/run", 4, steps=60)
    few = made_ranks.make(folder + "/few", 4, steps=60)
    summaries = summarised(folder + "/t", traces)
    expect(OK, "summarize", "-q", str(few[0]), "--size", "2K", "-o", str(summaries[0]))
    cut = merge(folder + "/all.tps", *summaries)
    must(min(map(len, made_ranks.parts(cut))) <= 2 << 10, "larger than --size")
    report = report_of("merge", folder + "/all.tps")
    counts = [row["steps"] for row in tables(report)["ranks/list"]]
    must(len(set(counts)) == 1 and 0 < counts[0] < 60, "steps of ranks:", counts)
    must("did not fit" in json.dumps(report), "it does not say that steps are left out")


def operators_beyond_the_list_are_bounded(folder):
    from torch_jobs import Worker
    Path(folder, "run").mkdir()
    for rank in range(2):
        worker = Worker(rank, 2)
        for i in range(260):
            worker.operator("aten::op_%03d" % (i if rank == 0 else 259 - i), 10 * i, 10 * i + 1 + (260 - i) * 0.01)
        worker.collective("all_reduce", 2610, 2620, 2630)
        worker.step(0, 0, 2700)
        worker.write(folder + "/run")
    merged = report_of("merge", *summarised(folder + "/t", sorted(Path(folder, "run").iterdir())), "--top", "all")
    whole = report_of("report", folder + "/run", "--top", "all")
    collectives = 2
    must(values(merged)["torch.op.calls"] == values(whole)["torch.op.calls"] == 520 + collectives, "calls:", values(merged)["torch.op.calls"])
    must(values(merged)["torch.op.host_self_us"] == values(whole)["torch.op.host_self_us"], "time of all operators differs")
    truth = {}
    for rank in range(2):
        for i in range(260):
            name = "aten::op_%03d" % (i if rank == 0 else 259 - i)
            truth[name] = truth.get(name, 0) + (1 + (260 - i) * 0.01) / 1e3
    rows = {r["name"]: r for r in tables(merged)["ranks/operators"] if r["name"].startswith("aten::op")}
    must(len(rows) == 260 and any(r["not_listed_ms"] > 0 for r in rows.values()), "no operator is beyond a list")
    for name, row in rows.items():
        low = row["host_self_ms"] + row["device_self_ms"]
        must(low - 1e-6 <= truth[name] <= low + row["not_listed_ms"] + 1e-6, name, row, "is not within its bound of", truth[name])


def without_ranks_it_says_so(folder):
    """A comparison is of no rank."""
    run_of = made_ranks.make(folder + "/run", 2, steps=2)
    summaries = summarised(folder + "/t", run_of)
    expect(OK, "diff", "-q", str(summaries[0]), str(summaries[1]), "-o", folder + "/x.tps")
    expect(NOTHING, "merge", folder + "/x.tps", "-o", folder + "/out.tps", says="holds no rank")


run_all([figures_are_those_of_all_traces, figures_agree_on_held_captures, any_order_and_grouping_gives_the_same_bytes, a_merged_file_is_an_input, nothing_is_judged_that_summaries_do_not_hold,
         ranks_without_a_gpu_have_a_report, missing_ranks_are_named, damaged_files_are_named_and_left_out, ranks_that_lie_are_left_out, large_ranks_are_cut_alike,
         operators_beyond_the_list_are_bounded, without_ranks_it_says_so])
