/* What the report says about memory: every program's peak, and the buffers at the peak of the largest. */
#include "analyze/memory/memory.h"

#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory_columns.h"
#include "analyze/memory/memory_words.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_DETAILED = 12, MOST_ON_PAPER = 2 };

/* Programs whose peak is smaller are in the table only. */
#define LEAST_DETAILED_BYTES (64 << 10)

/* Less is not worth a word. */
#define LEAST_PADDING 0.001

static uint64_t
padding_bytes(const struct tp_memory_space *s)
{
	return tp_memory_padding(s->peak_bytes, s->peak_unpadded_bytes);
}

static struct tp_value
padding_share(const struct tp_memory_space *s)
{
	return tp_share((double)s->peak_bytes - (double)s->peak_unpadded_bytes, (double)s->peak_bytes,
		TP_S(why_nothing_live));
}

/* "HBM", "VMEM", "GPU memory", "host memory", "memory space 7" */
static struct tp_slice
space_name(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m, int64_t space)
{
	static const char *const names[] = {
		[0] = "HBM", [1] = "VMEM", [2] = "SMEM", [5] = "host memory"};
	const struct tp_profile *p = ctx->profile;
	bool tpu = false, gpu = false;

	for (uint32_t i = 0; i < p->device_count; i++) {
		tpu |= p->devices[i].kind == TP_DEVICE_TPU;
		gpu |= p->devices[i].kind == TP_DEVICE_GPU;
	}
	/* A program on its own does not say where it ran. */
	tpu |= m->tiled && p->device_count == 0;
	if (tpu && space >= 0 && space < (int64_t)(sizeof names / sizeof *names) &&
		names[space] != NULL)
		return tp_slice_of(names[space]);
	if (space == TP_MEMORY_MAIN)
		return gpu                ? TP_S("GPU memory")
			: p->event_count != 0 ? TP_S("host memory")
								  : TP_S("main memory");
	return tp_arena_printf(ctx->keep, "memory space %lld", (long long)space);
}

/* What allocations of a kind take, where it is known. */
static struct tp_value
kind_value(const struct tp_memory_space *s, enum tp_buffer_kind kind)
{
	/* What may be live out is told, but parameters are among it. */
	if (s->precomputed && kind != TP_BUFFER_PARAMETER)
		return tp_missing(TP_S(why_not_separated));
	return tp_bytes(s->kind_bytes[kind]);
}

static void
program_row(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_draft *draft)
{
	const struct tp_program *p = &ctx->profile->programs[m->program];
	struct tp_slice id = tp_arena_printf(ctx->keep, "%llu", (unsigned long long)p->id);
	struct tp_slice space = space_name(ctx, m, s->space);
	const struct tp_precomputed_plan *plan = tp_memory_precomputed_plan(ctx, m->program);
	struct program_cells *cells = tp_draft_row_of(draft,
		tp_arena_printf(ctx->keep, "%.*s/%.*s/%.*s", TP_ARG(p->name), TP_ARG(id), TP_ARG(space)),
		TP_ROW_NORMAL, 0, s);

	cells->program.value = tp_text_value(p->name);
	cells->id.value =
		plan != NULL && !plan->has_id ? tp_missing(TP_S(why_no_id)) : tp_text_value(id);
	cells->space.value = tp_text_value(space);
	cells->padding.value = padding_share(s);
	cells->padding.swatch = TP_HUE_MEMORY;
	cells->position.value =
		s->event_count != 0 ? tp_count(s->peak_position) : tp_missing(TP_S(why_not_temporary));
	cells->parameters.value = kind_value(s, TP_BUFFER_PARAMETER);
	cells->outputs.value = kind_value(s, TP_BUFFER_OUTPUT);
	cells->temporaries.value = kind_value(s, TP_BUFFER_TEMPORARY);
	cells->constants.value = kind_value(s, TP_BUFFER_CONSTANT);
	cells->per_thread.value = kind_value(s, TP_BUFFER_THREAD_LOCAL);
	cells->scoped_vmem.value = s != &m->spaces[0] ? tp_missing(TP_S(why_of_program))
		: m->scoped_bytes != 0                    ? tp_bytes(m->scoped_bytes)
												  : tp_missing(TP_S(why_no_vmem));
}

/* Programs stand by peak; those far below the first, as that of a single scalar, stand back. */
#define LARGE_SHARE 0.001

static size_t
large_programs(const struct tp_memory *m)
{
	double largest = m->count != 0 ? (double)m->modules[0].spaces[0].peak_bytes : 0;
	size_t rows = 0, large = 0;

	for (size_t i = 0; i < m->count; i++) {
		for (size_t k = 0; k < m->modules[i].space_count; k++) {
			rows++;
			if ((double)m->modules[i].spaces[k].peak_bytes >= LARGE_SHARE * largest)
				large = rows;
		}
	}
	return rows == large + 1 ? rows : large; /* one row stands itself instead of "1 more" */
}

static void
programs(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "memory/programs", program_columns);

	for (size_t i = 0; i < m->count; i++) {
		for (size_t k = 0; k < m->modules[i].space_count; k++)
			program_row(ctx, &m->modules[i], &m->modules[i].spaces[k], &draft);
	}
	size_t shown = large_programs(m);
	struct tp_table *table =
		tp_draft_finish(&draft, shown < ctx->options->top ? shown : ctx->options->top);

	table->caption = TP_S(caption_programs);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct program_cells, scoped_vmem));
}

/* Programs of one name are told apart by their ids. */
static struct tp_slice
told_apart(const struct tp_pass_ctx *ctx, uint32_t program)
{
	const struct tp_program *p = &ctx->profile->programs[program];

	for (uint32_t i = 0; i < ctx->profile->program_count; i++) {
		const struct tp_program *other = &ctx->profile->programs[i];

		if (i != program && other->id != p->id && tp_slice_eq(other->name, p->name))
			return tp_arena_printf(
				ctx->keep, "%.*s (%llu)", TP_ARG(p->name), (unsigned long long)p->id);
	}
	return p->name;
}

static struct tp_block *
open_detail(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_doc *doc, struct tp_block *parent,
	enum tp_section_role role)
{
	const struct tp_program *p = &ctx->profile->programs[m->program];
	struct tp_slice space = space_name(ctx, m, s->space);
	struct tp_slice path = tp_arena_printf(
		ctx->keep, "%.*s/%llu/%.*s", TP_ARG(p->name), (unsigned long long)p->id, TP_ARG(space));
	struct tp_slice id = tp_doc_id(doc, "memory", path);
	const char *id_text = tp_arena_printf(ctx->keep, "%.*s", TP_ARG(id)).ptr;
	struct tp_slice title = role == TP_SECTION_FOLD
		? tp_arena_printf(ctx->keep, "%.*s of the same program", TP_ARG(space))
		: tp_arena_printf(
			  ctx->keep, "%.*s, %.*s", TP_ARG(told_apart(ctx, m->program)), TP_ARG(space));
	struct tp_block *sub = tp_doc_section(doc, parent, role, id_text, title.ptr);

	sub->section.aside =
		TP_SAY(doc, text_program_aside, tp_bytes(s->peak_bytes), tp_bytes(s->peak_unpadded_bytes));
	return sub;
}

/* The main memory, and a fold for each other space. */
static void
detail(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m, struct tp_doc *doc,
	struct tp_block *section, bool off_paper)
{
	struct tp_block *sub = open_detail(ctx, m, &m->spaces[0], doc, section, TP_SECTION_SUB);

	sub->section.off_paper = off_paper;
	tp_memory_space_present(ctx, m, &m->spaces[0], doc, sub);
	for (size_t k = 1; k < m->space_count; k++) {
		struct tp_block *fold = open_detail(ctx, m, &m->spaces[k], doc, sub, TP_SECTION_FOLD);

		fold->section.off_paper = true;
		tp_memory_space_present(ctx, m, &m->spaces[k], doc, fold);
	}
}

static bool
is_worth(const struct tp_memory_module *m)
{
	for (size_t k = 0; k < m->space_count; k++) {
		if (m->spaces[k].peak_bytes >= LEAST_DETAILED_BYTES)
			return true;
	}
	return false;
}

/* Of the others after the largest program. */
static void
details(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t shown = 1;

	for (size_t i = 1; i < m->count && shown < MOST_DETAILED; i++) {
		if (!is_worth(&m->modules[i]))
			continue;
		detail(ctx, &m->modules[i], doc, section, shown >= MOST_ON_PAPER);
		shown++;
	}
}

/* Does it fit? */
static struct tp_text
say_whether_it_fits(
	const struct tp_pass_ctx *ctx, const struct tp_memory_module *largest, struct tp_doc *doc)
{
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY);
	struct tp_value program = tp_text_value(ctx->profile->programs[largest->program].name);

	if (!tp_known(capacity))
		return TP_SAY(doc, text_needs, program);
	return TP_SAY(doc,
		(double)tp_memory_main(largest)->peak_bytes > tp_value_in(capacity, TP_UNIT_BYTES)
			? text_does_not_fit
			: text_fits,
		program, capacity);
}

/* What fills it? */
static struct tp_text
say_what_fills_it(const struct tp_memory_space *s, struct tp_doc *doc)
{
	struct tp_text text = padding_bytes(s) == 0 ? TP_SAY0(doc, text_no_padding)
		: (double)padding_bytes(s) >= LEAST_PADDING * (double)s->peak_bytes
		? TP_SAY(doc, text_padding, tp_bytes(padding_bytes(s)), padding_share(s))
		: TP_SAY0(doc, text_little_padding);

	if (s->row_count != 0)
		TP_SAY_MORE(doc, text, text_largest_buffer, tp_text_value(s->rows[0].name),
			tp_bytes(s->rows[0].size_bytes));
	return text;
}

/* As the tile has it: the plan, unless more was measured. */
static struct tp_value
fullest(const struct tp_doc *doc, const struct tp_memory_space *top)
{
	struct tp_value measured = tp_doc_value(doc, "memory.measured.peak_bytes");

	return tp_value_in(measured, TP_UNIT_BYTES) > (double)top->peak_bytes
		? measured
		: tp_bytes(top->peak_bytes);
}

/* Plan and measurement differ, and neither is wrong: the plan is of one program, the allocator's peak of all that ran meanwhile. */
static void
say_measured(const struct tp_memory_space *top, struct tp_doc *doc, struct tp_section *section)
{
	static const double alike = .01;
	struct tp_value measured = tp_doc_value(doc, "memory.measured.peak_bytes");

	if (!tp_known(measured))
		return;
	double peak = tp_value_in(measured, TP_UNIT_BYTES);
	double more = top != NULL ? peak - (double)top->peak_bytes : 0;

	if (fabs(more) <= alike * peak)
		TP_SAY_MORE(doc, section->so_what, text_measured_peak);
	else
		TP_SAY_MORE(doc, section->so_what, more > 0 ? text_measured_more : text_measured_less);
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_section *section)
{
	const struct tp_memory_space *top = tp_memory_main(&m->modules[0]);

	if (top == NULL) {
		section->answer = TP_SAY0(doc, text_no_program);
	} else {
		section->key_figure = fullest(doc, top);
		section->answer = say_whether_it_fits(ctx, &m->modules[0], doc);
		section->so_what = say_what_fills_it(top, doc);
	}
	say_measured(top, doc, section);
}

static void
say_damage(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	if (m->damaged_count == 0)
		return;
	struct tp_block *notice = tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("memory/damaged"));

	notice->notice.judge = TP_JUDGE_WARN;
	notice->notice.text = m->damaged_count == 1
		? TP_SAY(doc, text_program_damaged, tp_text_value(m->damaged[0].program),
			  tp_text_value(m->damaged[0].reason))
		: TP_SAY(doc, text_programs_damaged,
			  tp_say_number(ctx, m->damaged_count, "program is", "programs are"),
			  tp_text_value(m->damaged[0].program), tp_text_value(m->damaged[0].reason));
}

/* Whether it is this program at all. */
static struct tp_text
compare(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc)
{
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY);

	if (!tp_known(capacity))
		return TP_SAY(doc, text_guide_unknown, tp_bytes(s->peak_bytes));
	if ((double)s->peak_bytes > tp_value_in(capacity, TP_UNIT_BYTES))
		return TP_SAY(doc, text_guide_program, tp_bytes(s->peak_bytes), capacity);
	return TP_SAY(doc, text_guide_not_alone, tp_bytes(s->peak_bytes), capacity);
}

static struct tp_text
temporaries(const struct tp_memory_space *s, struct tp_doc *doc)
{
	const struct tp_memory_row *most = NULL;

	for (size_t i = 0; i < s->row_count; i++) {
		const struct tp_memory_row *row = &s->rows[i];

		if (!row->whole && (most == NULL || row->frees_bytes > most->frees_bytes))
			most = row;
	}
	uint64_t share = s->peak_bytes > s->whole_bytes ? s->peak_bytes - s->whole_bytes : 0;

	if (most == NULL)
		return TP_SAY0(doc, text_guide_no_temporaries);
	return TP_SAY(doc, text_guide_temporaries, tp_bytes(share), tp_text_value(most->name),
		tp_bytes(most->frees_bytes));
}

/* A reading guide for runs that died out of memory: which figure is which, and what to try in which order. */
static void
guide(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_memory_space *s = tp_memory_main(&m->modules[0]);

	if (s == NULL)
		return;
	const struct tp_text steps[] = {
		compare(ctx, s, doc),
		temporaries(s, doc),
		TP_SAY(doc, text_guide_live, tp_bytes(s->whole_bytes)),
		TP_SAY(doc, text_guide_padding, tp_bytes(padding_bytes(s))),
		TP_SAY0(doc, text_guide_outside),
	};
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "memory/guide", title_guide);

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "memory/guide/%zu", i + 1).ptr, steps[i]);
}

void
tp_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_memory *m = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "memory", "Memory");

	answer(ctx, m, doc, &section->section);
	detail(ctx, &m->modules[0], doc, section, false);
	programs(ctx, m, doc, section);
	details(ctx, m, doc, section);
	say_damage(ctx, m, doc, section);
	guide(ctx, m, doc, section);
	tp_say_how(ctx, doc, section, "memory/how", how_memory);
	if (tp_memory_precomputed_present(ctx, doc, section))
		return;
	tp_say_source(ctx, doc, section, "memory/source", source_memory);
}
