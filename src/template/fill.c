/* Fills templates: libxml2 reads them, the HTML writer writes them. */
#include "template/fill.h"

#include <stdlib.h>
#include <unistd.h>

#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/arena.h"
#include "base/asset.h"
#include "base/memory.h"
#include "io/blob.h"
#include "template/html_writer.h"

/* A file of the template directory or of the binary. */
struct template_file {
	const char *name;
	const char *path; /* for messages */
	struct tp_blob *blob;
	struct tp_slice bytes;
	xmlDocPtr tree; /* NULL until it is first filled */
	struct template_file *next;
};

struct tp_templates {
	struct tp_arena *arena;
	const char *directory;
	struct tp_html *out;
	struct tp_html_page *page;
	void (*say)(struct tp_html_page *page, struct tp_text text);
	struct template_file *first;
	struct tp_err err; /* the first one */
};

/* What is being filled. */
struct filling {
	struct tp_templates *templates;
	const struct template_file *template;
	const struct tp_slot *slots;
	const void *thing;
};

struct tp_templates *
tp_templates_open(const char *directory, struct tp_html *out, struct tp_html_page *page,
	void (*say)(struct tp_html_page *page, struct tp_text text))
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_templates *t = tp_new(arena, struct tp_templates);

	/* Without memory libxml2 would leave out nodes and go on. It always gets the same functions, so that once more does nothing. */
	xmlMemSetup(free, tp_memory_take, tp_memory_resize, tp_memory_copy);
	t->arena = arena;
	t->directory = directory;
	t->out = out;
	t->page = page;
	t->say = say;
	return t;
}

void
tp_templates_close(struct tp_templates *t)
{
	if (t == NULL)
		return;
	for (struct template_file *i = t->first; i != NULL; i = i->next) {
		xmlFreeDoc(i->tree);
		tp_blob_close(i->blob);
	}
	tp_arena_free(t->arena);
}

enum tp_status
tp_templates_status(const struct tp_templates *t, struct tp_err *err)
{
	if (t->err.status != TP_OK && err != NULL)
		*err = t->err;
	return t->err.status;
}

static void
fail(struct tp_templates *t, const struct template_file *template, long line, const char *text,
	struct tp_slice detail)
{
	if (t->err.status == TP_OK)
		tp_fail_at(&t->err, TP_ERR_FORMAT, template->path, TP_NO_OFFSET, "line %ld: %s%.*s", line,
			text, TP_ARG(detail));
}

/* Sets the template's bytes, from the directory when the file is there. */
static void
load(struct tp_templates *t, struct template_file *template)
{
	const struct tp_asset *asset = tp_asset_find(template->name);

	template->path = template->name;
	if (t->directory != NULL) {
		const char *path = tp_arena_printf(t->arena, "%s/%s", t->directory, template->name).ptr;

		if (access(path, F_OK) == 0) {
			template->path = path;
			template->blob = tp_blob_open(path, t->err.status == TP_OK ? &t->err : NULL);
			if (template->blob != NULL)
				template->bytes = tp_blob_bytes(template->blob);
			return;
		}
	}
	if (asset != NULL)
		template->bytes = (struct tp_slice){(const char *)asset->data, asset->size};
	else if (t->err.status == TP_OK)
		tp_fail_at(&t->err, TP_ERR_USAGE, template->name, TP_NO_OFFSET, "no such template");
}

static struct template_file *
find(struct tp_templates *t, const char *name)
{
	struct template_file *found;

	for (found = t->first; found != NULL; found = found->next)
		if (strcmp(found->name, name) == 0)
			return found;
	found = tp_new(t->arena, struct template_file);
	found->name = tp_arena_copy(t->arena, tp_slice_of(name)).ptr;
	found->next = t->first;
	t->first = found;
	load(t, found);
	return found;
}

struct tp_slice
tp_templates_file(struct tp_templates *t, const char *name)
{
	return find(t, name)->bytes;
}

static void
parse(struct tp_templates *t, struct template_file *template)
{
	const int options =
		XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA;
	const xmlError *why;
	struct tp_slice message;

	if (t->err.status != TP_OK || template->tree != NULL)
		return;
	template->tree =
		xmlReadMemory(template->bytes.ptr, (int)template->bytes.len, template->name, NULL, options);
	if (template->tree != NULL)
		return;
	why = xmlGetLastError();
	message = tp_slice_of(why != NULL && why->message != NULL ? why->message : "not well-formed");
	while (message.len > 0 && message.ptr[message.len - 1] == '\n')
		message.len--;
	fail(t, template, why != NULL ? why->line : 0, "", message);
}

/* A piece of template text: plain, or the name of a slot. */
struct piece {
	struct tp_slice text;
	bool is_slot;
};

/* Takes the next piece off *rest; false when nothing is left. */
static bool
next_piece(struct tp_slice *rest, struct piece *piece)
{
	const char *brace;
	size_t n = 0;

	if (rest->len == 0)
		return false;
	if (rest->ptr[0] == '{') {
		n = 1;
		while (n < rest->len && strchr("abcdefghijklmnopqrstuvwxyz0123456789-", rest->ptr[n]))
			n++;
		if (n > 1 && n < rest->len && rest->ptr[n] == '}') {
			*piece = (struct piece){{rest->ptr + 1, n - 1}, true};
			*rest = tp_slice_from(*rest, n + 1);
			return true;
		}
		n = 1;
	}
	brace = memchr(rest->ptr + n, '{', rest->len - n);
	n = brace != NULL ? (size_t)(brace - rest->ptr) : rest->len;
	*piece = (struct piece){{rest->ptr, n}, false};
	*rest = tp_slice_from(*rest, n);
	return true;
}

static const struct tp_slot *
find_slot(const struct filling *f, struct tp_slice name, const xmlNode *node)
{
	for (const struct tp_slot *slot = f->slots; slot->name != NULL; slot++)
		if (tp_slice_eq(tp_slice_of(slot->name), name))
			return slot;
	fail(f->templates, f->template, xmlGetLineNo(node), "there is nothing here called ", name);
	return NULL;
}

static const void *
field_of(const struct filling *f, const struct tp_slot *slot)
{
	return (const char *)f->thing + slot->offset;
}

static struct tp_slice
slot_text(const struct filling *f, const struct tp_slot *slot)
{
	if (slot->field == TP_SLOT_IS_TEXT)
		return *(const struct tp_slice *)field_of(f, slot);
	return slot->text != NULL ? slot->text(f->templates->page, f->thing) : TP_S("");
}

static bool
slot_says_something(const struct filling *f, const struct tp_slot *slot)
{
	if (slot->has != NULL)
		return slot->has(f->templates->page, f->thing);
	if (slot->field == TP_SLOT_IS_SENTENCE)
		return ((const struct tp_text *)field_of(f, slot))->count > 0;
	return slot->write != NULL || slot_text(f, slot).len > 0;
}

static void
write_slot(const struct filling *f, const struct tp_slot *slot)
{
	if (slot->field == TP_SLOT_IS_SENTENCE)
		f->templates->say(f->templates->page, *(const struct tp_text *)field_of(f, slot));
	else if (slot->write != NULL)
		slot->write(f->templates->page, f->thing);
	else
		tp_html_text(f->templates->out, slot_text(f, slot));
}

/* Template text with its slots filled; *only_slots: it is made of nothing else. */
static struct tp_slice
filled(const struct filling *f, const xmlNode *node, const xmlChar *text, bool *only_slots)
{
	struct tp_slice rest = tp_slice_of(text != NULL ? (const char *)text : "");
	struct tp_slice value = TP_S("");
	struct piece piece;

	*only_slots = rest.len > 0;
	while (next_piece(&rest, &piece)) {
		struct tp_slice part = piece.text;

		if (piece.is_slot) {
			const struct tp_slot *slot = find_slot(f, piece.text, node);

			part = slot != NULL ? slot_text(f, slot) : TP_S("");
		} else {
			*only_slots = false;
		}
		value = value.len == 0
			? part
			: tp_arena_printf(f->templates->arena, "%.*s%.*s", TP_ARG(value), TP_ARG(part));
	}
	return value;
}

static void
fill_attribute(const struct filling *f, const xmlNode *node, const xmlAttr *attribute)
{
	const xmlNode *content = attribute->children;
	bool only_slots;
	struct tp_slice value = filled(f, node, content != NULL ? content->content : NULL, &only_slots);

	if (value.len > 0 || !only_slots)
		tp_html_attr(f->templates->out, (const char *)attribute->name, value);
}

static void
fill_text(const struct filling *f, const xmlNode *node)
{
	struct tp_slice rest = tp_slice_of((const char *)node->content);
	struct piece piece;

	if (strspn(rest.ptr, " \t\r\n") == rest.len && memchr(rest.ptr, '\n', rest.len))
		return; /* indentation */
	while (next_piece(&rest, &piece)) {
		const struct tp_slot *slot;

		if (!piece.is_slot) {
			tp_html_text(f->templates->out, piece.text);
			continue;
		}
		slot = find_slot(f, piece.text, node);
		if (slot == NULL)
			return;
		write_slot(f, slot);
	}
}

static bool
is_condition(const xmlAttr *attribute)
{
	return strcmp((const char *)attribute->name, "if") == 0;
}

/* Whether the element's condition holds. */
static bool
is_wanted(const struct filling *f, xmlNode *node)
{
	for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
		const struct tp_slot *slot;

		if (!is_condition(a) || a->children == NULL)
			continue;
		slot = find_slot(f, tp_slice_of((const char *)a->children->content), node);
		return slot != NULL && slot_says_something(f, slot);
	}
	return true;
}

/* Recursion is as deep as a template is, which libxml2 bounds at 256. */
static void
fill_nodes(const struct filling *f, xmlNode *node)
{
	struct tp_html *out = f->templates->out;

	for (; node != NULL && f->templates->err.status == TP_OK; node = node->next) {
		if (node->type == XML_TEXT_NODE)
			fill_text(f, node);
		if (node->type != XML_ELEMENT_NODE || !is_wanted(f, node))
			continue;
		tp_html_open(out, (const char *)node->name);
		for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
			if (!is_condition(a))
				fill_attribute(f, node, a);
		fill_nodes(f, node->children);
		tp_html_close(out);
	}
}

void
tp_fill(struct tp_templates *t, const char *name, const struct tp_slot *slots, const void *thing)
{
	struct template_file *template = find(t, name);
	struct filling f = {t, template, slots, thing};

	parse(t, template);
	if (t->err.status == TP_OK)
		fill_nodes(&f, xmlDocGetRootElement(template->tree));
}

static bool
names_slot(const xmlChar *text, struct tp_slice slot)
{
	struct tp_slice rest = tp_slice_of(text != NULL ? (const char *)text : "");
	struct piece piece;

	while (next_piece(&rest, &piece)) {
		if (piece.is_slot && tp_slice_eq(piece.text, slot))
			return true;
	}
	return false;
}

static bool
nodes_name_slot(const xmlNode *node, struct tp_slice slot)
{
	for (; node != NULL; node = node->next) {
		if (node->type == XML_TEXT_NODE && names_slot(node->content, slot))
			return true;
		if (node->type != XML_ELEMENT_NODE)
			continue;
		for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
			if (a->children != NULL && names_slot(a->children->content, slot))
				return true;
		}
		if (nodes_name_slot(node->children, slot))
			return true;
	}
	return false;
}

bool
tp_templates_show(struct tp_templates *t, const char *name, const char *slot)
{
	struct template_file *template = find(t, name);

	parse(t, template);
	return template->tree != NULL &&
		nodes_name_slot(xmlDocGetRootElement(template->tree), tp_slice_of(slot));
}

/* Adds the text of nodes to *text. */
static void
add_text(const struct filling *f, xmlNode *node, struct tp_slice *text)
{
	bool only_slots;

	for (; node != NULL && f->templates->err.status == TP_OK; node = node->next) {
		if (node->type == XML_TEXT_NODE)
			*text = tp_arena_printf(f->templates->arena, "%.*s%.*s", TP_ARG(*text),
				TP_ARG(filled(f, node, node->content, &only_slots)));
		else if (node->type == XML_ELEMENT_NODE && is_wanted(f, node))
			add_text(f, node->children, text);
	}
}

struct tp_slice
tp_fill_text(struct tp_templates *t, const char *name, const struct tp_slot *slots,
	const void *thing, struct tp_arena *arena)
{
	struct template_file *template = find(t, name);
	const struct filling f = {t, template, slots, thing};
	struct tp_slice text = TP_S("");

	parse(t, template);
	if (t->err.status == TP_OK)
		add_text(&f, xmlDocGetRootElement(template->tree), &text);
	char *words = tp_arena_alloc(arena, text.len + 1);
	size_t length = 0;

	for (size_t i = 0; i < text.len; i++) {
		bool blank = strchr(" \t\r\n", text.ptr[i]) != NULL;

		if (!blank)
			words[length++] = text.ptr[i];
		else if (length > 0 && words[length - 1] != ' ')
			words[length++] = ' ';
	}
	return (struct tp_slice){words, length - (length > 0 && words[length - 1] == ' ')};
}

bool
tp_templates_has_own(struct tp_templates *t, const char *name)
{
	return find(t, name)->blob != NULL;
}
