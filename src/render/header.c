/* The header: header.html, filled with what the document is called. */
#include "render/header.h"

#include "render/html.h"

static const struct tp_slot slots[] = {
	{.name = "version", TP_SLOT_TEXT(tp_doc, version)},
	{.name = "title", TP_SLOT_TEXT(tp_doc, title)},
	{.name = "name", TP_SLOT_TEXT(tp_doc, name)},
	{.name = "run", TP_SLOT_TEXT(tp_doc, run)},
	{.name = "description", TP_SLOT_TEXT(tp_doc, description)},
	{.name = NULL},
};

void
tp_html_header(struct tp_html_page *page, const void *thing)
{
	(void)thing;
	tp_fill(page->templates, "header.html", slots, page->doc);
}

enum tp_status
tp_header_text(const char *template_dir, const struct tp_doc *doc, struct tp_arena *arena,
	struct tp_slice *text, struct tp_err *err)
{
	struct tp_templates *t = tp_templates_open(template_dir, NULL, NULL, NULL);

	*text = tp_templates_has_own(t, "header.html")
		? tp_fill_text(t, "header.html", slots, doc, arena)
		: TP_S("");
	enum tp_status status = tp_templates_status(t, err);

	tp_templates_close(t);
	return status;
}
