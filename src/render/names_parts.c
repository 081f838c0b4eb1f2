/* The parts of a name: where they begin and end. */
#include "render/names_parts.h"

#include <string.h>

/* bytes; of a longer word what stands before the byte asked for is left out */
enum { LONG_WORD = 12 };

uint32_t
tp_names_common(struct tp_slice a, struct tp_slice b)
{
	uint32_t i = 0;

	while (i < a.len && i < b.len && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

static bool
parts(char c)
{
	return c == '/' || c == ':';
}

uint32_t
tp_name_arguments(struct tp_slice name, uint32_t at)
{
	uint32_t depth = 0, first = 0;

	for (uint32_t i = 0; i < at; i++) {
		if (memchr("[<{", name.ptr[i], 3) != NULL) {
			first = depth == 0 ? i + 1 : first;
			depth++;
		} else if (depth != 0 && memchr("]>}", name.ptr[i], 3) != NULL) {
			depth--;
		} else if (depth == 0 && i > 0 && name.ptr[i] == '(' && name.ptr[i - 1] == '>') {
			return i + 1;
		}
	}
	return depth != 0 ? first : 0;
}

/* How much of the first `length` bytes of a call stack are whole calls; 0: it is none. */
static uint32_t
calls(struct tp_slice name, uint32_t length)
{
	static const char call[] = " › ";
	enum { CALL = sizeof call - 1 };

	for (uint32_t i = length; i >= CALL; i--) {
		if (memcmp(name.ptr + i - CALL, call, CALL) == 0)
			return i;
	}
	return 0;
}

uint32_t
tp_name_parts(struct tp_slice name, uint32_t length)
{
	uint32_t arguments = tp_name_arguments(name, length), strong = calls(name, length), weak = 0;

	if (strong != 0)
		return strong;
	for (uint32_t i = 0; i < (arguments != 0 ? arguments : length); i++) {
		if (parts(name.ptr[i]) || (strong == i && name.ptr[i] == ' '))
			strong = i + 1;
		else if (name.ptr[i] == '_')
			weak = i + 1;
	}
	return strong != 0 ? strong : weak;
}

uint32_t
tp_name_parts_before(struct tp_slice name, uint32_t length, uint32_t shown)
{
	uint32_t strong = tp_name_parts(name, length), weak = length;

	if (calls(name, length) != 0)
		return strong;
	if (tp_name_arguments(name, length) != 0)
		return strong + shown > length + TP_NAME_DIFFERENCE ? strong : 0;
	while (weak > strong && name.ptr[weak - 1] != '_')
		weak--;
	return strong + shown / 2 > length ? strong : weak;
}

uint32_t
tp_name_parts_within(struct tp_slice name, uint32_t length, uint32_t shown)
{
	uint32_t most = shown - TP_NAME_DIFFERENCE;

	for (uint32_t i = length > most ? length - most : 0; i < length; i++) {
		if (i > 0 && parts(name.ptr[i - 1]) && !parts(name.ptr[i]))
			return i;
	}
	return 0;
}

bool
tp_name_in_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		(unsigned char)c >= 0x80;
}

uint32_t
tp_name_word(struct tp_slice name, uint32_t at)
{
	uint32_t from = at;

	while (from > 0 && at - from < LONG_WORD && tp_name_in_word(name.ptr[from - 1]))
		from--;
	if (from > 0 && tp_name_in_word(name.ptr[from - 1]))
		from = at;
	while (from > 0 && ((unsigned char)name.ptr[from] & 0xc0) == 0x80)
		from--;
	while (from > 0 && name.ptr[from - 1] == '(')
		from--;
	return from;
}

uint32_t
tp_name_part_end(struct tp_slice name, uint32_t at, bool words)
{
	while (at < name.len && !parts(name.ptr[at]) && !(words && name.ptr[at] == '_'))
		at++;
	if (at + 1 < name.len && parts(name.ptr[at]) && parts(name.ptr[at + 1]))
		at++; /* "::" */
	return at < name.len ? at + 1 : at;
}
