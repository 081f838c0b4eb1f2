/* Numbers into words: one table of units, one ladder of prefixes a quantity, three significant digits. */
#include "base/number.h"

#include "base/digits.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NARROW_SPACE "\u202f"
#define MINUS "\u2212"
#define DASH "\u2013"

enum quantity {
	NUMBER,
	COUNT,
	SHARE,
	FACTOR,
	TIME,
	SIZE,
	WORK,
	SPEED,
	BANDWIDTH,
	LINK,
	INTENSITY,
	DATE
};

struct unit {
	const char *symbol, *name;
	enum quantity quantity;
	double scale; /* of the smallest unit of the quantity */
};

static const struct unit units[] = {
	[TP_UNIT_NONE] = {"", "", NUMBER, 1},
	[TP_UNIT_COUNT] = {"", "count", COUNT, 1},
	[TP_UNIT_SHARE] = {"%", "share", SHARE, 1},
	[TP_UNIT_TIMES] = {"×", "times", FACTOR, 1},
	[TP_UNIT_PS] = {"ps", "ps", TIME, 1},
	[TP_UNIT_NS] = {"ns", "ns", TIME, 1e3},
	[TP_UNIT_US] = {"µs", "us", TIME, 1e6},
	[TP_UNIT_MS] = {"ms", "ms", TIME, 1e9},
	[TP_UNIT_S] = {"s", "s", TIME, 1e12},
	[TP_UNIT_MIN] = {"min", "min", TIME, 60e12},
	[TP_UNIT_H] = {"h", "h", TIME, 3600e12},
	[TP_UNIT_BYTES] = {"B", "bytes", SIZE, 1},
	[TP_UNIT_KIB] = {"KiB", "kib", SIZE, 0x1p10},
	[TP_UNIT_MIB] = {"MiB", "mib", SIZE, 0x1p20},
	[TP_UNIT_GIB] = {"GiB", "gib", SIZE, 0x1p30},
	[TP_UNIT_FLOP] = {"FLOP", "flop", WORK, 1},
	[TP_UNIT_MFLOP] = {"MFLOP", "mflop", WORK, 1e6},
	[TP_UNIT_GFLOP] = {"GFLOP", "gflop", WORK, 1e9},
	[TP_UNIT_FLOP_PER_S] = {"FLOP/s", "flop_per_s", SPEED, 1},
	[TP_UNIT_GFLOP_PER_S] = {"GFLOP/s", "gflop_per_s", SPEED, 1e9},
	[TP_UNIT_TFLOP_PER_S] = {"TFLOP/s", "tflop_per_s", SPEED, 1e12},
	[TP_UNIT_BYTES_PER_S] = {"B/s", "bytes_per_s", BANDWIDTH, 1},
	[TP_UNIT_GB_PER_S] = {"GB/s", "gb_per_s", BANDWIDTH, 1e9},
	[TP_UNIT_GIB_PER_S] = {"GiB/s", "gib_per_s", LINK, 0x1p30},
	[TP_UNIT_FLOP_PER_BYTE] = {"FLOP/B", "flop_per_byte", INTENSITY, 1},
	[TP_UNIT_UNIX_NS] = {"", "unix_ns", DATE, 1},
};

/* A rung serves figures that are below its limit once rounded; the last one (limit 0) takes the rest. */
struct rung {
	const char *symbol;
	double scale, limit;
};

static const struct rung ladders[][7] = {
	[NUMBER] = {{"", 1, 0}},
	[COUNT] = {{"", 1, 0}},
	[TIME] = {{"ps", 1, 1000}, {"ns", 1e3, 1000}, {"µs", 1e6, 1000}, {"ms", 1e9, 1000},
		{"s", 1e12, 120}, {"min", 60e12, 120}, {"h", 3600e12, 0}},
	[SIZE] = {{"B", 1, 1024}, {"KiB", 0x1p10, 1024}, {"MiB", 0x1p20, 1024}, {"GiB", 0x1p30, 1024},
		{"TiB", 0x1p40, 0}},
	[WORK] = {{"FLOP", 1, 1000}, {"kFLOP", 1e3, 1000}, {"MFLOP", 1e6, 1000}, {"GFLOP", 1e9, 1000},
		{"TFLOP", 1e12, 1000}, {"PFLOP", 1e15, 1000}, {"EFLOP", 1e18, 0}},
	[SPEED] = {{"FLOP/s", 1, 1000}, {"kFLOP/s", 1e3, 1000}, {"MFLOP/s", 1e6, 1000},
		{"GFLOP/s", 1e9, 1000}, {"TFLOP/s", 1e12, 1000}, {"PFLOP/s", 1e15, 1000},
		{"EFLOP/s", 1e18, 0}},
	[BANDWIDTH] = {{"B/s", 1, 1000}, {"kB/s", 1e3, 1000}, {"MB/s", 1e6, 1000}, {"GB/s", 1e9, 1000},
		{"TB/s", 1e12, 1000}, {"PB/s", 1e15, 0}},
	[LINK] = {{"B/s", 1, 1024}, {"KiB/s", 0x1p10, 1024}, {"MiB/s", 0x1p20, 1024},
		{"GiB/s", 0x1p30, 1024}, {"TiB/s", 0x1p40, 0}},
	[INTENSITY] = {{"FLOP/B", 1, 0}},
};

/* Outside of these a figure is written with a power of ten; no text then outgrows its buffer. */
static const double SMALLEST = 1e-6, LARGEST = 1e15;

/* x may have become infinite on the way to another unit. */
static void
put_power(struct tp_writer *w, double x, int digits)
{
	x = fmin(x, DBL_MAX);
	int power = tp_exponent(x, digits);
	char text[16];

	/* In two steps, for 10^324 is no number. */
	tp_put_decimal(w, x / pow(10, power / 2) / pow(10, power - power / 2), digits - 1);
	snprintf(text, sizeof text, "e%s%d", power < 0 ? MINUS : "", abs(power));
	tp_put(w, text);
}

/* |x| with so many significant digits, whole numbers from 1,000 on. */
static void
put_significant(struct tp_writer *w, double x, int digits)
{
	if (x < SMALLEST || x >= LARGEST) {
		put_power(w, x, digits);
		return;
	}
	int decimals = digits - 1 - tp_exponent(x, digits);

	tp_put_decimal(w, x, decimals > 0 ? decimals : 0);
}

/* Whether x is less than a limit as put_significant shows it with three digits. */
static bool
is_below(double x, double limit)
{
	char text[40];

	/* Rounding changes less than a hundredth. */
	if (x < limit * 0.99 || x >= limit)
		return x < limit;
	if (x >= 1000)
		return rint(x) < limit;
	snprintf(text, sizeof text, "%.2e", x);
	return strtod(text, NULL) < limit;
}

static const struct rung *
rung_for(enum tp_unit unit, double base)
{
	const struct rung *r = ladders[units[unit].quantity];

	/* What is given in ms is a part of a step and read beside its like: 0.600 ms, not 600 µs. */
	if (unit == TP_UNIT_MS && base >= 0.1e9 && is_below(base / 1e9, 1000))
		return &r[3];
	while (r->limit != 0 && !is_below(base / r->scale, r->limit))
		r++;
	return r;
}

/* Figures with a ladder. Returns the symbol of the unit that was chosen. */
static const char *
put_laddered(struct tp_writer *w, enum tp_unit unit, double x)
{
	double base = x * units[unit].scale; /* in the smallest unit of the quantity */

	if (x == 0) {
		tp_put(w, "0");
		return units[unit].quantity == SIZE ? "B" : units[unit].symbol;
	}
	if (!isfinite(base)) {
		put_power(w, x, 3);
		return units[unit].symbol;
	}
	const struct rung *r = rung_for(unit, base);

	if (r->scale == 1 && base == floor(base) && base < LARGEST)
		tp_put_decimal(w, base, 0);
	else
		put_significant(w, base / r->scale, 3);
	return r->symbol;
}

/* small: too near to 0 for its decimals, which is said without a sign: "<0.1" is as near from below. */
static void
put_fixed(struct tp_writer *w, double x, int decimals, bool small)
{
	double size = fabs(x);

	if (small)
		tp_put(w, "<");
	else if (x < 0)
		tp_put(w, MINUS);
	if (size >= LARGEST)
		put_power(w, size, 3);
	else
		tp_put_decimal(w, small ? pow(10, -decimals) : size, decimals);
}

/* In per cent. 0.06 % is nowhere rounded up to 0.1: the same share is "<0.1" in a sentence, a legend and a column. */
static void
put_share(struct tp_writer *w, double share, int decimals)
{
	double percent = share * 100;

	put_fixed(w, percent, decimals, percent != 0 && fabs(percent) < pow(10, -decimals));
}

static void
put_factor(struct tp_writer *w, double x)
{
	if (x == 0)
		tp_put(w, "0");
	else
		put_significant(w, x, x < 10 ? 2 : 3);
}

static void
put_date(struct tp_writer *w, double unix_ns)
{
	if (fabs(unix_ns) >= 0x1p63) {
		tp_put(w, DASH);
		return;
	}
	time_t seconds = (time_t)floor(unix_ns / 1e9);
	struct tm t;
	char text[32];

	gmtime_r(&seconds, &t);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &t);
	tp_put(w, text);
}

static double
plain_number(struct tp_value v)
{
	return v.kind == TP_VALUE_INTEGER ? (double)v.integer : v.number;
}

static void
put_integer(struct tp_writer *w, int64_t integer)
{
	uint64_t size = integer < 0 ? -(uint64_t)integer : (uint64_t)integer;

	if (integer < 0)
		tp_put(w, MINUS);
	tp_put_grouped(w, size);
}

/* Writes the figure; returns the symbol of the unit that it is in. */
static const char *
put_figure(struct tp_writer *w, struct tp_value v)
{
	const struct unit *u = &units[v.unit];
	double x = plain_number(v);

	if (v.kind == TP_VALUE_INTEGER && (u->quantity == COUNT || u->quantity == NUMBER)) {
		put_integer(w, v.integer);
		return "";
	}
	if (x < 0 && u->quantity != DATE && u->quantity != SHARE) {
		tp_put(w, MINUS);
		x = -x;
	}
	switch (u->quantity) {
	case SHARE:
		put_share(w, x, 1);
		return u->symbol;
	case FACTOR:
		put_factor(w, x);
		return u->symbol;
	case DATE:
		put_date(w, x);
		return "";
	case NUMBER:
	case COUNT:
	case TIME:
	case SIZE:
	case WORK:
	case SPEED:
	case BANDWIDTH:
	case LINK:
	case INTENSITY:
		break;
	}
	return put_laddered(w, v.unit, x);
}

struct tp_value
tp_number(double number, enum tp_unit unit)
{
	if (!isfinite(number))
		return tp_missing(TP_S("not a number"));
	return (struct tp_value){.kind = TP_VALUE_NUMBER, .unit = unit, .number = number};
}

struct tp_value
tp_share(double part, double whole, struct tp_slice reason)
{
	if (!(whole > 0))
		return tp_missing(reason);
	return tp_number(part / whole, TP_UNIT_SHARE);
}

double
tp_value_in(struct tp_value v, enum tp_unit unit)
{
	if (v.kind == TP_VALUE_MISSING || v.kind == TP_VALUE_TEXT ||
		units[v.unit].quantity != units[unit].quantity)
		return NAN;
	double from = units[v.unit].scale, to = units[unit].scale;

	/* The quotient of the scales is exact this way round, so only one rounding is left. */
	return from >= to ? plain_number(v) * (from / to) : plain_number(v) / (to / from);
}

struct tp_figure
tp_value_figure(struct tp_value v, char buf[static TP_VALUE_BUF])
{
	struct tp_slice none = {NULL, 0};

	if (v.kind == TP_VALUE_MISSING)
		return (struct tp_figure){TP_S(DASH), none};
	if (v.kind == TP_VALUE_TEXT)
		return (struct tp_figure){v.text, none};
	struct tp_writer w = {buf, 0, TP_VALUE_BUF};
	const char *symbol = put_figure(&w, v);

	return (struct tp_figure){{buf, w.len}, tp_slice_of(symbol)};
}

const char *
tp_plural(uint64_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

struct tp_slice
tp_value_text(struct tp_value v, char buf[static TP_VALUE_BUF])
{
	struct tp_figure f = tp_value_figure(v, buf);

	if (f.unit.len == 0)
		return f.number;
	struct tp_writer w = {buf, f.number.len, TP_VALUE_BUF};

	if (units[v.unit].quantity != FACTOR)
		tp_put(&w, NARROW_SPACE);
	tp_put(&w, f.unit.ptr);
	return (struct tp_slice){buf, w.len};
}

/* Whether x, which is not 0, would be shown as 0. */
static bool
vanishes(double x, int decimals)
{
	char text[64];

	if (x == 0 || x >= 1)
		return false;
	snprintf(text, sizeof text, "%.*f", decimals, x);
	return strpbrk(text, "123456789") == NULL;
}

struct tp_slice
tp_value_fixed(struct tp_value v, enum tp_unit unit, int decimals, char buf[static TP_VALUE_BUF])
{
	double x = tp_value_in(v, unit);
	struct tp_writer w = {buf, 0, TP_VALUE_BUF};

	if (unit == TP_UNIT_NONE || unit == TP_UNIT_UNIX_NS || decimals == TP_DECIMALS_BY_SIZE ||
		isnan(x))
		return tp_value_text(v, buf);
	decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
	if (unit == TP_UNIT_SHARE)
		put_share(&w, x, decimals);
	else if (v.kind == TP_VALUE_INTEGER && v.unit == unit && decimals == 0)
		put_integer(&w, v.integer);
	else
		put_fixed(&w, x, decimals, vanishes(fabs(x), decimals));
	return (struct tp_slice){buf, w.len};
}

struct tp_slice
tp_unit_symbol(enum tp_unit unit)
{
	return tp_slice_of(units[unit].symbol);
}

struct tp_slice
tp_unit_name(enum tp_unit unit)
{
	return tp_slice_of(units[unit].name);
}

struct tp_slice
tp_value_raw(struct tp_value v, char buf[static TP_VALUE_BUF])
{
	struct tp_writer w = {buf, 0, TP_VALUE_BUF};

	switch (v.kind) {
	case TP_VALUE_MISSING:
		return TP_S("-");
	case TP_VALUE_TEXT:
		return v.text;
	case TP_VALUE_INTEGER:
		if (v.integer < 0)
			tp_put(&w, "-");
		tp_put_whole(&w, v.integer < 0 ? -(uint64_t)v.integer : (uint64_t)v.integer, 1);
		break;
	case TP_VALUE_NUMBER:
		tp_put_shortest(&w, v.number);
		break;
	}
	return (struct tp_slice){buf, w.len};
}

double
tp_number_of_single(double number)
{
	enum { MOST_DIGITS = 9 }; /* enough for every float: FLT_DECIMAL_DIG */
	static const double most_whole =
		9007199254740992; /* 2^53: up to it every whole number is a double */
	char text[32];

	/* What is not finite is not less, either. */
	if (!(fabs(number) <= (double)FLT_MAX) || (double)(float)number != number)
		return number;
	/* Counts and seeds: 4294967296 is not 4294967300. */
	if (fabs(number) < most_whole && number == trunc(number))
		return number;
	for (int digits = 1; digits <= MOST_DIGITS; digits++) {
		snprintf(text, sizeof text, "%.*e", digits - 1, number);
		if (strtof(text, NULL) == (float)number)
			break;
	}
	return strtod(text, NULL);
}

bool
tp_parse_bytes(const char *word, uint64_t *out_bytes)
{
	static const char prefixes[] = "KMGT";
	char *end;

	errno = 0;
	double number = strtod(word, &end);

	if (!isdigit((unsigned char)word[0]) || errno != 0)
		return false;
	const char *unit = *end != '\0' ? strchr(prefixes, toupper((unsigned char)*end)) : NULL;

	for (ptrdiff_t i = 0; unit != NULL && i <= unit - prefixes; i++)
		number *= 1024;
	end += unit != NULL;
	end += unit != NULL && strcmp(end, "iB") == 0 ? 2 : 0;
	*out_bytes = number < 0x1p63 ? (uint64_t)number : UINT64_MAX;
	return *end == '\0' && number >= 1;
}

double
tp_parse_seconds(const char *word, const char *end)
{
	static const struct {
		const char *unit;
		double seconds;
	} times[] = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}};
	char *rest;
	double number = strtod(word, &rest);

	if (rest == word || rest > end || !(number >= 0) || isinf(number))
		return NAN;
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		if ((size_t)(end - rest) == strlen(times[i].unit) &&
			strncmp(rest, times[i].unit, (size_t)(end - rest)) == 0)
			return number * times[i].seconds;
	}
	return NAN;
}
