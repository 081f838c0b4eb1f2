/* Whether both runs ran the same program or model. A changed program is what comparisons are for: it is listed and compared. Another one is
 * not: a difference of its times says nothing. Names alone do not tell: "jit_train_step" is everybody's, and functions are renamed.
 *
 * Of XLA, runs are of other programs where less than a tenth of either's time is in operations that the framework names alike in the other, and
 * the fingerprints do not agree; where the framework names less than half of the time, where programs have no name in common. Of PyTorch, where
 * the classes of modules that hold others have none in common (layers such as Linear are everybody's); without modules, where less than a
 * tenth of either's time is in operators that the other has, too, or where their steps have other products (layers.c). */
#include <ctype.h>
#include <math.h>

#include "base/arena.h"
#include "base/texts.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/rows.h"
#include "compare/tally.h"

#define LEAST_COMMON 0.1
#define LEAST_TOLD 0.5

/* Two tables of the same kind; one of them NULL: a report has none. */
struct pair {
	const struct tp_table *of[2];
};

static struct pair
tables(const struct tp_comparison *c, const char *id)
{
	return (struct pair){{tp_look_table(c->wish->a, id), tp_look_table(c->wish->b, id)}};
}

static bool
has_both(const struct pair *p)
{
	return p->of[0] != NULL && p->of[1] != NULL;
}

static bool
is_row(const struct tp_table *t, size_t row)
{
	return t->rows[row].role != TP_ROW_TOTAL;
}

static bool
share_little(const struct tp_tally *t)
{
	return tp_tally_common(t, 0) < LEAST_COMMON && tp_tally_common(t, 1) < LEAST_COMMON;
}

/* "98 % of the time": of operations or operators that the other run has, too. */
static void
add_common(struct tp_comparison *c, const char *what, const struct tp_tally *t, const char *blocks)
{
	struct tp_slice texts[2] = {{NULL, 0}, {NULL, 0}};
	char buf[TP_VALUE_BUF];

	for (size_t side = 0; side < 2 && isfinite(tp_tally_common(t, side)); side++)
		texts[side] = tp_arena_printf(c->arena, "%.*s of the time",
			TP_ARG(tp_value_text(tp_number(tp_tally_common(t, side), TP_UNIT_SHARE), buf)));
	tp_compare_add_fact(c, tp_slice_of(what), texts[0], texts[1], blocks != NULL, blocks);
}

/* The largest names of each; they differ where these do, or where they block. */
static void
add_texts(struct tp_comparison *c, const char *what, const struct tp_tally *t, const char *blocks)
{
	enum { MOST = 4 };
	struct tp_slice a = tp_tally_text(t, 0, MOST, false), b = tp_tally_text(t, 1, MOST, false);

	tp_compare_add_fact(c, tp_slice_of(what), a, b, blocks != NULL || !tp_slice_eq(a, b), blocks);
}

/* XLA. */

/* "jit(train_step)/jit(main)/layer/dot" → "layer/dot": what functions are called changes more than what they hold. */
static struct tp_slice
within_functions(struct tp_slice path)
{
	while (tp_slice_starts(path, TP_S("jit(")) || tp_slice_starts(path, TP_S("pjit("))) {
		const char *slash = memchr(path.ptr, '/', path.len);

		if (slash == NULL)
			break;
		path = tp_slice_from(path, (size_t)(slash - path.ptr) + 1);
	}
	return path;
}

/* The fingerprints of the programs of a name: a function that is compiled for several shapes has several. */
static struct tp_slice
fingerprints(const struct tp_comparison *c, const struct tp_table *t, struct tp_slice name)
{
	enum { MOST = 3 };
	struct tp_slice text = {NULL, 0};
	size_t count = 0;

	for (size_t i = 0; t != NULL && i < t->row_count && count < MOST; i++) {
		struct tp_slice print = tp_look_cell(t, i, tp_look_column(t, "fingerprint"));

		if (tp_slice_eq(tp_look_cell(t, i, tp_look_column(t, "program")), name))
			text = tp_arena_printf(
				c->arena, "%.*s%s%.*s", TP_ARG(text), count++ == 0 ? "" : ", ", TP_ARG(print));
	}
	return text;
}

struct programs {
	struct tp_tally names, masked, operations;
};

static void
add_operations(struct tp_comparison *c, struct programs *p, const struct tp_table *t, size_t side)
{
	size_t program = tp_look_column(t, "program"), path = tp_look_column(t, "framework_op");
	size_t self = tp_look_column(t, "self_ms");

	for (size_t i = 0; i < t->row_count; i++) {
		double ms = tp_look_number(t, i, self, TP_UNIT_MS);
		struct tp_slice name = tp_look_cell(t, i, program), op = tp_look_cell(t, i, path);

		if (!is_row(t, i))
			continue;
		tp_tally_add(&p->names, name, side, ms);
		tp_tally_add(&p->masked, tp_name_masked(c->arena, name), side, ms);
		if (op.len != 0)
			tp_tally_add(&p->operations, tp_name_masked(c->arena, within_functions(op)), side, ms);
	}
}

static void
add_xla(struct tp_comparison *c)
{
	struct pair ops = tables(c, "operations/list");
	struct pair compiled = tables(c, "environment/programs/table");
	struct programs p;
	struct tp_slice prints[2];
	bool is_named = true;

	if (!has_both(&ops))
		return;
	tp_tally_init(&p.names, c->arena);
	tp_tally_init(&p.masked, c->arena);
	tp_tally_init(&p.operations, c->arena);
	for (size_t side = 0; side < 2; side++) {
		add_operations(c, &p, ops.of[side], side);
		prints[side] = fingerprints(c, compiled.of[side], tp_tally_largest(&p.names, side));
		is_named = is_named && p.operations.sum[side] >= LEAST_TOLD * p.names.sum[side];
	}
	bool is_same = prints[0].len != 0 && tp_slice_eq(prints[0], prints[1]);
	bool is_other = !is_same && share_little(is_named ? &p.operations : &p.masked);

	add_texts(c, "Programs", &p.names, is_other ? "the program" : NULL);
	tp_compare_add_fact(c, TP_S("Fingerprint of the program"), prints[0], prints[1],
		!tp_slice_eq(prints[0], prints[1]), NULL);
	if (is_named)
		add_common(c, "Operations that both have", &p.operations, NULL);
	tp_tally_free(&p.names);
	tp_tally_free(&p.masked);
	tp_tally_free(&p.operations);
}

/* PyTorch. */

/* "BertLayer_3" → "BertLayer". */
static struct tp_slice
class_of(struct tp_slice name)
{
	size_t end = name.len;

	while (end > 0 && isdigit((unsigned char)name.ptr[end - 1]) != 0)
		end--;
	return end > 1 && end < name.len && name.ptr[end - 1] == '_'
		? (struct tp_slice){name.ptr, end - 1}
		: name;
}

/* What holds modules of any model. */
static bool is_wrapper(struct tp_slice class)
{
	return tp_texts_any(class, tp_slice_eq,
		TP_TEXTS("Sequential", "ModuleList", "ModuleDict", "DataParallel",
			"DistributedDataParallel", "FullyShardedDataParallel", "OptimizedModule",
			"CheckpointWrapper"));
}

/* Returns whether both reports have modules; is_other: of two models. */
static bool
add_models(struct tp_comparison *c, bool *is_other)
{
	struct pair p = tables(c, "modules/*/tree");
	struct tp_tally inner, outermost;

	*is_other = false;
	if (!has_both(&p))
		return false;
	tp_tally_init(&inner, c->arena);
	tp_tally_init(&outermost, c->arena);
	for (size_t side = 0; side < 2; side++) {
		const struct tp_table *t = p.of[side];

		for (size_t i = 0; i < t->row_count; i++) {
			struct tp_slice class = class_of(tp_look_cell(t, i, tp_look_column(t, "name")));
			bool holds = i + 1 < t->row_count && t->rows[i + 1].depth > t->rows[i].depth;

			if (t->rows[i].depth == 0)
				tp_tally_add(&outermost, class, side, 1);
			if (holds && !is_wrapper(class))
				tp_tally_add(&inner, class, side, 1);
		}
	}
	bool is_known = inner.sum[0] > 0 && inner.sum[1] > 0;

	*is_other = is_known && tp_tally_common(&inner, 0) == 0;
	add_texts(c, "Model", &outermost, *is_other ? "the model" : NULL);
	tp_tally_free(&inner);
	tp_tally_free(&outermost);
	return is_known;
}

static void
add_torch(struct tp_comparison *c)
{
	struct pair p = tables(c, "operators/list");
	struct tp_tally t;
	bool is_other, has_modules = add_models(c, &is_other);

	if (!has_both(&p))
		return;
	bool device = true;

	for (size_t side = 0; side < 2; side++)
		device = device && tp_look_column(p.of[side], "device_self_us") < p.of[side]->column_count;
	tp_tally_init(&t, c->arena);
	for (size_t side = 0; side < 2; side++) {
		const struct tp_table *of = p.of[side];
		size_t time = tp_look_column(of, device ? "device_self_us" : "host_self_us");

		for (size_t i = 0; i < of->row_count; i++) {
			if (is_row(of, i))
				tp_tally_add(&t, tp_look_cell(of, i, tp_look_column(of, "operator")), side,
					tp_look_number(of, i, time, TP_UNIT_MS));
		}
	}
	add_common(c, "Operators that both have", &t,
		!has_modules && share_little(&t) ? "the operators" : NULL);
	if (!has_modules)
		tp_compare_layers(c, p.of[0], p.of[1]);
	tp_tally_free(&t);
}

/* Precision: of results of XLA's operations, and by names of kernels. */

/* "(bf16[16,224]{1,0}, u32[])" → "bf16". */
static struct tp_slice
type_of_shape(struct tp_slice shape)
{
	size_t from = 0, length = 0;

	while (from < shape.len && shape.ptr[from] == '(')
		from++;
	while (from + length < shape.len && isalnum((unsigned char)shape.ptr[from + length]) != 0)
		length++;
	bool is_array = from + length < shape.len && shape.ptr[from + length] == '[';

	return is_array ? (struct tp_slice){shape.ptr + from, length} : (struct tp_slice){NULL, 0};
}

/* The first that is in the name: what is narrower than sums, which are float, stands first. */
static struct tp_slice
type_of_kernel(struct tp_slice name)
{
	static const struct {
		const char *in, *type;
	} known[] = {
		{"bf16", "bf16"},
		{"BFloat16", "bf16"},
		{"bfloat16", "bf16"},
		{"_BBS_", "bf16"}, /* hipBLASLt: types of operands and result */
		{"_B_BS_", "bf16"},
		{"c10::Half", "f16"},
		{"__half", "f16"},
		{"f16", "f16"},
		{"fp16", "f16"},
		{"_HHS_", "f16"},
		{"_H_HS_", "f16"},
		{"tf32", "tf32"},
		{"s1688gemm", "tf32"}, /* CUTLASS */
		{"double", "f64"},
		{"dgemm", "f64"},
		{"float", "f32"},
		{"sgemm", "f32"},
		{"scudnn", "f32"},
		{"_SB_", "f32"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (tp_slice_has(name, tp_slice_of(known[i].in)))
			return tp_slice_of(known[i].type);
	}
	return TP_S("");
}

static void
add_precision(struct tp_comparison *c, const char *what, const char *id, const char *key,
	const char *time, struct tp_slice (*type_of)(struct tp_slice))
{
	struct pair p = tables(c, id);
	struct tp_tally t;
	bool is_told = true;

	if (!has_both(&p))
		return;
	tp_tally_init(&t, c->arena);
	for (size_t side = 0; side < 2; side++) {
		const struct tp_table *of = p.of[side];
		double told = 0;

		for (size_t i = 0; i < of->row_count; i++) {
			struct tp_slice type = type_of(tp_look_cell(of, i, tp_look_column(of, key)));
			double ms = tp_look_number(of, i, tp_look_column(of, time), TP_UNIT_MS);

			if (!is_row(of, i))
				continue;
			tp_tally_add(&t, type.len != 0 ? type : TP_S("unknown"), side, ms);
			told += type.len != 0 && ms > 0 ? ms : 0;
		}
		is_told = is_told && told >= LEAST_TOLD * t.sum[side] && told > 0;
	}
	if (is_told)
		tp_compare_add_fact(c, tp_slice_of(what), tp_tally_text(&t, 0, 4, true),
			tp_tally_text(&t, 1, 4, true), tp_tally_moved(&t) > LEAST_COMMON, NULL);
	tp_tally_free(&t);
}

void
tp_compare_program_facts(struct tp_comparison *c)
{
	add_xla(c);
	add_torch(c);
	add_precision(
		c, "Precision of operations", "operations/list", "shape", "self_ms", type_of_shape);
	add_precision(c, "Precision of kernels", "kernels/by-name", "name", "total_us", type_of_kernel);
}
