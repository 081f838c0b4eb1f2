/* Phrases that several passes use when they present. */
#ifndef TP_ANALYZE_SAY_H
#define TP_ANALYZE_SAY_H

#include "analyze/core/ctx.h"
#include "report/column.h"
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

/* A fold "About these figures" at the end of a section; text is markup. */
void tp_say_how(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *text);

/* The mark of the open finding of this rule, as the section Findings shows it, for what a table shows of it: a mark stands only where
 * something was judged. NONE: the check is not open, or the document has no findings. */
enum tp_judge tp_say_mark_of(struct tp_doc *doc, const char *rule);

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

/* What readers call the device: "TPU:1", and "GPU 1", as all GPUs are called. */
struct tp_slice tp_say_device(const struct tp_pass_ctx *ctx, uint32_t device);

#endif
