/* Tags of the line that is open: what is kept of the arguments of its events. */
#include "model/builder.h"

#include "base/order.h"

#include <stdlib.h>

_Static_assert(TP_TAG_COUNT <= 64, "a line says in 64 bits which keys occur");

void
tp_build_tag(struct tp_builder *b, uint32_t event, enum tp_tag_key key, int64_t value)
{
	const struct tp_tag *tags = b->tags.data;

	if (b->tags.count != 0 && tags[b->tags.count - 1].event > event)
		b->tags_unsorted = true;
	/* No more than one of each key, so that looking through an event's tags takes no time worth mentioning. */
	for (size_t i = b->tags.count; i-- > 0 && tags[i].event == event;) {
		if (tags[i].key == (uint32_t)key)
			return;
	}
	struct tp_tag *tag = tp_buf_add(&b->tags, sizeof *tag);

	*tag = (struct tp_tag){.event = event, .key = (uint8_t)key, .value = value};
	b->tag_keys |= (uint64_t)1 << key;
}

void
tp_unbuild_tags(struct tp_builder *b, uint32_t event)
{
	const struct tp_tag *tags = b->tags.data;

	while (b->tags.count != 0 && tags[b->tags.count - 1].event == event)
		b->tags.count--;
}

void
tp_build_tags_of(struct tp_builder *b, uint32_t first, struct tp_builder *of, uint64_t string_keys,
	const uint32_t *strings)
{
	size_t count = of->tags.count;
	const struct tp_tag *from = of->tags.data;
	struct tp_tag *to = tp_buf_extend(&b->tags, count, sizeof *to);

	for (size_t i = 0; i < count; i++) {
		to[i] = from[i];
		to[i].event += first;
		if (string_keys >> from[i].key & 1)
			to[i].value = strings[from[i].value];
	}
	b->tag_keys |= of->tag_keys;
	of->tags.count = 0;
	of->tag_keys = 0;
}

TP_ORDER(by_event, struct tp_tag, TP_UP(event), TP_UP(key));

void
tp_build_tags_sort(struct tp_builder *b)
{
	if (b->tags_unsorted && b->tags.count != 0)
		qsort(b->tags.data, b->tags.count, sizeof(struct tp_tag), by_event);
}
