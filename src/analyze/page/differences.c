/* The list is kept by hand: each line is held by a test that compares both, and its reason stands at the formula too. */
#include "analyze/page/method.h"

#include "analyze/core/say.h"
#include "analyze/input/input_pipeline.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"
#include "report/draft.h"

enum concerns {
	TPU = 1 << 0,
	GPU = 1 << 1,
	HOST = 1 << 2,    /* XLA on the host's CPU, or no device at all */
	SWEPT = 1 << 3,   /* steps from markers of host threads */
	SEVERAL = 1 << 4, /* more than one host */
	INPUT = 1 << 5,   /* the host's input operations */
	MEMORY = 1 << 6   /* events of allocators */
};

static const struct tp_difference list[] = {
	{"FLOPS and bandwidth utilisation", "0.0 % on the overview page", "computed",
		"The peaks are in the profile or in a table of devices; the open-source overview never "
		"passes them on.",
		TPU | GPU},
	{"FLOPS utilisation of the whole", "over busy time, loops and their bodies both counted",
		"over all time and over busy time, nested time once",
		"Time of a loop is the time of its body; counting both halves the figure.", TPU},
	{"Time of a loop itself", "missing from the tree", "its self time",
		"A loop's own time is device time too.", TPU},
	{"Operations in the tree", "at most 100 children a node", "all; what is not shown is summed up",
		"Operations that are left out would be missing from the sum.", TPU},
	{"Share of input in a step", "of the sum of parts", "of step time",
		"The sum of parts holds all-reduce twice, so the share comes out too small.", TPU},
	{"Steps of several cores", "paired by position", "paired by the number in their name",
		"A step that one core lacks shifts all later ones of that core.", TPU},
	{"Operations at the border of two steps", "charged to the step that was open longest",
		"charged to the step in which they ran",
		"Where two markers overlap, a step would exceed its own length.", TPU},
	{"Device time and idle", "by two clocks mixed", "by the chip's clock",
		"The host's clock and the chip's are up to milliseconds apart.", TPU},
	{"Asynchronous all-reduce", "compute", "collective",
		"all-reduce-start and -done are the same collective as all-reduce.", TPU},
	{"Host idle on a TPU", "100.0 %", "–, with the reason",
		"No framework operation was recorded on the host, which is not idleness.", TPU},
	{"Rates of the halves of asynchronous copies", "more than the device can do",
		"–, with the reason",
		"The bytes are moved between the two halves, not in the time of either.", TPU},
	{"HBM bytes where the profile names other memory", "all bytes, in rows of operations",
		"those of HBM", "The program's own row, and the sum, count only these too.", TPU},
	{"Average step of the roofline", "by the host's clock", "by the chip's clock",
		"Operations are measured by the chip's clock.", TPU},
	{"Bandwidths", "GiB/s (2^30)", "GB/s (10^9)", "Makers state peaks in GB/s.", TPU | GPU},
	{"Memory bandwidth of AMD GPUs with HBM3", "half, as the profile states it",
		"twice that: 5.3 TB/s of an MI300X",
		"The profiler counts two bits a line and clock, as of HBM2; HBM3 moves four.", GPU},
	{"Copies between host and GPU", "compute", "input and output",
		"A copy computes nothing; the page's own legend names it input and output.", GPU},
	{"16-bit compute", "half and fp16 only", "bfloat16 too",
		"Most of today's training is in bfloat16, and would count as 32-bit.", GPU},
	{"Host events of a GPU run", "left out", "launch, input wait and output of their own",
		"They say what the device waits for.", GPU},
	{"Compiling within steps", "never: host compute, or all others", "a class of its own",
		"The breakdown has a column for it, but no event is ever counted there.", SWEPT},
	{"Work of thread pools", "lost when its region is two events", "counted",
		"The two events without duration are the begin and the end of one region; without it the "
		"step seems to hold unexplained time, and to be potentially input-bound.",
		SWEPT},
	{"Deviation of a single step", "-nan", "–, with the reason", "One figure has no spread.",
		TPU | GPU | HOST},
	{"Operations and statistics of XLA on the CPU", "empty", "from the host's events",
		"The events name their operation and program, and the program's HLO is in the profile.",
		HOST},
	{"Occurrences of operations on the host", "memory allocations made for them included",
		"calls of the operation",
		"An allocation that names an operation is no call of it; counting both halves the mean.",
		GPU | HOST},
	{"Framework operations on a GPU", "idle time alone, where kernels carry no tf_op",
		"from the kernels' annotations, too", "Older profiles say it there.", GPU},
	{"Instructions of a fusion", "once for each host", "once",
		"Hosts of one run execute the same program.", SEVERAL},
	{"Iterators of tf.data with an id of 2^63 or more", "one iterator, with the times of all",
		"each by itself",
		"Such ids are unsigned numbers, and read as 0 there; the bottleneck then bears a wrong "
		"name.",
		INPUT},
	{"Calls of tf.data that run side by side", "both taken from their caller's own time",
		"the time that any of them covers", "Own time would else fall below nothing.", INPUT},
	{"Host time by class without a transfer of the host's", "0, where the device copies input",
		"self times", "There is no transfer by which to scale them.", INPUT},
	{"Max memory in an allocator's life", "what the last event of the file states",
		"the largest that any event states",
		"Threads stand one after the other in the file; the last one's events may be early, and "
		"less than the peak of the profile itself.",
		MEMORY},
	{"Time of a memory peak that is reached several times", "the last in the file",
		"the last in time", "Threads stand one after the other in the file.", MEMORY},
	{"What is live at the memory peak", "what the peak's own step allocated; the rest is unused",
		"all that the capture saw allocated and not given back",
		"What earlier steps left behind is in use, and has a name.", MEMORY},
	{"Number of hosts", "equal host names count once", "files of the run, copies not counted",
		"The figures of a copied file are not those of two hosts.", SEVERAL},
};

static unsigned
concerns_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	unsigned all = p->host_count > 1 ? SEVERAL : 0;

	for (uint32_t i = 0; i < p->device_count; i++) {
		all |= p->devices[i].kind == TP_DEVICE_TPU ? TPU : 0;
		all |= p->devices[i].kind == TP_DEVICE_GPU ? GPU : 0;
	}
	if ((all & (TPU | GPU)) == 0)
		all |= HOST;
	if (in != NULL && in->ops.count != 0)
		all |= INPUT;
	if (p->allocator_event_count != 0)
		all |= MEMORY;
	return s != NULL && !s->source->of_cores ? all | SWEPT : all;
}

static const struct tp_column columns[] = {
	TP_COLUMN("figure", "Figure"),
	TP_COLUMN("xprof", "xprof 2.24 prints"),
	TP_COLUMN("here", "Here"),
	TP_COLUMN("why", "Why"),
};

static void
put_row(struct tp_draft *draft, const struct tp_difference *d)
{
	const char *texts[] = {d->figure, d->theirs, d->ours, d->why};
	struct tp_cell *cell = tp_draft_row(draft, tp_slice_of(d->figure), TP_ROW_NORMAL, 0);

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		cell[i].value = tp_text_value(tp_slice_of(texts[i]));
}

void
tp_differences_fold(
	struct tp_doc *doc, struct tp_block *section, const struct tp_differences *d, unsigned concerns)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "method/differences", d->title);
	struct tp_draft draft = tp_draft_table(doc, fold, "method/differences/table", d->columns, 4);

	fold->section.off_paper = true;
	fold->section.same_elsewhere = true;
	for (size_t i = 0; i < d->count; i++) {
		unsigned holds = d->list[i].concerns & concerns;

		if (d->all_must_hold ? holds == d->list[i].concerns : holds != 0)
			put_row(&draft, &d->list[i]);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = tp_slice_of(d->caption);
}

void
tp_differences_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	static const struct tp_differences xprof = {
		.title = "Where figures differ from xprof's, and why",
		.caption = "Deliberate differences that can concern this profile",
		.columns = columns,
		.list = list,
		.count = sizeof list / sizeof *list,
	};

	tp_differences_fold(doc, section, &xprof, concerns_of(ctx));
}
