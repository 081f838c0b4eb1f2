/* Walks the document and makes pieces of paragraphs and notices; other blocks have files of their own. */
#include "base/arena.h"
#include "render/pdf.h"
#include "render/pdf_text.h"

struct manner {
	enum tp_pdf_type type;
	double before;
};

static const struct manner manners[] = {
	[TP_PARAGRAPH_BODY] = {TP_PDF_BODY, 6},
	[TP_PARAGRAPH_RUN_LINE] = {TP_PDF_RUN_LINE, 6},
	[TP_PARAGRAPH_BECAUSE] = {TP_PDF_BECAUSE, 4},
	[TP_PARAGRAPH_QUALITY] = {TP_PDF_QUALITY, 5},
	[TP_PARAGRAPH_COUNTS] = {TP_PDF_QUALITY, 6},
	[TP_PARAGRAPH_SMALL] = {TP_PDF_SMALL, 5},
	[TP_PARAGRAPH_SOURCE] = {TP_PDF_SMALL, 4},
};

static void
add_paragraph(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_paragraph *p = &block->paragraph;
	/* Counts are links side by side, the other lists one line of facts. */
	struct tp_slice between = p->role == TP_PARAGRAPH_COUNTS ? TP_S("\u2003\u2003") : TP_S("  ·  ");
	struct tp_pdf_set *set =
		tp_pdf_set_new(pdf, pdf->small ? TP_PDF_FOLD : manners[p->role].type, pdf->width);

	tp_pdf_set_items(set, p->items, p->count, between,
		(struct tp_pdf_look){.quiet = p->role == TP_PARAGRAPH_COUNTS});
	struct tp_pdf_piece *piece =
		tp_pdf_piece_text(pdf, pdf->small ? 3 : manners[p->role].before, set, "P");

	tp_pdf_anchor(pdf, piece, block->id);
}

static void
add_notice(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_notice *notice = &block->notice;
	struct tp_pdf_set *set =
		tp_pdf_set_new(pdf, pdf->small ? TP_PDF_FOLD : TP_PDF_BODY, pdf->width);

	tp_pdf_set_glyph(set, notice->judge, true);
	tp_pdf_set_text(set, notice->text, (struct tp_pdf_look){0});
	tp_pdf_anchor(pdf, tp_pdf_piece_text(pdf, pdf->small ? 3 : 5, set, "P"), block->id);
}

static void
make_block(struct tp_pdf *pdf, const struct tp_block *block)
{
	switch (block->kind) {
	case TP_BLOCK_SECTION:
		tp_pdf_heading(pdf, block);
		return;
	case TP_BLOCK_PARAGRAPH:
		add_paragraph(pdf, block);
		return;
	case TP_BLOCK_VERDICT:
		tp_pdf_verdict(pdf, block);
		return;
	case TP_BLOCK_TILES:
		tp_pdf_tiles(pdf, block);
		return;
	case TP_BLOCK_TABLE:
		tp_pdf_table(pdf, block);
		return;
	case TP_BLOCK_CHART:
		tp_pdf_chart(pdf, block);
		return;
	case TP_BLOCK_FINDING:
		if (block->finding.brief)
			tp_pdf_finding_brief(pdf, block);
		else
			tp_pdf_finding(pdf, block);
		return;
	case TP_BLOCK_NOTICE:
		add_notice(pdf, block);
		return;
	}
}

static bool
is_section(const struct tp_block *block, enum tp_section_role role)
{
	return block->kind == TP_BLOCK_SECTION && block->section.role == role;
}

static void
enter(struct tp_pdf *pdf, const struct tp_block *block)
{
	if (is_section(block, TP_SECTION_SUMMARY))
		tp_pdf_summary_begin(pdf, block);
	else
		make_block(pdf, block);
	if (is_section(block, TP_SECTION_FOLD))
		pdf->small++;
}

static void
leave(struct tp_pdf *pdf, const struct tp_block *block)
{
	if (is_section(block, TP_SECTION_SUMMARY))
		tp_pdf_summary_end(pdf);
	if (is_section(block, TP_SECTION_FOLD))
		pdf->small--;
	pdf->last->with_next = false; /* a section that is a heading alone holds no other */
	pdf->last->closes++;
}

/* That some characters are shown as their codes. */
static void
say_boxes(struct tp_pdf *pdf)
{
	struct tp_pdf_set *set = tp_pdf_set_new(pdf, TP_PDF_SMALL, pdf->width);

	tp_pdf_set_add(set,
		TP_S("Characters missing from the report's fonts are shown as boxes with their code; the "
			 "HTML and the embedded report.json have the text."),
		(struct tp_pdf_look){0});
	tp_pdf_piece_text(pdf, 12, set, "P");
}

static bool
is_text(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_PARAGRAPH || block->kind == TP_BLOCK_NOTICE;
}

/* A sentence stands before what it is about, on the page of a chart always, of a table unless the bound of pages is short. */
static void
hold(struct tp_pdf *pdf, const struct tp_block *before, const struct tp_block *block)
{
	if (before == NULL || !is_text(before) ||
		(block->kind != TP_BLOCK_TABLE && block->kind != TP_BLOCK_CHART))
		return;
	pdf->last->leads = true;
	pdf->last->with_next = block->kind == TP_BLOCK_CHART || pdf->detail < TP_PAPER_FEWEST_ROWS;
}

/* Page 1 counts the checks that are not open: those that are undecided stand with their reasons, the others by name at least. */
static void
leave_out(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_block *first = block->section.first;

	if (first == NULL || first->kind != TP_BLOCK_FINDING)
		tp_pdf_leave_out(pdf, block);
	else if (first->finding.finding->status == TP_FINDING_UNDECIDED)
		tp_pdf_flow_block(pdf, block);
	else
		tp_pdf_checks(pdf, block);
}

static bool
is_left_out(const struct tp_pdf *pdf, const struct tp_block *block)
{
	return !pdf->all_rows && tp_paper_leaves_out(block, pdf->detail);
}

/* The next table of the section stands before a chart that does not fit on page 1, where that would leave it white. */
static const struct tp_block *
fills_page_1(const struct tp_pdf *pdf, const struct tp_block *block)
{
	static const double most_white = .25;

	if (block->kind != TP_BLOCK_CHART || pdf->section == pdf->sections)
		return NULL;
	double room = tp_pdf_room_on_page_1(pdf);

	if (room < most_white * (pdf->bottom - pdf->top) ||
		tp_pdf_chart_height(pdf, &block->chart) <= room)
		return NULL;
	while (block != NULL &&
		(block->kind != TP_BLOCK_TABLE || is_left_out(pdf, block) || tp_is_about(block)))
		block = block->next;
	return block;
}

void
tp_pdf_flow_block(struct tp_pdf *pdf, const struct tp_block *block)
{
	const struct tp_block *before = NULL; /* the last that is printed */
	const struct tp_block *early = NULL;  /* is printed already */

	enter(pdf, block);
	if (block->kind != TP_BLOCK_SECTION)
		return;
	struct tp_pdf_piece *heading = pdf->last, *end;
	bool parts = !is_section(block, TP_SECTION_SUMMARY);

	for (const struct tp_block *child = block->section.first; child != NULL; child = child->next) {
		if (is_left_out(pdf, child)) {
			leave_out(pdf, child);
		} else if (tp_is_about(child)) {
			tp_pdf_put_off(pdf, child, block);
		} else if (child != early) {
			const struct tp_block *filler = early == NULL && (before == NULL || !is_text(before))
				? fills_page_1(pdf, child)
				: NULL;

			if (filler != NULL)
				tp_pdf_flow_block(pdf, before = early = filler);
			hold(pdf, before, child);
			end = pdf->last;
			tp_pdf_flow_block(pdf, child);
			if (parts)
				tp_pdf_part(pdf, heading, end, child);
			before = child;
		}
		child = tp_finding_last_alike(child);
	}
	leave(pdf, block);
}

void
tp_pdf_flow(struct tp_pdf *pdf)
{
	tp_strings_init(&pdf->cut_names, pdf->arena);
	pdf->numbers_said = false;
	for (const struct tp_block *block = pdf->doc->first; block != NULL; block = block->next)
		tp_pdf_flow_block(pdf, block);
	tp_pdf_appendix(pdf);
	tp_pdf_names_in_full(pdf);
	tp_pdf_say_left_out(pdf);
	if (pdf->boxes)
		say_boxes(pdf);
}
