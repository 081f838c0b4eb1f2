/* A borrowed run of bytes: text or data that somebody else owns. */
#ifndef TP_BASE_SLICE_H
#define TP_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct tp_slice {
	const char *ptr; /* not NUL-terminated; may be NULL when len is 0 */
	size_t len;
};

/* A string literal as a slice. */
#define TP_S(literal) ((struct tp_slice){(literal), sizeof(literal) - 1})

/* For printf's "%.*s". Lengths above INT_MAX are cut. */
#define TP_ARG(s) ((int)((s).len > 0x7fffffff ? 0x7fffffff : (s).len)), ((s).ptr ? (s).ptr : "")

static inline struct tp_slice
tp_slice_of(const char *text)
{
	return (struct tp_slice){text, text ? strlen(text) : 0};
}

static inline bool
tp_slice_eq(struct tp_slice a, struct tp_slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Byte order, the shorter first when one begins the other; <0, 0, >0 as memcmp. */
static inline int
tp_slice_cmp(struct tp_slice a, struct tp_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	if (order != 0)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

static inline bool
tp_slice_starts(struct tp_slice s, struct tp_slice prefix)
{
	return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool
tp_slice_ends(struct tp_slice s, struct tp_slice suffix)
{
	return s.len >= suffix.len &&
		(suffix.len == 0 || memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* Whether needle occurs in s. */
static inline bool
tp_slice_has(struct tp_slice s, struct tp_slice needle)
{
	return needle.len == 0 || (s.len >= needle.len && memmem(s.ptr, s.len, needle.ptr, needle.len));
}

/* The part of s from byte `from` on; empty when it is shorter. */
static inline struct tp_slice
tp_slice_from(struct tp_slice s, size_t from)
{
	if (from >= s.len)
		return (struct tp_slice){s.ptr, 0};
	return (struct tp_slice){s.ptr + from, s.len - from};
}

#endif
