/* Runs, workers and spans, or hosts: a table that tells them apart, and a view of each to choose. */
#include "analyze/page/views.h"
#include "analyze/core/pass.h"
#include "analyze/page/passes.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/texts.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"
#include "report/excerpt.h"

enum { MOST_SHOWN = 10 };

/* What of a report a view shows. */
enum { OVERVIEW, ROLES, GPUS, OPERATORS, KERNELS, MEMORY, DISTRIBUTED, PARTS };

static const struct tp_excerpt_part parts[PARTS] = {
	[OVERVIEW] = {"overview", "Overview",
		TP_TEXTS("summary/tiles", "summary/step/classes", "steps/strip", "steps/classes")},
	[ROLES] = {"roles", "Steps by role", TP_TEXTS("steps/roles/mean")},
	[GPUS] = {"gpus", "GPUs", TP_TEXTS("gpus/table")},
	[OPERATORS] = {"operators", "Operators",
		TP_TEXTS("operators/device-self", "?operators/host-self", "operators/list")},
	[KERNELS] = {"kernels", "Kernels", TP_TEXTS("kernels/top", "kernels/by-name")},
	[MEMORY] = {"memory", "Memory", TP_TEXTS("torch-memory/devices", "torch-memory/of/*/curve")},
	[DISTRIBUTED] = {"distributed", "Distributed",
		TP_TEXTS("distributed/overlap", "distributed/workers", "distributed/operations")},
};

/* Of a host, what a report of XLA has instead. */
static const struct tp_excerpt_part host_parts[] = {
	{"overview", "Overview",
		TP_TEXTS("summary/tiles", "summary/step/classes", "steps/strip", "steps/classes")},
	{"operations", "Operations", TP_TEXTS("operations/categories", "operations/top")},
	{"kernels", "Kernels", TP_TEXTS("kernels/top", "kernels/list")},
	{"input", "Input pipeline", TP_TEXTS("input-pipeline/strip", "input-pipeline/classes")},
	{"memory", "Memory", TP_TEXTS("memory/programs", "memory-over-time/allocators")},
	{"devices", "Devices", TP_TEXTS("distributed/strip", "distributed/cores", "devices/table")},
};
enum { HOST_PARTS = sizeof host_parts / sizeof *host_parts };

static const char *const without_curve[] = {"torch-memory/devices", NULL};

/* What takes other workers to know is shown as the whole run's report knows it. */
static const char *const without_others[] = {"distributed/overlap", NULL};

struct tp_view
tp_view_named(struct tp_arena *arena, struct tp_slice title, struct tp_scope scope)
{
	struct tp_slice *names[] = {&scope.run, &scope.host, &scope.worker, &scope.span};
	struct tp_view view = {.title = tp_utf8_clean(arena, title)};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i]->ptr != NULL)
			*names[i] = tp_utf8_clean(arena, *names[i]);
	}
	view.scope = scope;
	view.id =
		tp_doc_id(tp_doc_new(arena), "views", tp_slice_from(tp_scope_id(arena, "", scope), 1));
	return view;
}

void
tp_view_take(struct tp_view *view, const struct tp_doc *doc, struct tp_arena *arena)
{
	static const char *const nothing[] = {NULL};
	struct tp_excerpt_part chosen[PARTS];
	struct tp_excerpt e = {
		.from = doc,
		.parts = chosen,
		.part_count = PARTS,
		.prefix = view->id,
		.scope = view->scope,
		.no_charts = view->size == TP_VIEW_SMALL,
		.most_rows = MOST_SHOWN,
	};

	if (view->scope.host.ptr != NULL) {
		e.parts = host_parts;
		e.part_count = HOST_PARTS;
	}
	memcpy(chosen, parts, sizeof parts);
	if (view->size != TP_VIEW_WHOLE)
		chosen[MEMORY].blocks = without_curve;
	if (view->size == TP_VIEW_SMALL)
		chosen[ROLES].blocks = nothing;
	if (view->scope.run.ptr == NULL)
		chosen[DISTRIBUTED].blocks = without_others;
	view->excerpt = tp_excerpt_take(&e, arena);
	view->excerpt->description = tp_arena_copy(arena, doc->description);
}

static const char how[] =
	"Everything outside this section covers all workers and spans of one run: the newest in the "
	"log directory by the times in its traces (baseTimeNanoseconds and the first event), else by "
	"folder name, else by file modification time. Each choice is analysed separately, as with "
	"--worker, --span and --run, and shows the first rows of each table, memory over time for up "
	"to 8 choices, charts for up to 24; those options give a full report with findings. Figures "
	"that need several workers, transfer and waiting in collectives, are those of the whole run. "
	"Times of a choice, as of its memory peak, count from its own first event. The metric ids of a "
	"choice are the usual ids with the choice appended: step.time.mean_ms@worker=rank0.";

static const char how_hosts[] =
	"The report covers all hosts of the run; the HTML page shows each by itself, too, over its own "
	"devices and steps, with the first rows of each table. --host NAME gives a report of one with "
	"all rows, findings and every step. Metric ids then have the host appended: "
	"step.time.mean_ms@host=NAME. Figures of the table of hosts are over the steps that all hosts "
	"have. Up to 16 hosts can be chosen, where all files together have at most 64 MiB.";

static bool
is_host_of(const struct tp_profile *p, struct tp_slice name)
{
	uint32_t h = 0;

	while (h < p->host_count && !tp_slice_eq(p->hosts[h].name, name))
		h++;
	return h < p->host_count;
}

/* A file may be a copy of another, which the run does not count: then it is no host of it. */
static void
keep_hosts(const struct tp_profile *p, struct tp_views *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->count; i++) {
		if (is_host_of(p, v->views[i].scope.host))
			v->views[kept++] = v->views[i];
	}
	v->count = kept > 1 ? kept : 0;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_views *v = ctx->options->views;

	*result = v;
	if (v != NULL && v->of_hosts)
		keep_hosts(ctx->profile, v);
	if (v == NULL || v->count == 0)
		return tp_fail(
			err, TP_ABSENT, "one run, one host, one worker, one span: nothing to choose");
	return TP_OK;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_views *v = result;

	(void)ctx;
	for (size_t i = 0; v != NULL && i < v->count; i++) {
		if (v->views[i].excerpt != NULL)
			tp_excerpt_metrics(doc, v->views[i].excerpt);
	}
}

static const struct tp_column columns[] = {
	TP_COLUMN("shown", "Choice", .code = true, TP_TEXT_FIELD(struct tp_view, title)),
	TP_COUNT_COLUMN("steps", "Steps"),
	TP_COLUMN("step_ms", "Mean step", .unit = TP_UNIT_MS, .decimals = 2),
	TP_SHARE_COLUMN("input_share", "Waiting for input"),
	TP_SHARE_COLUMN("gpu_share", "GPU utilisation"),
	TP_COLUMN("communication_us", "Exposed communication", .unit = TP_UNIT_US, .decimals = 0),
	TP_BYTES_COLUMN("memory_bytes", "Memory peak"),
	TP_COLUMN("operator", "Longest operator", .code = true),
};

/* Of each column but the first. */
static const char *const ids[] = {"step.count", "step.time.mean_ms", "input.wait_share",
	"torch.gpu.utilization_share", "torch.comm.communication_us", "torch.memory.peak_bytes",
	"torch.op.top.name"};
enum { FIGURES = sizeof ids / sizeof *ids };
struct cells {
	struct tp_cell choice, figures[FIGURES];
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static void
fill_row(struct tp_doc *doc, struct cells *cells, const struct tp_scope *scope, struct tp_slice why)
{
	for (size_t i = 0; i < FIGURES; i++) {
		struct tp_slice id = tp_scope_id(doc->arena, ids[i], *scope);
		const struct tp_metric *m = tp_doc_find_metric(doc, id);

		cells->figures[i].value = m != NULL ? m->value : tp_missing(why);
		cells->figures[i].metric = m != NULL ? id : TP_S("");
	}
}

static void
put_row(struct tp_doc *doc, struct tp_draft *draft, const struct tp_view *view)
{
	struct cells *cells = tp_draft_row_of(draft, view->title, TP_ROW_NORMAL, 0, view);

	if (view->excerpt != NULL)
		cells->choice.href = tp_arena_printf(doc->arena, "#%.*s", TP_ARG(view->id));
	fill_row(doc, cells, &view->scope,
		view->excerpt != NULL ? TP_S("its traces do not give it") : view->why);
}

static struct tp_slice
whole(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;

	return tp_arena_printf(ctx->keep, "all of run %.*s", TP_ARG(p->run));
}

static void
table(const struct tp_pass_ctx *ctx, const struct tp_views *v, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_view all = {.title = whole(ctx)};
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "views/list", columns);
	struct cells *cells = tp_draft_row_of(&draft, all.title, TP_ROW_TOTAL, 0, &all);
	size_t shown = ctx->options->top == SIZE_MAX ? SIZE_MAX : ctx->options->top + 1;

	cells->choice.href = TP_S("#summary");
	fill_row(doc, cells, &(struct tp_scope){0}, TP_S("the traces do not give it"));
	for (size_t i = 0; i < v->count; i++)
		put_row(doc, &draft, &v->views[i]);
	tp_draft_finish(&draft, shown)->caption =
		TP_S("What this report covers, and what can be chosen instead");
}

/* First columns of tables by worker and span. */
enum { WORKER, SPAN };

/* Whether a row of such a table is about this view's. */
static bool
is_of_view(const struct tp_row *row, const struct tp_view *view)
{
	const struct tp_scope *s = &view->scope;

	return (s->worker.ptr == NULL || tp_slice_eq(row->cells[WORKER].value.text, s->worker)) &&
		(s->span.ptr == NULL || tp_slice_eq(row->cells[SPAN].value.text, s->span));
}

/* The rows of a table of the whole run that are about this view. */
static void
rows_of_view(struct tp_doc *doc, const struct tp_view *view, const struct tp_block *all,
	struct tp_block *section)
{
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_TABLE,
		tp_arena_printf(doc->arena, "%.*s/%.*s", TP_ARG(view->id), TP_ARG(all->id)));
	struct tp_row *rows = tp_new_array(doc->arena, struct tp_row, all->table.row_count);
	struct tp_table *t = &block->table;

	*t = all->table;
	t->row_count = 0;
	t->rows = rows;
	for (size_t i = 0; i < all->table.row_count; i++) {
		const struct tp_row *row = &all->table.rows[i];

		if (!is_of_view(row, view))
			continue;
		rows[t->row_count] = *row;
		rows[t->row_count++].id =
			tp_arena_printf(doc->arena, "%.*s/%.*s", TP_ARG(view->id), TP_ARG(row->id));
	}
	t->shown = t->row_count < MOST_SHOWN ? t->row_count : MOST_SHOWN;
}

static const struct tp_block *
block_in(const struct tp_block *section, const char *id)
{
	const struct tp_block *b = section != NULL ? section->section.first : NULL;

	while (b != NULL && !tp_slice_eq(b->id, tp_slice_of(id)))
		b = b->next;
	return b;
}

/* What takes the other workers to know, as the report of all of them has it. */
static void
add_shared(struct tp_doc *doc, const struct tp_view *view, struct tp_block *block)
{
	static const struct {
		const char *section, *table;
	} tables[] = {
		{"distributed", "distributed/workers"},
		{"distributed/operations-by-worker", "distributed/worker-operations"},
	};
	struct tp_slice id = tp_arena_printf(doc->arena, "%.*s/distributed", TP_ARG(view->id));
	struct tp_block *part = tp_doc_find_section(doc, id.ptr);
	size_t count = view->size == TP_VIEW_SMALL ? 1 : sizeof tables / sizeof *tables;

	for (size_t i = 0; i < count; i++) {
		const struct tp_block *all =
			block_in(tp_doc_find_section(doc, tables[i].section), tables[i].table);

		if (all == NULL)
			continue;
		if (part == NULL)
			part = tp_doc_section(doc, block, TP_SECTION_SUB, id.ptr, "Distributed");
		rows_of_view(doc, view, all, part);
	}
}

static void
present_view(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct tp_view *view)
{
	struct tp_block *block =
		tp_doc_section(doc, section, TP_SECTION_VIEW, view->id.ptr, view->title.ptr);

	block->section.off_paper = true;
	block->section.answer =
		TP_SAY(doc, "Separately: {}", tp_text_value(view->excerpt->description));
	block->section.so_what =
		TP_SAY(doc, "The report's headline covers {}.", tp_text_value(whole(ctx)));
	if (view->partial)
		tp_doc_paragraph(doc, block, TP_PARAGRAPH_SMALL,
			tp_arena_printf(doc->arena, "%.*s/partial", TP_ARG(view->id)).ptr,
			TP_SAY0(doc, "Not all of its files could be used; a separate report says why."));
	tp_excerpt_blocks(doc, block, view->excerpt);
	if (view->scope.run.ptr == NULL && view->scope.host.ptr == NULL)
		add_shared(doc, view, block);
}

static void
say_left_out(struct tp_doc *doc, struct tp_block *section, const struct tp_views *v)
{
	if (v->left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "views/left-out",
			TP_SAY(doc,
				v->of_hosts
					? "{} more are left out to keep the page small: --host NAME reports on each."
					: "{} more are left out to keep the page small: --worker NAME, --span N and "
					  "--run NAME report on each.",
				tp_count(v->left_out)));
}

static struct tp_value
counted(const struct tp_pass_ctx *ctx, const struct tp_views *v)
{
	return tp_say_number(ctx, v->count, "choice", "choices");
}

/* Hosts stand in the section that compares them, which has the table of their figures. */
static struct tp_block *
section_of_hosts(struct tp_doc *doc)
{
	struct tp_block *distributed = tp_doc_find_section(doc, "distributed");

	return distributed != NULL ? distributed : tp_doc_find_section(doc, "hosts");
}

static struct tp_block *
section_of_choices(const struct tp_pass_ctx *ctx, const struct tp_views *v, struct tp_doc *doc)
{
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "views", "Runs, workers and spans");

	section->section.key_figure = counted(ctx, v);
	section->section.answer = TP_SAY(doc, "This report covers {}.", tp_text_value(whole(ctx)));
	section->section.so_what = TP_SAY(doc, "{}, one per row, in the HTML page.",
		tp_say_number(ctx, v->count, "other view", "other views"));
	table(ctx, v, doc, section);
	return section;
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_views *v = result;
	struct tp_block *section =
		v->of_hosts ? section_of_hosts(doc) : section_of_choices(ctx, v, doc);

	say_left_out(doc, section, v);
	tp_say_how(ctx, doc, section, "views/how", v->of_hosts ? how_hosts : how);
	for (size_t i = 0; i < v->count; i++) {
		if (v->views[i].excerpt != NULL)
			present_view(ctx, doc, section, &v->views[i]);
	}
}

const struct tp_pass tp_pass_views = {
	.name = "views",
	.title = "Runs, workers and spans",
	.summary = "one host, worker or span, or another run of the log directory, to choose",
	.place = TP_PLACE_VIEWS,
	.analyze = analyze,
	.metrics = metrics,
	.present = present,
	.lacks_nothing = "a run with one host, worker and span has nothing to choose",
};
