"""Answers of TensorFlow's own tfprof, a folder of cases, and how those of tpreport are held against them: integers exactly, rows that
are equal by what they are ordered by as sets."""

import base64
import gzip
import json
import re
from collections import Counter

from xspace_reader import fields, varint

KEYS = {
    "bytes": "requested_bytes", "peak_bytes": "peak_bytes", "residual_bytes": "residual_bytes", "output_bytes": "output_bytes",
    "micros": "exec_micros", "accelerator_micros": "accelerator_exec_micros", "cpu_micros": "cpu_exec_micros",
    "params": "parameters", "float_ops": "float_ops",
}


class Case:
    """One command with what tfprof answered; files: what it wrote, by name."""

    def __init__(self, told):
        self.folder, self.name = told["folder"], told["name"]
        self.view, self.options, self.source = told["view"], told["options"], told["source"]
        self.stderr, self.text, self.tree = told["stderr"], told["text"], told["tree"]
        self.files = {name: base64.b64decode(data) for name, data in told["files"].items()}

    def arguments(self, out):
        """The words of the command line; files go to a folder of ours."""
        words = [self.view]
        if self.view == "advise":
            return words + ["-checkers", ",".join(self.options["checkers"])]
        for name, value in self.options.items():
            text = ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
            if name == "output":
                text = re.sub(r"outfile=.*/", f"outfile={out}/", text)
            words += [f"-{name}", text]
        return words

    def body(self):
        """What stands between the lines that the Python module of tfprof adds."""
        if "Model Analysis Report===" not in self.text:
            return self.text
        return self.text.split("Model Analysis Report======================\n", 1)[1].rsplit(
            "\n======================End of Report", 1)[0]

    def options_block(self):
        """The options as the module lists them; None where it does not."""
        if "=Options===" not in self.text:
            return None
        return self.text.split("=Options=============================\n", 1)[1].split("\n\n=====", 1)[0] + "\n"


def files_of(folder, options):
    """What a case wrote: of a timeline one file a step, each packed."""
    name = options.get("output", "").rpartition("/")[2]
    if "outfile=" not in options.get("output", ""):
        return {}
    found = [folder / name, *folder.glob(f"{name}_[0-9-]*.gz")]
    return {file.name: base64.b64encode(file.read_bytes()).decode() for file in found if file.is_file()}


def told_in(folder):
    """The cases of a folder of answers, as plain data."""
    for file in sorted(folder.glob("*.cmd")):
        told = json.loads(file.read_text(encoding="utf-8"))
        with gzip.open(file.with_suffix(".json.gz"), "rt", encoding="utf-8") as tree:
            yield {"folder": folder.name, "name": file.stem, "view": told["view"], "options": told["options"], "source": told["source"],
                   "stderr": told["stderr"], "text": file.with_suffix(".txt").read_text(encoding="utf-8"), "tree": json.load(tree),
                   "files": files_of(folder, told["options"])}


def cases_in(place):
    """Of a folder of answers, or of those that are packed into one file."""
    if place.is_dir():
        return [Case(told) for told in told_in(place)]
    with gzip.open(place, "rt", encoding="utf-8") as file:
        return [Case(told) for told in json.load(file)]


# Of these there is one at least in the repository, though they are not small.
KINDS = ("graph_timeline_all", "scope_timeline_step0", "op_file", "code_pprof_params", "code_seed")


def pack(folder, out, most_bytes):
    """Small ones among the answers of a folder, and one of each kind, in one file."""
    small = [told for told in told_in(folder)
             if told["name"] in KINDS or len(gzip.compress(json.dumps(told).encode(), mtime=0)) <= most_bytes]
    out.write_bytes(gzip.compress(json.dumps(small, sort_keys=True).encode(), mtime=0))


def split_rows(text):
    """(what stands before the rows, the lines of the rows)."""
    head, mark, rest = text.partition("\nnode name | ")
    legend, _, rows = rest.partition("\n")
    return head + mark + legend, rows


def tree_of(rows):
    """Rows of a tree by their indentation, siblings in the order of their texts."""
    root = ["", []]
    open_rows = [(-1, root)]
    for line in rows.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        node = [line, []]
        while open_rows[-1][0] >= depth:
            open_rows.pop()
        open_rows[-1][1][1].append(node)
        open_rows.append((depth, node))
    return sorted_tree(root)


def sorted_tree(node):
    return [node[0], sorted(sorted_tree(child) for child in node[1])]


def op_records(rows):
    """{type: its row, and what stands below it}."""
    found, current = {}, None
    for line in rows.split("\n"):
        if line and not line.startswith("input_type: "):
            current = line.split(" ", 1)[0]
            found[current] = line
        elif current is not None:
            found[current] += "\n" + line
    return found


def without_totals(record):
    """A row without the shares of all rows from it on."""
    return re.sub(r" *(\S+(?: params| float_ops)?) \(([\d.]+|-?nan)%, ", r" \1 (", record)


def chain(tree):
    """The rows of an op view, from the root on."""
    rows = []
    while tree is not None:
        rows.append(tree)
        tree = (tree.get("children") or [None])[0]
    return rows


def own(row, with_nodes):
    left = {k: v for k, v in row.items() if not k.startswith("total_") and k != "children"}
    if not with_nodes:
        left.pop("graph_nodes", None)
    return left


def tied(rows, order):
    """Keys of rows that others have too."""
    if order == "occurrence":
        keys = [len(row.get("graph_nodes", ())) for row in rows]
    else:
        keys = [int(row.get(KEYS[order], 0)) for row in rows] if order in KEYS else list(range(len(rows)))
    often = Counter(keys)
    return [often[key] > 1 for key in keys], keys


def canonical(tree, with_nodes):
    """A tree of multi-nodes whose siblings are in the order of their texts."""
    children = sorted((canonical(child, with_nodes) for child in tree.get("children", ())), key=lambda c: json.dumps(c, sort_keys=True))
    left = {k: v for k, v in tree.items() if k != "children" and (with_nodes or k != "graph_nodes")}
    return {**left, "children": children} if children else left


def events_of(trace):
    return trace["traceEvents"]


def has_nodes(tree):
    return "graph_nodes" in json.dumps(tree)


def numbers(values):
    """Of a repeated field, packed or not."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            number, at = varint(value, at)
            yield number


def all_of(data, field):
    return [value for number, value in fields(data) if number == field]


def one_of(data, field):
    return next(iter(all_of(data, field)), 0)


def pprof_of(packed):
    """What a profile of pprof says, with texts for numbers: (types, comments, samples)."""
    data = gzip.decompress(packed)
    texts = [text.decode("utf-8", "replace") for text in all_of(data, 6)]
    functions = {one_of(f, 1): (texts[one_of(f, 2)], texts[one_of(f, 4)], one_of(f, 5)) for f in all_of(data, 5)}
    places = {}
    for location in all_of(data, 4):
        [line] = all_of(location, 4)
        places[one_of(location, 1)] = (functions[one_of(line, 1)], one_of(line, 2))
    samples = []
    for sample in all_of(data, 2):
        [label] = all_of(sample, 3)
        samples.append((texts[one_of(label, 1)], texts[one_of(label, 2)], list(numbers(all_of(sample, 2))),
                        [places[number] for number in numbers(all_of(sample, 1))]))
    types = [(texts[one_of(t, 1)], texts[one_of(t, 2)]) for t in all_of(data, 1)]
    return types, [texts[n] for n in numbers(all_of(data, 13))], sorted(samples, key=repr)
