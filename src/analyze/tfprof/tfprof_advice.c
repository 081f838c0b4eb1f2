/* One walk over the nodes answers what needs no view. */
#include "analyze/tfprof/tfprof_advice.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/tfprof_times.h"

#include <stdlib.h>

TP_ORDER(by_name, struct tp_tfprof_device, tp_slice_cmp(a->name, b->name));

static void
add_span(struct tp_tfprof_device *d, const struct tp_tfprof_node *node)
{
	int64_t start_us, end_us, busy_us;

	if (!tp_tfprof_last_span(node, &start_us, &end_us, &busy_us))
		return;
	if (d->start_us == 0 || (start_us != 0 && start_us < d->start_us))
		d->start_us = start_us;
	d->end_us = end_us > d->end_us ? end_us : d->end_us;
	if (__builtin_add_overflow(d->busy_us, busy_us, &d->busy_us))
		d->busy_us = INT64_MAX;
}

static bool
is_fused(const struct tp_tfprof_node *node, bool any)
{
	struct tp_tfprof_types types = tp_tfprof_types(node);
	struct tp_slice type;

	while (tp_tfprof_next_type(&types, &type)) {
		if (tp_slice_eq(type, TP_S("FusedBatchNorm")) ||
			(any && tp_slice_starts(type, TP_S("FusedBatchNormV"))))
			return true;
	}
	return false;
}

void
tp_tfprof_advise(
	const struct tp_tfprof *t, bool ours, struct tp_arena *arena, struct tp_tfprof_advice *out)
{
	struct tp_buf devices = {0};
	struct tp_arena *scratch = tp_arena_new();
	struct tp_strings names;
	bool fused = false;

	*out = (struct tp_tfprof_advice){.batch_norm = TP_MAP_NONE, .nhwc = TP_MAP_NONE};
	tp_strings_init(&names, scratch);
	for (uint32_t i = 0; i < t->node_count; i++) {
		const struct tp_tfprof_node *node = &t->nodes[i];
		bool gpu = tp_tfprof_on_gpu(node->device);

		if (gpu || (ours && tp_tfprof_is_other_device(node->device))) {
			uint32_t id = tp_intern(&names, node->device);

			while (devices.count < id)
				tp_buf_new(&devices, struct tp_tfprof_device)->name = node->device;
			add_span(&((struct tp_tfprof_device *)devices.data)[id - 1], node);
		}
		if (out->batch_norm == TP_MAP_NONE && tp_slice_has(node->name, TP_S("BatchNorm")))
			out->batch_norm = i;
		fused |= is_fused(node, ours);
		if (gpu && out->nhwc == TP_MAP_NONE &&
			tp_slice_eq(tp_tfprof_text_attribute(node, TP_S("data_format")), TP_S("NHWC")))
			out->nhwc = i;
	}
	if (fused)
		out->batch_norm = TP_MAP_NONE;
	out->device_count = (uint32_t)devices.count;
	out->devices = tp_buf_settle(&devices, sizeof *out->devices, arena);
	if (out->device_count != 0)
		qsort(out->devices, out->device_count, sizeof *out->devices, by_name);
	tp_arena_free(scratch);
}
