/* An incremental update behind the PDF that cairo wrote: objects that replace cairo's, new ones for the attachment, and a
 * cross-reference table of these alone (ISO 32000-1, 7.5.6). Cairo's own bytes stay as they are. */
#include "render/pdf_update.h"

#include <stdlib.h>
#include <time.h>

#include <glib.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "io/sink.h"

struct entry {
	unsigned number;
	size_t offset; /* in the whole file */
};

struct update {
	struct tp_slice pdf;
	const struct tp_pdf_extra *extra;
	struct tp_arena *arena;
	GString *out; /* what comes behind pdf */
	struct entry *entries;
	size_t entry_count;

	size_t xref; /* offset of cairo's table, and of its first line of an object */
	size_t lines;
	unsigned size, root; /* of cairo's trailer */
	unsigned info;
};

enum { LINE = 20 }; /* bytes of an entry in the table */

static const char *
find_last(struct tp_slice text, const char *word)
{
	size_t length = strlen(word);

	for (size_t at = text.len; at >= length; at--)
		if (memcmp(text.ptr + at - length, word, length) == 0)
			return text.ptr + at - length;
	return NULL;
}

/* The number behind the last "/Size" or the like; a line follows it in any file of cairo's, so the digits end. */
static bool
number_after(struct tp_slice text, const char *word, size_t *number)
{
	const char *at = find_last(text, word);
	char *end;

	if (at == NULL)
		return false;
	at += strlen(word);
	unsigned long long value = strtoull(at, &end, 10);

	*number = (size_t)value;
	return end != at && value < SIZE_MAX;
}

static bool
read_trailer(struct update *u)
{
	size_t size, root, info;
	char *at;

	if (!number_after(u->pdf, "startxref", &u->xref) || !number_after(u->pdf, "/Size", &size) ||
		!number_after(u->pdf, "/Root", &root) || !number_after(u->pdf, "/Info", &info))
		return false;
	if (u->xref + LINE >= u->pdf.len || memcmp(u->pdf.ptr + u->xref, "xref\n0 ", 7) != 0)
		return false;
	size_t count = (size_t)strtoull(u->pdf.ptr + u->xref + 7, &at, 10);

	u->lines = (size_t)(at - u->pdf.ptr) + 1;
	u->size = (unsigned)size;
	u->root = (unsigned)root;
	u->info = (unsigned)info;
	return count == size && size < UINT32_MAX / LINE && u->lines + size * LINE <= u->pdf.len;
}

/* The dictionary of an object, from "<<" to ">>"; empty when there is none. */
static struct tp_slice
dictionary(const struct update *u, unsigned number)
{
	struct tp_slice none = {NULL, 0};

	if (number >= u->size)
		return none;
	const char *line = u->pdf.ptr + u->lines + (size_t)number * LINE;
	size_t offset = (size_t)strtoull(line, NULL, 10);

	if (line[17] != 'n' || offset >= u->xref)
		return none;
	struct tp_slice rest = {u->pdf.ptr + offset, u->xref - offset};
	const char *begin = memmem(rest.ptr, rest.len < 64 ? rest.len : 64, "<<", 2);
	const char *end = memmem(rest.ptr, rest.len, "endobj", 6);

	if (begin == NULL || end == NULL || begin > end)
		return none;
	while (end > begin && memcmp(end - 2, ">>", 2) != 0)
		end--;
	return (struct tp_slice){begin, (size_t)(end - begin)};
}

static void
begin_object(struct update *u, unsigned number)
{
	u->entries[u->entry_count++] = (struct entry){number, u->pdf.len + u->out->len};
	g_string_append_printf(u->out, "%u 0 obj\n", number);
}

/* The object again, with more in its dictionary. */
static void
extend(struct update *u, unsigned number, struct tp_slice old, const char *more)
{
	begin_object(u, number);
	g_string_append_len(u->out, old.ptr, (gssize)old.len - 2);
	g_string_append_printf(u->out, "   %s\n>>\nendobj\n", more);
}

/* A text string of a PDF: UTF-16 in hex, whatever it holds. */
static void
append_text(GString *out, struct tp_slice text)
{
	glong count = 0;
	gunichar2 *units =
		g_utf8_to_utf16(text.ptr ? text.ptr : "", (glong)text.len, NULL, &count, NULL);

	g_string_append(out, "<FEFF");
	for (glong i = 0; units != NULL && i < count; i++)
		g_string_append_printf(out, "%04X", units[i]);
	g_string_append(out, ">");
	g_free(units);
}

static bool
is_figure(struct tp_slice dictionary)
{
	return tp_slice_starts(dictionary, TP_S("<< /Type /StructElem")) &&
		memmem(dictionary.ptr, dictionary.len < 60 ? dictionary.len : 60, "/S /Figure\n", 11);
}

/* Figures stand in the file in the order in which they were drawn. */
static void
add_alts(struct update *u)
{
	GString *alt = g_string_new(NULL);
	size_t next = 0;

	for (unsigned number = 1; number < u->size && next < u->extra->alt_count; number++) {
		struct tp_slice old = dictionary(u, number);

		if (!is_figure(old))
			continue;
		g_string_assign(alt, "/Alt ");
		append_text(alt, u->extra->alts[next++]);
		extend(u, number, old, alt->str);
	}
	g_string_free(alt, TRUE);
}

static void
append_date(GString *out, int64_t unix_s)
{
	time_t time = (time_t)unix_s;
	struct tm utc = {.tm_year = 70, .tm_mday = 1};
	char date[32];

	gmtime_r(&time, &utc);
	strftime(date, sizeof date, "(D:%Y%m%d%H%M%SZ)", &utc);
	g_string_append(out, date);
}

static bool
add_attachment(struct update *u, unsigned stream, unsigned file)
{
	struct tp_slice bytes = u->extra->attachment;
	uLongf length = compressBound(bytes.len);
	Bytef *packed = tp_arena_alloc(u->arena, length);

	if (compress2(packed, &length, (const Bytef *)bytes.ptr, bytes.len, Z_DEFAULT_COMPRESSION) !=
		Z_OK)
		return false;
	begin_object(u, stream);
	g_string_append_printf(u->out,
		"<< /Type /EmbeddedFile /Subtype /application#2Fjson /Filter /FlateDecode /Length %lu\n"
		"   /Params << /Size %zu /ModDate ",
		length, bytes.len);
	append_date(u->out, u->extra->made_unix_s);
	g_string_append(u->out, " >> >>\nstream\n");
	g_string_append_len(u->out, (const char *)packed, (gssize)length);
	g_string_append(u->out, "\nendstream\nendobj\n");
	begin_object(u, file);
	g_string_append_printf(u->out,
		"<< /Type /Filespec /F (report.json) /UF (report.json) /AFRelationship /Data\n"
		"   /Desc (The same report for programs: every figure and every row)\n"
		"   /EF << /F %u 0 R /UF %u 0 R >> >>\nendobj\n",
		stream, stream);
	return true;
}

static bool
extend_catalog(struct update *u, unsigned file)
{
	struct tp_slice catalog = dictionary(u, u->root);
	size_t names_number;

	if (catalog.len == 0 || !number_after(catalog, "/Names", &names_number))
		return false;
	struct tp_slice names = dictionary(u, (unsigned)names_number);

	if (names.len == 0)
		return false;
	extend(u, (unsigned)names_number, names,
		tp_arena_printf(u->arena, "/EmbeddedFiles << /Names [ (report.json) %u 0 R ] >>", file)
			.ptr);
	extend(u, u->root, catalog,
		tp_arena_printf(u->arena,
			"/Lang (en) /ViewerPreferences << /DisplayDocTitle true >> /PageMode /UseOutlines /AF "
			"[ %u 0 R ]",
			file)
			.ptr);
	return true;
}

TP_ORDER(by_number, struct entry, TP_UP(number));

/* One subsection an object: a few bytes more, and nothing to get wrong. */
static void
append_table(struct update *u, unsigned size)
{
	size_t start = u->pdf.len + u->out->len;

	qsort(u->entries, u->entry_count, sizeof *u->entries, by_number);
	g_string_append(u->out, "xref\n");
	for (size_t i = 0; i < u->entry_count; i++)
		g_string_append_printf(
			u->out, "%u 1\n%010zu 00000 n \n", u->entries[i].number, u->entries[i].offset);
	g_string_append_printf(u->out,
		"trailer\n<< /Size %u /Root %u 0 R /Info %u 0 R /Prev %zu >>\nstartxref\n%zu\n%%%%EOF\n",
		size, u->root, u->info, u->xref, start);
}

enum tp_status
tp_pdf_update(struct tp_slice pdf, const struct tp_pdf_extra *extra, struct tp_arena *arena,
	struct tp_sink *out, struct tp_err *err)
{
	struct update u = {.pdf = pdf, .extra = extra, .arena = arena};

	if (!read_trailer(&u))
		return tp_fail(err, TP_ERR_FORMAT, "cairo's PDF ends without a plain table of objects");
	u.out = g_string_new("\n");
	u.entries = tp_new_array(arena, struct entry, extra->alt_count + 4);
	add_alts(&u);
	enum tp_status status = TP_OK;

	if (!add_attachment(&u, u.size, u.size + 1) || !extend_catalog(&u, u.size + 1))
		status = tp_fail(err, TP_ERR_FORMAT, "cairo's PDF has no catalog as expected");
	if (status == TP_OK) {
		append_table(&u, u.size + 2);
		tp_sink_put(out, pdf);
		tp_sink_write(out, u.out->str, u.out->len);
	}
	g_string_free(u.out, TRUE);
	return status;
}
