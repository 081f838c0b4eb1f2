/* What cells of all views are made of. */
#include "tfprof/text.h"

#include "base/buf.h"
#include "io/sink.h"

#include <stdlib.h>

void
tp_tfprof_put_comma(struct tp_sink *out, bool *first)
{
	if (!*first)
		tp_sink_puts(out, ", ");
	*first = false;
}

void
tp_tfprof_put_shape(struct tp_sink *out, const int64_t *dims, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tp_sink_printf(out, "%s%lld", i != 0 ? "x" : "", (long long)dims[i]);
}

static int
by_text(const void *a, const void *b)
{
	return tp_slice_cmp(*(const struct tp_slice *)a, *(const struct tp_slice *)b);
}

void
tp_tfprof_put_names(const struct tp_tfprof_text *x, enum tp_tfprof_names which,
	const uint32_t *nodes, uint32_t count)
{
	struct tp_buf names = {0};
	struct tp_slice type;

	for (uint32_t i = 0; i < count; i++) {
		const struct tp_tfprof_node *node = &x->tfprof->nodes[nodes[i]];
		struct tp_tfprof_types types = tp_tfprof_types(node);

		if (which == TP_TFPROF_DEVICES)
			*tp_buf_new(&names, struct tp_slice) = node->device;
		while (which == TP_TFPROF_TYPES && tp_tfprof_next_type(&types, &type))
			*tp_buf_new(&names, struct tp_slice) = type;
	}
	struct tp_slice *name = names.data;
	bool first = true;

	if (names.count != 0)
		qsort(name, names.count, sizeof *name, by_text);
	for (size_t i = 0; i < names.count; i++) {
		if (i != 0 && tp_slice_eq(name[i - 1], name[i]))
			continue;
		if (!first)
			tp_sink_puts(x->out, "|");
		tp_sink_put(x->out, name[i]);
		first = false;
	}
	tp_buf_free(&names);
}
