/* Writing JSON piece by piece into a sink, so that a table of any length needs no memory. The caller keeps to the grammar:
 * a key in objects, NULL in arrays. */
#ifndef TP_RENDER_JSON_WRITER_H
#define TP_RENDER_JSON_WRITER_H

#include "base/slice.h"

#include <stdint.h>

struct tp_sink;
struct tp_value;

enum { TP_JSON_DEEPEST = 32 };

struct tp_json {
	struct tp_sink *out;
	char closer[TP_JSON_DEEPEST]; /* of each open object or array */
	unsigned depth;
	unsigned flat_depth; /* from this depth on all is on one line; 0: nothing is */
	bool empty;          /* the innermost has no member yet */
	bool dense;          /* no blanks: lines begin at their left end */
};

/* A string alone. Ill-formed UTF-8 becomes U+FFFD. `<` and the line separators are escaped, so that it may stand in a
 * <script>. */
void tp_json_put_string(struct tp_sink *out, struct tp_slice text);

void tp_json_start(struct tp_json *j, struct tp_sink *out);

/* Opens an object or an array; a flat one is written on one line with all that is in it. */
enum tp_json_shape { TP_JSON_OBJECT, TP_JSON_ARRAY, TP_JSON_FLAT_OBJECT, TP_JSON_FLAT_ARRAY };
void tp_json_open(struct tp_json *j, const char *key, enum tp_json_shape shape);
void tp_json_open_named(struct tp_json *j, struct tp_slice key, enum tp_json_shape shape);
void tp_json_close(struct tp_json *j);

void tp_json_string(struct tp_json *j, const char *key, struct tp_slice text);
void tp_json_integer(struct tp_json *j, const char *key, int64_t integer);
/* The shortest text that reads back as the same number; null when not finite. */
void tp_json_number(struct tp_json *j, const char *key, double number);
void tp_json_bool(struct tp_json *j, const char *key, bool truth);
void tp_json_null(struct tp_json *j, const char *key);

/* The value itself: a number, a string, or null when missing. */
void tp_json_value(struct tp_json *j, const char *key, struct tp_value v);

#endif
