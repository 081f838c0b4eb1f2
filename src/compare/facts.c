/* Whether two runs can be compared at all: what is known of both, side by side. */
#include <math.h>

#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"
#include "report/column.h"

/* What else the environment says that may matter: rows of its table. What it says of one capture alone is no fact to compare. */
static const char *const no_facts[] = {
	"Run", "Capture started", "Capture length", "Process", "Trace id", "Also traced"};

/* Where one of these differs, a step is not the same work or not the same measure. */
static const struct {
	const char *id, *what, *name;
} deciding[] = {
	{"run.device_type", "Device type", "the device type"},
	{"run.devices", "Devices", "the number of devices"},
	{"run.cores", "Cores", "the number of cores"},
	{"run.hosts", "Hosts", "the number of hosts"},
	{"run.batch.global", "Batch per step", "the batch"},
	{"run.step_source", "Steps from", "the source of steps"},
};

static void
add_fact(struct tp_comparison *c, struct tp_slice what, struct tp_slice a, struct tp_slice b,
	const char *name)
{
	struct tp_fact *f = &c->facts[c->fact_count];

	*f = (struct tp_fact){
		.what = what, .a = a, .b = b, .differs = !tp_slice_eq(a, b), .decides = name != NULL};
	if (a.len == 0 && b.len == 0)
		return;
	c->fact_count++;
	/* What only one of them tells decides nothing. */
	if (!f->differs || name == NULL || a.len == 0 || b.len == 0)
		return;
	c->not_comparable = c->not_comparable.len == 0
		? tp_slice_of(name)
		: tp_arena_printf(c->arena, "%.*s, %s", TP_ARG(c->not_comparable), name);
}

static bool
is_among(struct tp_slice what)
{
	for (size_t i = 0; i < sizeof no_facts / sizeof *no_facts; i++) {
		if (tp_slice_eq(what, tp_slice_of(no_facts[i])))
			return true;
	}
	for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++) {
		if (tp_slice_eq(what, tp_slice_of(deciding[i].what)))
			return true;
	}
	return false;
}

/* What a report's environment says of it; empty when nothing. */
static struct tp_slice
told(const struct tp_comparison *c, const struct tp_table *t, struct tp_slice what)
{
	for (size_t i = 0; t != NULL && i < t->row_count; i++) {
		char buf[TP_VALUE_BUF];

		if (tp_slice_eq(tp_look_cell(t, i, 0), what) && tp_known(t->rows[i].cells[1].value))
			return tp_arena_copy(
				c->arena, tp_column_text(&t->columns[1], t->rows[i].cells[1].value, buf));
	}
	return TP_S("");
}

static const struct tp_table *
environment(const struct tp_doc *doc)
{
	const struct tp_table *t = tp_look_table(doc, "environment/run");

	return t != NULL && t->column_count >= 2 ? t : NULL;
}

void
tp_compare_facts(struct tp_comparison *c)
{
	const struct tp_doc *a = c->wish->a, *b = c->wish->b;
	const struct tp_table *of_a = environment(a), *of_b = environment(b);
	size_t most = sizeof deciding / sizeof *deciding + (of_a != NULL ? of_a->row_count : 0) +
		(of_b != NULL ? of_b->row_count : 0) + 1;

	c->facts = tp_new_array(c->arena, struct tp_fact, most);
	for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
		add_fact(c, tp_slice_of(deciding[i].what), tp_look_text(a, deciding[i].id, c->arena),
			tp_look_text(b, deciding[i].id, c->arena), deciding[i].name);
	for (size_t i = 0; of_a != NULL && i < of_a->row_count; i++) {
		struct tp_slice what = tp_look_cell(of_a, i, 0);

		if (!is_among(what))
			add_fact(c, what, told(c, of_a, what), told(c, of_b, what), NULL);
	}
	for (size_t i = 0; of_b != NULL && i < of_b->row_count; i++) {
		struct tp_slice what = tp_look_cell(of_b, i, 0);

		if (!is_among(what) && told(c, of_a, what).len == 0)
			add_fact(c, what, TP_S(""), told(c, of_b, what), NULL);
	}
}

void
tp_compare_present_facts(struct tp_comparison *c)
{
	static const struct tp_column columns[] = {
		TP_COLUMN("what", "Fact"),
		TP_COLUMN("a", "A"),
		TP_COLUMN("b", "B"),
		TP_COLUMN("differs", "Differs"),
	};
	struct cells {
		struct tp_cell what, a, b, differs;
	};
	TP_CELLS_ARE_COLUMNS(struct cells, columns);
	struct tp_block *section =
		tp_doc_section(c->doc, NULL, TP_SECTION_MINOR, "environment", "Environment");
	struct tp_draft draft = TP_DRAFT_TABLE(c->doc, section, "environment/facts", columns);
	size_t differ = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < c->fact_count; i++) {
			const struct tp_fact *f = &c->facts[i];

			if (f->differs != (pass == 0))
				continue;
			struct cells *cells = (void *)tp_draft_row(&draft, f->what, TP_ROW_NORMAL, 0);
			struct tp_value untold = tp_missing(TP_S("this report does not tell"));

			cells->what.value = tp_text_value(f->what);
			cells->a.value = f->a.len != 0 ? tp_text_value(f->a) : untold;
			cells->b.value = f->b.len != 0 ? tp_text_value(f->b) : untold;
			cells->differs.value = tp_text_value(f->differs ? TP_S("differs") : TP_S(""));
			differ += f->differs;
		}
	}
	struct tp_table *t = tp_draft_finish(&draft, SIZE_MAX);

	t->caption = TP_S("What both reports tell of their runs");
	section->section.key_figure = differ != 0
		? tp_text_value(tp_arena_printf(c->arena, "%zu differ", differ))
		: tp_text_value(TP_S("equal"));
	section->section.answer = c->not_comparable.len != 0
		? TP_SAY(
			  c->doc, "The runs cannot be compared in time: {}.", tp_text_value(c->not_comparable))
		: differ == 0 ? TP_SAY0(c->doc, "All facts that the reports tell are equal.")
					  : TP_SAY(c->doc, "{} of {} facts are equal.",
							tp_count(c->fact_count - differ), tp_count(c->fact_count));
}
