"""What holds for every sentence of a report. Each law yields (where, text) for every breach."""

import re

from report_tree import blocks, number, sentences


HOLES = [
    ("no figure", re.compile(r"(?<!\S)[–-](?=[\s.,;:)])(?!,)|(?<=\()–(?=\))")),
    ("nan or inf", re.compile(r"(?<![\w./:-])[-+]?(nan|inf|infinity)(?![\w./:-])", re.I)),
    ("two blanks", re.compile(r"[ \u202f\u00a0]{2}")),
    ("a mark after a blank", re.compile(r"\s[,;.](?=\s|$)")),
    ("two marks", re.compile(r"[;,]\s*([;,]|\.(?=\s|$))")),
    ("marks of code", re.compile("`")),
    ("a mark of emphasis", re.compile(r"(?<!\S)\*(?=[a-z]+\s)")),
    ("(null)", re.compile(r"\(null\)")),
    ("brackets around nothing", re.compile(r"\s\(\s*\)")),
    ("0 of 0", re.compile(r"(?<![\d.,])0 of 0(?![\d.,])")),
]


def no_hole(report):
    for where, text in sentences(report):
        for name, hole in HOLES:
            found = hole.search(text)
            if found:
                yield f"{where} ({name})", text[max(0, found.start() - 70):found.end() + 40]


# What sounds translated, and what engineers say instead.
STILTED = [
    ("next to last, second-to-last", re.compile(r"last but one")),
    ("on average", re.compile(r"\bin the mean\b")),
    ("computed", re.compile(r"worked out|works out")),
    ("separate", re.compile(r"\b(told|tell|tells) (them |these )?apart\b")),
    ("shows, gives, says", re.compile(r"(is|are) told|told about|does not tell|nothing tells|the traces? tells?\b")),
    ("unknown", re.compile(r"cannot be (said|told|seen)|(is|are) not known")),
    ("requested, allocated", re.compile(r"asked for(?! it)|given (back|out)")),
    ("straggler, last to enter", re.compile(r"comes? last|held up by a worker|makes the others wait")),
    ("with queued work", re.compile(r"stands? still")),
    ("host, device, profile as an adjective", re.compile(r"\b(work|operations?|events?) of (a|the) (device|host|framework|GPU)\b")),
    ("matmul, memset", re.compile(r"products? (and|or|without) |copies and fills")),
    ("per", re.compile(r"\d\S* a (step|core|chip|host|second|call)\b")),
    ("overlap", re.compile(r"\bruns? beside\b|hides of|computation hides")),
    ("start", re.compile(r"\b[Bb]egin with\b|\bbegun anew\b|\banew\b")),
    ("first one before", re.compile(r"of which|in which it takes part")),
    ("the part of the whole", re.compile(r"\bBecause (in|of) a \S+ step\b|step time, of inferred")),
    ("one step, one event", re.compile(r"(?<![\w.,:×/–-])1[ \u202f](?!(?:is|has|was|saves|us|ms|ns|ps|s|less|as|across)\b)[a-z]+s\b(?! (the|a)\b)")),
    ("by little", re.compile(r"is the slowest: (\S+\s\S+), against \1 in")),
    ("of step time: steps differ", re.compile(r"% of each step\b|\b[Ee]ach step spends\b")),
    ("the largest part: it may be less than half", re.compile(r"\bMost of (it|the difference) (is|comes)\b")),
    ("std dev", re.compile(r"\bsd\b|usual deviation")),
    ("medium", re.compile(r"\b[Mm]oderate\b")),
    ("less than one, or none", re.compile(r"[Aa] step has 0\.\d+ kernels|\b0\.0\s% are shorter")),
    ("after, follows", re.compile(r"\bgap behind\b")),
    ("min, max", re.compile(r"\bat the most\b|the least and the most|\bthe greatest\b")),
    ("is not a", re.compile(r"\bis no (peak|step|number|part)\b")),
    ("align clocks", re.compile(r"clocks?\b.* fit together")),
    ("process, produce tokens", re.compile(r"tak(e|es|ing) prompts in|guesses tokens|makes? tokens")),
    ("unfused", re.compile(r"normali[sz]ation in parts")),
    ("bounds nothing", re.compile(r"start up to 0\s\S+ earlier|: at most 0\.0\s% less")),
]

# In the prose of the manual these words also have other uses.
IN_REPORTS = ("first one before", "one step, one event", "straggler, last to enter", "overlap", "medium")


def stilted_prose(text):
    """The same of a text that people read: (what to say, line) for each breach."""
    for line in text.splitlines():
        yield from ((better, line.strip()) for better, stilted in STILTED if better not in IN_REPORTS and stilted.search(line))


def field_terms(report):
    """Sentences use the terms of the field."""
    for where, text in sentences(report):
        for better, stilted in STILTED:
            found = stilted.search(text)
            if found:
                yield f"{where} (say: {better})", text[max(0, found.start() - 70):found.end() + 40]


PARTS_AND_WHOLE = re.compile(r"Step \S+ took .*?, (\S+)\s(\S+) more than the median.*(?:All|Most) of that is in [^:]+: (\S+)\s(\S+) more")


# By what run.device_type says: advice that is of other devices.
OTHER_DEVICES = [
    (re.compile(r"AMD|gfx|MI\d\d\d"), re.compile(r"Nsight|\bncu\b|xla_tpu|copy-done")),
    (re.compile(r"GPU|NVIDIA|Tesla|[AHV]\d00\b"), re.compile(r"rocprof|xla_tpu|copy-done")),
    (re.compile(r"TPU"), re.compile(r"Nsight|rocprof|NCCL|CommunicationOptions|xla_gpu|on GPUs")),
]


def words_fit(report):
    """What is said fits what is there: a part is no more than its whole, a head is of one column, one worker has no others."""
    for where, text in sentences(report):
        found = PARTS_AND_WHOLE.search(text)
        if found and found[2] == found[4] and float(found[3].replace(",", "")) > 1.01 * float(found[1].replace(",", "")):
            yield where, text
        if re.search(r"\bBecause [^.]*: [A-Z][^.]*\.\s", text):
            yield f"{where} (no main clause)", text
    read = [text for where, text in sentences(report) if where in ("summary/quality", "method.answer") or where.startswith("verdict.")]
    if number(report["metrics"].get("tfprof.total_us", {}).get("value")):
        yield from (("verdict (a tfprof dump was read)", text) for text in read if re.search("No profile|event files only", text))
    workers = report["metrics"].get("torch.comm.straggler.name", {}).get("value") and \
        [row for table in blocks(report) if table["id"] == "distributed/workers" for row in table["rows"]]
    if workers and len(workers) == 2 and "the others" in report["verdict"].get("saw", "") + str(report["verdict"].get("because", "")):
        yield "verdict", "the others, of two workers"
    compared = re.match(r"(\d+) (cores|hosts|workers)\b", next((s.get("aside") or "" for s in report["sections"] if s["id"] == "distributed"), ""))
    for where, text in sentences(report) if compared and compared[1] == "2" else []:
        found = re.search(r"\bthe others\b|\bothers'|\bNo (core|host) holds", text)
        if found and (where.startswith("verdict") or where == "distributed.answer" or where.startswith("distributed/straggler")):
            yield f"{where} (there are two {compared[2]})", text
    device = str(report["metrics"].get("run.device_type", {}).get("value"))
    others = next((others for of, others in OTHER_DEVICES if of.search(device)), None)
    for where, text in sentences(report) if others else []:
        if re.search(r"\.actions$|^method/absent", where) and others.search(text):
            yield f"{where} (of other devices than {device})", text
    on_cpu = re.search(r"\bCPU\b|no TPU or GPU", str(next((s.get("answer") for s in report["sections"] if s["id"] == "environment"), "")))
    for where, text in sentences(report) if on_cpu else []:
        if re.search(r"^TPR-LOAD.*\.actions", where) and "GPU" in text:
            yield f"{where} (there is none)", text
    first = next((section.get("answer", "") for section in report["sections"] if section["id"] == "operations"), "")
    longest = [row["cells"]["self_ms"]["value"] for table in blocks(report) if table["id"] == "operations/top"
               for row in table["rows"] if "self_ms" in row["cells"]]
    if "more than any other operation" in first and len(longest) > 1 and number(longest[0]) and longest[0] == longest[1]:
        yield "operations.answer", (first, longest[:2])
    for table in (block for block in blocks(report) if block["kind"] == "table"):
        heads = [(column["title"], column["unit"]) for column in table["columns"]]
        for head in {head for head in heads if heads.count(head) > 1}:
            yield f"{table['id']} (two columns)", head
        for column in table["columns"]:
            if column["unit"] == "count" and re.search(r"\b(median|mean|p\d\d)$", column["title"], re.I):
                yield f"{table['id']}:{column['key']} (a count)", column["title"]
        if table["id"] == "environment/run":
            yield from ((f"{table['id']} (a packed version)", row["cells"]) for row in table["rows"]
                        if row["cells"]["what"]["text"] == "HIP runtime" and "." not in str(list(row["cells"].values())[1]["text"]))
        if table["id"] == "method/rules":
            yield from ((f"{table['id']} (a limit of no share)", row["cells"]["rule"]["text"]) for row in table["rows"]
                        if row["cells"]["medium_share"]["text"] in ("0", "<1"))
        for column in table["columns"] if len(table["rows"]) > 1 else []:
            if {row["cells"][column["key"]]["text"] for row in table["rows"]} == {"Unknown"}:
                yield f"{table['id']}:{column['key']}", "Unknown in every row"


def evidence_shows_something(report):
    """What a finding names as its evidence is in the report, and more than a sentence that says why nothing is there."""
    empty = {block["id"] for block in blocks(report) if block["kind"] == "section" and not block["blocks"]}
    for finding in report["findings"]:
        for span in finding.get("evidence_spans", []):
            if isinstance(span, dict) and finding["status"] == "open" and span.get("href", "").removeprefix("#") in empty:
                yield finding["id"], span


def part_is_not_whole(report):
    """Where part of a run was read, no word of the page says that all of it was."""
    read = [text for where, text in sentences(report) if where == "summary/quality"]
    if not any(re.search(r"\d of (at least )?[\d,]+ (workers|cores) (read|profiled)", text) for text in read):
        return
    method = next(section for section in report["sections"] if section["id"] == "method")
    for where, text in [*(("summary/quality", text) for text in read), ("method", method["key_figure"]["value"]), ("method", method["so_what"])]:
        if re.search(r"complete$|complete'|^Nothing was lost", text):
            yield where, text


def longest_is_first(report):
    """The operation that the section says takes most, and says no more of, leads the table below it."""
    for section in report["sections"]:
        found = re.match(r"(\S+) takes \S+\s% of \w+ time, more than any other operation\.$", section.get("answer") or "")
        table = next((block for block in blocks(section) if block["id"] == "operations/top"), None)
        if found and table and table["rows"] and not table["rows"][0]["cells"]["name"]["value"].endswith(found[1].lstrip("…")):
            yield table["id"], (section["answer"], table["rows"][0]["cells"]["name"]["value"])


LAWS = {
    "a part is not the whole": part_is_not_whole,
    "evidence shows something": evidence_shows_something,
    "the longest is first": longest_is_first,
    "no text around a hole": no_hole,
    "terms of the field": field_terms,
    "words fit": words_fit,
}
