/* Protobuf's text format, field by field; syntax only. Nothing recurses: messages may be nested to any depth, and what is deeper
 * than TP_TEXT_DEEPEST is passed over. */
#ifndef TP_CODEC_PB_TEXT_H
#define TP_CODEC_PB_TEXT_H

#include "base/slice.h"

#include <stdint.h>

enum { TP_TEXT_DEEPEST = 64 };

enum tp_text_type {
	TP_TEXT_OPEN, /* a message: its fields follow, and then CLOSE */
	TP_TEXT_CLOSE,
	TP_TEXT_STRING, /* value: as written, with quotes and escapes; several parts may follow each other */
	TP_TEXT_WORD, /* value: a number, true, the name of an enum */
};

enum tp_text_state {
	TP_TEXT_MORE,
	TP_TEXT_END,       /* the text ended where it should */
	TP_TEXT_TRUNCATED, /* it ended inside a message, a list or a string */
	TP_TEXT_BROKEN,    /* not the text format from here on */
};

struct tp_text_pull {
	enum tp_text_type type;
	struct tp_slice name; /* of the field, also for CLOSE */
	struct tp_slice value;
	enum tp_text_state state;

	/* Its own. */
	const char *at, *end;
	unsigned depth;
	struct tp_slice names[TP_TEXT_DEEPEST + 1]; /* by depth, of the field in hand */
	bool in_list[TP_TEXT_DEEPEST + 1]; /* likewise: whether it is among others between brackets */
};

struct tp_text_pull tp_text_open(struct tp_slice text);

/* The next item; false when state is no longer MORE, at then being the place. */
bool tp_text_next(struct tp_text_pull *t);

/* After OPEN: goes to behind the end of that message, which may hold anything with brackets and quotes. */
bool tp_text_skip(struct tp_text_pull *t);

/* A STRING without quotes and escapes, written to out, which has room for value.len bytes; returns how many there are. */
size_t tp_text_unescape(struct tp_slice value, char *out);

#endif
