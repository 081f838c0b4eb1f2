/* The sample document's sections after the findings: long, tree and text tables, bars, notices, folds, hostile names. */
#include "sample_doc.h"

#include "base/arena.h"
#include "report/doc.h"

static struct tp_table *
add_table(struct tp_doc *doc, struct tp_block *parent, const char *id,
	const struct tp_column *columns, size_t column_count)
{
	struct tp_table *t = &tp_doc_add(doc, parent, TP_BLOCK_TABLE, tp_slice_of(id))->table;

	t->columns = columns;
	t->column_count = column_count;
	return t;
}
#define ADD_TABLE(doc, parent, id, columns)                                                        \
	add_table((doc), (parent), (id), (columns), sizeof(columns) / sizeof *(columns))

static void
add_steps(struct tp_doc *doc)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("step"), .title = TP_S("Step")},
		{.key = TP_S("total_ms"), .title = TP_S("Time"), .unit = TP_UNIT_MS, .decimals = 1},
		{.key = TP_S("input_wait_ms"),
			.title = TP_S("Input wait"),
			.unit = TP_UNIT_MS,
			.decimals = 1},
		{.key = TP_S("input_wait_share"),
			.title = TP_S("Share"),
			.unit = TP_UNIT_SHARE,
			.decimals = 1,
			.bar = true},
	};
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "steps", "Steps");
	const double *total = sample_step_ms(doc), *wait = sample_class_ms(doc, 7);

	section->section.key_figure = tp_doc_find_metric(doc, TP_S("step.time.p50_ms"))->value;
	section->section.answer =
		TP_SAY0(doc, "A step takes {step.time.p50_ms}, and only one takes much longer.");
	section->section.aside = TP_SAY(doc, "{} steps", tp_count(60));
	struct tp_table *t = ADD_TABLE(doc, section, "steps/all", columns);
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, SAMPLE_STEPS + 1);

	for (int i = 0; i <= SAMPLE_STEPS; i++) {
		struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, 4);
		bool last = i == SAMPLE_STEPS;

		cells[0].value = last ? tp_text_value(TP_S("Mean")) : tp_count(4200 + (uint64_t)i);
		cells[1].value = last ? tp_doc_find_metric(doc, TP_S("step.time.mean_ms"))->value
							  : tp_number(total[i], TP_UNIT_MS);
		cells[1].metric = last ? TP_S("step.time.mean_ms") : TP_S("");
		cells[2].value = last ? tp_number(79.54, TP_UNIT_MS) : tp_number(wait[i], TP_UNIT_MS);
		cells[3].value = last ? tp_number(0.6199482, TP_UNIT_SHARE)
							  : tp_share(wait[i], total[i], TP_S("no time"));
		cells[3].swatch = TP_HUE_INPUT;
		cells[3].judge = i == 31 ? TP_JUDGE_BAD : TP_JUDGE_NONE;
		rows[i] = (struct tp_row){.cells = cells,
			.role = last ? TP_ROW_TOTAL : TP_ROW_NORMAL,
			.id = last ? TP_S("steps/all/mean")
					   : tp_arena_printf(doc->arena, "steps/all/%d", 4200 + i)};
	}
	t->caption = TP_S("Every step of the profile; mean over 32 cores");
	t->rows = rows;
	t->row_count = SAMPLE_STEPS + 1;
	t->shown = 10;
	tp_doc_paragraph(doc,
		tp_doc_section(doc, section, TP_SECTION_FOLD, "steps/how", "How computed"),
		TP_PARAGRAPH_BODY, "steps/how/text",
		TP_SAY0(
			doc, "Each instant of a core's step counts once. _Priority: compute before copies._"));
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "steps/source",
		TP_SAY(doc, "From {} files, marker `{}`", tp_count(4), tp_text_value(TP_S("TrainStep"))));
}

/* 300 letters without a place to break. */
#define TEN "abcdefghi_"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const struct {
	int depth;
	enum tp_row_role role;
	const char *name;
	enum tp_hue hue;
	double ms, share, fit; /* negative: missing */
	uint64_t count;
} operations[] = {
	{0, TP_ROW_TOTAL, "All device operations", TP_HUE_NONE, 45.8, 1, .712, 1204},
	{1, TP_ROW_GROUP, "Convolution", TP_HUE_COMPUTE, 24.6, .537, .585, 53},
	{2, TP_ROW_NORMAL, "fusion.12", TP_HUE_COMPUTE, 5.9, .129, .047, 1},
	{2, TP_ROW_NORMAL, "fusion.871", TP_HUE_COMPUTE, 4.8, .105, .047, 1},
	{3, TP_ROW_NORMAL, "convolution.88", TP_HUE_COMPUTE, 4.7, .1026, -1, 1},
	{2, TP_ROW_NORMAL, "<script>alert(1)</script>", TP_HUE_COMPUTE, 1.3, .028, .5, 3},
	{2, TP_ROW_NORMAL, "a \"quoted\" 'name' & more ]]> <!-- --> </td>", TP_HUE_COMPUTE, 1.2, .026,
		1, 4},
	{1, TP_ROW_GROUP, "Hostile names", TP_HUE_MEMORY, 3.1, .068, .76, 214},
	{2, TP_ROW_NORMAL, "right\u202eto left", TP_HUE_MEMORY, 1.1, .024, .76, 7},
	{2, TP_ROW_NORMAL, "not utf8 \ufffd\ufffd once", TP_HUE_OUTPUT, .02, .0004, -1, 8},
	{2, TP_ROW_NORMAL, HUNDRED HUNDRED HUNDRED, TP_HUE_HOST, .00004, .0000009, -1, 9},
	{2, TP_ROW_NORMAL, "{} *not* _markup_ `at` [all](#x) \\", TP_HUE_COMPILE, 0, 0, -1, 0},
	{2, TP_ROW_NORMAL, "line\nbreak, tab\tand bell\a \x7f \u2066", TP_HUE_COMPILE, .3, .0065, -1,
		2},
	{1, TP_ROW_GROUP, "All-reduce", TP_HUE_COLLECTIVE, 8.7, .19, -1, 2},
	{1, TP_ROW_GROUP, "Idle", TP_HUE_IDLE, 1.8, .039, -1, 515},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static struct tp_row
operation_row(struct tp_doc *doc, int i)
{
	struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, 5);
	const char *parent = operations[i].depth < 2 ? "operations"
		: i < 7                                  ? "operations/convolution"
												 : "operations/hostile";
	double fit = operations[i].fit;

	cells[0] = (struct tp_cell){
		.value = tp_text_value(tp_slice_of(operations[i].name)), .swatch = operations[i].hue};
	if (i == 1)
		cells[0].href = TP_S("#steps");
	cells[1].value = tp_number(operations[i].ms, TP_UNIT_MS);
	cells[2] = (struct tp_cell){
		.value = tp_number(operations[i].share, TP_UNIT_SHARE), .swatch = operations[i].hue};
	cells[3].value =
		fit < 0 ? tp_missing(TP_S("not a tiled operation")) : tp_number(fit, TP_UNIT_SHARE);
	if (fit >= 0)
		cells[3].judge = fit < .1 ? TP_JUDGE_BAD : fit < .6 ? TP_JUDGE_WARN : TP_JUDGE_GOOD;
	cells[4].value = tp_count(operations[i].count);
	return (struct tp_row){.id = tp_doc_id(doc, parent, tp_slice_of(operations[i].name)),
		.role = operations[i].role,
		.depth = operations[i].depth,
		.cells = cells};
}

static void
add_bars(struct tp_doc *doc, struct tp_block *section)
{
	static const double ms[] = {5.9, 4.8, 1.3, 1.2, 0.02};
	static const struct tp_series series[] = {{.key = TP_S("self_ms"),
		.label = TP_S("Self time"),
		.hue = TP_HUE_COMPUTE,
		.tint = 1,
		.values = ms}};
	static const struct tp_slice labels[] = {TP_S("fusion.12"), TP_S("fusion.871"),
		TP_S("<script>alert(1)</script>"), TP_S(HUNDRED), TP_S("right\u202eto left")};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/longest"))->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = TP_S("The five longest operations; fusion.12 & fusion.871 lead with 5.9 and 4.8 ms"),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = 5,
		.marked = SIZE_MAX,
	};
}

static void
add_tile(struct tp_doc *doc, struct tp_block *section)
{
	static const double data[] = {16, 3}, padding[] = {112, 5};
	static const struct tp_series series[] = {
		{.key = TP_S("data"), .label = TP_S("Data"), .hue = TP_HUE_COMPUTE, .values = data},
		{.key = TP_S("padding"), .label = TP_S("Padding"), .hue = TP_HUE_IDLE, .values = padding}};
	static const struct tp_slice labels[] = {TP_S("batch & more"), TP_S("<b>input feature</b>")};

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("operations/tile"))->chart = (struct tp_chart){
		.kind = TP_CHART_TILE,
		.alt = TP_S("16 of 128 lanes and 3 of 8 sublanes hold data"),
		.unit = TP_UNIT_COUNT,
		.series = series,
		.series_count = 2,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

static void
add_operations(struct tp_doc *doc)
{
	static const struct tp_column columns[] = {
		{.key = TP_S("operation"), .title = TP_S("Operation"), .code = true},
		{.key = TP_S("self_ms"),
			.title = TP_S("Time"),
			.unit = TP_UNIT_MS,
			.decimals = 1,
			.sorted = true},
		{.key = TP_S("share"),
			.title = TP_S("Share"),
			.unit = TP_UNIT_SHARE,
			.decimals = 1,
			.bar = true},
		{.key = TP_S("fit_share"),
			.title = TP_S("Padding fit"),
			.unit = TP_UNIT_SHARE,
			.decimals = 1},
		{.key = TP_S("count"), .title = TP_S("Count"), .unit = TP_UNIT_COUNT},
	};
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", "Operations");

	section->section.key_figure = tp_text_value(TP_S("25.2 ms wasted"));
	section->section.judge = TP_JUDGE_WARN;
	section->section.answer = TP_SAY(doc,
		"{} of {} device op time is wasted, and [{}](#operations/convolution/{}) wastes the most.",
		tp_number(25.2, TP_UNIT_MS), tp_number(45.8, TP_UNIT_MS), tp_text_value(TP_S("fusion.12")),
		tp_text_value(TP_S("fusion.12")));
	section->section.so_what = TP_SAY0(doc, "It is 95 % padding.");
	add_bars(doc, section);
	add_tile(doc, section);
	sample_roofline(doc, section);
	sample_grid(doc, section);
	sample_curves(doc, section);
	struct tp_table *t = ADD_TABLE(doc, section, "operations/tree", columns);
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, OPERATIONS);

	for (int i = 0; i < OPERATIONS; i++)
		rows[i] = operation_row(doc, i);
	t->caption = TP_S("Operations by category, mean a step and core");
	t->rows = rows;
	t->row_count = OPERATIONS;
	t->shown = OPERATIONS;
	t->tree = true;
}

static void
add_memory(struct tp_doc *doc)
{
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "memory", "Memory");

	section->section.key_figure = tp_doc_find_metric(doc, TP_S("memory.peak_bytes"))->value;
	section->section.judge = TP_JUDGE_GOOD;
	section->section.answer = TP_SAY0(doc, "The peak is {memory.peak_bytes}.");
	tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("memory/absent"))->notice =
		(struct tp_notice){TP_JUDGE_ABSENT,
			TP_SAY0(doc,
				"No HLO in this profile, so buffers are not known: capture with `--xla_dump`.")};
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "memory/small",
		TP_SAY0(doc, "Sizes are in units of 2\u00b3\u2070 bytes."));
	/* A quantity that nothing in the profile tells. */
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "memory/unknown",
		TP_SAY(doc, "Capacity: {}, bandwidth {} of {}, intensity {}.",
			tp_missing(TP_S("not in the profile")), tp_number(52.3, TP_UNIT_GB_PER_S),
			tp_number(450, TP_UNIT_GB_PER_S), tp_number(12.3, TP_UNIT_FLOP_PER_BYTE)));
}

static const struct {
	const char *id, *name, *value;
} environment[] = {
	{"environment/device", "Device", "TPU v3"},
	{"environment/framework", "Framework", "TensorFlow 2.9.1"},
	{"environment/command", "Command", "python3 train.py --data='gs://a b/*' & \"x\" <in >out"},
	{"environment/peak", "Peak", NULL},
};
enum { ENVIRONMENT = sizeof environment / sizeof *environment };

static void
add_environment(struct tp_doc *doc)
{
	static const struct tp_column columns[] = {{.key = TP_S("name"), .title = TP_S("Name")},
		{.key = TP_S("value"), .title = TP_S("Value"), .code = true}};
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MINOR, "environment", "Environment");
	struct tp_table *t = ADD_TABLE(doc, section, "environment/all", columns);
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, ENVIRONMENT);

	for (int i = 0; i < ENVIRONMENT; i++) {
		struct tp_cell *cells = tp_new_array(doc->arena, struct tp_cell, 2);

		cells[0].value = tp_text_value(tp_slice_of(environment[i].name));
		cells[1].value = environment[i].value ? tp_text_value(tp_slice_of(environment[i].value))
											  : tp_number(61.5e12, TP_UNIT_FLOP_PER_S);
		rows[i] = (struct tp_row){.id = tp_slice_of(environment[i].id), .cells = cells};
	}
	section->section.key_figure = tp_text_value(TP_S("v3-32"));
	t->caption = TP_S("What ran, as the profile tells it");
	t->rows = rows;
	t->row_count = ENVIRONMENT;
	t->shown = ENVIRONMENT;
	t->numbered = true;
}

static const struct {
	const char *id, *markup;
	enum tp_judge judge;
} notices[] = {
	{"method/bad", "`host3.xplane.pb` could not be read: the file ends at byte 4,096.",
		TP_JUDGE_BAD},
	{"method/warn", "One host's clock is _2.1 s_ ahead; its events were moved.", TP_JUDGE_WARN},
	{"method/good", "All other files are complete.", TP_JUDGE_GOOD},
	{"method/undecided", "Whether step 4,259 is complete is not known.", TP_JUDGE_UNDECIDED},
	{"method/plain", "Peaks are those of the profile.", TP_JUDGE_NONE},
};

static void
add_method(struct tp_doc *doc)
{
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MINOR, "method", "Method, data");

	section->section.key_figure = tp_text_value(TP_S("2 notes"));
	for (size_t i = 0; i < sizeof notices / sizeof *notices; i++)
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, tp_slice_of(notices[i].id))->notice =
			(struct tp_notice){notices[i].judge, tp_doc_say(doc, notices[i].markup, NULL, 0)};
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "method/assumptions", "Assumptions");

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "method/assumptions/text",
		TP_SAY0(doc, "A multiply-add counts as two operations; see [the tiles](#tiles)."));
}

static void
add_views(struct tp_doc *doc)
{
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "views", "Runs, workers and spans");
	struct tp_block *view =
		tp_doc_section(doc, section, TP_SECTION_VIEW, "views/worker=host1", "host1");

	section->section.answer = TP_SAY0(doc, "[host1](#views/worker=host1) can be chosen.");
	view->section.off_paper = true;
	view->section.answer = TP_SAY0(doc, "By itself: Input-bound.");
	tp_doc_paragraph(doc,
		tp_doc_section(doc, view, TP_SECTION_SUB, "views/worker=host1/overview", "Overview"),
		TP_PARAGRAPH_BODY, "views/worker=host1/text",
		TP_SAY0(doc, "A mean step takes {step.time.mean_ms}."));
}

void
sample_tables(struct tp_doc *doc)
{
	add_steps(doc);
	add_operations(doc);
	add_memory(doc);
	add_views(doc);
	sample_timeline(doc);
	add_environment(doc);
	add_method(doc);
}
