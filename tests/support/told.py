"""What all outputs show of a value of report.json: its `text`, or what follows from value and unit by the rule in the schema."""

MINUS, NARROW_SPACE = "\u2212", "\u202f"


def ladder(names, step):
    return [(name, float(step) ** i, step) for i, name in enumerate(names.split())]


TIMES = [("ps", 1, 1000), ("ns", 1e3, 1000), ("µs", 1e6, 1000), ("ms", 1e9, 1000), ("s", 1e12, 120), ("min", 60e12, 120), ("h", 3600e12, 0)]
SIZES, LINKS = ladder("B KiB MiB GiB TiB", 1024), ladder("B/s KiB/s MiB/s GiB/s TiB/s", 1024)
WORK = ladder("FLOP kFLOP MFLOP GFLOP TFLOP PFLOP EFLOP", 1000)
SPEED = [(name + "/s", *rest) for name, *rest in WORK]
BANDWIDTH = ladder("B/s kB/s MB/s GB/s TB/s PB/s", 1000)
PLAIN = [("", 1, 0)]
UNITS = {"": (PLAIN, 1), "count": (PLAIN, 1), "flop_per_byte": ([("FLOP/B", 1, 0)], 1),
         "ps": (TIMES, 1), "ns": (TIMES, 1e3), "us": (TIMES, 1e6), "ms": (TIMES, 1e9), "s": (TIMES, 1e12),
         "bytes": (SIZES, 1), "kib": (SIZES, 2 ** 10), "mib": (SIZES, 2 ** 20), "gib": (SIZES, 2 ** 30), "gib_per_s": (LINKS, 2 ** 30),
         "flop": (WORK, 1), "mflop": (WORK, 1e6), "gflop": (WORK, 1e9), "flop_per_s": (SPEED, 1), "gflop_per_s": (SPEED, 1e9), "tflop_per_s": (SPEED, 1e12),
         "bytes_per_s": (BANDWIDTH, 1), "gb_per_s": (BANDWIDTH, 1e9)}


def places(x, decimals):
    return f"{x:,.{decimals}f}"


def significant(x, digits):
    return places(x, max(0, digits - 1 - int(f"{x:.{digits - 1}e}".partition("e")[2])))


def rounded(x):
    return round(x) if x >= 1000 else float(f"{x:.2e}")


def laddered(x, unit):
    rungs, scale = UNITS[unit]
    base = x * scale
    if x == 0:
        symbol = "B" if rungs is SIZES else next(rung[0] for rung in rungs if rung[1] == scale)
        return "0" + (symbol and NARROW_SPACE + symbol)
    if unit == "ms" and base >= 1e8 and rounded(base / 1e9) < 1000:
        symbol, of = "ms", 1e9
    else:
        symbol, of = next(rung[:2] for rung in rungs if rounded(base / rung[1]) < rung[2] or rung is rungs[-1])
    figure = places(base, 0) if of == 1 and base == int(base) else significant(base / of, 3)
    return figure + (symbol and NARROW_SPACE + symbol)


def told(value, unit=""):
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    value = float(value)
    x, sign = abs(value), MINUS if value < 0 else ""
    if unit == "share":
        return fixed(value, unit, 1) + NARROW_SPACE + "%"
    if unit == "times":
        return sign + ("0" if x == 0 else significant(x, 2 if x < 10 else 3)) + "×"
    return sign + laddered(x, unit)


def fixed(value, unit, decimals):
    x = value * 100 if unit == "share" else value
    text = places(abs(x), decimals)
    sign = MINUS if x < 0 else ""
    near = unit == "share" and abs(x) < 10.0 ** -decimals
    if x == 0 or text.strip("0.,") and not near:
        return sign + text
    return "<" + places(10.0 ** -decimals, decimals)


def in_unit(value, given, wanted):
    if given == wanted:
        return value
    here, there = UNITS[given][1], UNITS[wanted][1]
    return value * (here / there) if here >= there else value / (there / here)


def cell_text(cell, column):
    if "text" in cell:
        return cell["text"]
    value, unit, other = cell["value"], column["unit"], column.get("shown_in")
    if value is None or isinstance(value, str) or not unit or not other and "decimals" not in column:
        text = told(value, unit or cell.get("unit", ""))
    else:
        text = fixed(in_unit(float(value), unit, other), other, 2) if other else fixed(float(value), unit, column["decimals"])
    above = column.get("change") and isinstance(value, (int, float)) and value > 0
    return "+" + text if above and not text.startswith("<") else text


def with_texts(report):
    """Puts each `text` that is left out into its place; returns the report."""
    def visit(node):
        for key, part in node.items() if isinstance(node, dict) else enumerate(node):
            if isinstance(part, (dict, list)):
                visit(part)
        if not isinstance(node, dict):
            return
        if node.get("kind") == "table":
            columns = {column["key"]: column for column in node["columns"]}
            for row in node["rows"]:
                for key, cell in row["cells"].items():
                    cell["text"] = cell_text(cell, columns[key])
        elif "value" in node and "unit" in node and "text" not in node:
            node["text"] = told(node["value"], node["unit"])

    visit(report)
    return report
