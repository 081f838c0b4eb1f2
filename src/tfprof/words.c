/* Texts that users of tfprof know, and scripts read (tensorflow/core/profiler/internal/tfprof_utils.cc). */
#include "tfprof/words.h"

#include "io/sink.h"

static void
put_scaled(struct tp_sink *out, int64_t number, const char *const units[4], int scales)
{
	static const int64_t limits[] = {1000, 1000000, 1000000000};
	int scale = 0;

	while (scale < scales && number >= limits[scale])
		scale++;
	if (scale == 0)
		tp_sink_printf(out, "%lld%s", (long long)number, units[0]);
	else
		tp_sink_printf(out, "%.2f%s", (double)number / (double)limits[scale - 1], units[scale]);
}

void
tp_tfprof_put_bytes(struct tp_sink *out, int64_t bytes)
{
	put_scaled(out, bytes, (const char *const[]){"B", "KB", "MB", NULL}, 2);
}

void
tp_tfprof_put_us(struct tp_sink *out, int64_t us)
{
	put_scaled(out, us, (const char *const[]){"us", "ms", "sec", NULL}, 2);
}

void
tp_tfprof_put_count(struct tp_sink *out, int64_t count)
{
	put_scaled(out, count, (const char *const[]){"", "k", "m", "b"}, 3);
}

#define TOTAL_TIME "total execution time: Sum of accelerator execution time and cpu execution time."
#define ACCELERATOR_TIME                                                                           \
	"accelerator execution time: Time spent executing on the accelerator. This is normally "       \
	"measured by the actual hardware library."
#define CPU_TIME                                                                                   \
	"cpu execution time: The time from the start to the end of the operation. It's the sum of "    \
	"actual cpu run time plus the time that it spends waiting if part of computation is launched " \
	"asynchronously."

static const char *const docs[TP_SELECTS] = {
	[TP_SELECT_ACCELERATOR_MICROS] = ACCELERATOR_TIME,
	[TP_SELECT_BYTES] = "requested bytes: The memory requested by the operation, accumulatively.",
	[TP_SELECT_CPU_MICROS] = CPU_TIME,
	[TP_SELECT_DEVICE] = "device: which device is placed on.",
	[TP_SELECT_FLOAT_OPS] = "flops: Number of float operations. Note: Please read the "
							"implementation for the math behind it.",
	[TP_SELECT_INPUT_SHAPES] = "input shape: The shape of input tensors",
	[TP_SELECT_MICROS] = TOTAL_TIME "\n" CPU_TIME "\n" ACCELERATOR_TIME,
	[TP_SELECT_OCCURRENCE] = "occurrence: The number of times it occurs",
	[TP_SELECT_OP_TYPES] = "op_types: The attributes of the operation, includes the Kernel name "
						   "device placed on and user-defined strings.",
	[TP_SELECT_OUTPUT_BYTES] = "output bytes: The memory that is output from the operation (not "
							   "necessarily allocated by the operation)",
	[TP_SELECT_PARAMS] = "param: Number of parameters (in the Variable).",
	[TP_SELECT_PEAK_BYTES] = "peak bytes: The peak amount of memory that the operation is holding "
							 "at some point.",
	[TP_SELECT_RESIDUAL_BYTES] =
		"residual bytes: The memory not de-allocated after the operation finishes.",
	[TP_SELECT_TENSOR_VALUE] = "tensor_value: Not supported now.",
};

#define SCOPE_DOC                                                                                  \
	"scope: The nodes in the model graph are organized by their names, which is hierarchical "     \
	"like filesystem."

/* The original explains the graph view as if it were the scope view. */
static const char *const view_docs[] = {
	[TP_TFPROF_SCOPE] = SCOPE_DOC,
	[TP_TFPROF_GRAPH] = SCOPE_DOC,
	[TP_TFPROF_OP] = "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes "
					 "belonging to the same type are aggregated together.",
	[TP_TFPROF_CODE] = "code: When python trace is available, the nodes are python lines and their "
					   "are organized by the python call stack.",
};

static void
put_docs(const struct tp_tfprof_line *line, enum tp_tfprof_kind kind, struct tp_sink *out)
{
	const char *between = "";

	tp_sink_printf(out, "\nDoc:\n%s\n", view_docs[kind]);
	for (unsigned i = 0; i < TP_SELECTS; i++) {
		if (!tp_tfprof_selects(line, i))
			continue;
		tp_sink_printf(out, "%s%s", between, docs[i]);
		between = "\n";
	}
	tp_sink_puts(out, "\n\nProfile:\n");
}

/* Heads of columns, in the order of the cells: parameters and operations stand first in the trees of nodes, behind the times in
 * the others. */
struct column {
	enum tp_tfprof_select select;
	const char *name, *name_of_types; /* NULL: the same */
};

static const struct column parameters[] = {
	{TP_SELECT_PARAMS, "# parameters", NULL},
	{TP_SELECT_FLOAT_OPS, "# float_ops", NULL},
};
static const struct column bytes[] = {
	{TP_SELECT_BYTES, "requested bytes", NULL},
	{TP_SELECT_PEAK_BYTES, "peak bytes", NULL},
	{TP_SELECT_RESIDUAL_BYTES, "residual bytes", NULL},
	{TP_SELECT_OUTPUT_BYTES, "output bytes", NULL},
	{TP_SELECT_MICROS, "total execution time | accelerator execution time | cpu execution time",
		NULL},
};
static const struct column times[] = {
	{TP_SELECT_ACCELERATOR_MICROS, "accelerator execution time", NULL},
	{TP_SELECT_CPU_MICROS, "cpu execution time", NULL},
};
static const struct column rest[] = {
	{TP_SELECT_DEVICE, "assigned devices", NULL},
	{TP_SELECT_OP_TYPES, "op types", NULL},
	{TP_SELECT_OCCURRENCE, "op count (run|defined)", "op occurrence (run|defined)"},
	{TP_SELECT_INPUT_SHAPES, "input shapes", NULL},
};

struct legend {
	const struct tp_tfprof_line *line;
	struct tp_sink *out;
	bool of_types;
	const char *between;
};

static void
put_columns(struct legend *l, const struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *c = &columns[i];

		if (!tp_tfprof_selects(l->line, c->select))
			continue;
		tp_sink_printf(l->out, "%s%s", l->between,
			l->of_types && c->name_of_types != NULL ? c->name_of_types : c->name);
		l->between = " | ";
	}
}

#define PUT(legend, columns) put_columns((legend), (columns), sizeof(columns) / sizeof *(columns))

static void
put_legend(const struct tp_tfprof_line *line, enum tp_tfprof_kind kind, struct tp_sink *out)
{
	bool of_types = kind == TP_TFPROF_OP || kind == TP_TFPROF_CODE;
	struct legend l = {line, out, of_types, ""};

	tp_sink_puts(out, "node name | ");
	if (!of_types)
		PUT(&l, parameters);
	PUT(&l, bytes);
	if (!tp_tfprof_selects(line, TP_SELECT_MICROS))
		PUT(&l, times);
	if (of_types)
		PUT(&l, parameters);
	PUT(&l, rest);
	tp_sink_puts(out, "\n");
}

void
tp_tfprof_put_head(const struct tp_tfprof *t, const struct tp_tfprof_line *line,
	enum tp_tfprof_kind kind, struct tp_sink *out)
{
	/* TensorFlow writes this into dumps, but does not read it back: no report of a dump has it. */
	if (t->misses_stream && t->built)
		tp_sink_puts(out,
			"\n\nFound accelerator operation but misses accelerator stream stats!\n\nIt's likely a "
			"gpu tracing issue rather than tf-profiler issue.\nIf you found your operation missing "
			"accelerator time, consider to post to discuss@tensorflow.org!\n\n");
	put_docs(line, kind, out);
	put_legend(line, kind, out);
}

void
tp_tfprof_put_help(struct tp_sink *out)
{
	tp_sink_puts(out,
		"tpreport tfprof --profile_path=<ProfileProto binary file, or a folder of them>\n"
		"\nOr:\n\n"
		"tpreport tfprof --graph_path=<GraphDef, binary or text>\n"
		"                --run_meta_path=<RunMetadata, several with commas between>\n"
		"                --op_log_path=<OpLogProto>\n\n"
		"To skip interactive mode, append one of the following commands:\n"
		"  scope: Organize profiles based on name scopes.\n"
		"  graph: Organize profiles based on graph node input/output.\n"
		"  op: Organize profiles based on operation type.\n"
		"  code: Organize profiles based on python codes (need op_log_path).\n"
		"  advise: Auto-profile and advise.\n"
		"  set: Set options that will be default for follow up commands.\n"
		"  help: Show helps.\n");
}
