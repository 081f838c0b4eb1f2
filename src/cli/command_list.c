/* The commands, each with examples. */
#include "cli/options.h"

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

static const struct tp_example completion_examples[] = {
	{"eval \"$(tpreport completion bash)\"", "in ~/.bashrc; with `zsh` in ~/.zshrc"},
	{"tpreport completion fish", "in config.fish, piped into `source`"},
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
	{"mcp", "", "serve language models over the Model Context Protocol", TP_FOR_MCP, tp_command_mcp,
		mcp_examples, TP_OFFER_NOTHING},
	{"completion", "SHELL", "completions for bash, zsh or fish, and where `man` looks",
		TP_FOR_COMPLETION, tp_command_completion, completion_examples, TP_OFFER_SHELLS},
	{"help", "[TOPIC]", "print a page of the manual: of a topic, a section or a command",
		TP_FOR_HELP, NULL, help_examples, TP_OFFER_TOPICS},
	{0},
};
