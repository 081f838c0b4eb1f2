/* The table of options, and what the exit status says. */
#include "cli/options.h"

#include "cli/commands.h"

#define FIELD(name) offsetof(struct tp_args, name)

enum {
	TP_ALL_THAT_READ = TP_FOR_REPORT | TP_FOR_GET | TP_FOR_HLO | TP_FOR_SHOW | TP_FOR_DIFF |
		TP_FOR_CHECK | TP_FOR_BUDGET | TP_FOR_HISTORY,
};
enum { TP_FOR_FIGURES = TP_FOR_REPORT | TP_FOR_GET | TP_FOR_SHOW | TP_FOR_CHECK | TP_FOR_BUDGET };

const struct tp_option tp_options[] = {
	{"output", 'o', "FILE",
		"output file; the suffix sets the format (.html, .pdf, .json, .md, .txt, .tps, .sqlite, .sarif, .perfetto-trace, .trace.json.gz, or .csv/, a "
		"folder); repeatable; - is stdout; default: the first screen as text on stdout; check: .junit.xml, "
		".md, .bmf.json, .smaller.gab.json, .bigger.gab.json, .om, .sarif",
		FIELD(outputs), true,
		TP_FOR_REPORT | TP_FOR_HLO | TP_FOR_DIFF | TP_FOR_CHECK | TP_FOR_HISTORY | TP_FOR_MERGE,
		.offer = TP_OFFER_FILES},
	{"format", 0, "NAME",
		"format of an output without a suffix: html, pdf, json, markdown, text, csv, sqlite, sarif, perfetto, "
		"chrome_trace, outline",
		FIELD(format), false, TP_FOR_REPORT | TP_FOR_DIFF | TP_FOR_HISTORY | TP_FOR_MERGE,
		.offer = TP_OFFER_FORMATS},
	{"end-to-end-json", 0, "FILE",
		"also write the phases of a job in the format of TensorBoard's end-to-end tool (like -o "
		"FILE.end_to_end.json)",
		FIELD(end_to_end_json), false, TP_FOR_REPORT, .offer = TP_OFFER_FILES},
	{"css-file", 0, "FILE",
		"also write the style sheet of the page to FILE, for servers that block inline styles, such as "
		"Jenkins",
		FIELD(css_file), false, TP_FOR_REPORT | TP_FOR_DIFF | TP_FOR_HISTORY | TP_FOR_MERGE,
		.offer = TP_OFFER_FILES},
	{"fetch", 0, "CMD",
		"for paths that are not on this machine: a shell command that prints the file, with {} for the "
		"path: 'rclone cat {}', 'kubectl exec POD -- cat {}'; not needed for s3://, gs://, Azure and https://",
		FIELD(fetch), false, TP_ALL_THAT_READ, .offer = TP_OFFER_NOTHING},
	{"run", 0, "NAME",
		"run to report on: its name, its number counted from the newest (1), or all; default: the "
		"newest; with PyTorch, the page links to the others",
		FIELD(run), false, 0, .offer = TP_OFFER_RUNS, .words = "all"},
	{"host", 0, "NAME", "only this host; repeatable", FIELD(hosts), true, 0,
		.offer = TP_OFFER_HOSTS},
	{"worker", 0, "NAME",
		"only this worker of a PyTorch run; repeatable; default: all together; the page links to each",
		FIELD(workers), true, 0, .offer = TP_OFFER_WORKERS},
	{"span", 0, "N|all",
		"span of each worker of a PyTorch run: a number from 1 (the oldest), or all (default)",
		FIELD(span), false, 0, .offer = TP_OFFER_SPANS, .words = "all"},
	{"graph-of", 0, "OP",
		"also draw the HLO around this operation of any program (NAME or PROGRAM/NAME), two levels "
		"each way, or N with NAME,width=N; repeatable",
		FIELD(graphs), true, TP_FOR_REPORT, .offer = TP_OFFER_NOTHING},
	{"graph", 0, "N",
		"TensorFlow graph to report on: its number in the report's table of graphs; default: of "
		"those built by a program, the one with the most nodes",
		FIELD(graph), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"timeline", 0, "SIZE",
		"how much room the timeline may take in the page, e.g. 8M; none: no timeline; default: 4M",
		FIELD(timeline), false, TP_FOR_REPORT, .words = "none"},
	{"window", 0, "WHAT",
		"what the timeline draws and keeps in full, instead of the median and the slowest step: step:42, "
		"step:slowest, or times from the first event, 1.2s..1.25s; repeatable",
		FIELD(windows), true, TP_FOR_REPORT, .words = "step:slowest"},
	{"top", 0, "N", "number of rows shown per table, or all; default: 10", FIELD(top), false,
		TP_FOR_REPORT | TP_FOR_SHOW | TP_FOR_DIFF | TP_FOR_HISTORY | TP_FOR_MERGE, .words = "all"},
	{"filter", 0, "TEXT", "show: only rows with this text in a cell, in any case", FIELD(filter),
		false, TP_FOR_SHOW, .offer = TP_OFFER_NOTHING},
	{"width", 0, "N",
		"show: characters per line; a larger number shows more columns; default: as wide as the "
		"terminal, else 80",
		FIELD(width), false, TP_FOR_SHOW, .offer = TP_OFFER_NOTHING},
	{"peak", 0, "LIST",
		"peaks of one device (TPU core or GPU), overriding the profile: bf16=989.4T, likewise fp8, int8, "
		"tf32, fp32 or flops (of any type), hbm=3.35T, vmem=20T (FLOP/s, bytes per second), memory=80G; "
		"comma-separated",
		FIELD(peak), false, TP_FOR_FIGURES,
		.words = "bf16= fp8= int8= tf32= fp32= flops= hbm= vmem= memory=", .commas = true},
	{"steps", 0, "REGEX",
		"PyTorch: annotations with these names are the steps, instead of ProfilerStep or of those that repeat "
		"(extended regular expression)",
		FIELD(steps), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"model-flops", 0, "N",
		"for MFU: FLOPs that the model needs for one step of the whole job, e.g. 3.2e15",
		FIELD(model_flops), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"params", 0, "N",
		"for MFU: parameters of the model that take part in matmuls, e.g. 8e9 or 8B; the model "
		"FLOPs are then 6·N·tokens (inference: 2·N·tokens), plus attention",
		FIELD(params), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"tokens-per-step", 0, "N", "for MFU: tokens of one training step of the whole job",
		FIELD(tokens_per_step), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"layers", 0, "N", "with --params: layers of the model, for attention", FIELD(layers), false,
		TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"hidden", 0, "N", "with --params: hidden size (heads × size of a head), for attention",
		FIELD(hidden), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"seq", 0, "N", "with --params: length of a sequence, for attention", FIELD(seq), false,
		TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"attention", 0, "KIND",
		"with --params: causal (default; counts half of the matmul FLOPs, as MaxText and Megatron-Core do) or full "
		"(as PaLM and older Megatron count)",
		FIELD(attention), false, TP_FOR_FIGURES, .words = "causal full"},
	{"limits", 0, "FILE",
		"thresholds of findings, verdict and tiles, overriding the defaults: JSON like "
		"{\"TPR-INPUT-001\": {\"medium\": 0.05, \"high\": 0.2}}",
		FIELD(limits), false, TP_FOR_FIGURES, .offer = TP_OFFER_FILES},
	{"tpu-ops", 0, "VERSION",
		"judge graphs by this TensorBoard version's list of TPU operations (1.5 or later; default: "
		"the newest list)",
		FIELD(tpu_ops), false, TP_FOR_FIGURES, .offer = TP_OFFER_NOTHING},
	{"size", 0, "SIZE",
		"maximum length of a Markdown digest, e.g. 64K (default: 8K), of the output of show (default: 4K), or "
		"of what summarize keeps of a rank for merge (default: 64K)",
		FIELD(size), false, TP_FOR_REPORT | TP_FOR_SHOW | TP_FOR_HISTORY | TP_FOR_MERGE,
		.offer = TP_OFFER_NOTHING},
	{"paper", 0, "SIZE", "PDF page size: a4 (default) or letter", FIELD(paper), false,
		TP_FOR_REPORT | TP_FOR_DIFF | TP_FOR_HISTORY | TP_FOR_MERGE, .words = "a4 letter"},
	{"template-dir", 0, "DIR",
		"use the templates in this folder instead of the built-in ones of the same name",
		FIELD(template_dir), false, TP_FOR_REPORT | TP_FOR_DIFF | TP_FOR_HISTORY | TP_FOR_MERGE,
		.offer = TP_OFFER_FOLDERS},
	{"memory-limit", 0, "SIZE",
		"use no more memory than this: 4G, 500M, or none; a report that needs more is made again without "
		"timeline and views, then with each trace by itself (merge: from fewer steps), and says so; if that does not help, the program stops with a message; "
		"default: 80 % of what the machine and its control groups allow",
		FIELD(memory_limit), false, 0, .words = "none"},
	{"threads", 0, "N",
		"how many threads may work at the same time; default: as many as there are cores that the "
		"process may use; the report is the same whatever their number",
		FIELD(threads), false, 0, .offer = TP_OFFER_NOTHING},
	{"redact", 0, "[=KINDS]",
		"replace your own names by pseudonyms such as host-1 and op-17, in all outputs: paths, hosts, "
		"names, args (comma-separated; default: all); names of frameworks and compilers stay; a name "
		"has the same pseudonym in all outputs and on both sides of diff, but may get another number in "
		"another call; if a name would remain in an output, nothing is written: exit status 5",
		FIELD(redact), false, TP_FOR_REPORT | TP_FOR_DIFF | TP_FOR_CHECK | TP_FOR_HISTORY,
		.words = "paths hosts names args", .commas = true},
	{"ranks", 0, "LIST",
		"merge: expected ranks, e.g. 0-511 or 0-7,16; the report names those without a summary; "
		"default: all ranks of the job, if the traces state its size",
		FIELD(ranks), false, TP_FOR_MERGE, .offer = TP_OFFER_NOTHING},
	{"baseline", 0, "R...",
		"diff, check: earlier runs of the same program, logs or reports; with three or more (diff: A included) "
		"the noise between runs is known; check compares with the newest",
		FIELD(baselines), true, TP_FOR_DIFF | TP_FOR_CHECK, .offer = TP_OFFER_FILES},
	{"label", 0, "L...",
		"history: a label for each run, in the order of the files, e.g. its commit", FIELD(labels),
		true, TP_FOR_HISTORY, .offer = TP_OFFER_NOTHING},
	{"append", 0, "FILE",
		"history: a CSV file that keeps the figures of runs: its rows are followed, too, and new runs "
		"are added; such a file is also an input",
		FIELD(append), false, TP_FOR_HISTORY, .offer = TP_OFFER_FILES},
	{"as-given", 0, NULL,
		"history: runs in the order of the files; default: in the order of their captures",
		FIELD(as_given), false, TP_FOR_HISTORY, .offer = TP_OFFER_NOTHING},
	{"level", 0, "SHARE",
		"diff, check: probability of the interval in which one more run is expected; default: 99%; monitor: 1 (default: "
		"utilisation) or 2 (also cores, idle, step time and input)",
		FIELD(level), false, TP_FOR_DIFF | TP_FOR_CHECK | TP_FOR_MONITOR,
		.offer = TP_OFFER_NOTHING},
	{"floor", 0, "SHARE",
		"diff, check: without enough baselines, a change up to this size counts as noise, e.g. 2%",
		FIELD(floor), false, TP_FOR_DIFF | TP_FOR_CHECK, .offer = TP_OFFER_NOTHING},
	{"fail-on", 0, "WHAT",
		"diff: exit with status 1 if one of these happened: slower, memory, finding (comma-separated); "
		"with 6 if that cannot be judged",
		FIELD(fail_on), false, TP_FOR_DIFF, .words = "slower memory finding", .commas = true},
	{"budget", 0, "FILE",
		"check: JSON with limits of metrics, forbidden findings, and coverage: "
		"{\"metrics\": {\"step.time.p50_ms\": {\"max\": \"52 ms\"}}, \"forbid\": [\"TPR-OOM-*\"]}",
		FIELD(budget), false, TP_FOR_CHECK, .offer = TP_OFFER_FILES},
	{"missing", 0, "WHAT",
		"check: whether a limit that cannot be judged counts as pass or fail; default: exit status 6",
		FIELD(missing), false, TP_FOR_CHECK, .words = "pass fail"},
	{"margin", 0, "SHARE", "budget: how far limits are above or below the worst run; default: 10%",
		FIELD(margin), false, TP_FOR_BUDGET, .offer = TP_OFFER_NOTHING},
	{"require", 0, NULL, "get: a missing figure is an error: exit status 6", FIELD(require), false,
		TP_FOR_GET, .offer = TP_OFFER_NOTHING},
	{"duration", 0, "TIME",
		"how long to profile, e.g. 500ms or 5s; default: capture 2s, monitor 1s", FIELD(duration),
		false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"duration-ms", 0, "N", "the same in milliseconds", FIELD(duration_ms), false,
		TP_FOR_CAPTURE | TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"retries", 0, "N", "capture: how often to try again if nothing was recorded; default: 2",
		FIELD(retries), false, TP_FOR_CAPTURE, .offer = TP_OFFER_NOTHING},
	{"num-tracing-attempts", 0, "N", "the same with the first try counted: 3", FIELD(attempts),
		false, TP_FOR_CAPTURE, .offer = TP_OFFER_NOTHING},
	{"host-tracer-level", 0, "N",
		"capture, monitor: what the host records: 0 nothing, 1 marks of the program, 2 also expensive operations "
		"(default), 3 also cheap ones",
		FIELD(host_tracer), false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .words = "0 1 2 3"},
	{"device-tracer-level", 0, "N", "capture, monitor: 0 records nothing of devices; default: 1",
		FIELD(device_tracer), false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .words = "0 1"},
	{"python-tracer-level", 0, "N",
		"capture, monitor: 1 records all calls of Python, which slows it; default: 0",
		FIELD(python_tracer), false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .words = "0 1"},
	{"include-dataset-ops", 0, "[=BOOL]",
		"capture, monitor: whether operations of tf.data are recorded, true (default) or false",
		FIELD(dataset_ops), false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .words = "true false"},
	{"deadline", 0, "TIME",
		"capture, monitor: how long to wait for a profile, besides its duration; default: 2min",
		FIELD(deadline), false, TP_FOR_CAPTURE | TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"queries", 0, "N", "monitor: end after this many; default: continue until interrupted",
		FIELD(queries), false, TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"settle", 0, "TIME",
		"watch, monitor: a profile is complete when nothing has been written for this long; "
		"default: 2s",
		FIELD(settle), false, TP_FOR_WATCH | TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"once", 0, NULL, "watch: end when a report is written", FIELD(once), false, TP_FOR_WATCH,
		.offer = TP_OFFER_NOTHING},
	{"strict", 0, NULL, "treat partial or damaged data as an error: exit status 4", FIELD(strict),
		false, 0, .offer = TP_OFFER_NOTHING},
	{"quiet", 'q', NULL, "only print errors", FIELD(quiet), false, 0, .offer = TP_OFFER_NOTHING},
	{"verbose", 'v', NULL, "also print notes and what was read", FIELD(verbose), false, 0,
		.offer = TP_OFFER_NOTHING},
	{"list", 0, "WHAT", "list the available readers, passes, renderers or metrics", FIELD(list),
		false, 0, .words = "readers passes renderers metrics"},
	{"version", 0, NULL, "print the version", FIELD(version), false, 0, .offer = TP_OFFER_NOTHING},
	{"help", 'h', NULL, "print this help", FIELD(help), false, 0, .offer = TP_OFFER_NOTHING},
	{0},
};

const struct tp_exit_status tp_exit_statuses[] = {
	{TP_EXIT_OK, "success; partial data gives a warning"},
	{TP_EXIT_GATE,
		"diff: something that --fail-on names has happened; check: the run is outside the budget"},
	{TP_EXIT_USAGE, "wrong usage"},
	{TP_EXIT_NO_PROFILE, "no profile found"},
	{TP_EXIT_DAMAGED,
		"input too damaged (with --strict also: partial), or more memory needed than --memory-limit allows"},
	{TP_EXIT_CANNOT_WRITE, "cannot write an output; --redact: an output would still hold a name"},
	{TP_EXIT_NOT_JUDGED,
		"get --require: a figure is missing; diff --fail-on, check: the answer cannot be judged"},
	{0},
};
