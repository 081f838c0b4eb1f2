/* libxml2 reads what comes; nothing is loaded from elsewhere. */
#include "io/records_xml.h"

#include "base/arena.h"

#include <libxml/parser.h>
#include <libxml/tree.h>

/* No store declares anything: what does, entities that hold one another, say, is not from one. */
static xmlDocPtr
read_text(struct tp_slice text)
{
	xmlDocPtr doc;

	if (text.len == 0 || text.len > INT32_MAX)
		return NULL;
	doc = xmlReadMemory(text.ptr, (int)text.len, "", NULL,
		XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA);
	if (doc == NULL || doc->intSubset == NULL)
		return doc;
	xmlFreeDoc(doc);
	return NULL;
}

/* The next element in the order of the text, within `top`; NULL: there is none. */
static xmlNodePtr
next_in(xmlNodePtr node, xmlNodePtr top, bool enter)
{
	if (enter && node->type == XML_ELEMENT_NODE && node->children != NULL)
		return node->children;
	while (node != top && node->next == NULL)
		node = node->parent;
	return node == top ? NULL : node->next;
}

static bool
is_called(xmlNodePtr node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && name != NULL &&
		xmlStrEqual(node->name, (const xmlChar *)name);
}

static struct tp_slice
text_of(struct tp_arena *arena, xmlNodePtr node)
{
	xmlChar *text = xmlNodeGetContent(node);
	struct tp_slice kept = tp_arena_copy(arena, tp_slice_of((const char *)text));

	xmlFree(text);
	return kept;
}

static void
fill(struct tp_arena *arena, xmlNodePtr record, struct tp_xml_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fields[i].value = (struct tp_slice){"", 0};
	for (xmlNodePtr n = record; (n = next_in(n, record, true)) != NULL;) {
		for (size_t i = 0; i < count; i++) {
			if (is_called(n, fields[i].name) && fields[i].value.len == 0)
				fields[i].value = text_of(arena, n);
		}
	}
}

bool
tp_xml_records(struct tp_arena *arena, struct tp_slice text, const char *record,
	struct tp_xml_field *fields, size_t count, void (*see)(void *with), void *with)
{
	xmlDocPtr doc = read_text(text);
	xmlNodePtr top = doc != NULL ? xmlDocGetRootElement(doc) : NULL;

	for (xmlNodePtr n = top; n != NULL;) {
		bool is = is_called(n, record);

		if (is) {
			fill(arena, n, fields, count);
			see(with);
		}
		n = next_in(n, top, !is);
	}
	xmlFreeDoc(doc);
	return top != NULL;
}

struct tp_slice
tp_xml_first(struct tp_arena *arena, struct tp_slice text, const char *name, const char *but)
{
	xmlDocPtr doc = read_text(text);
	xmlNodePtr top = doc != NULL ? xmlDocGetRootElement(doc) : NULL, n = top;
	struct tp_slice found = {"", 0};

	while (n != NULL && !is_called(n, name))
		n = next_in(n, top, !is_called(n, but));
	if (n != NULL)
		found = text_of(arena, n);
	xmlFreeDoc(doc);
	return found;
}
