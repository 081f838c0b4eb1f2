/* The PDF renderer: lays out, draws with cairo into memory, adds what cairo cannot, hands the bytes on. */
#include "render/pdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cairo-pdf.h>

#include "base/arena.h"
#include "base/ending.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "chart/visible.h"
#include "io/sink.h"
#include "render/pdf_font.h"
#include "render/pdf_text.h"
#include "render/pdf_update.h"
#include "render/renderer.h"

enum {
	ATTACHED_BYTES = 8 << 20
}; /* of report.json before it is packed, when tables stop at the open rows */

/* 184 mm of text on either paper; Letter is lower and gives at the bottom. */
struct sheet {
	double width, height, top, bottom; /* pt; the latter two are margins */
};

static const struct sheet a4 = {210 * TP_PDF_MM, 297 * TP_PDF_MM, 13 * TP_PDF_MM, 14 * TP_PDF_MM};
static const struct sheet letter = {612, 792, 13 * TP_PDF_MM, 9.4 * TP_PDF_MM};
static const double text_width = 184 * TP_PDF_MM, foot_height = 26;

static void
use_sheet(struct tp_pdf *pdf, const struct sheet *sheet)
{
	pdf->paper_width = sheet->width;
	pdf->paper_height = sheet->height;
	pdf->left = (sheet->width - text_width) / 2;
	pdf->width = text_width;
	pdf->top = sheet->top;
	pdf->bottom = sheet->height - sheet->bottom - foot_height;
}

static void
make_pieces(struct tp_pdf *pdf)
{
	pdf->first = pdf->last = NULL;
	pdf->tail = &pdf->first;
	pdf->sections = pdf->section = NULL;
	pdf->sections_tail = &pdf->sections;
	tp_strings_init(&pdf->anchor_ids, pdf->arena);
	tp_map_init(&pdf->anchor_at, pdf->arena);
	pdf->rest = tp_pdf_rest_new(pdf->arena);
	tp_pdf_flow(pdf);
}

static bool
is_too_long(const struct tp_pdf *pdf)
{
	return pdf->most_pages > 0 && pdf->pages > pdf->most_pages;
}

static void
lay_out_with(struct tp_pdf *pdf, enum tp_paper detail)
{
	pdf->detail = detail;
	make_pieces(pdf);
	/* Whether page 1 holds all shows only when all is there. */
	if (pdf->overfull && !pdf->tight) {
		pdf->tight = true;
		make_pieces(pdf);
	}
	pdf->close = false;
	tp_pdf_paginate(pdf);
	pdf->close = is_too_long(pdf);
	if (pdf->close)
		tp_pdf_paginate(pdf);
}

static void
lay_out(struct tp_pdf *pdf)
{
	lay_out_with(pdf, TP_PAPER_FULL);
	for (int detail = TP_PAPER_FULL + 1; detail <= TP_PAPER_FEWEST_ROWS && is_too_long(pdf);
		 detail++)
		lay_out_with(pdf, (enum tp_paper)detail);
}

/* Text as cairo takes it: it refuses the whole document for one noncharacter. */
static const char *
fit(struct tp_pdf *pdf, struct tp_slice text)
{
	GString *shown = g_string_new(NULL);

	tp_visible_append(shown, text, SIZE_MAX);
	struct tp_slice kept = tp_arena_copy(pdf->arena, (struct tp_slice){shown->str, shown->len});

	g_string_free(shown, TRUE);
	return kept.ptr;
}

static void
set_metadata(struct tp_pdf *pdf)
{
	const struct tp_doc *doc = pdf->doc;
	time_t made = (time_t)doc->made_unix_s;
	struct tm utc = {.tm_year = 70, .tm_mday = 1};
	char date[32];

	gmtime_r(&made, &utc);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
	struct tp_slice maker = tp_arena_printf(pdf->arena, "tpreport %.*s", TP_ARG(doc->version));
	const struct {
		cairo_pdf_metadata_t what;
		const char *text;
	} fields[] = {
		{CAIRO_PDF_METADATA_TITLE, fit(pdf, doc->title)},
		{CAIRO_PDF_METADATA_AUTHOR, maker.ptr},
		{CAIRO_PDF_METADATA_SUBJECT, fit(pdf, doc->description)},
		{CAIRO_PDF_METADATA_KEYWORDS,
			fit(pdf,
				tp_arena_printf(pdf->arena, "profile, performance, %.*s, %.*s", TP_ARG(doc->name),
					TP_ARG(doc->run)))},
		{CAIRO_PDF_METADATA_CREATOR, maker.ptr},
		{CAIRO_PDF_METADATA_CREATE_DATE, date},
		{CAIRO_PDF_METADATA_MOD_DATE, date},
	};

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		cairo_pdf_surface_set_metadata(pdf->surface, fields[i].what, fields[i].text);
}

/* Bookmarks: sections, their parts below them. */
static void
add_outline(struct tp_pdf *pdf)
{
	int parent = CAIRO_PDF_OUTLINE_ROOT;

	for (const struct tp_pdf_section *s = pdf->sections; s != NULL; s = s->next) {
		struct tp_slice title = s->block->section.title, id = s->block->id;
		struct tp_slice link =
			tp_arena_printf(pdf->arena, "dest='%.*s'", TP_ARG(tp_pdf_destination(pdf, id)));
		int entry = cairo_pdf_surface_add_outline(pdf->surface,
			s->depth == 0 ? CAIRO_PDF_OUTLINE_ROOT : parent,
			title.len > 0 ? fit(pdf, title) : "Summary", link.ptr, 0);

		if (s->depth == 0)
			parent = entry;
	}
}

static cairo_status_t
write_bytes(void *sink, const unsigned char *data, unsigned length)
{
	tp_sink_write(sink, data, length);
	return CAIRO_STATUS_SUCCESS;
}

static enum tp_status
draw(struct tp_pdf *pdf, struct tp_sink *drawn, struct tp_err *err)
{
	pdf->surface = cairo_pdf_surface_create_for_stream(
		write_bytes, drawn, pdf->paper_width, pdf->paper_height);
	/* From 1.5 on cairo 1.18 packs objects and their table into streams, behind which no plain update can stand. */
	cairo_pdf_surface_restrict_to_version(pdf->surface, CAIRO_PDF_VERSION_1_4);
	pdf->cr = cairo_create(pdf->surface);
	set_metadata(pdf);
	tp_pdf_draw(pdf);
	add_outline(pdf);
	cairo_status_t status = cairo_status(pdf->cr);

	cairo_destroy(pdf->cr);
	cairo_surface_finish(pdf->surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(pdf->surface);
	cairo_surface_destroy(pdf->surface);
	if (status != CAIRO_STATUS_SUCCESS)
		return tp_fail(
			err, TP_ERR_IO, "cairo cannot draw the PDF: %s", cairo_status_to_string(status));
	return TP_OK;
}

/* Names the attachment in the foot of every page, so that paper and file can be held together. */
static void
hash_attachment(struct tp_pdf *pdf, struct tp_slice json)
{
	struct tp_sha256 hash;
	unsigned char digest[TP_SHA256_SIZE];

	tp_sha256_init(&hash);
	tp_sha256_add(&hash, json.ptr, json.len);
	tp_sha256_finish(&hash, digest);
	snprintf(pdf->hash, sizeof pdf->hash, "%02x%02x %02x%02x %02x%02x", digest[0], digest[1],
		digest[2], digest[3], digest[4], digest[5]);
}

static enum tp_status
make(struct tp_pdf *pdf, const struct tp_render_options *options, struct tp_slice json,
	struct tp_sink *out, struct tp_err *err)
{
	struct tp_sink *drawn = tp_sink_memory();

	hash_attachment(pdf, json);
	use_sheet(pdf, options->letter ? &letter : &a4);
	lay_out(pdf);
	enum tp_status status = draw(pdf, drawn, err);

	if (status == TP_OK) {
		struct tp_pdf_extra extra = {
			.attachment = json,
			.alts = pdf->alts,
			.alt_count = pdf->alt_count,
			.made_unix_s = pdf->doc->made_unix_s,
		};

		status = tp_pdf_update(tp_sink_bytes(drawn), &extra, pdf->arena, out, err);
	}
	tp_pdf_sets_free(pdf);
	tp_sink_close(drawn);
	return status;
}

static enum tp_status
make_pdf(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(err);

	if (fonts == NULL)
		return err != NULL ? err->status : TP_ERR_IO;
	struct tp_arena *arena = tp_arena_new();
	struct tp_sink *json = tp_sink_memory();
	struct tp_pdf pdf = {
		.doc = doc,
		.arena = arena,
		.all_rows = options->all_rows,
		.most_pages = options->most_pages,
		.fonts = fonts,
		.pango = tp_pdf_fonts_context(fonts),
	};
	enum tp_status status = tp_render_header(options->template_dir, doc, arena, &pdf.header, err);

	tp_render_json_inside(doc, options, ATTACHED_BYTES, true, json);
	if (status == TP_OK)
		status = make(&pdf, options, tp_sink_bytes(json), out, err);
	tp_sink_close(json);
	tp_arena_free(arena);
	tp_pdf_fonts_close(fonts);
	return status;
}

/* What the libraries took for a report of 15 pages (33 MiB) and half as much again. They cannot do without: glib aborts, cairo
 * asserts or draws on, fontconfig follows a NULL, and pango waits for ever for a thread that got no memory. */
enum { TAKEN_BYTES = 48 << 20 };

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	free(tp_memory_take(TAKEN_BYTES));
	tp_ending_says(
		"tpreport: PDF: a drawing library failed, most likely out of memory: raise --memory-limit, "
		"or write HTML, which needs less\n");
	enum tp_status status = make_pdf(doc, options, out, err);

	tp_ending_says(NULL);
	return status;
}

const struct tp_renderer tp_render_pdf = {
	.name = "pdf",
	.suffix = ".pdf",
	.summary = "pages to print or attach: the verdict on page 1, bookmarks, report.json inside",
	.render = render,
};
