/* Event metadata of a plane → operations: names, HLO facts, costs per occurrence. */
#include "ingest/xspace.h"

#include "base/arena.h"
#include "codec/pb_message.h"
#include "xplane.pb-c.h"

static void
read_access(const Tp__MemoryAccess *a, struct tp_op *op)
{
	enum { READ = 1, HBM = 1, CMEM = 2, VMEM = 3 };
	bool read = a->operation_type == READ;

	if (a->memory_space == HBM)
		op->hbm_bytes += a->bytes_accessed;
	else if (a->memory_space == CMEM)
		*(read ? &op->cmem_read_bytes : &op->cmem_write_bytes) += a->bytes_accessed;
	else if (a->memory_space == VMEM)
		*(read ? &op->vmem_read_bytes : &op->vmem_write_bytes) += a->bytes_accessed;
}

/* MemoryAccessBreakdown. One without entries is an answer too: copy-start and copy-done of one copy state its bytes both, and only
 * the one that reads or writes HBM names it. */
static void
read_breakdown(struct tp_slice breakdown, struct tp_op *op)
{
	enum { ACCESS = 1 };
	struct tp_pb p = tp_pb_open(breakdown);

	op->hbm_bytes = 0;
	while (tp_pb_next_bytes(&p, ACCESS)) {
		Tp__MemoryAccess access = TP__MEMORY_ACCESS__INIT;

		tp_pb_message(&access.base, p.bytes);
		read_access(&access, op);
	}
	if (p.state != TP_PB_END)
		op->hbm_bytes = op->bytes;
}

static uint64_t
not_negative(int64_t number)
{
	return number < 0 ? 0 : (uint64_t)number;
}

struct costs {
	bool has_flops, has_bytes, has_breakdown;
	struct tp_slice breakdown;
};

static void
read_stat(
	struct tp_xplane *plane, const struct tp_xstat *stat, struct tp_op *op, struct costs *costs)
{
	switch ((int)tp_xstat_key(plane, stat)) {
	case TP_XKEY_CATEGORY:
		op->category = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_PROGRAM:
		op->program_id = (uint64_t)stat->integer;
		op->has_program = true;
		break;
	case TP_XKEY_FLOPS:
		op->flops = not_negative(stat->integer);
		costs->has_flops = true;
		break;
	case TP_XKEY_MODEL_FLOPS:
		op->model_flops = not_negative(stat->integer);
		break;
	case TP_XKEY_BYTES:
		op->bytes = not_negative(stat->integer);
		costs->has_bytes = true;
		break;
	case TP_XKEY_BREAKDOWN:
		costs->breakdown = stat->bytes;
		costs->has_breakdown = true;
		break;
	case TP_XKEY_FRAMEWORK:
		op->framework = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_SOURCE:
		op->source = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_SHAPE:
		op->shape = tp_xstat_text(plane, stat);
		break;
	case TP_XKEY_DUPLICATES:
		op->duplicates = tp_xstat_text(plane, stat);
		break;
	default:
		break;
	}
}

static void
read_metadata(struct tp_xplane *plane, struct tp_slice bytes, struct tp_op *op)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct costs costs = {0};

	while (tp_pb_next(&p)) {
		struct tp_xstat stat;

		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == 2)
			op->name = p.bytes;
		else if (p.field == 4)
			op->label = p.bytes;
		else if (p.field == 5 && tp_xstat_read(p.bytes, &stat))
			read_stat(plane, &stat, op, &costs);
	}
	if (op->label.len == 0)
		op->label = op->name;
	op->xla = op->category.len != 0;
	op->has_costs = costs.has_flops || costs.has_bytes;
	op->hbm_bytes = op->bytes;
	if (costs.has_breakdown)
		read_breakdown(costs.breakdown, op);
}

/* Begins and ends of regions (xspace_events.c). */
static void
note_region_op(struct tp_xplane *plane, uint32_t op)
{
	if (!tp_slice_starts(tp_built_op(plane->out, op)->name, TP_S("ThreadpoolListener::S")))
		return;
	if (plane->region_ops == 0)
		plane->first_region_op = op;
	plane->region_ops = op - plane->first_region_op + 1;
}

void
tp_xplane_read_ops(struct tp_xplane *plane)
{
	const struct tp_xkept *parts = plane->event_metadata.data;

	/* Ids are mostly dense, so twice as many as there are names is enough. */
	size_t wanted = 2 * plane->event_metadata.count + 1;

	plane->small_ids = (uint32_t)(wanted < TP_XSMALL_OP_ID ? wanted : TP_XSMALL_OP_ID);
	plane->op_of_small_id = tp_new_array(plane->scratch, uint32_t, plane->small_ids);
	memset(plane->op_of_small_id, 0xff, plane->small_ids * sizeof *plane->op_of_small_id);
	for (size_t i = 0; i < plane->event_metadata.count; i++) {
		struct tp_pb entry = tp_pb_open(parts[i].bytes);
		struct tp_slice value = {NULL, 0};
		uint64_t id = 0;

		while (tp_pb_next(&entry)) {
			if (entry.field == 1 && entry.type == TP_PB_VARINT)
				id = entry.number;
			if (entry.field == 2 && entry.type == TP_PB_BYTES)
				value = entry.bytes;
		}
		struct tp_op *op;
		uint32_t index = tp_build_op(plane->out, &op);

		read_metadata(plane, value, op);
		note_region_op(plane, index);
		tp_map_put(&plane->ops, id, index);
		if (id < plane->small_ids)
			plane->op_of_small_id[id] = index;
	}
}
