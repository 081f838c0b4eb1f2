/* The JSON inside a page (gzip in base64, in versions before 0.2 as it is) and inside a PDF (an attachment). */
#include "stored/stored.h"

#include <stdlib.h>
#include <strings.h>
#include <zlib.h>

#include "base/arena.h"
#include "codec/base64.h"
#include "io/unpack.h"
#include "report/doc.h"
#include "stored/document.h"
#include "stored/summary.h"

/* Unpacked, more than any report: a page and a PDF hold some 10 MB at most. */
enum { MOST_BYTES = 256 << 20 };

static bool
is_page(struct tp_slice head)
{
	static const char start[] = "<!doctype html";

	return head.len >= sizeof start - 1 && strncasecmp(head.ptr, start, sizeof start - 1) == 0;
}

static bool
is_pdf(struct tp_slice head)
{
	return tp_slice_starts(head, TP_S("%PDF-"));
}

bool
tp_stored_begins(struct tp_slice head)
{
	return is_page(head) || is_pdf(head) || tp_is_report_json(head) || tp_is_summary(head);
}

static struct tp_slice
from_last(struct tp_slice s, struct tp_slice what)
{
	struct tp_slice found = {NULL, 0};

	while (tp_slice_has(s, what)) {
		const char *at = memmem(s.ptr, s.len, what.ptr, what.len);

		found = tp_slice_from(s, (size_t)(at - s.ptr));
		s = tp_slice_from(found, what.len);
	}
	return found;
}

/* What stands before `end`; empty when that does not come. */
static struct tp_slice
until(struct tp_slice s, struct tp_slice end)
{
	const char *at = s.len != 0 ? memmem(s.ptr, s.len, end.ptr, end.len) : NULL;

	return at != NULL ? (struct tp_slice){s.ptr, (size_t)(at - s.ptr)} : (struct tp_slice){NULL, 0};
}

static struct tp_slice
unpack_page(struct tp_slice text, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	unsigned char *packed = tp_arena_alloc(arena, TP_BASE64_DECODED(text.len));
	size_t length;
	struct tp_slice json = {NULL, 0};

	if (!tp_base64_decode(text, packed, &length)) {
		tp_fail_at(err, TP_ERR_FORMAT, name, TP_NO_OFFSET, "the data of the page is damaged");
		return json;
	}
	enum tp_status status = tp_unpack(TP_PACKING_GZIP,
		(struct tp_slice){(const char *)packed, length}, name, MOST_BYTES, NULL, &json, err);

	tp_arena_own(arena, (void *)json.ptr);
	return status == TP_OK ? json : (struct tp_slice){NULL, 0};
}

static struct tp_slice
json_of_page(struct tp_slice page, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	static const char before[] = "<script type=\"application/json\" id=\"report-json\">";
	static const char packed[] = "<script type=\"application/gzip\" id=\"report-json\">";
	struct tp_slice plain = from_last(page, tp_slice_of(before)),
					other = from_last(page, tp_slice_of(packed));
	struct tp_slice json = {NULL, 0};

	if (plain.len == 0 && other.len == 0 && until(page, TP_S("</html>")).len == 0)
		tp_fail_at(err, TP_ERR_FORMAT, name, page.len, "the page is cut off");
	else if (plain.len == 0 && other.len == 0)
		tp_fail_at(err, TP_ABSENT, name, TP_NO_OFFSET, "a page that tpreport did not write");
	else if (other.len != 0)
		json = until(tp_slice_from(other, sizeof packed - 1), TP_S("</script>"));
	else
		json = until(tp_slice_from(plain, sizeof before - 1), TP_S("</script>"));
	if (json.len == 0 && plain.len + other.len != 0)
		tp_fail_at(
			err, TP_ERR_FORMAT, name, page.len, "the page is cut off before the end of its data");
	return json.len != 0 && other.len != 0 ? unpack_page(json, name, arena, err) : json;
}

/* A zlib stream as PDF's FlateDecode has it. */
static struct tp_slice
inflate_stream(struct tp_slice packed, struct tp_arena *arena)
{
	struct tp_slice out = {NULL, 0};
	uLong room = 1 << 20;
	z_stream z = {.next_in = (z_const Bytef *)packed.ptr, .avail_in = (uInt)packed.len};
	char *bytes = NULL;
	int status = inflateInit(&z);

	while (status == Z_OK && room <= MOST_BYTES) {
		char *more = realloc(bytes, room);

		if (more == NULL)
			break;
		bytes = more;
		z.next_out = (Bytef *)bytes + z.total_out;
		z.avail_out = (uInt)(room - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
		room *= 2;
	}
	if (status == Z_STREAM_END)
		out = (struct tp_slice){bytes, z.total_out};
	inflateEnd(&z);
	tp_arena_own(arena, bytes);
	return out;
}

static struct tp_slice
json_of_pdf(struct tp_slice pdf, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	static const char begin[] = ">>\nstream\n";
	struct tp_slice head =
		from_last(pdf, TP_S("<< /Type /EmbeddedFile /Subtype /application#2Fjson "));
	struct tp_slice dictionary = until(head, tp_slice_of(begin));
	struct tp_slice stream =
		until(tp_slice_from(head, dictionary.len + sizeof begin - 1), TP_S("\nendstream\nendobj"));

	if (head.len == 0 && from_last(pdf, TP_S("%%EOF")).len == 0) {
		tp_fail_at(err, TP_ERR_FORMAT, name, pdf.len, "the PDF is cut off");
		return head;
	}
	if (head.len == 0) {
		tp_fail_at(err, TP_ABSENT, name, TP_NO_OFFSET,
			"a PDF without a report attached: tpreport did not write it, or another program "
			"rewrote it");
		return head;
	}
	struct tp_slice json = dictionary.len != 0 && stream.len != 0 && stream.len <= MOST_BYTES
		? inflate_stream(stream, arena)
		: (struct tp_slice){NULL, 0};

	if (json.len == 0)
		tp_fail_at(err, TP_ERR_FORMAT, name, (uint64_t)(head.ptr - pdf.ptr),
			"the report attached to this PDF is damaged or cut off");
	return json;
}

struct tp_slice
tp_stored_json(struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	if (is_page(bytes))
		return json_of_page(bytes, name, arena, err);
	return is_pdf(bytes) ? json_of_pdf(bytes, name, arena, err) : bytes;
}

static struct tp_doc *
read_any(struct tp_slice bytes, const char *name, enum tp_stored_part part, struct tp_arena *arena,
	struct tp_err *err)
{
	if (bytes.len == 0)
		tp_fail_at(err, TP_ERR_FORMAT, name, 0, "the file is empty");
	if (tp_is_summary(bytes))
		return tp_summary_read(bytes, name, arena, err);
	struct tp_slice json = tp_stored_json(bytes, name, arena, err);

	return json.len != 0 ? tp_document_read(json, name, part, arena, err) : NULL;
}

/* What was made of several runs is no run: its figures are those of one of them, under the name of all. */
struct tp_doc *
tp_stored_read(struct tp_slice bytes, const char *name, enum tp_stored_part part,
	struct tp_arena *arena, struct tp_err *err)
{
	static const char *const others[] = {
		[TP_ABOUT_COMPARISON] = "a comparison of two runs, from tpreport diff",
		[TP_ABOUT_HISTORY] = "a history of runs, from tpreport history",
	};
	struct tp_doc *doc = read_any(bytes, name, part, arena, err);

	if (doc == NULL || doc->about == TP_ABOUT_RUN)
		return doc;
	tp_fail_at(err, TP_ABSENT, name, TP_NO_OFFSET,
		"this is %s, not a report of one run: give the reports that it was made from",
		others[doc->about]);
	return NULL;
}
