/* Names of rows, left of a plot: whole where there is room, and told apart where there is not. */
#include "chart/row_names.h"

#include "base/utf8.h"
#include "chart/label.h"

#include <glib.h>
#include <math.h>
#include <string.h>

enum {
	GAP_PX = 10, /* to the plot */
	SHORT_PX = 84,
	LONG_PX = 164,
	WIDE_PX = 250,
	ROOMY_PX = 420, /* of a very wide screen, as the page's CSS has it */
	WEIGHT = 400,
	HEAD_WEIGHT = 600,
	FIRST_BYTES = 8, /* of a name that begins as another does */
	BUF = 256,
};

static double
widest_px(const struct tp_slice *names, size_t count, double size_px)
{
	double widest = 0;

	for (size_t i = 0; i < count; i++)
		widest = fmax(widest, tp_label_width(names[i], size_px, WEIGHT) + GAP_PX);
	return widest;
}

double
tp_row_names_px(const struct tp_slice *names, size_t count, double size_px)
{
	double widest = widest_px(names, count, size_px);

	return widest <= SHORT_PX ? SHORT_PX : widest <= LONG_PX ? LONG_PX : WIDE_PX;
}

double
tp_row_names_phone_px(double room_px)
{
	return fmin(room_px, LONG_PX);
}

static bool
parts(char c)
{
	return memchr("_:/.,<( -", c, 9) != NULL;
}

/* Whether a word begins at a byte, as "Filter" does in "BackpropFilter". */
static bool
begins(struct tp_slice name, size_t at)
{
	return parts(name.ptr[at - 1]) ||
		(at < name.len && g_ascii_isupper(name.ptr[at]) && g_ascii_islower(name.ptr[at - 1]));
}

/* How many bytes of a name another one begins with as well, up to the end of a word: of the one that shares most. */
static size_t
shared_bytes(const struct tp_slice *names, size_t count, size_t own)
{
	struct tp_slice name = names[own];
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		size_t n = 0;

		if (tp_slice_eq(names[i], name))
			continue;
		while (n < name.len && n < names[i].len && name.ptr[n] == names[i].ptr[n])
			n++;
		most = n > most ? n : most;
	}
	if (most < name.len && parts(name.ptr[most])) {
		while (most < name.len && parts(name.ptr[most]))
			most++;
		return most;
	}
	while (most > 0 && !begins(name, most))
		most--;
	return most;
}

/* Where the word begins that says what a number at `at` counts, as in "level 2"; `at` where there is none. */
static size_t
word_before(struct tp_slice name, size_t at)
{
	size_t from = at;

	if (at == name.len || !g_ascii_isdigit(name.ptr[at]) || at == 0 || name.ptr[at - 1] != ' ')
		return at;
	for (from--; from > 0 && g_ascii_isalpha(name.ptr[from - 1]);)
		from--;
	return from < at - 1 ? from : at;
}

/* "tf_data_iter…level 2": beside what stands from `from` on as much of the beginning as there is room for; empty if that is too little. */
static struct tp_slice
cut_before(struct tp_slice name, size_t from, double most_px, double size_px, char buf[static BUF])
{
	struct tp_slice end = tp_slice_from(name, from),
					first = {name.ptr, tp_utf8_fit(name, FIRST_BYTES)};
	double room_px = most_px - tp_label_width(end, size_px, WEIGHT);
	double least_px =
		tp_label_width(first, size_px, WEIGHT) + tp_label_width(TP_S("…"), size_px, WEIGHT);

	if (from <= first.len || room_px < least_px || end.len >= BUF / 2)
		return TP_S("");
	struct tp_slice begin = tp_label_cut(
		(struct tp_slice){name.ptr, from}, size_px, WEIGHT, room_px, buf, BUF - end.len);

	/* Text that is no UTF-8 may have very many bytes to a letter. */
	if (begin.len + end.len > BUF)
		return TP_S("");
	if (begin.ptr != buf)
		memcpy(buf, begin.ptr, begin.len);
	memcpy(buf + begin.len, end.ptr, end.len);
	return (struct tp_slice){buf, begin.len + end.len};
}

/* "Cijk_Ail…MT128x256…" of "Cijk_Ailk_Bljk_MT128x256x32", of which others begin with "Cijk_Ailk_Bljk_", too. */
static struct tp_slice
cut(const struct tp_slice *names, size_t count, size_t own, double most_px, double size_px,
	char buf[static BUF])
{
	struct tp_slice name = names[own];
	struct tp_slice plain = tp_label_cut(name, size_px, WEIGHT, most_px, buf, BUF);
	size_t shared = plain.len == name.len ? 0 : shared_bytes(names, count, own);
	size_t first = tp_utf8_fit(name, FIRST_BYTES), dots = strlen("…");
	char whole[BUF];

	/* What is its own can be seen. */
	if (shared + 2 * dots <= plain.len || shared <= first)
		return plain;
	struct tp_slice told = cut_before(name, word_before(name, shared), most_px, size_px, whole);

	if (told.len == 0)
		told = cut_before(name, shared, most_px, size_px, whole);
	if (told.len == 0) {
		size_t last = tp_utf8_fit(tp_slice_from(name, shared), BUF - first - dots);

		memcpy(whole, name.ptr, first);
		memcpy(whole + first, "…", dots);
		memcpy(whole + first + dots, name.ptr + shared, last);
		told = tp_label_cut(
			(struct tp_slice){whole, first + dots + last}, size_px, WEIGHT, most_px, buf, BUF);
	}
	if (told.ptr == whole)
		memcpy(buf, whole, told.len);
	return (struct tp_slice){buf, told.len};
}

/* The name in so much room, where it is cut to. */
static void
write_name(struct tp_canvas *canvas, const struct tp_slice *names, size_t count, size_t own,
	double room_px, struct tp_canvas_text text)
{
	char buf[BUF];

	text.x.px = -room_px;
	text.text = text.weight == HEAD_WEIGHT
		? names[own]
		: cut(names, count, own, room_px - GAP_PX, text.size_px, buf);
	text.title = text.text.len != names[own].len ? names[own] : TP_S("");
	tp_canvas_write(canvas, text);
}

/* In the room that there is on a screen of any width. */
static void
write_all(struct tp_canvas *canvas, const struct tp_slice *names, size_t count, size_t own,
	double room_px, struct tp_canvas_text text)
{
	double phone_px = tp_row_names_phone_px(room_px);
	bool two = canvas->narrow_px > 0 && phone_px < room_px;
	bool three = two && widest_px(names, count, text.size_px) > room_px;

	text.wide = two;
	text.tight = three;
	write_name(canvas, names, count, own, room_px, text);
	if (!two)
		return;
	text.wide = text.tight = false;
	text.narrow = true;
	write_name(canvas, names, count, own, phone_px, text);
	if (!three)
		return;
	text.narrow = false;
	text.roomy = true;
	write_name(canvas, names, count, own, ROOMY_PX, text);
}

void
tp_row_name_draw(struct tp_canvas *canvas, const struct tp_slice *names, size_t count, size_t own,
	double room_px, double y, double size_px, enum tp_ink ink)
{
	write_all(canvas, names, count, own, room_px,
		(struct tp_canvas_text){.y = y, .ink = ink, .size_px = size_px, .weight = WEIGHT});
}

void
tp_row_head_draw(struct tp_canvas *canvas, const struct tp_slice *names, size_t count, size_t own,
	double room_px, double y, double size_px)
{
	write_all(canvas, names, count, own, room_px,
		(struct tp_canvas_text){
			.y = y, .ink = TP_INK_INK, .size_px = size_px, .weight = HEAD_WEIGHT, .halo = true});
}
