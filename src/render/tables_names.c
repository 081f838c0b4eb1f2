/* Names and texts of plain tables. */
#include "render/tables.h"

#include "base/arena.h"
#include "base/map.h"

enum { LONGEST_NAME = 80 };

struct tp_slice
tp_plain_name(struct tp_strings *taken, struct tp_slice text)
{
	char plain[LONGEST_NAME];
	size_t length = 0;

	for (size_t i = 0; i < text.len && length < sizeof plain; i++) {
		char c = (char)(text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] + 32 : text.ptr[i]);

		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			plain[length++] = c;
		else if (length != 0 && plain[length - 1] != '_')
			plain[length++] = '_';
	}
	length -= length != 0 && plain[length - 1] == '_';
	struct tp_slice name = length != 0 ? (struct tp_slice){plain, length} : TP_S("unnamed");
	uint32_t count = taken->count, number = tp_intern_copy(taken, name);

	for (unsigned next = 2; taken->count == count; next++)
		number =
			tp_intern_copy(taken, tp_arena_printf(taken->arena, "%.*s_%u", TP_ARG(name), next));
	return tp_string(taken, number);
}

struct tp_value
tp_plain_text(struct tp_slice text)
{
	return text.len != 0 ? tp_text_value(text) : tp_missing(TP_S(""));
}
