"""tpreport merge of event files: scalars by tag and folder as a report on the files has them, exact whatever is left out of the points."""

import math
import os
import struct
from pathlib import Path

import made_hosts
import made_ranks
from cases import must, run_all
from command_line import OK, expect
from made_events import write
from summaries import any_grouping, blocks, merge, report_of, summarised, tables, values
from xspace_reader import fields, signed

DATA = Path(os.environ.get("TPREPORT_TEST_DATA", "/nonexistent"))


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def agrees(folder, of, count):
    """Tables and figures of the files against those of their summary."""
    expect(OK, "summarize", "-q", str(of), "-o", folder + "/one.tps")
    merged, whole = report_of("merge", folder + "/one.tps", "--top", "all"), report_of("report", of, "--top", "all")
    ours, theirs = tables(merged), tables(whole)
    must(len(theirs["whole-run/scalars"]) == count, of, "scalars:", len(theirs["whole-run/scalars"]))
    for id in ("whole-run/scalars", "whole-run/runs", "whole-run/gap-list", "whole-run/mark-list"):
        must(ours.get(id) == theirs.get(id), of, id, "differs:", ours.get(id), theirs.get(id))
    a, b = values(merged), values(whole)
    differ = [(k, a[k], b[k]) for k in b if k.startswith("events.") and not same(a.get(k), b[k])]
    must(not differ, of, "other figures:", differ[:4])
    return merged, whole


def figures_are_those_of_the_files(folder):
    write(folder + "/run/train", ["loss", "accuracy"], 200)
    write(folder + "/run/eval", ["loss"], 10, seed=2)
    merged, _ = agrees(folder, folder + "/run", 3)
    must(values(merged)["events.step_time_ms"] == 250, "step time:", values(merged)["events.step_time_ms"])


def figures_agree_on_held_files(folder):
    for i, (name, count) in enumerate((("tf1", 2), ("tf2", 4), ("restart", 1))):
        if (DATA / "tf/tfevents" / name).is_dir():
            Path(folder, str(i)).mkdir()
            agrees("%s/%d" % (folder, i), DATA / "tf/tfevents" / name, count)


def kept_of(part):
    """stretch and (step, value) of the kept points of each tag of a part."""
    out = {}
    for number, value in fields(dict(fields(made_ranks.rank_of(part)))[101]):
        if number == 1:
            scalar_of = dict(fields(value))
            steps, step, at, data = [], 0, 0, scalar_of.get(21, b"")
            while at < len(data):
                delta = shift = 0
                while True:
                    byte = data[at]
                    delta |= (byte & 127) << shift
                    shift, at = shift + 7, at + 1
                    if byte < 128:
                        break
                step += signed(delta >> 1 ^ -(delta & 1) & (1 << 64) - 1)
                steps.append(step)
            points = struct.unpack("<%dd" % len(steps), scalar_of.get(23, b""))
            out[scalar_of[1].decode()] = (scalar_of.get(20, 0), list(zip(steps, points)))
    return out


def many_points_are_thinned_and_figures_stay_exact(folder):
    truth = write(folder + "/run", ["loss", "rate"], 40000)
    expect(OK, "summarize", "-q", folder + "/run", "-o", folder + "/one.tps")
    [part] = made_ranks.parts(merge(folder + "/set.tps", folder + "/one.tps"))
    must(len(part) <= 64 << 10, "the part has", len(part), "bytes")
    for tag, (stretch, kept) in kept_of(part).items():
        points = [struct.unpack("<f", struct.pack("<f", v))[0] for v in truth[tag]]
        must(1 < stretch and 100 < len(kept) < 40000, tag, "keeps", len(kept), "points, of stretches of", stretch)
        must(all(points[step] == value for step, value in kept), tag, "has points that were never written")
        must(kept[0][0] == 0 and kept[-1][0] == 39999, tag, "lacks its first or last point")
        for first in range(1, 39999, stretch):
            some = points[first:min(first + stretch, 39999)]
            there = [value for step, value in kept if first <= step < first + len(some)]
            must(min(there) == min(some) and max(there) == max(some), tag, "lacks the least or the most from point", first)
    merged, whole = report_of("merge", folder + "/one.tps", "--top", "all"), report_of("report", folder + "/run", "--top", "all")
    must(tables(merged)["whole-run/scalars"] == tables(whole)["whole-run/scalars"], "the table differs")
    must(any(b["id"] == "whole-run/thinned" for b in blocks(merged["sections"], "paragraph")), "it does not say that points are left out")
    a, b = values(merged), values(whole)
    must(a["events.step_time_ms"] == b["events.step_time_ms"] and a["events.points"] == 80000 and a["events.wall_s"] == b["events.wall_s"], "figures differ")
    must(a["events.goodput_share"] is None, "gaps are told of, though points are left out")


def many_tags_are_bounded(folder):
    write(folder + "/run", ["tag/%04d" % i for i in range(700)], 30)
    expect(OK, "summarize", "-q", folder + "/run", "-o", folder + "/one.tps")
    [part] = made_ranks.parts(merge(folder + "/set.tps", folder + "/one.tps"))
    must(len(part) <= 64 << 10, "the part has", len(part), "bytes")
    merged = report_of("merge", folder + "/one.tps", "--top", "all")
    must(len(tables(merged)["whole-run/scalars"]) == 500 and values(merged)["events.points"] == 700 * 30, "tags or points are lost without a word")
    must("200 more scalars are" in str(merged["sections"]), "it does not say that tags are left out")


def any_order_and_grouping_gives_the_same_bytes(folder):
    made_hosts.tpu(folder + "/hosts", 2)
    for i in range(4):
        write(folder + "/logs/%d" % i, ["loss"], 50, seed=i)
    any_grouping(folder, summarised(folder + "/t", [folder + "/hosts", *(folder + "/logs/%d" % i for i in range(4))]), tries=6)


def folders_of_the_same_name_on_two_machines_are_both_there(folder):
    summaries, here = [], os.getcwd()
    for i in range(2):
        write("%s/%d/train" % (folder, i), ["loss"], 20 + i, seed=i)
        os.chdir("%s/%d" % (folder, i))
        expect(OK, "summarize", "-q", "train", "-o", "../%d.tps" % i)
        os.chdir(here)
        summaries.append("%s/%d.tps" % (folder, i))
    merged = report_of("merge", *summaries, "--top", "all")
    must([row["points"] for row in tables(merged)["whole-run/scalars"]] in ([20, 21], [21, 20]), "scalars:", tables(merged)["whole-run/scalars"])


def event_files_go_with_any_ranks(folder):
    write(folder + "/logs", ["loss"], 20)
    [events] = summarised(folder + "/e", [folder + "/logs"])
    ranks = summarised(folder + "/r", made_ranks.make(folder + "/traces", 2))
    hosts = summarised(folder + "/h", made_hosts.tpu(folder + "/hosts", 2))
    for some, figure in ((ranks, "torch.comm.straggler.name"), (hosts, "pod.straggler.name")):
        found = values(report_of("merge", events, *some))
        must(found["ranks.count"] == 2 and found[figure] and found["events.points"] == 20, "figures:", found["ranks.count"], found[figure], found["events.points"])
        alone = values(report_of("merge", *some))
        must(all(same(found[k], alone[k]) for k in alone), "event files change other figures")


run_all([figures_are_those_of_the_files, figures_agree_on_held_files, many_points_are_thinned_and_figures_stay_exact, many_tags_are_bounded,
         any_order_and_grouping_gives_the_same_bytes, folders_of_the_same_name_on_two_machines_are_both_there, event_files_go_with_any_ranks])
