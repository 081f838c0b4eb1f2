/* What would stay white below a page because a chart does not fit there is filled with a small part that comes later in the same section. */
#include "base/arena.h"
#include "render/pdf.h"

static struct tp_pdf_part **
tail_of(struct tp_pdf_part **parts)
{
	while (*parts != NULL)
		parts = &(*parts)->next;
	return parts;
}

static struct tp_pdf_part *
last_of(struct tp_pdf_part *parts)
{
	while (parts != NULL && parts->next != NULL)
		parts = parts->next;
	return parts;
}

void
tp_pdf_part(struct tp_pdf *pdf, struct tp_pdf_piece *heading, struct tp_pdf_piece *before,
	const struct tp_block *block)
{
	struct tp_pdf_part *last = last_of(heading->parts), *part;
	bool text = block->kind != TP_BLOCK_TABLE && block->kind != TP_BLOCK_CHART &&
		block->kind != TP_BLOCK_SECTION;

	if (pdf->last == before)
		return;
	if (last != NULL && last->last == before && before->leads) {
		part = last; /* the sentence before it belongs to it */
	} else {
		part = tp_new(pdf->arena, struct tp_pdf_part);
		part->first = before->next;
		part->first->part = part;
		*tail_of(&heading->parts) = part;
		part->about_last = last != NULL && block->kind == TP_BLOCK_PARAGRAPH &&
			block->paragraph.role == TP_PARAGRAPH_SMALL;
		if (last != NULL && text)
			last->moves = false;
	}
	part->last = pdf->last;
	part->closes = pdf->last->closes;
	part->section = block->kind == TP_BLOCK_SECTION;
	part->moves = !text && !part->about_last;
}

static double
height_of(const struct tp_pdf_part *part)
{
	double height = 0;

	for (const struct tp_pdf_piece *piece = part->first;; piece = piece->next) {
		height += piece->before + piece->height;
		if (piece == part->last)
			return height;
	}
}

static struct tp_pdf_piece *
piece_before(struct tp_pdf *pdf, const struct tp_pdf_piece *piece)
{
	struct tp_pdf_piece *before = pdf->first;

	while (before->next != piece)
		before = before->next;
	return before;
}

/* The parts around `part` that ended with it end with the piece before it now, and so do their elements. */
static void
end_before(struct tp_pdf *pdf, struct tp_pdf_part *part, struct tp_pdf_piece *before)
{
	unsigned closed = before->closes;

	before->closes += part->last->closes - part->closes;
	for (struct tp_pdf_piece *piece = pdf->first; piece != part->first; piece = piece->next) {
		struct tp_pdf_part *around = piece->part;

		if (around == NULL || around->last != part->last)
			continue;
		around->last = before;
		around->closes = closed + around->closes - part->closes;
	}
	part->last->closes = part->closes;
}

/* Takes the part out, puts it behind `at`. */
static void
move_behind(struct tp_pdf *pdf, struct tp_pdf_part *part, struct tp_pdf_piece *at)
{
	struct tp_pdf_piece *before = piece_before(pdf, part->first);

	end_before(pdf, part, before);
	before->next = part->last->next;
	if (before->next == NULL) {
		pdf->last = before;
		pdf->tail = &before->next;
	}
	part->last->next = at->next;
	at->next = part->first;
}

/* Takes the first of the parts after `first` that moves and is no higher than `room` out of their list; NULL: there is none. */
static struct tp_pdf_part *
take(struct tp_pdf_part *first, double room)
{
	for (struct tp_pdf_part **at = &first->next; *at != NULL; at = &(*at)->next) {
		struct tp_pdf_part *part = *at;

		/* What stands behind a section would seem to belong to it, but for another section. */
		if (!part->moves || (part->section && !first->section) || height_of(part) > room)
			continue;
		*at = part->next;
		part->next = first;
		return part;
	}
	return NULL;
}

struct tp_pdf_piece *
tp_pdf_fill(struct tp_pdf *pdf, struct tp_pdf_piece *piece, double room)
{
	struct tp_pdf_part *part;
	double left = room;

	/* Below the headings that would go with it, else before it. */
	for (struct tp_pdf_piece *heading = piece; heading->parts != NULL; heading = heading->next) {
		left -= heading->before + heading->height;
		part = take(heading->parts, left);
		if (part != NULL) {
			move_behind(pdf, part, heading);
			return piece;
		}
	}
	part = piece->part != NULL ? take(piece->part, room) : NULL;
	if (part == NULL)
		return piece;
	move_behind(pdf, part, piece_before(pdf, piece));
	return part->first;
}
