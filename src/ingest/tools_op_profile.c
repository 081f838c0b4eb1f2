/* The reader of op_profile.json and .pb, the tree behind the profiler's page on operations (Profile of op_profile.proto): by
 * category, by program or by provenance, each with and without idle time. All hold the same operations. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <math.h>
#include <stdlib.h>

/* Below program and provenance there are category, duplicates, operation, and what that was fused from. */
enum { DEEPEST = 40, MOST_PARTS = 64 };

/* A node of the tree; of what the file does not say numbers are NaN or 0 and texts empty. */
struct node {
	struct tp_slice name, opcode, expression, provenance, category, source;
	uint64_t program_id, occurrences, all_children;
	bool is_op, has_metrics;
	double share, time_ps, flops_share, flops, hbm_use, bytes;
	const struct tp_given_dim *dims;
	size_t dim_count;
	struct node *first, *next; /* child, sibling */
};

struct reading {
	struct tp_tool_file *f;
	struct tp_arena *arena; /* of the nodes */
	size_t nodes;
	struct tp_map programs; /* id → index in names */
	struct tp_buf names;
	struct tp_buf ops; /* of struct tp_given_op */
	double root_ps, idle_ps;
};

static struct node *
new_node(struct reading *r)
{
	if (r->nodes == TP_TOOL_MOST_ROWS)
		return NULL;
	struct node *n = tp_new(r->arena, struct node);

	r->nodes++;
	n->share = n->time_ps = n->flops_share = n->flops = n->hbm_use = n->bytes = NAN;
	return n;
}

static double
not_negative(double value)
{
	return value >= 0 && isfinite(value) ? value : NAN;
}

/* Older files have names as HLO writes them, "%fusion.1". */
static struct tp_slice
without_sign(struct tp_slice name)
{
	return tp_slice_starts(name, TP_S("%")) ? tp_slice_from(name, 1) : name;
}

static uint64_t
count_of(double value)
{
	return value >= 1 && value < 1e15 ? (uint64_t)value : 0;
}

/* "model.py:42" */
static struct tp_slice
source_text(struct reading *r, struct tp_slice file, double line)
{
	return file.len == 0 || !(line >= 1 && line < 1e9)
		? file
		: tp_arena_printf(r->f->arena, "%.*s:%.0f", TP_ARG(file), line);
}

/* The first of a list, which is that of HBM; older files have one number. */
static const json_t *
first_of(const json_t *metrics, const char *list, const char *older)
{
	const json_t *value = json_object_get(metrics, list);

	return json_is_array(value) ? json_array_get(value, 0) : json_object_get(metrics, older);
}

static void
metrics_json(const json_t *m, struct node *n)
{
	n->has_metrics = true;
	n->share = not_negative(tp_json_figure(json_object_get(m, "time")));
	n->time_ps = not_negative(tp_json_figure(json_object_get(m, "rawTime")));
	n->flops_share = not_negative(tp_json_figure(json_object_get(m, "uncappedFlops")));
	if (!isfinite(n->flops_share))
		n->flops_share = not_negative(tp_json_figure(json_object_get(m, "flops")));
	n->flops = not_negative(tp_json_figure(json_object_get(m, "rawFlops")));
	n->hbm_use = not_negative(tp_json_figure(first_of(m, "bandwidthUtils", "memoryBandwidth")));
	n->bytes =
		not_negative(tp_json_figure(first_of(m, "rawBytesAccessedArray", "rawBytesAccessed")));
	n->occurrences = count_of(tp_json_figure(json_object_get(m, "occurrences")));
}

static void
layout_json(struct reading *r, const json_t *layout, struct node *n)
{
	const json_t *list = json_object_get(layout, "dimensions");
	size_t count =
		json_array_size(list) < TP_GIVEN_MOST_DIMS ? json_array_size(list) : TP_GIVEN_MOST_DIMS;
	struct tp_given_dim *dims = tp_new_array(r->f->arena, struct tp_given_dim, count);

	for (size_t i = 0; i < count; i++) {
		const json_t *d = json_array_get(list, i);

		dims[i].size = count_of(tp_json_figure(json_object_get(d, "size")));
		dims[i].alignment = count_of(tp_json_figure(json_object_get(d, "alignment")));
		dims[i].meaning = tp_json_text(r->f->arena, json_object_get(d, "semantics"));
	}
	n->dims = dims;
	n->dim_count = count;
}

static void
instruction_json(struct reading *r, const json_t *xla, struct node *n)
{
	struct tp_arena *a = r->f->arena;
	const json_t *source = json_object_get(xla, "sourceInfo"),
				 *program = json_object_get(xla, "programId");

	n->is_op = true;
	n->opcode = tp_json_text(a, json_object_get(xla, "op"));
	n->expression = tp_json_long_text(a, json_object_get(xla, "expression"));
	n->provenance = tp_json_text(a, json_object_get(xla, "provenance"));
	n->category = tp_json_text(a, json_object_get(xla, "category"));
	n->source = source_text(r, tp_json_text(a, json_object_get(source, "fileName")),
		tp_json_figure(json_object_get(source, "lineNumber")));
	if (json_is_string(program))
		n->program_id = strtoull(json_string_value(program), NULL, 10);
	else if (json_is_integer(program))
		n->program_id = (uint64_t)json_integer_value(program);
	layout_json(r, json_object_get(xla, "layout"), n);
}

static struct node *
node_json(struct reading *r, const json_t *json, unsigned depth)
{
	const json_t *children = json_object_get(json, "children"),
				 *metrics = json_object_get(json, "metrics"), *xla = json_object_get(json, "xla");
	struct node *n = json_is_object(json) && depth < DEEPEST ? new_node(r) : NULL;

	if (n == NULL)
		return NULL;
	struct node **end = &n->first;

	n->name = without_sign(tp_json_text(r->f->arena, json_object_get(json, "name")));
	n->all_children = count_of(tp_json_figure(json_object_get(json, "numChildren")));
	if (metrics != NULL)
		metrics_json(metrics, n);
	if (xla != NULL)
		instruction_json(r, xla, n);
	for (size_t i = 0; i < json_array_size(children); i++) {
		*end = node_json(r, json_array_get(children, i), depth + 1);
		end = *end != NULL ? &(*end)->next : end;
	}
	return n;
}

/* The first double of a repeated field, packed or not. */
static void
first_double(const struct tp_pb *p, double *out)
{
	if (isfinite(*out))
		return;
	if (p->type == TP_PB_FIXED64)
		*out = not_negative(tp_pb_double(p));
	else if (p->type == TP_PB_BYTES && p->bytes.len >= sizeof(double)) {
		memcpy(out, p->bytes.ptr, sizeof *out);
		*out = not_negative(*out);
	}
}

/* Metrics: 1, 3 and 13 are of older files. */
static void
metrics_pb(struct tp_slice message, struct node *n)
{
	struct tp_pb p = tp_pb_open(message);
	double value;

	n->has_metrics = true;
	while (tp_pb_next(&p)) {
		if (p.field == 16 && p.type == TP_PB_VARINT && p.number < UINT32_MAX)
			n->occurrences = p.number;
		else if (p.field == 3 || p.field == 5)
			first_double(&p, &n->hbm_use);
		else if (p.field == 13 || p.field == 15)
			first_double(&p, &n->bytes);
		else if (tp_tool_number(&p, &value) && p.field == 1)
			n->share = value;
		else if (tp_tool_number(&p, &value) && p.field == 2)
			n->flops_share = value;
		else if (tp_tool_number(&p, &value) && p.field == 11)
			n->time_ps = value;
		else if (tp_tool_number(&p, &value) && p.field == 12)
			n->flops = value;
	}
}

static void
layout_pb(struct reading *r, struct tp_slice message, struct node *n)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_given_dim *dims = tp_new_array(r->f->arena, struct tp_given_dim, TP_GIVEN_MOST_DIMS);

	while (tp_pb_next(&p)) {
		if (p.field != 1 || p.type != TP_PB_BYTES || n->dim_count == TP_GIVEN_MOST_DIMS)
			continue;
		struct tp_given_dim *d = &dims[n->dim_count++];
		struct tp_pb dim = tp_pb_open(p.bytes);

		while (tp_pb_next(&dim)) {
			if (dim.field == 1 && dim.type == TP_PB_VARINT)
				d->size = count_of((double)dim.number);
			else if (dim.field == 2 && dim.type == TP_PB_VARINT)
				d->alignment = count_of((double)dim.number);
			else if (dim.field == 3 && dim.type == TP_PB_BYTES)
				d->meaning = tp_tool_text(r->f->arena, dim.bytes);
		}
	}
	n->dims = dims;
}

/* SourceInfo: 1 file, 2 line. */
static struct tp_slice
source_pb(struct reading *r, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice file = TP_S("");
	double line = 0;

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			file = tp_tool_text(r->f->arena, p.bytes);
		else if (p.field == 2 && p.type == TP_PB_VARINT)
			line = (double)p.number;
	}
	return source_text(r, file, line);
}

static void
instruction_pb(struct reading *r, struct tp_slice message, struct node *n)
{
	struct tp_pb p = tp_pb_open(message);

	n->is_op = true;
	while (tp_pb_next(&p)) {
		if (p.field == 8 && p.type == TP_PB_VARINT)
			n->program_id = p.number;
		if (p.type != TP_PB_BYTES)
			continue;
		struct tp_slice *text = p.field == 1 ? &n->opcode
			: p.field == 2                   ? &n->expression
			: p.field == 3                   ? &n->provenance
			: p.field == 4                   ? &n->category
											 : NULL;

		if (text != NULL)
			*text = tp_tool_long_text(r->f->arena, p.bytes);
		else if (p.field == 5)
			layout_pb(r, p.bytes, n);
		else if (p.field == 9)
			n->source = source_pb(r, p.bytes);
	}
}

/* Of a node that is cut nothing is used. */
static struct node *
node_pb(struct reading *r, struct tp_slice message, unsigned depth)
{
	struct node *n = depth < DEEPEST ? new_node(r) : NULL;
	struct tp_pb p = tp_pb_open(message);

	if (n == NULL)
		return NULL;
	struct node **end = &n->first;

	while (tp_pb_next(&p)) {
		if (p.field == 6 && p.type == TP_PB_VARINT)
			n->all_children = count_of((double)p.number);
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == 1) {
			n->name = without_sign(tp_tool_text(r->f->arena, p.bytes));
		} else if (p.field == 2) {
			metrics_pb(p.bytes, n);
		} else if (p.field == 3) {
			*end = node_pb(r, p.bytes, depth + 1);
			end = *end != NULL ? &(*end)->next : end;
		} else if (p.field == 5) {
			instruction_pb(r, p.bytes, n);
		}
	}
	return p.state == TP_PB_END ? n : NULL;
}

/* "jit_f" and 12 of "jit_f(12)". */
static bool
program_of(struct tp_slice name, struct tp_slice *program, uint64_t *id)
{
	const char *open = name.len != 0 ? memrchr(name.ptr, '(', name.len) : NULL;
	size_t digits = 0;

	if (open == NULL || !tp_slice_ends(name, TP_S(")")))
		return false;
	*id = 0;
	for (const char *c = open + 1; *c >= '0' && *c <= '9' && digits <= 20; c++, digits++)
		*id = *id * 10 + (uint64_t)(*c - '0');
	*program = (struct tp_slice){name.ptr, (size_t)(open - name.ptr)};
	return digits != 0 && open + 1 + digits + 1 == name.ptr + name.len;
}

static void
note_program(struct reading *r, struct tp_slice name)
{
	struct tp_slice program;
	uint64_t id;

	if (!program_of(name, &program, &id) || tp_map_get(&r->programs, id) != TP_MAP_NONE)
		return;
	tp_map_put(&r->programs, id, (uint32_t)r->names.count);
	*(struct tp_slice *)tp_buf_add(&r->names, sizeof program) = program;
}

static bool
took_time(const struct node *n)
{
	return n->time_ps > 0 || n->share > 0;
}

static bool
is_idle(const struct node *n)
{
	return tp_slice_eq(n->name, TP_S("IDLE")) && n->expression.len == 0;
}

/* Operations that the compiler made one from the other stand below a node of the first one's name. What an operation was fused
 * from has no time. */
static bool
holds_operations(const struct node *n)
{
	for (const struct node *c = n->first; c != NULL; c = c->next) {
		if (c->is_op && took_time(c))
			return true;
	}
	return false;
}

static const struct tp_given_fused *
parts_of(struct reading *r, const struct node *n, size_t *count)
{
	*count = 0;
	for (const struct node *c = n->first; c != NULL && *count < MOST_PARTS; c = c->next)
		(*count)++;
	struct tp_given_fused *parts = tp_new_array(r->f->arena, struct tp_given_fused, *count);
	const struct node *c = n->first;

	for (size_t i = 0; i < *count; i++, c = c->next)
		parts[i] = (struct tp_given_fused){
			.name = c->name,
			.opcode = c->opcode,
			.expression = c->expression,
			.framework = c->provenance,
			.source = c->source,
		};
	return parts;
}

static struct tp_given_op *
add_op(struct reading *r, const struct node *n)
{
	struct tp_given_op *op = tp_buf_add(&r->ops, sizeof *op);

	*op = tp_tool_no_op();
	op->name = n->name;
	op->share = n->share <= 1 ? n->share : NAN;
	op->self_us = n->time_ps / 1e6;
	op->occurrences = n->occurrences;
	op->flops = n->flops;
	op->bytes = n->bytes;
	if (n->time_ps > 0 && isfinite(n->flops))
		op->flop_per_s = n->flops * 1e12 / n->time_ps;
	if (n->time_ps > 0 && isfinite(n->bytes))
		op->bytes_per_s = n->bytes * 1e12 / n->time_ps;
	/* Of the peak over all the run's time; in older files that is 1. */
	op->flops_use = n->time_ps > 0 ? n->flops_share * r->root_ps / n->time_ps : NAN;
	if (!(n->time_ps > 0) && n->share > 0)
		op->flops_use = n->flops_share / n->share;
	op->hbm_use = n->hbm_use;
	return op;
}

static void
name_program(struct reading *r, struct tp_given_op *op, uint64_t id, struct tp_slice above)
{
	uint32_t at = id != 0 ? tp_map_get(&r->programs, id) : TP_MAP_NONE;

	op->program_id = id;
	if (at != TP_MAP_NONE)
		op->program = ((struct tp_slice *)r->names.data)[at];
	else if (program_of(above, &op->program, &op->program_id))
		return;
	op->has_program = id != 0;
}

/* "fusion.1" of "fusion.1 and its duplicate(s)". */
static struct tp_slice
original(const struct node *group)
{
	static const char more[] = " and its duplicate(s)";
	struct tp_slice name = group->name;

	if (tp_slice_ends(name, tp_slice_of(more)))
		name.len -= strlen(more);
	return name;
}

static void
take_op(struct reading *r, const struct node *n, const struct node *group, struct tp_slice program,
	struct tp_slice category)
{
	struct tp_given_op *op = add_op(r, n);

	op->category = n->category.len != 0 ? n->category : category;
	op->expression = n->expression;
	op->framework = n->provenance;
	op->source = n->source;
	op->duplicates = group != NULL ? original(group) : TP_S("");
	op->dims = n->dims;
	op->dim_count = n->dim_count;
	op->parts = parts_of(r, n, &op->part_count);
	name_program(r, op, n->program_id, program);
}

/* What the profiler left out of the file counts in the group that it was left out of. */
static void
take_rest(
	struct reading *r, const struct node *group, struct tp_slice program, struct tp_slice category)
{
	struct node rest = {.time_ps = group->time_ps,
		.share = NAN,
		.flops_share = group->flops_share,
		.flops = group->flops,
		.hbm_use = NAN,
		.bytes = group->bytes};
	uint64_t there = 0, occurrences = 0;

	for (const struct node *c = group->first; c != NULL; c = c->next) {
		there++;
		occurrences += c->occurrences;
		rest.time_ps -= c->time_ps;
		rest.flops_share -= c->flops_share;
		rest.flops -= c->flops;
		rest.bytes -= c->bytes;
	}
	if (group->all_children <= there || !(rest.time_ps > 0))
		return;
	rest.name = tp_arena_printf(r->f->arena, "%llu more, not in the file",
		(unsigned long long)(group->all_children - there));
	rest.flops_share = not_negative(rest.flops_share);
	rest.flops = not_negative(rest.flops);
	rest.bytes = not_negative(rest.bytes);
	rest.occurrences = group->occurrences > occurrences ? group->occurrences - occurrences : 0;
	struct tp_given_op *op = add_op(r, &rest);

	op->left_out = true;
	op->duplicates = group->is_op ? original(group) : TP_S("");
	op->category = category;
	name_program(r, op, group->first != NULL ? group->first->program_id : 0, program);
}

/* above: the group of equal operations that the node is one of; NULL: none. */
static void
collect(struct reading *r, const struct node *n, const struct node *above, struct tp_slice program,
	unsigned depth)
{
	bool group = holds_operations(n);

	if (is_idle(n)) {
		r->idle_ps = n->time_ps;
		return;
	}
	if (n->is_op && n->has_metrics && !group) {
		if (took_time(n) && r->ops.count < TP_TOOL_MOST_ROWS)
			take_op(r, n, above, program, above != NULL ? above->category : TP_S(""));
		return;
	}
	if (depth == 1)
		program = n->name;
	for (const struct node *c = n->first; c != NULL; c = c->next)
		collect(r, c, n->is_op ? n : NULL, program, depth + 1);
	if (group)
		take_rest(r, n, program, n->is_op ? n->category : n->name);
}

/* Shares of those that have times only. */
static void
fill_shares(struct tp_given_op *ops, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += isfinite(ops[i].self_us) ? ops[i].self_us : 0;
	for (size_t i = 0; i < count; i++) {
		if (isfinite(ops[i].self_us) && sum > 0 && isfinite(sum))
			ops[i].share = ops[i].self_us / sum;
	}
}

static void
take(struct reading *r)
{
	struct tp_given *g = r->f->given;

	if (g->program_ops.count == 0)
		g->idle_us = r->idle_ps / 1e6;
	if (r->ops.count != 0)
		fill_shares(r->ops.data, r->ops.count);
	tp_tool_take_ops(r->f, &g->program_ops, &r->ops, false);
}

static struct reading
start(struct tp_tool_file *f)
{
	struct reading r = {.f = f, .arena = tp_arena_new(), .idle_ps = NAN};

	tp_map_init(&r.programs, r.arena);
	return r;
}

static void
finish(struct reading *r)
{
	take(r);
	tp_buf_free(&r->names);
	tp_arena_free(r->arena);
}

/* Operations of the tree, once names of programs are known. */
static void
read_tree(struct reading *r, const struct node *root)
{
	if (root == NULL)
		return;
	r->root_ps = root->time_ps;
	collect(r, root, NULL, TP_S(""), 0);
}

/* Trees by program leave out the fewest operations; the oldest files have one by category alone. */
enum { TREES = 6 };
static const struct {
	const char *key;
	uint32_t field;
	bool by_program;
} trees[TREES] = {
	{"byProgramExcludeIdle", 7, true},
	{"byProvenanceExcludeIdle", 9, true},
	{"byCategoryExcludeIdle", 6, false},
	{"byProgram", 4, true},
	{"byProvenance", 8, true},
	{"byCategory", 1, false},
};

static void
op_profile_json(struct tp_tool_file *f, const json_t *root)
{
	struct reading r = start(f);

	for (size_t t = 0; t < TREES; t++) {
		const json_t *tree = json_object_get(root, trees[t].key);
		const json_t *children = json_object_get(tree, "children");

		f->empty |=
			json_is_object(json_object_get(tree, "metrics")) && json_array_size(children) == 0;
		for (size_t i = 0; i < json_array_size(children); i++) {
			const json_t *child = json_array_get(children, i);
			struct tp_slice name = tp_json_text(f->arena, json_object_get(child, "name"));

			if (trees[t].by_program)
				note_program(&r, name);
			if (tp_slice_eq(name, TP_S("IDLE")))
				r.idle_ps =
					tp_json_figure(json_object_get(json_object_get(child, "metrics"), "rawTime"));
		}
	}
	double idle_ps = r.idle_ps;

	for (size_t t = 0; t < TREES && r.ops.count == 0; t++)
		read_tree(&r, node_json(&r, json_object_get(root, trees[t].key), 0));
	r.idle_ps = not_negative(idle_ps);
	finish(&r);
}

static void
op_profile(struct tp_tool_file *f, struct tp_slice message)
{
	struct reading r = start(f);
	struct tp_slice found[TREES] = {{NULL, 0}};
	struct tp_pb p = tp_pb_open(message);
	double idle_ps = NAN;

	while (tp_pb_next(&p)) {
		for (size_t t = 0; t < TREES && p.type == TP_PB_BYTES; t++)
			found[t] = p.field == trees[t].field ? p.bytes : found[t];
	}
	struct node *roots[TREES];

	for (size_t t = 0; t < TREES; t++) {
		roots[t] = found[t].ptr != NULL ? node_pb(&r, found[t], 0) : NULL;
		f->empty |= p.state == TP_PB_END && roots[t] != NULL && roots[t]->first == NULL;
		for (const struct node *c = roots[t] != NULL ? roots[t]->first : NULL; c != NULL;
			 c = c->next) {
			if (trees[t].by_program)
				note_program(&r, c->name);
			idle_ps = is_idle(c) ? c->time_ps : idle_ps;
		}
	}
	for (size_t t = 0; t < TREES && r.ops.count == 0; t++)
		read_tree(&r, roots[t]);
	r.idle_ps = idle_ps;
	finish(&r);
	tp_tool_end(f->in, f->out, &p);
}

static const char *const suffixes[] = {".op_profile.json", ".op_profile.pb", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	static const char *const marks[] = {"\"byProgram", "\"byCategory", "\"byProvenance", NULL};

	return tp_tool_probe(name, head, suffixes, marks);
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "not an op profile: it holds no operation with a time",
		op_profile_json, op_profile, err);
}

const struct tp_reader tp_reader_op_profile = {
	.name = "op_profile",
	.summary = "what a profiler worked out itself: operations of the compiled programs",
	.suffixes = suffixes,
	.probe = probe,
	.precomputed = true,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.read = read,
};
