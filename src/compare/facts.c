/* Whether two runs can be compared at all: what is known of both, side by side. */
#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"
#include "report/column.h"

/* What else the environment says that may matter: rows of its table. What it says of one capture alone is no fact to compare. */
static const char *const no_facts[] = {"Run", "Capture started", "Capture length",
	"From the first span to the last", "Process", "Trace id", "Also traced"};

/* In what runs differ where they differ in this row of the environment, if a step is not the same work for it; else NULL. */
static const char *
blocks_of(struct tp_slice what)
{
	return tp_slice_eq(what, TP_S("World size")) ? "the number of workers" : NULL;
}

/* Those of programs.c, at most. */
enum { PROGRAM_FACTS = 12 };

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

/* A fact whose texts are compared. */
static void
add_fact(struct tp_comparison *c, struct tp_slice what, struct tp_slice a, struct tp_slice b,
	const char *blocks)
{
	tp_compare_add_fact(c, what, a, b, !tp_slice_eq(a, b), blocks);
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
		(of_b != NULL ? of_b->row_count : 0) + PROGRAM_FACTS;

	c->facts = tp_new_array(c->arena, struct tp_fact, most);
	for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
		add_fact(c, tp_slice_of(deciding[i].what), tp_look_text(a, deciding[i].id, c->arena),
			tp_look_text(b, deciding[i].id, c->arena), deciding[i].name);
	tp_compare_program_facts(c);
	for (size_t i = 0; of_a != NULL && i < of_a->row_count; i++) {
		struct tp_slice what = tp_look_cell(of_a, i, 0);

		if (!is_among(what))
			add_fact(c, what, told(c, of_a, what), told(c, of_b, what), blocks_of(what));
	}
	for (size_t i = 0; of_b != NULL && i < of_b->row_count; i++) {
		struct tp_slice what = tp_look_cell(of_b, i, 0);

		if (!is_among(what) && told(c, of_a, what).len == 0)
			add_fact(c, what, TP_S(""), told(c, of_b, what), NULL);
	}
}

bool
tp_compare_hardware_differs(const struct tp_comparison *c)
{
	for (size_t i = 0; i < c->fact_count; i++) {
		if (tp_slice_eq(c->facts[i].what, tp_slice_of(deciding[0].what)))
			return c->facts[i].differs;
	}
	return false;
}
