/* Findings that appeared, went, grew or shrank. */
#include <math.h>

#include "base/arena.h"
#include "base/map.h"
#include "compare/context.h"
#include "report/column.h"

struct cells {
	struct tp_cell what, finding, id, a, b, change;
};

static const struct tp_column columns[] = {
	TP_COLUMN("what", "In B"),
	TP_COLUMN("finding", "Finding"),
	TP_COLUMN("id", "Id", .code = true),
	TP_COLUMN("a_ms", "A saves at most", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("b_ms", "B saves at most", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("change_ms", "Change", .unit = TP_UNIT_MS, .decimals = 3, .change = true),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

/* The open finding with this id, or the next one after `at` when id is empty. */
static const struct tp_finding *
open_finding(struct tp_walk *w, struct tp_slice id)
{
	while (tp_walk_next(w)) {
		const struct tp_block *b = w->block;

		if (w->event != TP_WALK_ENTER || b->kind != TP_BLOCK_FINDING || b->finding.brief ||
			b->finding.finding->status != TP_FINDING_OPEN)
			continue;
		if (id.len == 0 || tp_slice_eq(b->finding.finding->id, id))
			return b->finding.finding;
	}
	return NULL;
}

static const struct tp_finding *
counterpart(const struct tp_doc *doc, const struct tp_finding *finding)
{
	struct tp_walk w = tp_walk_of(doc);

	return open_finding(&w, finding->id);
}

static double
price(const struct tp_finding *f)
{
	return f != NULL ? tp_value_in(f->saving, TP_UNIT_MS) : NAN;
}

static void
put(struct tp_comparison *c, struct tp_draft *draft, const struct tp_finding *a,
	const struct tp_finding *b)
{
	const struct tp_finding *f = b != NULL ? b : a;
	struct cells *cells = (void *)tp_draft_row(draft, f->id, TP_ROW_NORMAL, 0);
	double of_a = price(a), of_b = price(b);
	struct tp_slice unpriced = TP_S("its saving is unknown"),
					none = TP_S("there is no such finding");

	cells->what.value = tp_text_value(a == NULL ? TP_S("new")
			: b == NULL                         ? TP_S("gone")
			: of_b > of_a                       ? TP_S("larger")
			: of_b < of_a                       ? TP_S("smaller")
												: TP_S("the same"));
	cells->what.judge = a == NULL ? f->severity : b == NULL ? TP_JUDGE_GOOD : TP_JUDGE_NONE;
	cells->finding.value = tp_text_value(tp_text_shown(f->title, c->arena));
	cells->id.value = tp_text_value(f->id);
	cells->a.value = tp_number_or(of_a, TP_UNIT_MS, a != NULL ? unpriced : none);
	cells->b.value = tp_number_or(of_b, TP_UNIT_MS, b != NULL ? unpriced : none);
	cells->change.value =
		tp_number_or(of_b - of_a, TP_UNIT_MS, TP_S("its saving is unknown in A or B"));
}

static bool
has_open(const struct tp_doc *doc)
{
	struct tp_walk w = tp_walk_of(doc);

	return open_finding(&w, TP_S("")) != NULL;
}

/* Whether a report holds any check at all. */
static bool
is_checked(const struct tp_doc *doc)
{
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		if (w.block->kind == TP_BLOCK_FINDING)
			return true;
	}
	return false;
}

/* "TPR-OOM-001: the device runs out of memory; TPR-…": what is open in B alone. */
static struct tp_slice
appeared(const struct tp_comparison *c)
{
	const struct tp_finding *f;
	struct tp_slice said = TP_S("");

	for (struct tp_walk w = tp_walk_of(c->wish->b); (f = open_finding(&w, TP_S(""))) != NULL;) {
		if (counterpart(c->wish->a, f) == NULL)
			said = tp_arena_printf(c->arena, "%.*s%s%.*s: %.*s", TP_ARG(said),
				said.len != 0 ? "; " : "", TP_ARG(f->id),
				TP_ARG(tp_text_shown(f->title, c->arena)));
	}
	return said;
}

static struct tp_value
count_of(size_t count)
{
	return count != 0 ? tp_count(count) : tp_text_value(TP_S("none"));
}

void
tp_compare_present_findings(struct tp_comparison *c, struct tp_compare_result *out)
{
	struct tp_block *section =
		tp_doc_section(c->doc, NULL, TP_SECTION_MAIN, "findings", "Findings");
	const struct tp_finding *f;
	size_t went = 0, both = 0;

	out->has_findings = is_checked(c->wish->b);
	out->findings_said = out->has_findings ? appeared(c) : TP_S("B holds no checks");
	if (!has_open(c->wish->a) && !has_open(c->wish->b)) {
		section->section.key_figure = tp_text_value(TP_S("none"));
		section->section.answer = TP_SAY0(c->doc, "Neither report has an open finding.");
		return;
	}
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "findings/changes", columns);

	/* Appeared, then in both, then gone. */
	for (int round = 0; round < 2; round++) {
		for (struct tp_walk w = tp_walk_of(c->wish->b); (f = open_finding(&w, TP_S(""))) != NULL;) {
			const struct tp_finding *was = counterpart(c->wish->a, f);

			if ((was == NULL) != (round == 0))
				continue;
			put(c, &draft, was, f);
			out->new_findings += was == NULL;
			both += was != NULL;
		}
	}
	for (struct tp_walk w = tp_walk_of(c->wish->a); (f = open_finding(&w, TP_S(""))) != NULL;) {
		if (counterpart(c->wish->b, f) != NULL)
			continue;
		put(c, &draft, f, NULL);
		went++;
	}
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->caption = TP_S("Findings of either report");
	section->section.answer = TP_SAY(c->doc, "New: {}. Gone: {}. In both: {}.",
		count_of(out->new_findings), count_of(went), tp_count(both));
	section->section.key_figure =
		tp_text_value(tp_arena_printf(c->arena, "%zu new", out->new_findings));
}
