/* Phrases that several passes use when they present. */
#ifndef TP_ANALYZE_SAY_H
#define TP_ANALYZE_SAY_H

#include "analyze/core/ctx.h"
#include "report/doc.h"
#include "report/scope.h"

#include <stddef.h>
#include <stdint.h>

/* "1 device", "8 devices" as one text value; the figure has its thousands separated. */
struct tp_value tp_say_number(
	const struct tp_pass_ctx *ctx, size_t count, const char *one, const char *many);

/* A count, or that it is missing, where a reason for that is not empty. */
static inline struct tp_value
tp_say_count(uint64_t count, struct tp_slice why_not)
{
	return why_not.len != 0 ? tp_missing(why_not) : tp_count(count);
}

/* "12.5 s": the text of a value, allocated in ctx->keep. */
struct tp_slice tp_say_value(const struct tp_pass_ctx *ctx, struct tp_value value);

/* A text; an empty one is missing, for this reason. */
static inline struct tp_value
tp_say_text(struct tp_slice text, const char *why)
{
	return text.len != 0 ? tp_text_value(text) : tp_missing(tp_slice_of(why));
}

/* What answers a question with others: a part of the first of these sections (ends with NULL) that is there, else a section of its
 * own with its own title. */
struct tp_block *tp_say_part_of(struct tp_doc *doc, const char *const *sections, const char *id,
	const char *title, const char *part_title);

/* "12 more scopes are left out." below a table that shows `most` of `count`; nothing where it shows all. */
void tp_say_left_out(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const char *id, size_t count, size_t most, const char *one, const char *many);

/* A fold "About these figures" at the end of a section; text is plain, not markup. */
void tp_say_how(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *text);

/* Registers a headline figure that needs no word on what it covers. */
void tp_say_metric(
	struct tp_doc *doc, const char *id, const char *label, struct tp_value value, const char *how);

/* "From vm.xplane.pb, lines …": the end of a section; what: plain text, which part of the files. */
void tp_say_source(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *what);

/* "vm.xplane.pb" of a path. */
struct tp_slice tp_say_file_name(struct tp_slice path);

/* The scope of figures for one host, and for one device: "host=worker-0,device=TPU:1". */
struct tp_scope tp_say_host_scope(const struct tp_pass_ctx *ctx, uint32_t host);
struct tp_scope tp_say_device_scope(const struct tp_pass_ctx *ctx, uint32_t device);

/* A static slice for columns and the like from a literal, usable in initialisers. */
#define TP_LIT(literal)                                                                            \
	{                                                                                              \
		(literal), sizeof(literal) - 1                                                             \
	}

/* Columns of tables, likewise; after the title other members of struct tp_column. */
#define TP_COLUMN(named_key, named_title, ...)                                                     \
	{                                                                                              \
		.key = TP_LIT(named_key), .title = TP_LIT(named_title), __VA_ARGS__                        \
	}
#define TP_COUNT_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_COUNT, __VA_ARGS__)
#define TP_SHARE_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_SHARE, .decimals = 1, __VA_ARGS__)
/* Sizes, each in the unit that suits it. */
#define TP_BYTES_COLUMN(named_key, named_title, ...)                                               \
	TP_COLUMN(named_key, named_title, .unit = TP_UNIT_BYTES, .decimals = TP_DECIMALS_BY_SIZE,      \
		__VA_ARGS__)

/* Where a column finds its value in the struct that a row is about, among the other members of a column:
 * TP_COUNT_COLUMN("calls", "Calls", TP_FIELD(struct node, calls, TP_UNIT_COUNT)). */
#define TP_FIELD(row, member, stored_unit, ...)                                                    \
	.field = {.type = _Generic(((row *)0)->member, struct tp_slice                                 \
							   : TP_FIELD_TEXT, const char *                                       \
							   : TP_FIELD_CHARS, double                                             \
							   : TP_FIELD_DOUBLE, int64_t                                          \
							   : TP_FIELD_INT64, uint64_t                                          \
							   : TP_FIELD_UINT64, uint32_t                                         \
							   : TP_FIELD_UINT32, struct tp_value                                  \
							   : TP_FIELD_VALUE),                                                  \
		.unit = stored_unit,                                                                       \
		.offset = offsetof(row, member),                                                           \
		__VA_ARGS__}
#define TP_TEXT_FIELD(row, member, ...) TP_FIELD(row, member, TP_UNIT_NONE, __VA_ARGS__)
#define TP_COUNT_FIELD(row, member, ...) TP_FIELD(row, member, TP_UNIT_COUNT, __VA_ARGS__)

#endif
