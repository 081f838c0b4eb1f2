/* What the report says about memory: every program's peak, and the buffers at the peak of the largest. */
#include "analyze/memory/memory.h"

#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/memory_precomputed.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

enum { MOST_DETAILED = 12, MOST_ON_PAPER = 2 };

/* Programs whose peak is smaller are in the table only. */
#define LEAST_DETAILED_BYTES (64 << 10)

/* Less is not worth a word. */
#define LEAST_PADDING 0.001

static struct tp_value
padding_share(const struct tp_memory_space *s)
{
	return tp_share((double)s->peak_bytes - (double)s->peak_unpadded_bytes, (double)s->peak_bytes,
		TP_S("nothing is live"));
}

static const struct tp_column module_columns[] = {
	TP_COLUMN("program", "Program", .code = true),
	TP_COLUMN("program_id", "Id", .code = true),
	TP_COLUMN("space", "Memory"),
	TP_COLUMN("peak_mib", "Peak", .unit = TP_UNIT_MIB, .decimals = 2, .sorted = true),
	TP_COLUMN("unpadded_mib", "Without padding", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_SHARE_COLUMN("padding_share", "Padding", .bar = true),
	TP_COUNT_COLUMN("position", "Peak at"),
	TP_COUNT_COLUMN("points", "Of points"),
	TP_COLUMN("parameter_mib", "Parameters", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("output_mib", "Outputs", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("temporary_mib", "Temporaries", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("constant_mib", "Constants", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("thread_local_mib", "Thread-local", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("allocated_mib", "All allocations", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("scoped_vmem_mib", "Scoped VMEM", .unit = TP_UNIT_MIB, .decimals = 2),
};
enum { SCOPED_COLUMN = 14 };
enum { MODULE_COLUMNS = sizeof module_columns / sizeof *module_columns };

static void
module_row(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_draft *draft)
{
	static const enum tp_buffer_kind kinds[] = {TP_BUFFER_PARAMETER, TP_BUFFER_OUTPUT,
		TP_BUFFER_TEMPORARY, TP_BUFFER_CONSTANT, TP_BUFFER_THREAD_LOCAL};
	const struct tp_program *p = &ctx->profile->programs[m->program];
	struct tp_slice id = tp_arena_printf(ctx->keep, "%llu", (unsigned long long)p->id);
	struct tp_slice space = tp_memory_space_name(ctx, m, s->space);
	struct tp_cell *cell = tp_draft_row(draft,
		tp_arena_printf(ctx->keep, "%.*s/%.*s/%.*s", TP_ARG(p->name), TP_ARG(id), TP_ARG(space)),
		TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(p->name);
	cell[1].value = tp_memory_precomputed_without_id(ctx, m->program)
		? tp_missing(TP_S("the tool file does not say"))
		: tp_text_value(id);
	cell[2].value = tp_text_value(space);
	cell[3].value = tp_bytes(s->peak_bytes);
	cell[4].value = tp_bytes(s->peak_unpadded_bytes);
	cell[5].value = padding_share(s);
	cell[5].swatch = TP_HUE_MEMORY;
	cell[6].value = s->event_count != 0
		? tp_count(s->peak_position)
		: tp_missing(TP_S("nothing comes or goes while the program runs"));
	cell[7].value = tp_count(s->event_count);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		cell[8 + k].value = tp_memory_kind_value(s, kinds[k]);
	cell[13].value = tp_bytes(s->allocated_bytes);
	cell[SCOPED_COLUMN].value = s != &m->spaces[0] ? tp_missing(TP_S("said once for each program"))
		: m->scoped_bytes != 0                     ? tp_bytes(m->scoped_bytes)
							   : tp_missing(TP_S("no instruction says that it takes any VMEM"));
}

static void
programs(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "memory/programs", module_columns, MODULE_COLUMNS);

	for (size_t i = 0; i < m->count; i++) {
		for (size_t k = 0; k < m->modules[i].space_count; k++)
			module_row(ctx, &m->modules[i], &m->modules[i].spaces[k], &draft);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S("Every program, by its peak; what its plan needs on one device");
	tp_table_drop_missing(doc, table, SCOPED_COLUMN);
}

/* One space of a program: the curve and the buffers of its peak. */
static void
space_detail(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_slice chart = TP_S("");

	if (s == &m->spaces[0] && m->scoped_bytes != 0)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "%s/scoped", id).ptr,
			TP_SAY(doc,
				"`{}` takes {} of VMEM for itself alone while it runs, more than any other "
				"instruction.",
				tp_text_value(m->scoped_instruction), tp_bytes(m->scoped_bytes)));
	if (s->event_count != 0) {
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY,
			tp_arena_printf(ctx->keep, "%s/peak", id).ptr,
			TP_SAY(doc, "`{}` makes the peak, at {} of {} points; {} are live all the time.",
				tp_text_value(s->peak_instruction), tp_count(s->peak_position),
				tp_count(s->event_count), tp_bytes(s->whole_bytes)));
		chart = tp_arena_printf(ctx->keep, "%s/curve", id);
		tp_memory_curve(ctx, s, doc, parent, chart.ptr);
	}
	tp_memory_tables(ctx, s, doc, parent, id, chart);
}

static struct tp_block *
open_detail(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m,
	const struct tp_memory_space *s, struct tp_doc *doc, struct tp_block *parent,
	enum tp_section_role role)
{
	const struct tp_program *p = &ctx->profile->programs[m->program];
	struct tp_slice space = tp_memory_space_name(ctx, m, s->space);
	struct tp_slice path = tp_arena_printf(
		ctx->keep, "%.*s/%llu/%.*s", TP_ARG(p->name), (unsigned long long)p->id, TP_ARG(space));
	struct tp_slice id = tp_doc_id(doc, "memory", path);
	const char *id_text = tp_arena_printf(ctx->keep, "%.*s", TP_ARG(id)).ptr;
	struct tp_slice title = role == TP_SECTION_FOLD
		? tp_arena_printf(ctx->keep, "%.*s of the same program", TP_ARG(space))
		: tp_arena_printf(ctx->keep, "%.*s, %.*s", TP_ARG(p->name), TP_ARG(space));
	struct tp_block *sub = tp_doc_section(doc, parent, role, id_text, title.ptr);

	sub->section.aside = TP_SAY(doc, "peak *{}*, {} without padding", tp_bytes(s->peak_bytes),
		tp_bytes(s->peak_unpadded_bytes));
	return sub;
}

/* The main memory, and a fold for each other space. */
static void
detail(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m, struct tp_doc *doc,
	struct tp_block *section, bool off_paper)
{
	struct tp_block *sub = open_detail(ctx, m, &m->spaces[0], doc, section, TP_SECTION_SUB);

	sub->section.off_paper = off_paper;
	space_detail(ctx, m, &m->spaces[0], doc, sub, sub->id.ptr);
	for (size_t k = 1; k < m->space_count; k++) {
		struct tp_block *fold = open_detail(ctx, m, &m->spaces[k], doc, sub, TP_SECTION_FOLD);

		fold->section.off_paper = true;
		space_detail(ctx, m, &m->spaces[k], doc, fold, fold->id.ptr);
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

static void
details(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t shown = 0;

	for (size_t i = 0; i < m->count; i++) {
		if (shown != 0 && (shown >= MOST_DETAILED || !is_worth(&m->modules[i])))
			continue;
		detail(ctx, &m->modules[i], doc, section, shown >= MOST_ON_PAPER);
		shown++;
	}
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_memory *m, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_memory_space *top = tp_memory_main(&m->modules[0]);

	if (top == NULL) {
		section->section.answer =
			TP_SAY0(doc, "No program of the profile uses the device's main memory.");
		return;
	}
	uint64_t padding = top->peak_bytes -
		(top->peak_unpadded_bytes < top->peak_bytes ? top->peak_unpadded_bytes : top->peak_bytes);
	struct tp_value share = padding_share(top);

	section->section.key_figure = tp_bytes(top->peak_bytes);
	section->section.answer = tp_known(tp_peak_value(ctx, TP_PEAK_CAPACITY))
		? TP_SAY(doc, "The peak is {memory.peak_bytes} of {}, in `{}`.",
			  tp_peak_value(ctx, TP_PEAK_CAPACITY),
			  tp_text_value(tp_memory_program(ctx, &m->modules[0])))
		: TP_SAY(doc, "The peak is {memory.peak_bytes}, in `{}`.",
			  tp_text_value(tp_memory_program(ctx, &m->modules[0])));
	section->section.so_what = (double)padding >= LEAST_PADDING * (double)top->peak_bytes
		? TP_SAY(doc, "{} of it, {}, is padding.", tp_bytes(padding), share)
		: TP_SAY0(doc, "Next to nothing of it is padding.");
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
		? TP_SAY(doc, "Program `{}` is left out, for its HLO is damaged ({}).",
			  tp_text_value(m->damaged[0].program), tp_text_value(m->damaged[0].reason))
		: TP_SAY(doc, "{} left out, for their HLO is damaged; of the first, `{}`: {}.",
			  tp_say_number(ctx, m->damaged_count, "program is", "programs are"),
			  tp_text_value(m->damaged[0].program), tp_text_value(m->damaged[0].reason));
}

void
tp_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_memory *m = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "memory", "Memory");

	answer(ctx, m, doc, section);
	programs(ctx, m, doc, section);
	details(ctx, m, doc, section);
	say_damage(ctx, m, doc, section);
	tp_memory_guide(ctx, m, doc, section);
	tp_say_how(ctx, doc, section, "memory/how",
		"The compiler's plan: buffers that come and go are those of its heap simulation, replayed "
		"event by event; parameters, outputs and constants are live all the time. Sizes are those "
		"of the layout, padding included; without padding is the product of the dimensions times "
		"the element size. What a buffer would free is by how much the peak would fall without it, "
		"which is less than its size where another point needs nearly as much. The plan is of one "
		"device, and holds neither what the framework keeps between programs nor other programs "
		"that are loaded.");
	if (tp_memory_precomputed_present(ctx, doc, section))
		return;
	tp_say_source(ctx, doc, section, "memory/source", "HLO and buffer assignment of the programs");
}
