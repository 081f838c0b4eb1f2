/* Tables of details; attributes, launches and collectives that are equal are stored once. */
#include "ingest/torch_columns.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "ingest/torch_event.h"
#include "model/profile.h"

uint32_t
tp_torch_once(struct tp_buf *list, struct tp_map *map, const void *item, size_t size)
{
	uint64_t key = tp_hash_here((struct tp_slice){item, size});
	uint32_t index = tp_map_get(map, key);

	if (index != TP_MAP_NONE)
		return index;
	index = (uint32_t)list->count;
	memcpy(tp_buf_add(list, size), item, size);
	tp_map_put(map, key, index);
	return index;
}

static struct tp_slice
text(const struct tp_torch_columns *c, uint32_t id)
{
	return tp_string(c->strings, id);
}

/* Texts that are shown as they are. */
static struct tp_slice
clean_text(const struct tp_torch_columns *c, uint32_t id)
{
	return tp_utf8_clean(c->keep, text(c, id));
}

static uint32_t
collective(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	const struct tp_torch_collective_key key = {
		{e->collective, e->dtype, e->group_name, e->group_description, e->group_ranks, e->in_split,
			e->out_split},
		0,
		{e->in_elements, e->out_elements, e->group_size, e->rank, e->rank_start, e->rank_stride,
			e->from_rank, e->to_rank},
	};

	if (e->collective == 0)
		return TP_NONE;
	uint64_t hash = tp_hash_here((struct tp_slice){(const char *)&key, sizeof key});
	uint32_t index = tp_map_get(&c->collective_map, hash);

	if (index != TP_MAP_NONE)
		return index;
	index = (uint32_t)c->collectives.count;
	struct tp_torch_collective *new = tp_buf_add(&c->collectives, sizeof *new);

	*new = (struct tp_torch_collective){
		.name = clean_text(c, e->collective),
		.dtype = clean_text(c, e->dtype),
		.group_name = clean_text(c, e->group_name),
		.group_description = clean_text(c, e->group_description),
		.group_ranks = clean_text(c, e->group_ranks),
		.in_elements = e->in_elements,
		.out_elements = e->out_elements,
		.group_size = e->group_size,
		.rank = e->rank,
		.rank_start = e->rank_start,
		.rank_stride = e->rank_stride,
		.from_rank = e->from_rank,
		.to_rank = e->to_rank,
		.in_split = text(c, e->in_split),
		.out_split = text(c, e->out_split),
	};
	*tp_buf_new(&c->collective_keys, struct tp_torch_collective_key) = key;
	tp_map_put(&c->collective_map, hash, index);
	return index;
}

static uint32_t
add_operator(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_operator *op = tp_blocks_new(&c->operators, struct tp_torch_operator);
	struct tp_torch_attributes a;

	memset(&a, 0, sizeof a); /* what lies between the fields is hashed too */
	a.shapes = e->shapes;
	a.types = e->types;
	a.inputs = e->inputs;
	a.stack = e->stack;
	a.modules = e->modules;
	a.collective = collective(c, e);
	a.peer = e->peer >= 0 && e->peer < TP_NONE ? (uint32_t)e->peer : TP_NONE;
	a.flops = e->flops > 0 ? (uint64_t)e->flops : 0;
	op->external_id = e->external_id;
	op->sequence = e->sequence;
	op->forward_thread =
		e->forward_thread > 0 && e->forward_thread < UINT32_MAX ? (uint32_t)e->forward_thread : 0;
	op->attributes = tp_torch_once(&c->attributes, &c->attribute_map, &a, sizeof a);
	return (uint32_t)c->operators.count - 1;
}

/* "Linear_0": before torch 2.0 the number of the module is in the arguments alone. */
static uint32_t
module_name(struct tp_torch_columns *c, const struct tp_torch_event *e, struct tp_slice name)
{
	static const struct tp_slice prefix = TP_S("nn.Module: ");
	char number[24], whole[512];
	int n = snprintf(number, sizeof number, "_%" PRId64, e->python_module);

	if (tp_slice_starts(name, prefix))
		name = tp_slice_from(name, prefix.len);
	if (tp_slice_ends(name, (struct tp_slice){number, (size_t)n}))
		return tp_intern(c->strings, name);
	if (name.len + (size_t)n >= sizeof whole)
		return tp_intern(c->strings, name);
	n = snprintf(whole, sizeof whole, "%.*s%s", TP_ARG(name), number);
	return tp_intern_copy(c->strings, (struct tp_slice){whole, (size_t)n});
}

static uint32_t
add_python(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_python *p = tp_blocks_new(&c->pythons, struct tp_torch_python);
	struct tp_slice name = text(c, e->name);

	p->id = e->python_id;
	p->parent = e->python_parent;
	p->called_from = e->called_from;
	if (e->python_module >= 0)
		p->module = module_name(c, e, name);
	return (uint32_t)c->pythons.count - 1;
}

static uint32_t
bounded(int64_t n)
{
	return n < 0 ? 0 : n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static uint32_t
launch(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_launch l;

	if (e->grid[0] == 0 && e->block[0] == 0 && e->registers < 0 && e->shared_bytes < 0 &&
		!(e->occupancy_percent >= 0))
		return TP_NONE;
	memset(&l, 0, sizeof l); /* likewise */
	memcpy(l.grid, e->grid, sizeof l.grid);
	memcpy(l.block, e->block, sizeof l.block);
	l.registers = bounded(e->registers);
	l.shared_bytes = bounded(e->shared_bytes);
	l.has_registers = e->registers >= 0;
	l.has_shared = e->shared_bytes >= 0;
	l.blocks_per_sm = (float)e->blocks_per_sm;
	l.warps_per_sm = (float)e->warps_per_sm;
	l.occupancy = (float)(e->occupancy_percent / 100);
	return tp_torch_once(&c->launches, &c->launch_map, &l, sizeof l);
}

/* hipExtModuleLaunchKernel is asked for threads, not blocks (HIP's documentation: globalWorkSizeX, in work items). */
static struct tp_torch_event
in_blocks(const struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_event blocks = *e;

	if (!tp_slice_eq(text(c, e->name), TP_S("hipExtModuleLaunchKernel")) &&
		!tp_slice_eq(text(c, e->name), TP_S("hipHccModuleLaunchKernel")))
		return blocks;
	for (int i = 0; i < 3; i++) {
		if (e->block[i] != 0)
			blocks.grid[i] = e->grid[i] / e->block[i] + (e->grid[i] % e->block[i] != 0);
	}
	return blocks;
}

static uint32_t
add_call(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_call *call = tp_blocks_new(&c->calls, struct tp_torch_call);

	call->correlation = e->correlation;
	call->external_id = e->external_id;
	if (e->grid[0] != 0) {
		struct tp_torch_event blocks = in_blocks(c, e);

		call->launch = launch(c, &blocks);
	} else {
		call->launch = launch(c, e);
	}
	if (call->launch != TP_NONE && e->correlation >= 0)
		tp_map_put(&c->grid_of, (uint64_t)e->correlation, call->launch);
	return (uint32_t)c->calls.count - 1;
}

static uint32_t
add_work(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_torch_work *w = tp_blocks_new(&c->works, struct tp_torch_work);

	w->correlation = e->correlation;
	w->external_id = e->external_id;
	w->bytes = e->bytes >= 0 ? e->bytes : -1;
	w->launch = launch(c, e);
	w->collective = collective(c, e);
	w->graph = bounded(e->graph);
	if (e->external_id >= 0 && e->correlation >= 0) {
		c->same_ids += e->external_id == e->correlation;
		c->other_ids += e->external_id != e->correlation;
	}
	return (uint32_t)c->works.count - 1;
}

uint32_t
tp_torch_detail(struct tp_torch_columns *c, uint8_t kind, const struct tp_torch_event *e)
{
	switch ((enum tp_torch_kind)kind) {
	case TP_TORCH_OPERATOR:
	case TP_TORCH_ANNOTATION:
	case TP_TORCH_STEP:
		return add_operator(c, e);
	case TP_TORCH_PYTHON:
		return add_python(c, e);
	case TP_TORCH_RUNTIME:
	case TP_TORCH_DRIVER:
		return add_call(c, e);
	case TP_TORCH_KERNEL:
	case TP_TORCH_MEMCPY:
	case TP_TORCH_MEMSET:
		return add_work(c, e);
	case TP_TORCH_GPU_ANNOTATION:
	case TP_TORCH_SYNC:
	case TP_TORCH_OVERHEAD:
	case TP_TORCH_OTHER:
	case TP_TORCH_KIND_COUNT:
		break;
	}
	return TP_NONE;
}
