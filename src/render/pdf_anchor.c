/* Named destinations: every block and printed row under its stable id, written so that cairo and viewers can read it. */
#include "render/pdf.h"

#include <stdio.h>

#include "base/arena.h"

/* A name longer than this keeps its beginning and gets a number made of the whole. */
enum { LONGEST_NAME = 120 };

void
tp_pdf_anchor(struct tp_pdf *pdf, struct tp_pdf_piece *piece, struct tp_slice id)
{
	uint32_t text = tp_intern(&pdf->anchor_ids, id);

	if (id.len == 0 || tp_map_get(&pdf->anchor_at, text) != TP_MAP_NONE)
		return;
	struct tp_pdf_anchor *anchor = tp_new(pdf->arena, struct tp_pdf_anchor);

	*anchor = (struct tp_pdf_anchor){id, piece->anchors};
	piece->anchors = anchor;
	tp_map_put(&pdf->anchor_at, text, text);
}

void
tp_pdf_anchor_instead(struct tp_pdf *pdf, struct tp_slice id, struct tp_slice instead)
{
	uint32_t text = tp_intern(&pdf->anchor_ids, id);

	if (id.len != 0 && tp_map_get(&pdf->anchor_at, text) == TP_MAP_NONE)
		tp_map_put(&pdf->anchor_at, text, tp_intern(&pdf->anchor_ids, instead));
}

static bool
is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		(c != '\0' && strchr("/.-_:+@=~%", c) != NULL);
}

/* Letters and digits as they are, the rest as %XX: cairo sorts names by byte and viewers search them so. */
static struct tp_slice
name_of(struct tp_pdf *pdf, struct tp_slice id)
{
	bool whole = id.len <= LONGEST_NAME;
	size_t kept = whole ? id.len : LONGEST_NAME, length = 0;
	char *name = tp_arena_alloc(pdf->arena, 3 * kept + 24);

	for (size_t i = 0; i < kept; i++) {
		if (is_plain(id.ptr[i]))
			name[length++] = id.ptr[i];
		else
			length += (size_t)sprintf(name + length, "%%%02X", (unsigned char)id.ptr[i]);
	}
	if (!whole)
		length += (size_t)sprintf(name + length, "~%016llx", (unsigned long long)tp_hash_bytes(id));
	return (struct tp_slice){name, length};
}

/* The path before the last slash, empty when there is none. */
static struct tp_slice
parent_of(struct tp_slice id)
{
	while (id.len > 0 && id.ptr[id.len - 1] != '/')
		id.len--;
	return (struct tp_slice){id.ptr, id.len > 0 ? id.len - 1 : 0};
}

struct tp_slice
tp_pdf_destination(struct tp_pdf *pdf, struct tp_slice id)
{
	for (; id.len > 0; id = parent_of(id)) {
		uint32_t text = tp_map_get(&pdf->anchor_at, tp_intern(&pdf->anchor_ids, id));

		/* What stands instead may itself be left out: follow, but never round in circles. */
		for (int hops = 0; text != TP_MAP_NONE && hops < 8; hops++) {
			uint32_t next = tp_map_get(&pdf->anchor_at, text);

			if (next == text)
				return name_of(pdf, tp_string(&pdf->anchor_ids, text));
			text = next;
		}
	}
	return (struct tp_slice){NULL, 0};
}

void
tp_pdf_draw_anchors(struct tp_pdf *pdf, const struct tp_pdf_piece *piece, double y)
{
	for (const struct tp_pdf_anchor *at = piece->anchors; at != NULL; at = at->next) {
		struct tp_slice attributes = tp_arena_printf(pdf->arena, "name='%.*s' x=%d y=%d",
			TP_ARG(name_of(pdf, at->id)), (int)pdf->left, (int)(y > 8 ? y - 8 : 0));

		cairo_tag_begin(pdf->cr, CAIRO_TAG_DEST, attributes.ptr);
		cairo_tag_end(pdf->cr, CAIRO_TAG_DEST);
	}
}

void
tp_pdf_link_box(
	struct tp_pdf *pdf, struct tp_slice href, double x, double y, double width, double height)
{
	if (!tp_slice_starts(href, TP_S("#")))
		return;
	struct tp_slice name = tp_pdf_destination(pdf, tp_slice_from(href, 1));

	if (name.len == 0)
		return;
	/* Whole points: the decimal point of printf depends on the locale. */
	struct tp_slice attributes = tp_arena_printf(pdf->arena, "dest='%.*s' rect=[%d %d %d %d]",
		TP_ARG(name), (int)x, (int)y, (int)(width + 1), (int)height);

	cairo_tag_begin(pdf->cr, CAIRO_TAG_LINK, attributes.ptr);
	cairo_tag_end(pdf->cr, CAIRO_TAG_LINK);
}
