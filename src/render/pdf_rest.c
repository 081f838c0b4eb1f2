/* The end of a PDF: how the figures are made, by section, and one sentence that names what is not printed. */
#include "base/arena.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

#define APPENDIX_ID TP_S("about-these-figures")
#define LEFT_OUT_ID TP_S("not-printed")

struct item {
	const struct tp_block *block;
	const struct tp_block *parent;
	const struct tp_pdf_section *section; /* the main section that it stands in */
	struct item *next;
};

struct list {
	struct item *first, **tail;
};

struct tp_pdf_rest {
	struct list put_off, left_out;
};

struct tp_pdf_rest *
tp_pdf_rest_new(struct tp_arena *arena)
{
	struct tp_pdf_rest *rest = tp_new(arena, struct tp_pdf_rest);

	rest->put_off.tail = &rest->put_off.first;
	rest->left_out.tail = &rest->left_out.first;
	return rest;
}

static void
append(struct tp_pdf *pdf, struct list *list, const struct tp_block *block,
	const struct tp_block *parent)
{
	struct item *item = tp_new(pdf->arena, struct item);

	*item = (struct item){.block = block, .parent = parent, .section = pdf->section};
	*list->tail = item;
	list->tail = &item->next;
}

void
tp_pdf_put_off(struct tp_pdf *pdf, const struct tp_block *block, const struct tp_block *parent)
{
	append(pdf, &pdf->rest->put_off, block, parent);
}

/* Links into what is left out lead to the sentence that names it. */
static void
lead_elsewhere(struct tp_pdf *pdf, const struct tp_block *block)
{
	tp_pdf_anchor_instead(pdf, block->id, LEFT_OUT_ID);
	for (size_t i = 0; block->kind == TP_BLOCK_TABLE && i < block->table.row_count; i++)
		tp_pdf_anchor_instead(pdf, block->table.rows[i].id, LEFT_OUT_ID);
	if (block->kind != TP_BLOCK_SECTION)
		return;
	for (const struct tp_block *child = block->section.first; child != NULL; child = child->next)
		lead_elsewhere(pdf, child);
}

/* What shows a part of the run once more, as one host of it, is not named. */
void
tp_pdf_leave_out(struct tp_pdf *pdf, const struct tp_block *block)
{
	if (block->section.role != TP_SECTION_VIEW)
		append(pdf, &pdf->rest->left_out, block, NULL);
	lead_elsewhere(pdf, block);
}

static struct tp_slice
title_of(const struct tp_block *block)
{
	struct tp_slice title = block->section.title;

	return title.len > 0 ? title : TP_S("Summary");
}

static const struct tp_block *
text_of(const struct tp_block *about)
{
	return about->kind == TP_BLOCK_SECTION ? about->section.first : about;
}

/* One paragraph, begun by the section's title where it is the section's first: how its figures are made, and where they are from.
 * Returns the first item of the next. */
static const struct item *
add_paragraph(struct tp_pdf *pdf, const struct item *item, bool titled)
{
	const struct item *first = item;
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_FOLD, pdf->width);

	if (titled) {
		tp_pdf_set_add(set, title_of(first->parent), (struct tp_pdf_look){.weight = 600});
		tp_pdf_set_plain(set, TP_S("\u2002"));
	}
	do {
		const struct tp_block *text = text_of(item->block);

		if (item != first)
			tp_pdf_set_plain(set, TP_S(" "));
		for (size_t i = 0; text != NULL && i < text->paragraph.count; i++)
			tp_pdf_set_text(set, text->paragraph.items[i], (struct tp_pdf_look){0});
		item = item->next;
	} while (
		item != NULL && item->parent == first->parent && item->block->kind == TP_BLOCK_PARAGRAPH);
	struct tp_pdf_piece *piece = tp_pdf_piece_text(pdf, titled ? 6 : 2, set, "P");

	for (const struct item *i = first; i != item; i = i->next) {
		tp_pdf_anchor(pdf, piece, i->block->id);
		tp_pdf_anchor(pdf, piece, text_of(i->block)->id);
	}
	return item;
}

void
tp_pdf_appendix(struct tp_pdf *pdf)
{
	const struct tp_block *parent = NULL;
	struct tp_block *heading = tp_new(pdf->arena, struct tp_block);

	if (pdf->rest->put_off.first == NULL)
		return;
	heading->kind = TP_BLOCK_SECTION;
	heading->id = APPENDIX_ID;
	heading->section =
		(struct tp_section){.role = TP_SECTION_MINOR, .title = TP_S("About these figures")};
	tp_pdf_heading(pdf, heading);
	for (const struct item *item = pdf->rest->put_off.first; item != NULL;) {
		bool titled = item->parent != parent;

		parent = item->parent;
		item = add_paragraph(pdf, item, titled);
	}
	pdf->last->closes++;
}

/* "Operations: All operations · By category": what one section has that is not printed. Returns the first item of the next. */
static const struct item *
name_items(struct tp_pdf_set *set, const struct item *item)
{
	const struct tp_pdf_section *section = item->section;
	struct tp_slice between = TP_S(": ");

	tp_pdf_set_add(set, title_of(section->block), (struct tp_pdf_look){.weight = 600});
	for (; item != NULL && item->section == section; item = item->next) {
		tp_pdf_set_plain(set, between);
		tp_pdf_set_plain(set, item->block->section.title);
		between = TP_S("; ");
	}
	return item;
}

void
tp_pdf_say_left_out(struct tp_pdf *pdf)
{
	const struct item *item = pdf->rest->left_out.first;
	struct tp_pdf_set *set;

	if (item == NULL)
		return;
	set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);
	tp_pdf_set_plain(set,
		TP_S("Not printed here, but in the HTML and the embedded report.json (--top all prints "
			 "it): "));
	while (item != NULL) {
		item = name_items(set, item);
		tp_pdf_set_plain(set, item != NULL ? TP_S(". ") : TP_S("."));
	}
	tp_pdf_anchor(pdf, tp_pdf_piece_text(pdf, 12, set, "P"), LEFT_OUT_ID);
}
