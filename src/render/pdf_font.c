/* Hands the embedded fonts to pango through a fontconfig of our own: each face is a file in memory, reached by its
 * descriptor's path. So the machine's fonts and their settings have no part in the page. */
#include "render/pdf_font.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include "base/asset.h"
#include "base/slice.h"

enum { MOST_FACES = 16 };

struct tp_pdf_fonts {
	FcConfig *config;
	PangoFontMap *map;
	PangoContext *context;
	int files[MOST_FACES];
	int count;
};

static enum tp_status
write_all(int file, const unsigned char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(file, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return TP_ERR_IO;
		data += written;
		size -= (size_t)written;
	}
	return TP_OK;
}

static enum tp_status
add_face(struct tp_pdf_fonts *fonts, const struct tp_asset *face, struct tp_err *err)
{
	char path[32];
	int file = memfd_create("tpreport-font", MFD_CLOEXEC);

	if (file < 0)
		return tp_fail(err, TP_ERR_IO, "no file in memory for %s: %s", face->name, strerror(errno));
	fonts->files[fonts->count++] = file;
	if (write_all(file, face->data, face->size) != TP_OK)
		return tp_fail(err, TP_ERR_IO, "no room in memory for %s: %s", face->name, strerror(errno));
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	/* fontconfig would not say why it cannot open a file. */
	int again = open(path, O_RDONLY | O_CLOEXEC);

	if (again < 0)
		return tp_fail(err, TP_ERR_IO, "cannot open the font %s through %s: %s", face->name, path,
			strerror(errno));
	close(again);
	if (!FcConfigAppFontAddFile(fonts->config, (const FcChar8 *)path))
		return tp_fail(err, TP_ERR_IO, "fontconfig cannot read %s through %s", face->name, path);
	return TP_OK;
}

static bool
is_face(const struct tp_asset *asset)
{
	struct tp_slice name = tp_slice_of(asset->name);

	return tp_slice_starts(name, TP_S("fonts/")) &&
		(tp_slice_ends(name, TP_S(".otf")) || tp_slice_ends(name, TP_S(".ttf")));
}

static enum tp_status
add_faces(struct tp_pdf_fonts *fonts, struct tp_err *err)
{
	const struct tp_asset *rules = tp_asset_find("fonts/fonts.conf");
	enum tp_status status = TP_OK;

	/* An asset is followed by a zero byte, so it is a string as it stands. */
	if (rules != NULL &&
		!FcConfigParseAndLoadFromMemory(fonts->config, (const FcChar8 *)rules->data, FcTrue))
		return tp_fail(err, TP_ERR_FORMAT, "fontconfig rejects the embedded fonts.conf");
	for (size_t i = 0; i < tp_asset_count && status == TP_OK; i++)
		if (is_face(&tp_asset_table[i]) && fonts->count < MOST_FACES)
			status = add_face(fonts, &tp_asset_table[i], err);
	if (status == TP_OK && fonts->count == 0)
		return tp_fail(err, TP_ERR_UNSUPPORTED, "this tpreport was built without fonts");
	return status;
}

/* Glyphs stand where the outlines put them, not on a grid of pixels. */
static PangoContext *
make_context(PangoFontMap *map)
{
	PangoContext *context = pango_font_map_create_context(map);
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(context, options);
	cairo_font_options_destroy(options);
	pango_cairo_context_set_resolution(context, 72);
	pango_context_set_round_glyph_positions(context, FALSE);
	pango_context_set_language(context, pango_language_from_string("en"));
	pango_context_set_base_dir(context, PANGO_DIRECTION_LTR);
	return context;
}

struct tp_pdf_fonts *
tp_pdf_fonts_open(struct tp_err *err)
{
	struct tp_pdf_fonts *fonts = calloc(1, sizeof *fonts);

	if (fonts == NULL) {
		tp_fail(err, TP_ERR_LIMIT, "no memory for fonts");
		return NULL;
	}
	fonts->config = FcConfigCreate();
	if (add_faces(fonts, err) != TP_OK) {
		tp_pdf_fonts_close(fonts);
		return NULL;
	}
	/* Else pango starts a thread that reads the machine's fontconfig, however long that takes. */
	FcConfigSetCurrent(fonts->config);
	fonts->map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
	pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts->map), fonts->config);
	fonts->context = make_context(fonts->map);
	return fonts;
}

PangoContext *
tp_pdf_fonts_context(const struct tp_pdf_fonts *fonts)
{
	return fonts->context;
}

bool
tp_pdf_fonts_have(const struct tp_pdf_fonts *fonts, uint32_t character)
{
	const FcFontSet *faces = FcConfigGetFonts(fonts->config, FcSetApplication);
	FcCharSet *covered;

	for (int i = 0; faces != NULL && i < faces->nfont; i++)
		if (FcPatternGetCharSet(faces->fonts[i], FC_CHARSET, 0, &covered) == FcResultMatch &&
			FcCharSetHasChar(covered, character))
			return true;
	return false;
}

void
tp_pdf_fonts_close(struct tp_pdf_fonts *fonts)
{
	if (fonts == NULL)
		return;
	if (fonts->context != NULL)
		g_object_unref(fonts->context);
	if (fonts->map != NULL)
		g_object_unref(fonts->map);
	FcConfigDestroy(fonts->config);
	for (int i = 0; i < fonts->count; i++)
		close(fonts->files[i]);
	free(fonts);
}
