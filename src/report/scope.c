/* Pairs in one fixed order, so that the same scope always has the same id. */
#include "report/scope.h"

#include "base/arena.h"

static bool
must_encode(unsigned char c)
{
	return c == '%' || c == ',' || c == '=' || c == '@' || c < 0x20 || c == 0x7f;
}

/* Writes to `to` unless it is NULL; returns how many bytes that takes. */
static size_t
put(char *to, struct tp_slice text, bool encode)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (!encode || !must_encode(c)) {
			if (to != NULL)
				to[n] = (char)c;
			n++;
			continue;
		}
		if (to != NULL)
			memcpy(to + n, (const char[]){'%', hex[c >> 4], hex[c & 15]}, 3);
		n += 3;
	}
	return n;
}

static size_t
put_id(char *to, const char *id, const struct tp_scope *scope)
{
	const struct {
		const char *key;
		struct tp_slice value;
	} pairs[] = {
		{"run=", scope->run},
		{"host=", scope->host},
		{"worker=", scope->worker},
		{"span=", scope->span},
		{"device=", scope->device},
		{"program=", scope->program},
		{"module=", scope->module},
		{"step=", scope->step},
	};
	size_t n = put(to, tp_slice_of(id), false);
	const char *before = "@";

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		if (pairs[i].value.ptr == NULL)
			continue;
		n += put(to ? to + n : NULL, tp_slice_of(before), false);
		n += put(to ? to + n : NULL, tp_slice_of(pairs[i].key), false);
		n += put(to ? to + n : NULL, pairs[i].value, true);
		before = ",";
	}
	return n;
}

struct tp_slice
tp_scope_id(struct tp_arena *a, const char *id, struct tp_scope scope)
{
	size_t len = put_id(NULL, id, &scope);
	char *text = tp_arena_alloc(a, len + 1);

	put_id(text, id, &scope);
	return (struct tp_slice){text, len};
}

struct tp_slice
tp_scope_base(struct tp_slice id)
{
	const char *at = id.len ? memchr(id.ptr, '@', id.len) : NULL;

	return at ? (struct tp_slice){id.ptr, (size_t)(at - id.ptr)} : id;
}
