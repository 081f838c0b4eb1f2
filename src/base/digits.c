/* printf has the last word where the middle between two roundings is near; nearly always it is far. */
#include "base/digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
tp_put(struct tp_writer *w, const char *text)
{
	while (*text != '\0' && w->len + 1 < w->room)
		w->buf[w->len++] = *text++;
}

static void
put_digits(struct tp_writer *w, const char *digits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i != 0 && (count - i) % 3 == 0)
			tp_put(w, ",");
		tp_put(w, (const char[]){digits[i], '\0'});
	}
}

static const double powers[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
enum { POWERS = sizeof powers / sizeof *powers };

int
tp_exponent(double x, int digits)
{
	char text[40];

	/* Where rounding can make no digit more. */
	for (int i = 0; i + 1 < POWERS && x >= 1; i++) {
		if (x < 9.4 * powers[i])
			return i;
		if (x < powers[i + 1])
			break;
	}
	snprintf(text, sizeof text, "%.*e", digits - 1, x);
	return atoi(strchr(text, 'e') + 1);
}

/* x × 10^decimals as a whole number, where it is so far from the middle between two that nothing depends on how it is rounded. */
static bool
is_plain(double x, int decimals, uint64_t *out)
{
	static const double most = 1e12, margin = 1e-3; /* a product of that size is out by 0.0001 */
	double scaled = decimals < POWERS ? x * powers[decimals] : most, below = floor(scaled);

	if (!(scaled < most) || fabs(scaled - below - 0.5) < margin)
		return false;
	*out = (uint64_t)below + (scaled - below > 0.5);
	return true;
}

enum { MOST_DIGITS = 20 };

/* Into the end of the buffer; returns where they begin. */
static size_t
digits_of(uint64_t number, int at_least, char digits[static MOST_DIGITS])
{
	size_t first = MOST_DIGITS;

	for (; number != 0 || at_least > 0; number /= 10, at_least--)
		digits[--first] = (char)('0' + number % 10);
	return first;
}

void
tp_put_whole(struct tp_writer *w, uint64_t number, int at_least)
{
	char digits[MOST_DIGITS];
	size_t first = digits_of(number, at_least, digits), count = MOST_DIGITS - first;

	if (w->len + count >= w->room)
		return;
	memcpy(w->buf + w->len, digits + first, count);
	w->len += count;
}

void
tp_put_grouped(struct tp_writer *w, uint64_t number)
{
	char digits[MOST_DIGITS];
	size_t first = digits_of(number, 1, digits);

	put_digits(w, digits + first, MOST_DIGITS - first);
}

/* printf rounds; what it writes as decimal point depends on the locale, so only its digits are taken. */
void
tp_put_decimal(struct tp_writer *w, double x, int decimals)
{
	uint64_t plain;

	if (is_plain(x, decimals, &plain)) {
		uint64_t one = (uint64_t)powers[decimals];

		tp_put_grouped(w, plain / one);
		tp_put(w, decimals != 0 ? "." : "");
		tp_put_whole(w, plain % one, decimals);
		return;
	}
	char text[64];
	int length = snprintf(text, sizeof text, "%.*f", decimals, x);
	size_t whole = strspn(text, "0123456789");

	put_digits(w, text, whole);
	if (decimals == 0)
		return;
	tp_put(w, ".");
	tp_put(w, text + length - decimals);
}

/* What has at most fifteen digits, six of them behind the point, as nearly all figures have: such a decimal reads back as a number that
 * no other one reads back as (DBL_DIG), so that it is the shortest. false: x is none of these. */
static bool
put_few_digits(struct tp_writer *w, double x)
{
	enum { MOST_DECIMALS = 6 };
	double size = fabs(x);
	int decimals = 0;

	if (!(size >= 1e-4 && size < 1e9))
		return false;
	/* The quotient of two exact numbers is rounded as the decimal that is read back. */
	while (rint(size * powers[decimals]) / powers[decimals] != size) {
		if (++decimals > MOST_DECIMALS)
			return false;
	}
	uint64_t number = (uint64_t)rint(size * powers[decimals]), one = (uint64_t)powers[decimals];

	if (x < 0)
		tp_put(w, "-");
	tp_put_whole(w, number / one, 1);
	if (decimals == 0)
		return true;
	tp_put(w, ".");
	tp_put_whole(w, number % one, decimals);
	return true;
}

void
tp_put_shortest(struct tp_writer *w, double x)
{
	char text[40];
	bool point = false;

	if (put_few_digits(w, x))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			break;
	}
	for (const char *c = text; *c != '\0'; c++) {
		bool plain = strchr("0123456789e+-", *c) != NULL;

		if (plain)
			tp_put(w, (const char[]){*c, '\0'});
		else if (!point)
			tp_put(w, ".");
		point |= !plain;
	}
}
