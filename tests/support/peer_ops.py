"""Compares the tables of operations with the answers of the existing tool: its op profile, HLO statistics and framework op
statistics. What it gets wrong is worked out here by its rule, so that the difference is explained to the last figure."""

import gzip
import json
from collections import defaultdict

import xspace_truth as own
from peer_columns import Columns

CONTAINERS = ("while", "call", "conditional")
LIMITS = {"Compute": "compute", "HBM": "HBM", "CMEM Read": "CMEM read", "CMEM Write": "CMEM write",
          "VMEM Read": "VMEM read", "VMEM Write": "VMEM write", "Unknown": None}


columns = Columns()  # of all tables whose rows were asked for


def answer(folder, *names):
    """The stored answer under the first of some names; None: there is none. Tables are marked with the name."""
    for name in names:
        plain, packed = folder / f"{name}.json", folder / f"{name}.json.gz"
        if not plain.exists() and not packed.exists():
            continue
        found = json.loads(plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes()))
        for table in found if isinstance(found, list) else [found]:
            if "cols" in table:
                table["tool"] = name
        return found
    return None


def rows_of(table):
    return columns.rows(table["tool"], table)


# --- the op profile ----------------------------------------------------------------------------------------------------

def our_nodes(rows):
    """{path: row} of a tree table; a name scope that holds one other is one row "a/b", here both."""
    nodes, stack = {}, []
    for row in rows:
        if row["role"] == "total":
            continue
        del stack[row["depth"]:]
        parts = row["name"].split("/") if row["role"] == "group" and row["depth"] > 0 else [row["name"]]
        above = stack[-1] if stack else ()
        for part in parts:
            above += (part,)
            nodes[above] = row
        # A scope that is one operation, in any category, is one row.
        if row.get("operation"):
            nodes[above + (row["operation"],)] = row
        stack.append(above)
    return nodes


def is_duplicates(name):
    return name.endswith(" and its duplicate(s)")


def parts_of(rows):
    """{id of a row: [instruction]} of the fusions of a tree that are opened."""
    parts, stack = {}, []
    for row in rows:
        del stack[row["depth"]:]
        if row["self_ms"] == "" and " = " in row["name"]:
            parts.setdefault(stack[-1]["id"], []).append(row["name"].partition(" = ")[0])
        stack += [row] * (row["depth"] + 1 - len(stack))
    return parts


def peer_nodes(node, path=()):
    """[(path, kind, metrics)] below a node of the peer; kind: scope (also program), category or op. Groups of duplicates are
    not there, their members are; nor are fused instructions, which have no time."""
    for child in node["children"]:
        name, metrics = child["name"], child["metrics"]
        if name == "IDLE":
            continue
        if "xla" in child and not is_duplicates(name):
            yield path + (name,), "op", {**metrics, "parts": {part["name"] for part in child.get("children", [])}}
        elif is_duplicates(name):
            yield from peer_nodes(child, path)
        else:
            here = path + (name,)
            yield here, "category" if metrics["occurrences"] else "scope", metrics
            yield from peer_nodes(child, here)


def without_id(name):
    """The peer's "jit_f(1219…)" as we call it."""
    head, _, number = name.rpartition("(")
    return head if head and number[:-1].isdigit() else name


def op_profile(check, report, table, tree, totals, peaks):
    """Every node of one of the peer's trees. totals: {(program id, label): …} by xspace_truth; peaks: (FLOP/s, bytes/s)."""
    mine, kinds, parts = our_nodes(report.rows(table)), {}, parts_of(report.rows(table))
    containers = defaultdict(int)  # self time of loops below each group, which the peer leaves out of it
    programs = {row["program_id"]: row["program"] for row in report.rows("operations/list")}
    by_program = {}
    for (program, label), one in totals.items():
        if one["category"] in CONTAINERS and one["time_ps"] != one["self_ps"]:
            scopes = [scope for scope in one["tf_op"].split("/") if scope]
            scopes[-1:] = [scopes[-1].partition(":")[0]] if scopes else []
            for n in range(len(scopes) + 1):
                containers[(programs[str(program)], *scopes[:n])] += one["self_ps"]
            by_program[label] = one["self_ps"]
    count = 0
    for path, kind, metrics in peer_nodes(tree):
        if table != "operations/tree":
            path = (without_id(path[0]), *path[1:])
        kinds[path] = kind
        # A category that is alone in its scope has no row of its own.
        above = path[:-1]
        candidates = [path]
        if kind == "category" and above:
            candidates.append(above)
        if kind == "op" and len(path) > 2 and kinds.get(above) == "category":
            candidates += [above[:-1] + path[-1:]]
        rows = [row for row in (find(mine, candidate) for candidate in candidates) if row]
        if not check.true(f"{table}: {'/'.join(path)} is there", rows):
            continue
        row, where = rows[0], f"{table}: {'/'.join(path)}"
        # Programs have no figures of the peer's own that would leave loops out: they are sums of self times.
        loops = containers[path] if kind == "scope" and len(path) > 1 else 0
        check.ps(f"{where} self", row["self_ms"], metrics["rawTime"] + loops)
        if table == "operations/tree" and row["id"] in parts:
            # The peer has those of a program once for each host that ran it.
            check.equal(f"{where} instructions", sorted(parts[row["id"]]), sorted(metrics["parts"]))
        if kind != "scope":
            check.equal(f"{where} occurrences", row["occurrences"], metrics["occurrences"])
        if loops or (kind == "scope" and len(path) == 1 and by_program):
            continue
        if metrics["rawTime"] == 0:
            check.equal(f"{where} FLOPS", row["flops_utilization_share"], None)
            continue
        use(check, f"{where} FLOPS", row["flops_utilization_share"], metrics["bf16Flops"] * 1e12 / metrics["rawTime"] / peaks[0])
        # The peer cuts uses at 1.
        if metrics["bandwidthUtils"][0] < 1:
            check.near(f"{where} HBM", row["hbm_utilization_share"], metrics["bandwidthUtils"][0])
        else:
            check.true(f"{where} HBM", row["hbm_utilization_share"] is None or row["hbm_utilization_share"] >= 1)
        known = [share for share in (row["flops_utilization_share"], row["hbm_utilization_share"]) if share is not None]
        if kind == "op" and len(known) == 2:
            check.near(f"{where} wasted", row["wasted_ms"], row["self_ms"] * (1 - min(1, max(known))), abs_=1e-9)
        count += 1
    check.true(f"{table}: nodes", count > 0)
    check.true(f"{table}: fusions that are opened", parts or table != "operations/tree" or not any(metrics.get("parts") for _, _, metrics in peer_nodes(tree)))


def find(nodes, path):
    """The row of a path, through groups of duplicates."""
    if path in nodes:
        return nodes[path]
    for other, row in nodes.items():
        if other[-1] == path[-1] and len(other) == len(path) + 1 and other[:-2] == path[:-1] and "duplicate" in other[-2]:
            return row
    return None


def use(check, what, got, share):
    if share > 1.25:
        check.equal(what, got, None)
    else:
        check.near(what, got, share)


# --- HLO statistics ----------------------------------------------------------------------------------------------------

def hlo_stats(check, report, table, totals, peaks, total_ps):
    """Every row and column; total_ps: idle included, by the peer, which mixes the clocks of host and chip where they differ;
    0: not known. The peer takes all bytes for bytes of HBM where the breakdown names none, so that both halves of an
    asynchronous copy move it; its op profile and its roofline count only what the breakdown names, and so do we."""
    mine = {(row["program_id"], row["name"]): row for row in report.rows("operations/list")}
    busy_ps, self_ps = report.metric("device.busy_ps"), 0
    rows = rows_of(table)
    check.equal("rows of HLO statistics", len(rows), len(mine))
    for row in rows:
        name, one = row["hlo_op_name"], mine.get((row["program_id"], row["hlo_op_name"]))
        if not check.true(f"{name} is there", one):
            continue
        theirs = totals[int(row["program_id"]), name]
        for ours, value in (("category", row["category"]), ("occurrences", row["occurrences"]),
                            ("framework_op", row["tf_op_name"].removesuffix(":"))):
            check.equal(f"{name} {ours}", one[ours], value)
        check.equal(f"{name} expression", one["expression"].removesuffix("…"),
                    row["hlo_op_expression"][:len(one["expression"].removesuffix("…"))])
        for ours, value in (("total_ms", "total_time"), ("self_ms", "total_self_time")):
            check.ps(f"{name} {ours}", one[ours], round(row[value] * 1e6))
        for ours in ("min", "max"):
            check.ps(f"{name} {ours}", one[f"{ours}_us"] / 1e3, theirs[f"{ours}_ps"])
        for ours, value in (("mean_us", "avg_time"), ("mean_self_us", "avg_self_time")):
            check.near(f"{name} {ours}", one[ours], row[value])
        if total_ps:
            check.near(f"{name} share of all time", one["busy_share"] * busy_ps / total_ps * 100,
                       row["total_self_time_percent"], abs_=1e-9)
        # Rows with equal times come in any order, so what is added up before them may differ.
        self_ps += round(row["total_self_time"] * 1e6)
        if sum(other["total_self_time"] == row["total_self_time"] for other in rows) == 1:
            check.near(f"{name} added up", one["cumulative_share"], self_ps / busy_ps)
            if total_ps:
                check.near(f"{name} added up by the peer", self_ps / total_ps * 100,
                           row["cumulative_total_self_time_percent"])
        # No capture at hand has the stat that stalls are read from: the peer prints 0, and we say that it is not there.
        check.equal(f"{name} DMA stall", (one["dma_stall_share"], row["dma_stall_percent"]), (None, 0))
        container = one["category"] in CONTAINERS
        if theirs["time_ps"] == 0:
            for ours in ("gflop_per_s", "model_gflop_per_s", "gb_per_s", "all_gb_per_s", "bound_by"):
                check.equal(f"{name} {ours}: no time", one[ours], None)
            continue
        too_many = not container and row["normalized_flop_rate"] * 1e9 > 1.25 * peaks[0]
        for ours, value in (("gflop_per_s", row["normalized_flop_rate"]), ("model_gflop_per_s", row["model_flop_rate"])):
            if not container and value * 1e9 > 1.25 * peaks[0]:
                check.equal(f"{name} {ours}", one[ours], None)
            else:
                check.near(f"{name} {ours}", one[ours], 0 if container else value)
        if not container:
            check.near(f"{name} rate of all bytes", one["all_gb_per_s"], row["measured_memory_bw"] * 2**30 / 1e9)
            check.near(f"{name} intensity", one["flop_per_byte"] or 0, row["operational_intensity"])
        hbm = theirs["hbm_bytes"] / theirs["time_ps"] * 1e12
        whole = theirs["bytes"] == theirs["hbm_bytes"]
        check.near(f"{name} HBM rate of the peer",
                   (hbm if theirs["hbm_bytes"] else theirs["bytes"] / theirs["time_ps"] * 1e12) / 2**30, row["hbm_bw"])
        if hbm > 1.25 * peaks[1]:
            check.equal(f"{name} HBM rate", one["gb_per_s"], None)
            check.equal(f"{name} bound by", one["bound_by"], None)
            continue
        check.near(f"{name} HBM rate", one["gb_per_s"], hbm / 1e9)
        if too_many:
            check.equal(f"{name} bound by", one["bound_by"], None)
            continue
        if whole and not container:
            check.equal(f"{name} bound by", one["bound_by"], LIMITS[row["bound_by"]])
        elif not one["gflop_per_s"] and not hbm:
            check.equal(f"{name} bound by", one["bound_by"], None)


# --- cards -------------------------------------------------------------------------------------------------------------

def cards(check, report, totals, steps_and_cores):
    """The cards of operations against totals of xspace_truth."""
    rows, seen = {row["id"]: row for row in report.rows("operations/list")}, 0
    for table in report.blocks:
        if not (table.startswith("operations/card/") and table.endswith("/facts")):
            continue
        seen += 1
        row = rows[table.removesuffix("/facts").replace("operations/card", "operations/list", 1)]
        one, where = totals[int(row["program_id"]), row["name"]], f"card {row['name']}"
        facts = {fact["fact"]: fact for fact in report.rows(table)}
        texts = {text["what"]: text["text"] for text in report.rows(table.replace("/facts", "/texts"))}
        check.equal(f"{where} category", facts["Category"]["value"], one["category"])
        check.equal(f"{where} self", facts["Self time"]["value"], one["self_ps"])
        check.near(f"{where} share", facts["Self time"]["share"], one["self_ps"] / report.metric("device.busy_ps"))
        check.equal(f"{where} with what is nested", facts.get("Total, nested included", facts["Self time"])["value"],
                    one["time_ps"])
        check.equal(f"{where} occurrences", facts["Occurrences"]["value"], one["occurrences"])
        check.near(f"{where} each", facts["Each"]["value"], one["time_ps"] / one["occurrences"])
        if steps_and_cores:
            check.equal(f"{where} a step", facts["Occurrences"]["note"],
                        f"{one['occurrences'] / steps_and_cores:.3g} per step and core")
        if row["wasted_ms"] is None:
            check.equal(f"{where} wasted", facts.get("Wasted"), None)
        else:
            check.near(f"{where} wasted", facts["Wasted"]["value"], row["wasted_ms"] * 1e9, abs_=1e-3)
        if "FLOPs" in facts:
            check.equal(f"{where} FLOPs", facts["FLOPs"]["value"], one["flops"])
            check.equal(f"{where} HBM", facts.get("HBM bytes", {"value": 0})["value"], one["hbm_bytes"])
            check.equal(f"{where} bound by", facts["Bound by"]["value"], row["bound_by"])
        check.true(f"{where} HLO", texts["HLO"].startswith(row["expression"].removesuffix("…")) and len(texts["HLO"]) > 8)
        check.equal(f"{where} source", texts.get("Source", ""), row["source"])
        check.equal(f"{where} framework operation", texts.get("Framework operation", ""), row["framework_op"])
    check.equal("cards", seen, min(len(rows), 100))


def type_of(peers):
    """The peer writes Unknown for what no event says; ours is not recorded."""
    return None if peers == "Unknown" else peers


# --- the overview's top operations -------------------------------------------------------------------------------------

def top(check, report, rows):
    """The ten operations of the framework with the most self time."""
    mine = report.rows("operations/top")
    check.equal("top operations", [row["name"] for row in mine], [row["operation"] for row in rows])
    for one, row in zip(mine, rows):
        name = row["operation"]
        check.equal(f"top {name} type", one["type"], type_of(row["category"]))
        check.near(f"top {name} share", one["busy_share"], row["selfTimePercent"])
        check.near(f"top {name} added up", one["cumulative_share"], row["cumulativeTimePercent"])
        check.near(f"top {name} FLOP rate", one["gflop_per_s"], row["flopRate"])


# --- framework op statistics -------------------------------------------------------------------------------------------

def framework_stats(check, report, tables, spaces, has_device=True):
    """Both tables, with and without idle time, device and host."""
    for table, share in zip(tables, ("all_share", "busy_share")):
        rows = rows_of(table)
        if has_device:
            device_stats(check, report, [row for row in rows if row["host_or_device"] == "Device"], share)
        host_stats(check, report, [row for row in rows if row["host_or_device"] == "Host"], share, spaces)


def times(check, where, one, row):
    check.equal(f"{where} type", one["type"], type_of(row["type"]))
    check.ps(f"{where} total", one["total_ms"], round(row["total_time"] * 1e6))
    check.ps(f"{where} self", one["self_ms"], round(row["total_self_time"] * 1e6))


def device_stats(check, report, rows, share):
    mine = {row["name"]: row for row in report.rows("operations/framework-device")}
    idle = mine.pop("Idle", None)
    wanted = [row for row in rows if row["type"] != "IDLE"]
    check.equal("operations of the framework on the device", sorted(mine), sorted(row["operation"] for row in wanted))
    total_us = sum(row["total_self_time"] for row in rows)
    for row in rows:
        name, of_it = row["operation"], row["device_total_self_time_percent"]
        check.near(f"{name} {share}, from the sum of rows", row["total_self_time"] / total_us, of_it, abs_=1e-12)
        if row["type"] == "IDLE":
            # Where the clocks of host and chip differ, the peer's idle time is off by the difference.
            check.true("idle", idle is None or idle["self_ms"] * 1e3 <= row["total_self_time"] * (1 + 1e-9))
            continue
        one, where = mine[name], f"framework {name}"
        times(check, where, one, row)
        check.equal(f"{where} occurrences", one["occurrences"], row["occurrences"])
        check.near(f"{where} each", one["mean_us"], row["avg_time"])
        check.near(f"{where} self, each", one["mean_self_us"], row["avg_self_time"])
        if share == "busy_share":
            check.near(f"{where} {share}", one[share], of_it)
        else:
            check.near(f"{where} {share}", one[share] * report.metric("device.total_ps") / 1e6, row["total_self_time"])
        if one["type"] == "While" or name in CONTAINERS or not row["measured_memory_bw"]:
            continue
        check.near(f"{where} FLOP rate", one["gflop_per_s"], row["measured_flop_rate"])
        check.near(f"{where} model FLOP rate", one["model_gflop_per_s"], row["model_flop_rate"])
        check.near(f"{where} bytes", one["all_gb_per_s"], row["measured_memory_bw"] * 2**30 / 1e9)
        check.near(f"{where} intensity", one["flop_per_byte"], row["operational_intensity"])
        # All bytes are the peer's bytes of HBM; we say nothing where an asynchronous copy moves them, or other memory does.
        check.true(f"{where} bound by", one["bound_by"] in (LIMITS[row["bound_by"]], None))


def host_stats(check, report, rows, share, spaces):
    """A memory allocation that names an operation is for the peer an occurrence of it, and a thread that allocates is one
    that could work: so there are more occurrences, and more idle time, than there were."""
    mine = {row["name"]: row for row in report.rows("operations/framework-host")}
    idle, ops, total, allocations, peers_total = mine.pop("Idle", None), {}, 0, defaultdict(lambda: [0, 0]), 0
    for planes, _ in spaces:
        found, ps, allocated, peers_ps = own.host_ops(planes)
        total, peers_total = total + ps, peers_total + peers_ps
        for name, (kind, *figures) in found.items():
            one = ops.setdefault(name, [kind, 0, 0, 0])
            one[1:] = [a + b for a, b in zip(one[1:], figures)]
        for name, figures in allocated.items():
            allocations[name][:] = [a + b for a, b in zip(allocations[name], figures)]
    busy = sum(one[3] for one in ops.values())
    check.equal("host operations, second computation", sorted(mine), sorted(ops))
    for name, (kind, count, total_ps, self_ps) in ops.items():
        check.equal(f"host {name} type and occurrences", (mine[name]["type"], mine[name]["occurrences"]), (kind, count))
        check.ps(f"host {name} total", mine[name]["total_ms"], total_ps)
        check.ps(f"host {name} self", mine[name]["self_ms"], self_ps)
        check.near(f"host {name} without idle", mine[name]["busy_share"], self_ps / busy if busy else 0)
        check.near(f"host {name} with idle", mine[name]["all_share"], self_ps / total if total else 0)
    if ops:
        check.near("host idle", report.metric("host.idle_share"), 1 - busy / total, abs_=1e-12)
        check.ps("host idle time", idle["self_ms"] if idle else 0, total - busy)
    else:
        check.equal("host idle", report.metric("host.idle_share"), None)
    for row in rows:
        name, where = row["operation"], f"host {row['operation']}"
        if row["type"] == "IDLE":
            check.near("host idle of the peer", row["total_self_time"] * 1e6,
                       peers_total - busy - sum(ps for _, ps in allocations.values()), abs_=1)
            continue
        if name not in ops:
            check.equal(f"{where}: nothing but allocations", [row["occurrences"], row["total_time"] * 1e6],
                        allocations[name])
            continue
        times(check, where, mine[name], row)
        check.equal(f"{where} occurrences and allocations", mine[name]["occurrences"] + allocations[name][0], row["occurrences"])
        check.near(f"{where} {share}", ops[name][3] / (peers_total if share == "all_share" else busy),
                   row["host_total_self_time_percent"])
