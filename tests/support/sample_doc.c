/* The sample document: its metrics and its first screen. */
#include "sample_doc.h"

#include "base/arena.h"
#include "report/doc.h"

static const struct {
	const char *id, *label, *how, *coverage;
	double number;
	enum tp_unit unit;
} metrics[] = {
	{"step.time.mean_ms", "Step time, mean", "sum of step times / steps", "60 of 60 steps", 128.3,
		TP_UNIT_MS},
	{"step.time.p50_ms", "Step time, median", "middle of the sorted step times", "60 of 60 steps",
		126.3, TP_UNIT_MS},
	{"step.time.p95_ms", "Step time, 95th percentile", "nearest rank", "60 of 60 steps", 140.9,
		TP_UNIT_MS},
	{"step.time.max_ms", "Step time, longest", "", "60 of 60 steps", 196.4, TP_UNIT_MS},
	{"input.wait_share", "Waiting for input", "sum of waiting / sum of step times",
		"60 of 60 steps", 0.6199482, TP_UNIT_SHARE},
	{"step.class.input_wait_ms", "Input wait", "mean over cores, then over steps", "", 79.54,
		TP_UNIT_MS},
	{"throughput.examples_per_s", "Throughput", "global batch / mean step time", "", 3994,
		TP_UNIT_COUNT},
	{"flops.utilization_share", "Matrix-unit use", "measured FLOP/s / peak FLOP/s",
		"peak from the profile", 0.0502, TP_UNIT_SHARE},
	{"flops.peak_per_s", "Peak", "of one core", "", 61.5e12, TP_UNIT_FLOP_PER_S},
	{"device.busy_share", "Device busy", "busy time / profiled window", "", 0.3658, TP_UNIT_SHARE},
	{"device.idle_share", "Device idle", "1 − busy share", "", 0.0000056, TP_UNIT_SHARE},
	{"memory.peak_bytes", "Memory peak", "largest sum of live buffers", "", 3446707814.0,
		TP_UNIT_BYTES},
	{"data.coverage_share", "Coverage", "steps used / steps seen", "", 1, TP_UNIT_SHARE},
};

static void
add_metrics(struct tp_doc *doc)
{
	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
		tp_doc_metric(doc, tp_slice_of(metrics[i].id), metrics[i].label,
			tp_number(metrics[i].number, metrics[i].unit), tp_slice_of(metrics[i].how),
			tp_slice_of(metrics[i].coverage));
	tp_doc_metric(
		doc, TP_S("step.count"), "Steps", tp_count(60), TP_S("steps in the statistics"), TP_S(""));
	tp_doc_metric(doc, TP_S("device.total_ps"), "Profiled window",
		tp_integer(363729698768750, TP_UNIT_PS), TP_S(""), TP_S(""));
	tp_doc_metric(doc, TP_S("run.started"), "Capture start",
		tp_integer(1795228901000000000, TP_UNIT_UNIX_NS), TP_S(""), TP_S(""));
	tp_doc_metric(doc, TP_S("run.device_type"), "Device type",
		tp_text_value(TP_S("TPU v3 \"<core>\" & more")), TP_S("as the profile names it"), TP_S(""));
	tp_doc_metric(doc, TP_S("step.class.collective_ms"), "Exposed communication",
		tp_missing(TP_S("no collective operation in this profile; capture more than one device")),
		TP_S("mean over cores, then over steps"), TP_S(""));
	tp_doc_metric(doc, TP_S("step.time.mean_ms@host=host%402"), "Step time, mean",
		tp_number(130.25, TP_UNIT_MS), TP_S("sum of step times / steps"), TP_S("60 of 60 steps"));
}

/* A plain linear congruential sequence in 0…1: the same on every machine. */
static double
noise(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) / 16777216.0;
}

/* Drawing order. */
static const struct {
	const char *key, *label;
	enum tp_hue hue;
	double mean_ms;
} classes[SAMPLE_CLASSES] = {
	{"compute", "Compute", TP_HUE_COMPUTE, 33.4},
	{"device_to_device", "Memory, copy", TP_HUE_MEMORY, 3.1},
	{"collective", "Collectives", TP_HUE_COLLECTIVE, 8.7},
	{"output", "Output", TP_HUE_OUTPUT, 0.6},
	{"launch", "Host, launch", TP_HUE_HOST, 1.1},
	{"compile", "Compile", TP_HUE_COMPILE, 0.06},
	{"idle", "Idle", TP_HUE_IDLE, 1.8},
	{"input_wait", "Input wait", TP_HUE_INPUT, 79.54},
};

const double *
sample_class_ms(struct tp_doc *doc, int class_index)
{
	double *values = tp_new_array(doc->arena, double, SAMPLE_STEPS);
	unsigned seed = 17 + (unsigned)class_index;

	for (int i = 0; i < SAMPLE_STEPS; i++) {
		values[i] = classes[class_index].mean_ms * (0.95 + 0.1 * noise(&seed));
		if (i == 31 && classes[class_index].hue == TP_HUE_INPUT)
			values[i] += 68;
	}
	return values;
}

const double *
sample_step_ms(struct tp_doc *doc)
{
	double *sum = tp_new_array(doc->arena, double, SAMPLE_STEPS);

	for (int c = 0; c < SAMPLE_CLASSES; c++) {
		const double *part = sample_class_ms(doc, c);

		for (int i = 0; i < SAMPLE_STEPS; i++)
			sum[i] += part[i];
	}
	return sum;
}

static void
add_items(struct tp_doc *doc, struct tp_block *parent, enum tp_paragraph_role role, const char *id,
	const struct tp_text *items, size_t count)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_PARAGRAPH, tp_slice_of(id));
	struct tp_text *copy = tp_new_array(doc->arena, struct tp_text, count);

	memcpy(copy, items, count * sizeof *copy);
	block->paragraph = (struct tp_paragraph){.role = role, .items = copy, .count = count};
}
#define ADD_ITEMS(doc, parent, role, id, items)                                                    \
	add_items((doc), (parent), (role), (id), (items), sizeof(items) / sizeof *(items))

static void
add_verdict(struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_text run[] = {
		TP_SAY0(doc, "*resnet50-imagenet*"),
		TP_SAY0(doc, "run 2026_11_21_02_41_41"),
		TP_SAY(doc, "{} hosts × {} {run.device_type}", tp_count(4), tp_count(8)),
		TP_SAY(doc, "{}",
			tp_text_value(TP_S("TensorFlow <script>alert(1)</script> ]]> 'quoted' & \"quoted\""))),
		TP_SAY(doc, "steps {}–{}", tp_count(4200), tp_count(4259)),
	};
	const struct tp_text quality[] = {
		tp_doc_judged(doc, TP_JUDGE_GOOD,
			TP_SAY(doc, "{}/{} steps on {}/{} hosts", tp_count(60), tp_count(60), tp_count(4),
				tp_count(4))),
		TP_SAY(doc, "{} dropped events", tp_count(0)),
		TP_SAY0(doc, "steps from markers"),
		tp_doc_judged(doc, TP_JUDGE_WARN, TP_SAY0(doc, "one host file cut off")),
		TP_SAY(doc, "[{} notes](#method)", tp_count(2)),
	};

	ADD_ITEMS(doc, summary, TP_PARAGRAPH_RUN_LINE, "summary/run", run);
	tp_doc_add(doc, summary, TP_BLOCK_VERDICT, TP_S("verdict"))->verdict = (struct tp_verdict){
		.judge = TP_JUDGE_BAD,
		.name = TP_SAY0(doc, "Input-bound (high):"),
		.saw = TP_SAY0(doc, "{input.wait_share} of step time is spent waiting for input;"),
		.consequence = TP_SAY(
			doc, "hiding it would make steps at most {} faster.", tp_number(2.63, TP_UNIT_TIMES)),
	};
	tp_doc_paragraph(doc, summary, TP_PARAGRAPH_BECAUSE, "summary/because",
		TP_SAY(doc,
			"Because a batch takes the host {step.time.p50_ms} and the device {}. Therefore *speed "
			"up the "
			"input pipeline first*; until then faster device work saves nothing.",
			tp_number(48.71, TP_UNIT_MS)));
	ADD_ITEMS(doc, summary, TP_PARAGRAPH_QUALITY, "summary/quality", quality);
}

static void
add_tiles(struct tp_doc *doc, struct tp_block *summary)
{
	const double *steps = sample_step_ms(doc);
	struct tp_tile *tiles = tp_new_array(doc->arena, struct tp_tile, 6);

	tiles[0] = (struct tp_tile){.id = TP_S("tile/step-time"),
		.label = TP_S("Step time"),
		.metric = TP_S("step.time.p50_ms"),
		.qualifier = TP_S("median"),
		.note = {TP_SAY0(doc, "p95 {step.time.p95_ms} · mean {step.time.mean_ms}"),
			TP_SAY(doc, "slowest {step.time.max_ms}, step {}", tp_count(4231))},
		.spark = steps,
		.spark_count = SAMPLE_STEPS};
	tiles[1] = (struct tp_tile){.id = TP_S("tile/throughput"),
		.label = TP_S("Throughput"),
		.metric = TP_S("throughput.examples_per_s"),
		.qualifier = TP_S("examples/s"),
		.note = {TP_SAY(doc, "global batch {}", tp_count(512)),
			TP_SAY0(doc, "16 per core × 32 cores")},
		.spark = steps,
		.spark_count = SAMPLE_STEPS};
	tiles[2] = (struct tp_tile){.id = TP_S("tile/flops"),
		.label = TP_S("Matrix-unit use"),
		.metric = TP_S("flops.utilization_share"),
		.judge = TP_JUDGE_BAD,
		.note = {TP_SAY0(doc, "low · of {flops.peak_per_s}"),
			TP_SAY(doc, "{} while computing", tp_number(0.191, TP_UNIT_SHARE))}};
	tiles[3] = (struct tp_tile){.id = TP_S("tile/busy"),
		.label = TP_S("Device busy"),
		.metric = TP_S("device.busy_share"),
		.judge = TP_JUDGE_WARN,
		.note = {TP_SAY0(doc, "watch · waits {input.wait_share}"),
			TP_SAY0(doc, "idle besides {device.idle_share}")},
		.spark = steps,
		.spark_count = SAMPLE_STEPS};
	tiles[4] = (struct tp_tile){.id = TP_S("tile/memory"),
		.label = TP_S("Memory peak"),
		.metric = TP_S("memory.peak_bytes"),
		.judge = TP_JUDGE_GOOD,
		.note = {TP_SAY(doc, "fits · {} of {}", tp_number(0.201, TP_UNIT_SHARE),
					 tp_number(16, TP_UNIT_GIB)),
			TP_SAY(doc, "{} of it is padding", tp_number(1.83, TP_UNIT_GIB))},
		.spark = steps,
		.spark_count = 20};
	tiles[5] = (struct tp_tile){.id = TP_S("tile/communication"),
		.label = TP_S("Exposed communication"),
		.metric = TP_S("step.class.collective_ms"),
		.judge = TP_JUDGE_ABSENT,
		.note = {TP_SAY0(doc, "no collective seen"), TP_SAY0(doc, "capture several devices")}};
	for (int i = 0; i < 6; i++)
		tiles[i].value = tp_doc_find_metric(doc, tiles[i].metric)->value;
	tp_doc_add(doc, summary, TP_BLOCK_TILES, TP_S("tiles"))->tiles = (struct tp_tiles){tiles, 6};
}

static struct tp_chart
class_chart(struct tp_doc *doc, enum tp_chart_kind kind, size_t points)
{
	struct tp_series *series = tp_new_array(doc->arena, struct tp_series, SAMPLE_CLASSES);
	struct tp_slice *labels = tp_new_array(doc->arena, struct tp_slice, points);

	for (int c = 0; c < SAMPLE_CLASSES; c++)
		series[c] = (struct tp_series){
			.key = tp_slice_of(classes[c].key),
			.label = tp_slice_of(classes[c].label),
			.hue = classes[c].hue,
			.values = points == 1 ? &classes[c].mean_ms : sample_class_ms(doc, c),
		};
	for (size_t i = 0; i < points; i++)
		labels[i] = points == 1 ? TP_S("mean step") : tp_arena_printf(doc->arena, "4,%zu", 200 + i);
	return (struct tp_chart){.kind = kind,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = SAMPLE_CLASSES,
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX};
}

static void
add_where(struct tp_doc *doc, struct tp_block *summary)
{
	struct tp_block *where =
		tp_doc_section(doc, summary, TP_SECTION_SUB, "where", "Where a step goes");
	static const struct tp_rule rules[] = {{TP_S("p50"), 126.3}, {TP_S("p95"), 140.9}};

	where->section.aside = TP_SAY0(doc, "mean of 60 steps × 32 cores = *{step.time.mean_ms}*");
	struct tp_chart *stack = &tp_doc_add(doc, where, TP_BLOCK_CHART, TP_S("where/parts"))->chart;

	*stack = class_chart(doc, TP_CHART_STACK, 1);
	stack->alt =
		TP_S("Parts of the mean step: input wait 79.5 ms, compute 33.4 ms, collectives 8.7 ms");
	stack->legend = true;
	struct tp_chart *strip = &tp_doc_add(doc, where, TP_BLOCK_CHART, TP_S("where/steps"))->chart;

	*strip = class_chart(doc, TP_CHART_STRIP, SAMPLE_STEPS);
	strip->alt = TP_S("Time of each of 60 steps by class; step 4,231 is the slowest");
	strip->rules = rules;
	strip->rule_count = 2;
	strip->marked = 31;
	bool *open = tp_new_array(doc->arena, bool, SAMPLE_STEPS);

	open[SAMPLE_STEPS - 1] = true;
	strip->open = open;
}

void
sample_summary(struct tp_doc *doc)
{
	struct tp_block *summary = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	add_verdict(doc, summary);
	add_tiles(doc, summary);
	add_where(doc, summary);
}

struct tp_doc *
sample_doc(struct tp_arena *arena)
{
	struct tp_doc *doc = tp_doc_new(arena);

	doc->title = TP_S("resnet50-imagenet · 2026_11_21_02_41_41");
	doc->name = TP_S("resnet50-imagenet");
	doc->run = TP_S("2026_11_21_02_41_41");
	doc->description = TP_S("Input-bound (high): 62.0 % of step time is spent waiting for input");
	doc->version = TP_S("0.0-sample");
	doc->made_unix_s = 1795228901;
	add_metrics(doc);
	sample_summary(doc);
	sample_findings(doc);
	sample_tables(doc);
	return doc;
}
