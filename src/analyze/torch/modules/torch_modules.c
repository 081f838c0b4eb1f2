/* The trees of each trace, and its modules each once; headline figures over all workers and spans, and by each. */
#include "analyze/torch/modules/torch_modules.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/torch/modules/torch_modules_words.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_quality.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

#include <stdlib.h>

static uint32_t
key_of_module(const struct tp_torch_spans *spans, uint32_t event)
{
	const struct tp_torch_trace *t = spans->t;

	return t->kind[event] == TP_TORCH_PYTHON && t->detail[event] != TP_NONE
		? t->pythons[t->detail[event]].module
		: 0;
}

static uint32_t
key_of_range(const struct tp_torch_spans *spans, uint32_t event)
{
	const struct tp_torch_trace *t = spans->t;

	return tp_torch_is_range(t->kind[event]) ? spans->key_of_op[tp_torch_op(t, event)] : 0;
}

/* What Lightning's PyTorchProfiler records: "[pl][profile]<action>" around each hook, "[pl][module]<type>: <dotted.name>" around
 * each call of a module; up to torch 1.11 they are operators, later user annotations.
 * Source: lightning/pytorch/profilers/pytorch.py (_PROFILER_PREFIX, RegisterRecordFunction). */
struct lightning {
	bool *marks; /* by operation of the profile: it is a span of Lightning's profiler */
	uint32_t *modules, *hooks;                  /* by operation of the profile: key, or 0 */
	struct tp_slice *module_names, *hook_names; /* by key */
	uint32_t module_count, hook_count;          /* keys */
};

static const struct tp_slice hook_prefix = TP_S("[pl][profile]"),
							 module_prefix = TP_S("[pl][module]");

/* "torch.nn.modules.linear.Linear: enc.0" as "enc.0: Linear". */
static struct tp_slice
module_name(struct tp_slice name, struct tp_arena *keep)
{
	const char *colon = memchr(name.ptr, ':', name.len);
	size_t at = colon == NULL ? name.len : (size_t)(colon - name.ptr);
	struct tp_slice type = {name.ptr, at};
	const char *dot = memrchr(type.ptr, '.', type.len);

	if (at + 2 >= name.len || name.ptr[at + 1] != ' ')
		return name;
	if (dot != NULL)
		type = tp_slice_from(type, (size_t)(dot - type.ptr) + 1);
	return tp_arena_printf(keep, "%.*s: %.*s", TP_ARG(tp_slice_from(name, at + 2)), TP_ARG(type));
}

static struct lightning
read_lightning(const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct lightning l = {
		.marks = tp_new_array(scratch, bool, p->op_count),
		.modules = tp_new_array(scratch, uint32_t, p->op_count),
		.hooks = tp_new_array(scratch, uint32_t, p->op_count),
		.module_names = tp_new_array(scratch, struct tp_slice, p->op_count + 1),
		.hook_names = tp_new_array(scratch, struct tp_slice, p->op_count + 1),
	};

	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name = p->ops[i].label;

		if (tp_slice_starts(name, module_prefix)) {
			l.modules[i] = ++l.module_count;
			l.module_names[l.module_count] =
				module_name(tp_slice_from(name, module_prefix.len), keep);
		} else if (tp_slice_starts(name, hook_prefix)) {
			l.hooks[i] = ++l.hook_count;
			l.hook_names[l.hook_count] = tp_slice_from(name, hook_prefix.len);
		}
		l.marks[i] = l.modules[i] != 0 || l.hooks[i] != 0;
	}
	return l;
}

/* What all traces share. */
struct shared {
	struct lightning lightning;
	uint32_t *range_key; /* by operation of the profile */
	struct tp_slice *range_names;
	struct tp_torch_tree_room room;
};

/* Ranges are one by name; steps are one although each has its number. */
static void
name_ranges(const struct tp_pass_ctx *ctx, struct shared *s)
{
	static const struct tp_slice step = TP_S("ProfilerStep#");
	const struct tp_profile *p = ctx->profile;
	struct tp_map keys;

	tp_map_init(&keys, ctx->scratch);
	s->range_key = tp_new_array(ctx->scratch, uint32_t, p->op_count);
	s->range_names = tp_new_array(ctx->scratch, struct tp_slice, p->op_count + 1);
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice name =
			tp_slice_starts(p->ops[i].label, step) ? TP_S("ProfilerStep") : p->ops[i].label;
		uint32_t number;

		if (tp_map_number(&keys, tp_hash_bytes(name), &number))
			s->range_names[number + 1] = name;
		s->range_key[i] = number + 1;
	}
}

static struct shared
prepare(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct shared s = {.lightning = read_lightning(ctx->profile, ctx->keep, ctx->scratch)};
	uint32_t most = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		most = torch->traces[i]->count > most ? torch->traces[i]->count : most;
	s.room.node = tp_new_array(ctx->scratch, uint32_t, most);
	s.room.operator_node = tp_new_array(ctx->scratch, uint32_t, most);
	name_ranges(ctx, &s);
	return s;
}

/* The thread that marks the steps, else that with most operators; of equal ones the first. */
static uint32_t
main_lane(const struct tp_torch_trace *t)
{
	uint64_t most = 0;
	uint32_t lane = TP_NONE;

	for (uint32_t i = 0; i < t->lane_count; i++) {
		uint64_t count = 0;

		if (t->lanes[i].kind != TP_TORCH_LANE_THREAD)
			continue;
		for (uint32_t e = t->lanes[i].first; e < t->lanes[i].first + t->lanes[i].count; e++)
			count += t->kind[e] == TP_TORCH_STEP ? UINT32_MAX : t->kind[e] == TP_TORCH_OPERATOR;
		if (count > most) {
			most = count;
			lane = i;
		}
	}
	return lane;
}

TP_ORDER(by_own, struct tp_torch_module, TP_DOWN(own_ps), tp_slice_cmp(a->name, b->name));

/* Modules by name, from trees in which a name may stand at several places. */
struct listing {
	struct tp_map by_name;
	struct tp_buf list; /* of struct tp_torch_module */
};

static void
list_add(struct listing *l, const struct tp_torch_module *m)
{
	uint32_t at;

	if (tp_map_number(&l->by_name, tp_hash_bytes(m->name), &at)) {
		*(struct tp_torch_module *)tp_buf_add(&l->list, sizeof *m) = *m;
		return;
	}
	struct tp_torch_module *known = (struct tp_torch_module *)l->list.data + at;

	known->members += m->members;
	known->calls += m->calls;
	known->own_ps = tp_add_ps(known->own_ps, m->own_ps);
}

static struct tp_torch_module *
list_finish(struct listing *l, uint32_t *count, struct tp_arena *keep)
{
	*count = (uint32_t)l->list.count;
	struct tp_torch_module *list = tp_buf_settle(&l->list, sizeof *list, keep);

	qsort(list, *count, sizeof *list, by_own);
	return list;
}

/* "Linear" of "Linear_3" and of Lightning's "enc.0: Linear". */
static struct tp_slice
class_of(struct tp_slice name)
{
	size_t end = name.len;

	for (size_t i = 0; i + 2 < name.len; i++) {
		if (name.ptr[i] == ':' && name.ptr[i + 1] == ' ')
			return tp_slice_from(name, i + 2);
	}
	while (end > 0 && name.ptr[end - 1] >= '0' && name.ptr[end - 1] <= '9')
		end--;
	return end > 1 && end < name.len && name.ptr[end - 1] == '_'
		? (struct tp_slice){name.ptr, end - 1}
		: name;
}

static void
list_classes(const struct tp_pass_ctx *ctx, struct tp_torch_modules *m)
{
	struct listing l = {0};

	tp_map_init(&l.by_name, ctx->scratch);
	for (uint32_t i = 0; i < m->list_count; i++) {
		struct tp_torch_module of = m->list[i];

		of.name = class_of(of.name);
		of.members = 1;
		list_add(&l, &of);
	}
	m->classes = list_finish(&l, &m->class_count, ctx->keep);
}

static void
list_modules(const struct tp_pass_ctx *ctx, struct tp_torch_trace_modules *m)
{
	struct listing l = {0};

	tp_map_init(&l.by_name, ctx->scratch);
	for (uint32_t i = 0; i < m->modules.count; i++) {
		const struct tp_torch_node *n = &m->modules.nodes[i];

		list_add(&l,
			&(struct tp_torch_module){.name = n->name,
				.calls = n->calls,
				.own_ps = tp_torch_node_own_ps(&m->modules, n)});
	}
	m->list = list_finish(&l, &m->list_count, ctx->keep);
}

static void
analyze_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct shared *s, struct tp_torch_trace_modules *m)
{
	struct tp_torch_spans python = {.key = key_of_module,
		.names = ctx->profile->strings.text,
		.t = t,
		.links = links,
		.mark_of_op = s->lightning.marks,
		.python = true,
		.lane = main_lane(t)};
	struct tp_torch_spans ranges = python;

	ranges.key = key_of_range;
	ranges.python = false;
	if (python.lane != TP_NONE) {
		ranges.key_of_op = s->range_key;
		ranges.names = s->range_names;
		ranges.lane_only = true;
		m->operators = tp_torch_tree(&ranges, &s->room, ctx->keep, ctx->scratch);
		ranges.lane_only = false;
	}
	if (s->lightning.hook_count != 0) {
		ranges.key_of_op = s->lightning.hooks;
		ranges.names = s->lightning.hook_names;
		m->hooks = tp_torch_tree(&ranges, &s->room, ctx->keep, ctx->scratch);
	}
	m->modules = tp_torch_tree(&python, &s->room, ctx->keep, ctx->scratch);
	if (m->modules.count == 0 && s->lightning.module_count != 0) {
		ranges.key_of_op = s->lightning.modules;
		ranges.names = s->lightning.module_names;
		m->modules = tp_torch_tree(&ranges, &s->room, ctx->keep, ctx->scratch);
		m->lightning = m->modules.count != 0;
	}
	tp_torch_backward(ctx, t, links, &s->room, &m->modules);
	list_modules(ctx, m);
	if (m->lightning)
		tp_torch_containers(&m->modules, ctx->keep, ctx->scratch);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_torch_modules *modules = tp_new(ctx->keep, struct tp_torch_modules);
	struct shared s = prepare(ctx);
	struct listing all = {0};

	(void)err;
	tp_map_init(&all.by_name, ctx->scratch);
	modules->traces = tp_new_array(ctx->keep, struct tp_torch_trace_modules, torch->trace_count);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		struct tp_torch_trace_modules *m = &modules->traces[i];

		analyze_trace(ctx, torch->traces[i], &linked->traces[i], &s, m);
		for (uint32_t k = 0; k < m->list_count; k++)
			list_add(&all, &m->list[k]);
	}
	modules->list = list_finish(&all, &modules->list_count, ctx->keep);
	for (uint32_t i = 0; i < modules->list_count; i++)
		modules->own_ps = tp_add_ps(modules->own_ps, modules->list[i].own_ps);
	list_classes(ctx, modules);
	*result = modules;
	return TP_OK;
}

enum { COUNT, CALLS, NAME, SHARE, FIGURES };

static const struct {
	const char *id, *label, *how;
} figures[FIGURES] = {
	[COUNT] = {"torch.module.count", "PyTorch modules", how_count},
	[CALLS] = {"torch.module.calls", "Calls of PyTorch modules", how_calls},
	[NAME] = {"torch.module.top.name", "Most expensive PyTorch module", how_top},
	[SHARE] = {"torch.module.top.share", "Own time of the most expensive PyTorch module",
		how_top_share},
};

/* The figures of one trace, or of all; why: there is no list. */
static void
set_figures(const struct tp_torch_module *list, uint32_t count, struct tp_slice why,
	struct tp_value values[static FIGURES])
{
	int64_t own_ps = 0;
	uint64_t calls = 0;

	for (uint32_t i = 0; i < count; i++) {
		calls += list[i].calls;
		own_ps = tp_add_ps(own_ps, list[i].own_ps);
	}
	values[COUNT] = values[CALLS] = values[NAME] = values[SHARE] = tp_missing(why);
	if (count == 0)
		return;
	values[COUNT] = tp_count(count);
	values[CALLS] = tp_count(calls);
	values[NAME] = tp_text_value(list[0].name);
	values[SHARE] = tp_share((double)list[0].own_ps, (double)own_ps, TP_S(why_no_module_time));
}

static void
all_classes(const struct tp_torch_modules *m, struct tp_value count, struct tp_doc *doc)
{
	bool any = m != NULL && m->class_count != 0;

	tp_say_metric(doc, "torch.module.top_class.name", "Most expensive class of PyTorch modules",
		any ? tp_text_value(m->classes[0].name) : count, how_top_class);
	tp_say_metric(doc, "torch.module.top_class.share",
		"Own time of the most expensive class of PyTorch modules",
		any ? tp_share((double)m->classes[0].own_ps, (double)m->own_ps, TP_S(why_no_module_time))
			: count,
		how_top_class_share);
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_modules *m = result;
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_slice none = TP_S(why_no_module_calls);
	struct tp_value values[FIGURES];

	set_figures(m != NULL ? m->list : NULL, m != NULL ? m->list_count : 0,
		m != NULL ? none : tp_skipped_itself(ctx), values);
	for (int k = 0; k < FIGURES; k++) {
		tp_say_metric(doc, figures[k].id, figures[k].label, values[k], figures[k].how);
		tp_doc_metric_scopes(doc, figures[k].id, "@worker,span");
	}
	all_classes(m, values[COUNT], doc);
	for (uint32_t i = 0; m != NULL && i < torch->trace_count; i++) {
		struct tp_scope scope = tp_torch_scope(ctx, torch->traces[i]);

		set_figures(m->traces[i].list, m->traces[i].list_count, none, values);
		for (int k = 0; k < FIGURES; k++)
			tp_doc_metric_for(doc, figures[k].id, scope, values[k], TP_S(""));
	}
}

static const struct tp_pass *const after[] = {&tp_pass_torch_correlation, NULL};

static struct tp_slice
without_stacks(const struct tp_pass_ctx *ctx)
{
	return tp_torch_not_recorded(ctx, TP_TORCH_STACK);
}

static const struct tp_lack lacks[] = {
	{"stacks", "Python call stacks, and modules found in them", TP_LACK_TIMED,
		.why = without_stacks, .pytorch = "Give `with_stack=True` to `torch.profiler.profile`."},
	{0},
};

const struct tp_pass tp_pass_torch_modules = {
	.name = "torch-modules",
	.title = "Modules",
	.summary = "PyTorch modules by caller, with their time; Lightning hooks; the operator tree",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_MODULES,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_torch_modules_present,
	.lacks = lacks,
};
