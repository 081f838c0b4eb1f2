/* The tables of commands and options, and the parser that comes from them. */
#include "cli/options.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "base/slice.h"
#include "cli/commands.h"

static const struct tp_example report_examples[] = {
	{"tpreport logdir", "verdict, figures and findings in the terminal"},
	{"tpreport logdir -o report.html", "a page that opens anywhere, offline"},
	{"tpreport logdir -o report.pdf", "to attach to a bug; page 1 alone is enough"},
	{"tpreport logdir -o r.html -o r.pdf -o r.json",
		"several outputs at once, with the same figures"},
	{"tpreport logdir -o r.csv/ -o r.sqlite", "every table, for spreadsheets and SQL"},
	{"tpreport logdir --redact -o r.html", "pseudonyms for your own names, before you send it"},
	{"tpreport logdir --worker rank0 -o r.html", "one worker of a PyTorch run; --span 2: one span"},
	{"tpreport vm.xplane.pb.gz -o - --format json", "one file, to standard output"},
	{0},
};

static const struct tp_example get_examples[] = {
	{"tpreport get logdir step.time.mean_ms", "one figure, for a script; without an id, all"},
	{"tpreport get --require logdir step.time.p50_ms", "exit status 6 if there is no such figure"},
	{"tpreport --list metrics", "all ids, with their meaning and unit"},
	{0},
};

static const struct tp_example show_examples[] = {
	{"tpreport show logdir operations", "one section as text; without a name, the list"},
	{"tpreport show logdir operations --top 40 --size 16K", "more rows, and a longer text"},
	{"tpreport show logdir operations --filter conv", "rows with this text in a cell"},
	{"tpreport show logdir operations --width 200", "all columns"},
	{0},
};

static const struct tp_example summarize_examples[] = {
	{"tpreport summarize logdir -o main-4f1c2e8.tps", "to keep as a baseline"},
	{"tpreport summarize old.html -o old.tps", "the same from a report"},
	{0},
};

static const struct tp_example merge_examples[] = {
	{"tpreport merge rank*.tps -o report.html", "one report of many ranks, from their summaries"},
	{"tpreport merge part*.tps -o all.tps", "to merge further: any grouping gives the same bytes"},
	{"tpreport merge summaries/ --ranks 0-511 -o report.html",
		"the report names the missing ranks"},
	{0},
};

static const struct tp_example diff_examples[] = {
	{"tpreport diff old.html logdir", "what changed since an old report, in the terminal"},
	{"tpreport diff A B -o diff.html", "the same as a page; also .pdf, .md, .json"},
	{"tpreport diff A B --baseline main-*.html", "with the noise between earlier runs"},
	{"tpreport diff A B --baseline main-*.html --fail-on slower", "exit status 1 if B is slower"},
	{0},
};

static const struct tp_example check_examples[] = {
	{"tpreport check logdir --budget b.json", "exit status 1 if the run is outside the budget"},
	{"tpreport check logdir --budget b.json -o check.junit.xml -o check.md", "for a CI server"},
	{"tpreport check logdir --budget b.json --baseline main-*.tps",
		"for limits such as {\"max_increase\": \"2%\"}"},
	{0},
};

static const struct tp_example budget_examples[] = {
	{"tpreport budget logdir > b.json", "limits that this run keeps, plus 10 %"},
	{"tpreport budget main-*.tps --margin 5% > b.json", "the worst of several runs, plus 5 %"},
	{0},
};

static const struct tp_example history_examples[] = {
	{"tpreport history main-*.tps -o trend.html", "headline figures over runs, with change points"},
	{"tpreport history a.html b.html --label 4f1c2e8 b07d9a3", "each with its commit"},
	{"tpreport history run.tps --append h.csv -o trend.html",
		"figures kept in a file, one row per run"},
	{0},
};

static const struct tp_example help_examples[] = {
	{"tpreport help", "the topics"},
	{"tpreport help operations",
		"one section of the report: what it shows, when it is bad, what to do"},
	{"tpreport help diff", "a command"},
	{0},
};

static const struct tp_example capture_examples[] = {
	{"tpreport capture localhost:9999 -o report.html", "2 s of a running program, as a report"},
	{"tpreport capture 10.0.0.2:8466,10.0.0.3:8466 -o logdir",
		"all hosts at the same time, as a run in a log directory"},
	{"tpreport capture localhost:9999 --duration 5s --python-tracer-level 1",
		"with Python calls; prints the first screen"},
	{0},
};

static const struct tp_example monitor_examples[] = {
	{"tpreport monitor 10.0.0.2:8466", "utilisation, repeatedly"},
	{"tpreport monitor 10.0.0.2:8466 --level 2 --queries 10", "also step time, idle and input"},
	{"tpreport monitor logdir --level 2", "of each new profile in a directory"},
	{0},
};

static const struct tp_example watch_examples[] = {
	{"tpreport watch logdir -o report.html", "writes the report again after each profile"},
	{"tpreport watch logdir -o report.html --once", "waits for one profile, then ends"},
	{0},
};

static const struct tp_example mcp_examples[] = {
	{"tpreport mcp", "started by the client of a language model"},
	{0},
};

static const struct tp_example hlo_examples[] = {
	{"tpreport hlo logdir jit_f -o f.hlo", "a program as HLO text; without its name, a list"},
	{0},
};

static const struct tp_example tfprof_examples[] = {
	{"tpreport tfprof --profile_path profile_100 op -select micros,bytes -order_by micros",
		"a view: scope, graph, op or code"},
	{"tpreport tfprof --profile_path profile_100 advise", "what its checkers find"},
	{"tpreport tfprof --profile_path profile_100", "without a command: a prompt"},
	{0},
};

const struct tp_command tp_commands[] = {
	{"report", "PATH… [-o FILE…]", "write a report; without -o, its first screen as text",
		TP_FOR_REPORT, tp_command_report, report_examples, TP_OFFER_FILES},
	{"get", "PATH [ID…]", "print metrics (default: all): id, value and unit", TP_FOR_GET,
		tp_command_get, get_examples, TP_OFFER_METRICS},
	{"show", "PATH [SECTION]", "print a section as text; without its name, list all", TP_FOR_SHOW,
		tp_command_show, show_examples, TP_OFFER_SECTIONS},
	{"summarize", "PATH… -o FILE.tps",
		"keep what comparisons and trends need, in tens of kilobytes", TP_FOR_REPORT,
		tp_command_summarize, summarize_examples, TP_OFFER_FILES},
	{"merge", "FILE.tps… -o FILE…", "merge summaries of many ranks, or report on all of them",
		TP_FOR_MERGE, tp_command_merge, merge_examples, TP_OFFER_FILES},
	{"diff", "A B [--baseline R…] [-o FILE…]",
		"compare two runs or reports; tell change from noise", TP_FOR_DIFF, tp_command_diff,
		diff_examples, TP_OFFER_FILES},
	{"check", "PATH --budget FILE", "compare a run with a budget of figures and findings",
		TP_FOR_CHECK, tp_command_check, check_examples, TP_OFFER_FILES},
	{"budget", "PATH…", "propose a budget from good runs", TP_FOR_BUDGET, tp_command_budget,
		budget_examples, TP_OFFER_FILES},
	{"history", "FILE… [-o FILE…]", "follow figures over runs; find where a level changes",
		TP_FOR_HISTORY, tp_command_history, history_examples, TP_OFFER_FILES},
	{"hlo", "PATH [PROGRAM]", "list the compiled programs of a run, or print one as HLO text",
		TP_FOR_HLO, tp_command_hlo, hlo_examples, TP_OFFER_PROGRAMS},
	{"tfprof", "--profile_path FILE [VIEW]", "tfprof's views and options, without TensorFlow",
		TP_FOR_TFPROF, tp_command_tfprof, tfprof_examples, TP_OFFER_FILES},
	{"capture", "HOST:PORT[,…] [-o LOGDIR|FILE]", "profile running JAX, TensorFlow or TPU programs",
		TP_FOR_CAPTURE | TP_FOR_REPORT, tp_command_capture, capture_examples, TP_OFFER_NOTHING},
	{"monitor", "HOST:PORT|LOGDIR", "print what running programs do, a few lines each time",
		TP_FOR_MONITOR, tp_command_monitor, monitor_examples, TP_OFFER_FOLDERS},
	{"watch", "LOGDIR -o FILE…", "write a report again whenever a profile is complete",
		TP_FOR_WATCH | TP_FOR_REPORT, tp_command_watch, watch_examples, TP_OFFER_FOLDERS},
	{"mcp", "", "serve language models, by the Model Context Protocol", TP_FOR_MCP, tp_command_mcp,
		mcp_examples, TP_OFFER_NOTHING},
	{"help", "[TOPIC]", "print a page of the manual: of a topic, a section or a command",
		TP_FOR_HELP, NULL, help_examples, TP_OFFER_TOPICS},
	{0},
};

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
		"for MFU: parameters of the model that take part in matrix products, e.g. 8e9 or 8B; the model FLOPs "
		"are then 6·N·tokens (inference: 2·N·tokens), plus attention",
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
		"with --params: causal (default; half of the products, as MaxText and Megatron-Core count) or full "
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
		"timeline and views, and says so; if that does not help, the program stops with a message; "
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
		"diff, check: earlier runs of the same program, logs or reports; from three on (diff: A included) "
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
	{"retries", 0, "N", "capture: how often to try again where nothing was recorded; default: 2",
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
	{"queries", 0, "N", "monitor: end after so many; default: go on until it is interrupted",
		FIELD(queries), false, TP_FOR_MONITOR, .offer = TP_OFFER_NOTHING},
	{"settle", 0, "TIME",
		"watch, monitor: a profile is complete when nothing was written for so long; default: 2s",
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

/* Profilers' own tools write --duration_ms: both ways are understood. */
static bool
is_name(const char *name, struct tp_slice word)
{
	if (strlen(name) != word.len)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		if (name[i] != (word.ptr[i] == '_' ? '-' : word.ptr[i]))
			return false;
	}
	return true;
}

static const struct tp_option *
option_named(struct tp_slice name)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (is_name(o->name, name))
			return o;
	}
	return NULL;
}

static const struct tp_option *
option_lettered(char letter)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (o->letter != 0 && o->letter == letter)
			return o;
	}
	return NULL;
}

static void
add(struct tp_buf *list, const char *word)
{
	*(const char **)tp_buf_add(list, sizeof word) = word;
}

static void
set(struct tp_args *args, const struct tp_option *o, const char *value)
{
	char *field = (char *)args + o->field;

	if (o->many)
		add((struct tp_buf *)field, value);
	else if (o->argument != NULL)
		*(const char **)field = value;
	else
		*(bool *)field = true;
}

static bool
takes(const struct tp_option *o, const char *attached, int argc, char **argv, int *i,
	const char **value, struct tp_err *err)
{
	*value = attached;
	if (o->argument == NULL) {
		if (attached != NULL)
			tp_fail(err, TP_ERR_USAGE, "option --%s takes no value", o->name);
		return attached == NULL;
	}
	if (attached != NULL)
		return true;
	if (*o->argument == '[') {
		*value = "";
		return true;
	}
	if (*i + 1 >= argc) {
		tp_fail(
			err, TP_ERR_USAGE, "option --%s needs a value: --%s %s", o->name, o->name, o->argument);
		return false;
	}
	*value = argv[++*i];
	return true;
}

/* Letters are too short to be near one another. */
static enum tp_status
unknown(struct tp_slice option, struct tp_err *err)
{
	struct tp_nearest near = {.arena = tp_arena_new(), .wish = tp_slice_from(option, 2)};

	for (const struct tp_option *o = tp_options;
		 tp_slice_starts(option, TP_S("--")) && o->name != NULL; o++)
		tp_nearest_offer(&near, tp_slice_of(o->name));
	enum tp_status status =
		tp_fail(err, TP_ERR_USAGE, "unknown option %.*s%.*s; tpreport --help lists them",
			TP_ARG(option), TP_ARG(tp_nearest_words(&near, "--")));

	tp_arena_free(near.arena);
	return status;
}

static enum tp_status
parse_long(int argc, char **argv, int *i, struct tp_args *args, struct tp_err *err)
{
	const char *word = argv[*i], *equals = strchr(word, '='), *value;
	size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
	const struct tp_option *o = option_named((struct tp_slice){word + 2, length - 2});

	if (o == NULL)
		return unknown((struct tp_slice){word, length}, err);
	if (!takes(o, equals != NULL ? equals + 1 : NULL, argc, argv, i, &value, err))
		return TP_ERR_USAGE;
	set(args, o, value);
	while (o->many && tp_slice_ends(tp_slice_of(o->argument), TP_S("...")) && *i + 1 < argc &&
		argv[*i + 1][0] != '-')
		set(args, o, argv[++*i]);
	return TP_OK;
}

/* "-q", "-qv", "-oFILE", "-qo FILE": what follows the letter of an option with a value is the value. */
static enum tp_status
parse_letters(int argc, char **argv, int *i, struct tp_args *args, struct tp_err *err)
{
	for (const char *at = argv[*i] + 1; *at != '\0'; at++) {
		const struct tp_option *o = option_lettered(*at);
		const char *value = NULL;

		if (o == NULL)
			return unknown(tp_slice_of(argv[*i]), err);
		if (o->argument != NULL &&
			!takes(o, at[1] != '\0' ? at + 1 : NULL, argc, argv, i, &value, err))
			return TP_ERR_USAGE;
		set(args, o, value);
		if (o->argument != NULL)
			break;
	}
	return TP_OK;
}

/* The command, when it is the first word that is no option and the name of one; else a path. */
static void
take_word(const char *word, struct tp_args *args)
{
	bool first = args->command == NULL;

	for (const struct tp_command *c = tp_commands; first && c->name != NULL; c++) {
		if (strcmp(word, c->name) == 0) {
			args->command = c;
			args->named = true;
			return;
		}
	}
	args->command = first ? &tp_commands[0] : args->command;
	add(&args->paths, word);
}

static bool
given(const struct tp_args *args, const struct tp_option *o)
{
	const char *field = (const char *)args + o->field;

	if (o->many)
		return ((const struct tp_buf *)field)->count != 0;
	return o->argument != NULL ? *(const char *const *)field != NULL : *(const bool *)field;
}

static enum tp_status
check_command(const struct tp_args *args, struct tp_err *err)
{
	for (const struct tp_option *o = tp_options; o->name != NULL; o++) {
		if (!given(args, o) || o->only == 0 || (o->only & args->command->is) != 0)
			continue;
		return tp_fail(err, TP_ERR_USAGE, "option --%s does not apply to %s; see tpreport --help",
			o->name, args->command->name);
	}
	return TP_OK;
}

static size_t
count_stdin(const struct tp_buf *words)
{
	size_t count = 0;

	for (size_t i = 0; i < words->count; i++)
		count += strcmp(tp_args_strings(words)[i], "-") == 0;
	return count;
}

/* What was read of it once is gone. */
static enum tp_status
check_stdin(const struct tp_args *args, struct tp_err *err)
{
	size_t count = count_stdin(&args->paths) + count_stdin(&args->baselines) +
		(args->budget != NULL && strcmp(args->budget, "-") == 0);

	return count <= 1 ? TP_OK
					  : tp_fail(err, TP_ERR_USAGE,
							"- is standard input, which can be read once, not %zu times", count);
}

/* Whether a word is left to the command, which has options of its own: all are but those that every command has. */
static bool
is_its_own(const struct tp_args *args, const char *word)
{
	const char *equals = strchr(word, '=');
	struct tp_slice name = {word, equals != NULL ? (size_t)(equals - word) : strlen(word)};

	if (args->command == NULL || args->command->is != TP_FOR_TFPROF)
		return false;
	const struct tp_option *o = name.len == 2 && word[1] != '-' ? option_lettered(word[1])
		: tp_slice_starts(name, TP_S("--")) ? option_named(tp_slice_from(name, 2))
											: NULL;

	return o == NULL || o->only != 0;
}

enum tp_status
tp_args_parse(int argc, char **argv, struct tp_args *args, struct tp_err *err)
{
	enum tp_status status = TP_OK;
	bool only_paths = false;

	*args = (struct tp_args){0};
	for (int i = 1; i < argc && status == TP_OK; i++) {
		const char *word = argv[i];

		if (only_paths) {
			args->command = args->command == NULL ? &tp_commands[0] : args->command;
			add(&args->paths, word);
		} else if (is_its_own(args, word))
			add(&args->paths, word);
		else if (strcmp(word, "--") == 0)
			only_paths = true;
		else if (word[0] != '-' || word[1] == '\0')
			take_word(word, args);
		else if (word[1] == '-')
			status = parse_long(argc, argv, &i, args, err);
		else
			status = parse_letters(argc, argv, &i, args, err);
	}
	if (args->command == NULL)
		args->command = &tp_commands[0];
	if (status == TP_OK)
		status = check_command(args, err);
	return status == TP_OK ? check_stdin(args, err) : status;
}

void
tp_args_free(struct tp_args *args)
{
	tp_buf_free(&args->paths);
	tp_buf_free(&args->outputs);
	tp_buf_free(&args->hosts);
	tp_buf_free(&args->workers);
	tp_buf_free(&args->graphs);
	tp_buf_free(&args->baselines);
	tp_buf_free(&args->labels);
	tp_buf_free(&args->windows);
}
