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
		"The peaks are in the profile or a device table; the open-source overview never passes "
		"them on.",
		TPU | GPU},
	{"FLOPS utilisation of the whole program", "over busy time, counting loops and their bodies",
		"over total and over busy time, nested time once",
		"A loop's time is its body's time; counting both halves the figure.", TPU},
	{"A loop's self time", "missing from the tree", "shown", "It is device time too.", TPU},
	{"Operations in the tree", "at most 100 children per node", "all; those not shown are summed",
		"Operations left out would be missing from the sum.", TPU},
	{"Input share of a step", "of the sum of its parts", "of step time",
		"The sum counts all-reduce twice, so the share is too small.", TPU},
	{"Steps of several cores", "paired by position", "paired by the number in their name",
		"A step missing on one core shifts all later ones on that core.", TPU},
	{"Operations at step boundaries", "counted in the step that was open longest",
		"counted in the step in which they ran",
		"Where two markers overlap, a step would exceed its length.", TPU},
	{"Device time and idle", "on two clocks mixed", "on the chip's clock",
		"The host's and the chip's clock differ by up to milliseconds.", TPU},
	{"Asynchronous all-reduce", "compute", "collective",
		"all-reduce-start and -done are one all-reduce.", TPU},
	{"Host idle on a TPU", "100.0 %", "–, with the reason",
		"No framework operation was recorded on the host; that is not idleness.", TPU},
	{"Rates of asynchronous copy-start and copy-done", "more than the device can do",
		"–, with the reason", "The bytes move between the two, not during either.", TPU},
	{"HBM bytes where the profile also has other memories", "all bytes, in operation rows",
		"HBM bytes only", "The program's row and the sum count only these too.", TPU},
	{"Average step of the roofline", "on the host's clock", "on the chip's clock",
		"Operations are measured on the chip's clock.", TPU},
	{"Bandwidths", "GiB/s (2^30)", "GB/s (10^9)", "Vendors state peaks in GB/s.", TPU | GPU},
	{"Memory bandwidth of AMD GPUs with HBM3", "half, as stated by the profile",
		"twice that: 5.3 TB/s for an MI300X",
		"The profiler assumes HBM2's two bits per line and clock; HBM3 moves four.", GPU},
	{"Copies between host and GPU", "compute", "input and output",
		"A copy computes nothing; xprof's own legend calls it input and output.", GPU},
	{"16-bit compute", "half and fp16 only", "bfloat16 too",
		"Most training today uses bfloat16, which would count as 32-bit.", GPU},
	{"Host events of GPU runs", "left out", "separate classes: launch, input wait, output",
		"They show what the device waits for.", GPU},
	{"Compiling within steps", "never: host compute or all others", "a separate class",
		"Its breakdown has a column for it that no event ever reaches.", SWEPT},
	{"Thread-pool work", "lost if its region is two events", "counted",
		"The two zero-length events begin and end one region; without it the step seems to have "
		"unexplained time and to be potentially input-bound.",
		SWEPT},
	{"Standard deviation of a single "
	 "step",
		"-nan", "–, with the reason", "A single figure has no spread.", TPU | GPU | HOST},
	{"XLA operations and statistics on the CPU", "empty", "from host events",
		"Events name their operation and program, and the profile holds the program's HLO.", HOST},
	{"Occurrences of operations on the host", "memory allocations for them included",
		"operation calls",
		"An allocation that names an operation is not a call of it; counting both halves the mean.",
		GPU | HOST},
	{"Framework operations on a GPU", "only idle time, if kernels carry no tf_op",
		"from kernel annotations as well", "Older profiles record it there.", GPU},
	{"Instructions of a fusion", "once per host", "once",
		"The hosts of a run execute the same program.", SEVERAL},
	{"tf.data iterators with ids of 2^63 or more", "one iterator with the times of all", "separate",
		"Ids are unsigned, but read there as 0, so the bottleneck is misnamed.", INPUT},
	{"Concurrent tf.data calls", "both subtracted from their caller's self time", "their union is",
		"Self time would otherwise become negative.", INPUT},
	{"Host time by class without host transfers", "0, where the device copies input", "self times",
		"There is no transfer to scale by.", INPUT},
	{"Max memory over an allocator's lifetime", "as stated by the last event in the file",
		"the largest that any event states",
		"Files store one thread after another; the last thread's events may be early and below the "
		"profile's own peak.",
		MEMORY},
	{"Time of a memory peak reached several times", "the last in the file", "the last in time",
		"Files store one thread after another.", MEMORY},
	{"Live at the memory peak", "what the step of the peak allocated; the rest is unused",
		"everything allocated in the capture and not freed",
		"What earlier steps left allocated is in use and has a name.", MEMORY},
	{"Number of hosts", "equal host names count once", "files of the run, copies not counted",
		"A copied file is not a second host.", SEVERAL},
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
		.caption = "Deliberate differences from other tools that may affect this profile",
		.columns = columns,
		.list = list,
		.count = sizeof list / sizeof *list,
	};

	tp_differences_fold(doc, section, &xprof, concerns_of(ctx));
}
