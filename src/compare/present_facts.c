/* What is known of both runs, side by side: what differs first. */
#include "base/arena.h"
#include "compare/context.h"
#include "report/column.h"

static const struct tp_column columns[] = {
	TP_COLUMN("what", "Fact"),
	TP_COLUMN("a", "A"),
	TP_COLUMN("b", "B"),
	TP_COLUMN("matters", "Matters"),
};
struct cells {
	struct tp_cell what, a, b, matters;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static struct tp_value
told(struct tp_slice text)
{
	return text.len != 0 ? tp_text_value(text) : tp_missing(TP_S("not in this report"));
}

static void
put(struct tp_draft *draft, const struct tp_fact *f)
{
	struct cells *cells = (void *)tp_draft_row(draft, f->what, TP_ROW_NORMAL, 0);

	cells->what.value = tp_text_value(f->what);
	cells->a.value = told(f->a);
	cells->b.value = told(f->b);
	cells->matters.value = tp_text_value(f->decides ? TP_S("times are not comparable")
			: f->differs                            ? TP_S("differs")
													: TP_S(""));
	cells->matters.judge = f->decides ? TP_JUDGE_UNDECIDED : TP_JUDGE_NONE;
}

void
tp_compare_present_facts(struct tp_comparison *c)
{
	struct tp_block *section =
		tp_doc_section(c->doc, NULL, TP_SECTION_MINOR, "environment", "Environment");
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "environment/facts", columns);
	size_t differ = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < c->fact_count; i++) {
			const struct tp_fact *f = &c->facts[i];

			if (f->differs != (pass == 0))
				continue;
			put(&draft, f);
			differ += f->differs;
		}
	}
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->caption = TP_S("What the two reports say about their runs");
	section->section.key_figure = differ != 0
		? tp_text_value(tp_arena_printf(c->arena, "%zu differ", differ))
		: tp_text_value(TP_S("equal"));
	section->section.answer = c->not_comparable.len != 0
		? TP_SAY(
			  c->doc, "The runs cannot be compared in time: {}.", tp_text_value(c->not_comparable))
		: differ == 0 ? TP_SAY0(c->doc, "All facts in both reports are equal.")
					  : TP_SAY(c->doc, "{} of {} facts are equal.",
							tp_count(c->fact_count - differ), tp_count(c->fact_count));
}
