/* Templates: well-formed XML files whose places a renderer fills. Two things are special in them, all else is HTML:
 *
 *     {name}          in text: what the slot of that name writes; in an attribute: the slot's text, and an attribute that
 *                     consists of one slot alone is left out when that text is empty
 *     if="name"       the element is left out unless the slot has something to say
 *
 * White space that holds a line break is dropped between elements, so templates can be indented. */
#ifndef TP_TEMPLATE_FILL_H
#define TP_TEMPLATE_FILL_H

#include "base/err.h"
#include "report/text.h"

#include <stddef.h>

struct tp_arena;
struct tp_html;
struct tp_html_page; /* who fills knows what it is */
struct tp_templates;

enum tp_slot_field { TP_SLOT_NO_FIELD, TP_SLOT_IS_TEXT, TP_SLOT_IS_SENTENCE };

/* One slot: a field of the thing, or functions. `page` is what was given to tp_templates_open, `thing` what was given to tp_fill. */
struct tp_slot {
	const char *name;
	/* a struct tp_slice or a struct tp_text, at this offset in the thing */
	enum tp_slot_field field;
	size_t offset;
	/* for text and attributes */
	struct tp_slice (*text)(struct tp_html_page *page, const void *thing);
	/* for text: writes to the page itself */
	void (*write)(struct tp_html_page *page, const void *thing);
	/* for if=; NULL: the text or sentence is not empty, or always with write */
	bool (*has)(struct tp_html_page *page, const void *thing);
};

#define TP_SLOT_FIELD(kind, type, member, is)                                                      \
	.field = (kind),                                                                               \
	.offset = offsetof(struct type, member) +                                                      \
		0 * sizeof _Generic(((struct type *)0)->member, struct is : 0)
#define TP_SLOT_TEXT(type, member) TP_SLOT_FIELD(TP_SLOT_IS_TEXT, type, member, tp_slice)
#define TP_SLOT_SENTENCE(type, member) TP_SLOT_FIELD(TP_SLOT_IS_SENTENCE, type, member, tp_text)

/* The templates in directory, or those inside the binary when it is NULL or has no file of that name. `say` writes a sentence to the
 * page. */
struct tp_templates *tp_templates_open(const char *directory, struct tp_html *out,
	struct tp_html_page *page, void (*say)(struct tp_html_page *page, struct tp_text text));
void tp_templates_close(struct tp_templates *t);

/* Writes a template with its places filled; slots end with a NULL name. The first error is kept, with file and line, and
 * everything after it is left out: tp_templates_status says it. */
void tp_fill(
	struct tp_templates *t, const char *name, const struct tp_slot *slots, const void *thing);
enum tp_status tp_templates_status(const struct tp_templates *t, struct tp_err *err);

/* Whether a template shows what the slot of this name says: an older one of the directory may lack it. */
bool tp_templates_show(struct tp_templates *t, const char *name, const char *slot);

/* The text of a template, its places filled with texts, without its elements, and with single blanks between words. In arena. */
struct tp_slice tp_fill_text(struct tp_templates *t, const char *name, const struct tp_slot *slots,
	const void *thing, struct tp_arena *arena);

/* Whether the directory has a file of this name, which is then taken instead of that inside the binary. */
bool tp_templates_has_own(struct tp_templates *t, const char *name);

/* A file that is no template (style, script), as it is; lives as long as t. Empty after an error. */
struct tp_slice tp_templates_file(struct tp_templates *t, const char *name);

#endif
