"""One thing has one figure and one name, wherever a report shows it. Each law yields (where, found) for every breach."""

import re

from report_tree import above, blocks, cells, number, saved_ms, sentences


def share_has_one_text(report):
    """What is less than 0.1 % is said to be that in every sentence, legend and column: no 0.06 % is 0.1 in one and <0.1 in the other."""
    shares = [(name, metric["value"], metric["text"]) for name, metric in report["metrics"].items() if metric.get("unit") == "share"]
    shares += [(f"{row['id']}:{column['key']}", cell["value"], cell["text"]) for _, row, column, cell in cells(report)
               if column["unit"] == "share" and column.get("decimals") == 1]
    for where, value, text in shares:
        if number(value) and value != 0 and (abs(value) * 100 < 0.1) != ("<" in text):
            yield where, (value, text)


def peak_has_one_time(report):
    """When memory is fullest is told with the same words in the table of devices and beside the curve."""
    told = {row["cells"]["peak_time_ms"]["text"] for table in blocks(report) if table["id"] in ("torch-memory/devices", "memory-over-time/allocators")
            for row in table["rows"]}
    for where, text in sentences(report):
        at = re.search(r"(?:^peak .* at|; the peak is .*, at) ([\d.,]+\s[^\s.,]+)", text)
        if at and told and where.startswith(("torch-memory/", "memory-over-time")) and at[1] not in told:
            yield where, (text, sorted(told))
    for chart in blocks(report):
        if told and chart["id"].startswith(("torch-memory/", "memory-over-time")) and chart.get("marked_label", next(iter(told))) not in told:
            yield chart["id"], (chart["marked_label"], sorted(told))


def a_fact_stands_once(report):
    """No two rows of what the profile says of the run have one name."""
    for table in blocks(report):
        names = [row["cells"]["what"]["text"] for row in table["rows"]] if table["id"] == "environment/run" else []
        yield from ((table["id"], name) for name in sorted(set(names)) if names.count(name) > 1)


def a_core_has_one_mean(report):
    """The mean step of each core on the first screen is that of the table of cores, part by part."""
    drawn = next((block for block in blocks(report) if block["id"] == "summary/step/cores"), {"labels": []})
    rows = {row["id"].removeprefix("distributed/cores/"): row["cells"] for block in blocks(report) if block["id"] == "distributed/cores" for row in block["rows"]}
    for at, label in enumerate(drawn["labels"]):
        for series in drawn["series"] if label in rows else []:
            keys = ("high_flops", "low_flops") if series["key"] == "compute" else (series["key"],)
            told = sum(rows[label].get(f"{key}_ms", {"value": 0})["value"] for key in keys)
            if abs(told - series["values"][at]) > 1e-6 * max(told, 1):
                yield drawn["id"], (label, series["key"], series["values"][at], told)
    if rows and not set(drawn["labels"]) <= set(rows) and len(rows) >= len(drawn["labels"]):
        yield drawn["id"], ("not in the table", sorted(set(drawn["labels"]) - set(rows)))


def one_memory_peak(report):
    """The rail and the tile tell the same peak of memory."""
    tiles = {tile["id"]: tile for block in blocks(report) for tile in block.get("tiles", [])}
    rail = next((section["key_figure"] for section in report["sections"] if section["id"] == "memory" and "key_figure" in section), None)
    tile = tiles.get("summary/tiles/memory")
    if rail and tile and number(rail.get("value")) and rail["value"] != tile["value"]:
        yield "memory", (rail["text"], tile["text"])


def memory_saved_is_the_section_s(report):
    """What a finding saves of memory is what the section on memory tells: the padding of the plan, or what the plan is over the memory."""
    plan, unpadded, share = (report["metrics"].get(f"memory.peak_{what}", {}).get("value") for what in ("bytes", "unpadded_bytes", "share"))
    pools = [row["cells"] for block in blocks(report) if block["id"] == "torch-memory/devices" for row in block["rows"]]
    allocators = [row["cells"] for block in blocks(report) if block["id"] == "memory-over-time/allocators" for row in block["rows"]]
    for finding in report["findings"]:
        saving = finding.get("saving", {})
        if saving.get("unit") != "bytes":
            if finding["status"] == "open" and (finding["id"] in ("TPR-OOM-002", "TPR-FRAG-001", "TPR-FRAG-002") or finding["id"] == "TPR-OOM-001" and above(share, 1)):
                yield finding["id"], saving
            continue
        known = {"TPR-OOM-001": lambda: [plan * (1 - 1 / share)], "TPR-OOM-002": lambda: [plan - unpadded],
                 "TPR-FRAG-001": lambda: [finding["measured"]["value"] * cells["capacity_mib"]["value"] * 2**20 for cells in allocators
                                          if number(cells["capacity_mib"]["value"])],
                 "TPR-FRAG-002": lambda: [cells["unused_bytes"]["value"] for cells in pools
                                          if number(cells["unused_bytes"]["value"])]}[finding["id"]]()
        needed = finding.get("saving_needed", False)
        if not any(abs(saving["value"] - one) <= 1 + 1e-9 * one for one in known) or needed != (finding["id"] == "TPR-OOM-001"):
            yield finding["id"], (saving, known)


def an_order_is_explained(report):
    """Where a finding of the first screen saves more than one above it, the screen says why it stands below."""
    opened = [finding for finding in report["findings"] if finding["status"] == "open" and finding["severity"] != "Low"][:3]
    first = next((block for block in blocks(report) if block["id"] == "summary/first"), {"blocks": []})
    said = " ".join(item for block in first["blocks"] if block["id"] == "summary/order" for item in block["items"])
    named = [i for i, finding in enumerate(opened) if first["blocks"] and i > 0 and finding["id"] == (report["verdict"] or {}).get("finding")]
    yield from ((opened[i]["id"], "in the headline", said) for i in named if f"The headline names {i + 1}," not in said)
    for i in named:
        reason = re.search(r"The headline names \d, because it says what bounds a step; [\d and]+ (?:is|are)?(?: more)? ?(severe|saves? more|specific)", said)
        severer = all(other["severity"] != opened[i]["severity"] for other in opened[:i])
        more = all(above(saved_ms(other), saved_ms(opened[i])) for other in opened[:i])
        if reason and not (severer if reason[1] == "severe" else more if reason[1].endswith("more") else True):
            yield opened[i]["id"], ("above it for another reason", said)
    for i, finding in enumerate(opened if first["blocks"] else []):
        less = [other["number"] for other in opened[:i] if above(.99 * (saved_ms(finding) or 0), saved_ms(other))
                and finding["saving_note"].split(",")[0] == other["saving_note"].split(",")[0]]
        if less and "part of" not in finding["saving_note"] and f"{finding['number']} saves more than" not in said:
            yield finding["id"], (finding["saving"]["text"], "below", less, said)


def a_rate_is_of_its_bytes(report):
    """Of an operation, the rate of FLOP is that of bytes times the intensity: both rates are in the units of their columns."""
    for table in blocks(report):
        for row in table["rows"] if table["kind"] == "table" and table["id"].startswith("operations/") else []:
            flop, moved, intensity = (row["cells"].get(key, {"value": None})["value"] for key in ("gflop_per_s", "all_gb_per_s", "flop_per_byte"))
            if all(number(value) and value > 0 for value in (flop, moved, intensity)) and abs(moved * intensity / flop - 1) > 0.03:
                yield row["id"], (flop, moved, intensity)


def set_up_is_of_its_phases(report):
    """The share that sentences give to set-up is not more than its phases take together in the table."""
    kinds = next((block for block in blocks(report) if block["id"] == "whole-run/kinds"), {"rows": []})
    known = [row["cells"]["share"]["value"] for row in kinds["rows"] if row["cells"]["kind"]["value"] in ("init-system", "model-fn", "setup-infeed")]
    for where, text in sentences(report):
        said = re.search(r"(?<![<\d.])([\d.]+)\s% (?:of it is set-up|of it was session set-up)", text)
        if said and float(said[1]) > 100 * sum(filter(None, known)) + 0.06:
            yield where, (text, known)


# Whose columns are parts that sum to a step: they are in one unit, as those of a table with differences are.
ADDS_UP = ("distributed/workers", "distributed/steps")


def small_times_are_us(report):
    """A column of ms whose figures are all below 1 is shown in µs, unless it is of moments or has the unit of those that it is read beside:
    of its table, or in a view of the whole's table."""
    tables = {block["id"]: block for block in blocks(report) if block["kind"] == "table"}
    for table in tables.values():
        whole = tables.get(table["id"].split("/", 2)[-1]) if table["id"].startswith("views/") else None
        beside = table["id"].endswith(ADDS_UP) or whole or any("change" in column for column in table["columns"])
        for column in table["columns"]:
            if column["unit"] != "ms" or "decimals" not in column or "shown_in" in column or beside:
                continue
            figures = [abs(row["cells"][column["key"]]["value"]) for row in table["rows"] if number(row["cells"][column["key"]]["value"])]
            if 0 < max(figures, default=0) < 1:
                yield f"{table['id']}:{column['key']}", (max(figures), "in ms")


def tiles_have_a_basis(report):
    """Where the median step, which has a tile, is not nearly the mean, a tile on a class of time says that it is of the mean."""
    median, mean = (report["metrics"].get(f"step.time.{what}_ms", {}).get("value") for what in ("p50", "mean"))
    if not number(median) or not number(mean) or abs(median - mean) < 0.051 * mean:
        return
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        notes = tile.get("notes") or []
        if re.fullmatch(r"step\.class\.\w+_ms", tile.get("metric") or "") and any(note.endswith("of a step") for note in notes):
            yield tile["id"], (notes, median, mean)


def an_order_is_seen(report):
    """A column that is marked as what rows are sorted by has figures that differ from 0."""
    for table in blocks(report):
        for column in table["columns"] if table["kind"] == "table" and len(table["rows"]) > 1 else []:
            values = [row["cells"][column["key"]]["value"] for row in table["rows"] if column["key"] in row["cells"]]
            if column.get("sorted") and values and not any(values):
                yield table["id"], (column["key"], values[:3])


def a_part_saves_no_more(report):
    """What a stage of the input takes of the calls for a batch, it may save at most of the wait for them."""
    findings = {finding["id"]: finding for finding in report["findings"] if finding["status"] == "open"}
    whole = findings.get("TPR-INPUT-001", {"saving": {"value": None}})["saving"]["value"]
    for name in ("TPR-INPUT-002", "TPR-INPUT-003", "TPR-INPUT-004", "TPR-INPUT-005"):
        saving = findings[name]["saving"]["value"] if name in findings else None
        if number(saving) and number(whole) and above(saving, findings[name]["measured"]["value"] * whole):
            yield name, (saving, findings[name]["measured"]["value"], whole)


IN_MS = {"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3}


def in_ms(figures):
    return [float(value.replace(",", "")) * IN_MS[unit] for value, unit in figures]


def what_grew_adds_up(report):
    """The classes in which the slowest step is longer are together no longer than the step, but for those that shrank."""
    for where, text in sentences(report):
        told = where.startswith("steps/slowest/causes") and re.search(r"grew by .*; (no other class|then .*,)", text)
        if not told:
            continue
        figure = r"([\d.,]+)\s(ns|µs|ms|s)\b"
        [more] = in_ms(re.findall(figure + r"\*? more", text))
        grew, shrank = in_ms(re.findall(r" by " + figure + r"(?=[,;]| \()", told[0])), in_ms(re.findall(r"shrank by " + figure, text))
        if sum(grew) - sum(shrank) > 1.06 * more:
            yield where, (text, grew, shrank)


# Of a step by class, of the parts of a core, and of the events of a timeline.
ORDERS = [
    "arithmetic compute copy device_to_device host_transfer collective send_recv sparse_core output host_compute launch setup compile queued idle other "
    "input_wait".split(),
    "high_flops compute low_flops copy host_transfer collective_compute collective_sync send recv sparse_core outfeed other idle infeed".split(),
]


def classes_have_one_order(report):
    """Classes of time stand in one order in every bar, chart, legend and table, so that two reports can be laid side by side."""
    for block in blocks(report):
        keys = [series["key"] for series in block.get("series") or []] if block["kind"] == "chart" else []
        if block["kind"] == "table":
            keys = [column["key"].removesuffix("_ms") for column in block["columns"]]
        if block["id"] == "steps/classes":
            keys = [row["id"].rpartition("/")[2] for row in block["rows"]]
        for order in ORDERS if block["id"].startswith(("summary/step", "steps/", "hosts", "distributed")) else []:
            found = [key for key in keys if key in order]
            if found != sorted(found, key=order.index) and not any(set(keys) & set(other) > set(found) for other in ORDERS):
                yield block["id"], found


def a_tile_shows_what_it_judges(report):
    """The figure of the tile on FLOPS is the one that its check judges."""
    check = next((finding for finding in report["findings"] if finding["id"] == "TPR-FLOPS-001"), {"measured": {"value": None}})
    for tile in (tile for block in blocks(report) if block["id"] == "summary/tiles" for tile in block.get("tiles", [])):
        if tile["id"] == "summary/tiles/flops" and number(tile["value"]) and number(check["measured"]["value"]) and \
                abs(tile["value"] - check["measured"]["value"]) > 1e-9:
            yield tile["id"], (tile["value"], check["measured"]["value"])


LAWS = {
    "one memory peak": one_memory_peak,
    "memory saved is the section's": memory_saved_is_the_section_s,
    "a core has one mean": a_core_has_one_mean,
    "a part saves no more": a_part_saves_no_more,
    "what grew adds up": what_grew_adds_up,
    "classes have one order": classes_have_one_order,
    "a tile shows what it judges": a_tile_shows_what_it_judges,
    "an order is seen": an_order_is_seen,
    "tiles have a basis": tiles_have_a_basis,
    "set-up is of its phases": set_up_is_of_its_phases,
    "a rate is of its bytes": a_rate_is_of_its_bytes,
    "a share has one text": share_has_one_text,
    "a peak has one time": peak_has_one_time,
    "a fact stands once": a_fact_stands_once,
    "small times are in µs": small_times_are_us,
    "an order is explained": an_order_is_explained,
}
