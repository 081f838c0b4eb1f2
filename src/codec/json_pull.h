/* JSON, value by value, out of windows that slide over a text of any length; syntax only.
 *
 * What the profilers of this world write is read, not only what RFC 8259 allows: NaN, Infinity and N/A as values, control
 * bytes in strings, escapes that do not exist, a comma before the end, a text that breaks off. Nothing recurses and nothing
 * is held but the window and the escaped text in hand. */
#ifndef TP_CODEC_JSON_PULL_H
#define TP_CODEC_JSON_PULL_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

enum { TP_PULL_DEEPEST = 1024 };

enum tp_pull_type {
	TP_PULL_OBJECT, /* its members follow, each with its key, and then OBJECT_END */
	TP_PULL_OBJECT_END,
	TP_PULL_ARRAY, /* its elements follow, and then ARRAY_END */
	TP_PULL_ARRAY_END,
	TP_PULL_STRING,
	TP_PULL_NUMBER, /* looks like one; codec/json_number.h says whether it is, and which */
	TP_PULL_TRUE,
	TP_PULL_FALSE,
	TP_PULL_NULL,
	TP_PULL_NON_FINITE, /* NaN, Infinity, -Infinity, N/A and the like */
};

enum tp_pull_state {
	TP_PULL_MORE,
	TP_PULL_END,       /* the text ended where it should */
	TP_PULL_TRUNCATED, /* the bytes ended inside a value */
	TP_PULL_BROKEN,    /* not JSON from here on: wrong says why */
};

/* Puts the bytes that follow *window behind its last `keep` bytes, and the whole into *window; the old window is gone
 * then. At least one byte more, or false, with *window as it was, when there are no more. */
typedef bool tp_pull_more(void *with, struct tp_slice *window, size_t keep);

struct tp_pull {
	/* What tp_pull_next found. Texts are valid until the next call. */
	enum tp_pull_type type;
	struct tp_slice key;  /* of a member, unescaped; empty for elements of arrays and for ends */
	struct tp_slice text; /* STRING: unescaped; NUMBER, ODD: as written */
	uint64_t offset;      /* byte of the whole text where it starts (the key, when it has one), or
	                       * where the text ended or broke */
	enum tp_pull_state state;
	const char *wrong; /* BROKEN: what was found there */
	uint64_t non_finite_values;
	/* escapes that do not exist, half surrogates, control bytes, commas too many */
	uint64_t repairs;

	/* Its own. */
	tp_pull_more *more;
	void *with;
	const char *window, *mark, *at, *end; /* bytes before mark are not needed any more */
	uint64_t window_offset;
	bool after_value, key_in_window;
	unsigned depth;
	uint64_t
		objects[TP_PULL_DEEPEST / 64]; /* of each level whether it is an object, else an array */
	struct tp_buf key_room, text_room; /* for texts with escapes */
};

/* Starts on window; more: what comes after it, NULL when it is all there is. */
void tp_pull_open(struct tp_pull *j, struct tp_slice window, tp_pull_more *more, void *with);
void tp_pull_close(struct tp_pull *j);

/* Starts at byte `offset` of a text, behind an element of an array that another walk over the same text is in; more gives the bytes from
 * there on. */
void tp_pull_open_behind(struct tp_pull *j, const struct tp_pull *other, uint64_t offset,
	tp_pull_more *more, void *with);

/* The next value, or the end of the innermost object or array; false when state is no longer MORE. */
bool tp_pull_next(struct tp_pull *j);

/* After OBJECT or ARRAY: goes to its end (the type is OBJECT_END or ARRAY_END then); nothing after other types. What is
 * inside is looked at only as far as finding the end asks for: nothing in it counts as odd or repaired, and it
 * may be nested to any depth (beyond TP_PULL_DEEPEST without telling brackets from braces). */
bool tp_pull_skip(struct tp_pull *j);

/* The same, with the text that is passed over, brackets included, in *raw: valid until the next call. */
bool tp_pull_raw(struct tp_pull *j, struct tp_slice *raw);

/* Puts the next member of the object in hand, or element of the array, into j: false at its end, which is taken too, and
 * when state is no longer MORE. A member that is an object or array must be read to its end or skipped. */
static inline bool
tp_pull_item(struct tp_pull *j)
{
	return tp_pull_next(j) && j->type != TP_PULL_OBJECT_END && j->type != TP_PULL_ARRAY_END;
}

/* For readers that know what to expect in an array: the bytes behind the last element, as far as they are in the window;
 * none before the first. */
static inline struct tp_slice
tp_pull_ahead(const struct tp_pull *j)
{
	bool behind = j->state == TP_PULL_MORE && j->after_value && j->depth != 0;

	return (struct tp_slice){j->at, behind ? (size_t)(j->end - j->at) : 0};
}

/* The byte of the whole text where the walk is. */
static inline uint64_t
tp_pull_at(const struct tp_pull *j)
{
	return j->window_offset + (uint64_t)(j->at - j->window);
}

static inline bool
tp_pull_key_is(const struct tp_pull *j, const char *key)
{
	return tp_slice_eq(j->key, tp_slice_of(key));
}

/* The first `length` of them are whole elements with the commas before them, in which the walk would have found nothing
 * wrong, odd or to repair: it goes on behind them. */
static inline void
tp_pull_passed(struct tp_pull *j, size_t length)
{
	j->at += length;
	j->mark = j->at;
	j->key = j->text = (struct tp_slice){NULL, 0};
	j->key_in_window = false;
}

#endif
