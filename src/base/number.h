/* Values with units, and the one place that turns them into words. */
#ifndef TP_BASE_NUMBER_H
#define TP_BASE_NUMBER_H

#include "base/slice.h"

#include <stdint.h>

enum tp_unit {
	TP_UNIT_NONE,  /* text, or a plain number without meaning of its own */
	TP_UNIT_COUNT, /* how many */
	TP_UNIT_SHARE, /* 0…1, shown in per cent */
	TP_UNIT_TIMES, /* a factor, shown as 2.6× */
	TP_UNIT_PS,
	TP_UNIT_NS,
	TP_UNIT_US,
	TP_UNIT_MS,
	TP_UNIT_S,
	TP_UNIT_MIN, /* of axes alone, as the next one */
	TP_UNIT_H,
	TP_UNIT_BYTES, /* shown in KiB, MiB, GiB (2^10, 2^20, 2^30) */
	TP_UNIT_KIB,
	TP_UNIT_MIB,
	TP_UNIT_GIB,
	TP_UNIT_FLOP, /* floating-point operations; a multiply-add counts 2 */
	TP_UNIT_MFLOP,
	TP_UNIT_GFLOP,
	TP_UNIT_FLOP_PER_S, /* shown in GFLOP/s, TFLOP/s */
	TP_UNIT_GFLOP_PER_S,
	TP_UNIT_TFLOP_PER_S,
	TP_UNIT_BYTES_PER_S, /* shown in GB/s (10^9), as vendors state peaks */
	TP_UNIT_GB_PER_S,
	TP_UNIT_GIB_PER_S, /* links between cores */
	TP_UNIT_FLOP_PER_BYTE,
	TP_UNIT_UNIX_NS, /* nanoseconds since 1970, shown as a UTC date and time */
};

enum tp_value_kind {
	TP_VALUE_MISSING, /* text holds the reason; never shown as 0 */
	TP_VALUE_INTEGER,
	TP_VALUE_NUMBER,
	TP_VALUE_TEXT,
};

struct tp_value {
	enum tp_value_kind kind;
	enum tp_unit unit;
	int64_t integer;      /* INTEGER */
	double number;        /* NUMBER; finite */
	struct tp_slice text; /* TEXT: the text; MISSING: the reason. Borrowed. */
};

static inline struct tp_value
tp_integer(int64_t integer, enum tp_unit unit)
{
	return (struct tp_value){.kind = TP_VALUE_INTEGER, .unit = unit, .integer = integer};
}

/* Of memory; more than an int64_t holds counts as its largest. */
static inline struct tp_value
tp_bytes(uint64_t count)
{
	return tp_integer(count > INT64_MAX ? INT64_MAX : (int64_t)count, TP_UNIT_BYTES);
}

static inline struct tp_value
tp_count(uint64_t count)
{
	return tp_integer((int64_t)count, TP_UNIT_COUNT);
}

static inline struct tp_value
tp_missing(struct tp_slice reason)
{
	return (struct tp_value){.kind = TP_VALUE_MISSING, .text = reason};
}

static inline struct tp_value
tp_text_value(struct tp_slice text)
{
	return (struct tp_value){.kind = TP_VALUE_TEXT, .text = text};
}

/* A number; not finite gives missing with the reason "not a number". */
struct tp_value tp_number(double number, enum tp_unit unit);

/* Picoseconds in milliseconds. */
static inline struct tp_value
tp_ps_in_ms(double ps)
{
	return tp_number(ps / 1e9, TP_UNIT_MS);
}

/* part / whole as a share; whole 0 (or less) gives missing with `reason`. */
struct tp_value tp_share(double part, double whole, struct tp_slice reason);

static inline bool
tp_known(struct tp_value v)
{
	return v.kind != TP_VALUE_MISSING;
}

/* A number; one that is not finite is missing, for this reason. */
static inline struct tp_value
tp_number_or(double number, enum tp_unit unit, struct tp_slice reason)
{
	struct tp_value value = tp_number(number, unit);

	return tp_known(value) ? value : tp_missing(reason);
}

/* The number in another unit of the same quantity (ps → ms). NaN when it is not a number or the quantities differ. */
double tp_value_in(struct tp_value v, enum tp_unit unit);

/* The unit of an axis whose largest value is that much in `unit`: the largest in which it is 2 or more. Seconds, from 1, minutes and hours
 * begin where they do in tp_value_text. */
enum tp_unit tp_unit_of_axis(double largest, enum tp_unit unit);

enum { TP_VALUE_BUF = 64 };

/* The text of a value as shown to people, e.g. "1.24 ms", "62.0 %", "3.21 GiB", "918 TFLOP/s", "–" when missing: three
 * significant digits, unit chosen by size, a narrow no-break space (U+202F) before the unit, thousands separated by
 * commas. Points into buf, or into v for texts. */
struct tp_slice tp_value_text(struct tp_value v, char buf[static TP_VALUE_BUF]);

/* "step" for 1, "steps" for all others, 0 too. */
const char *tp_plural(uint64_t count, const char *one, const char *many);

/* The same with figure and unit apart, for tiles: "126" and "ms". The unit may be empty. */
struct tp_figure {
	struct tp_slice number, unit;
};
struct tp_figure tp_value_figure(struct tp_value v, char buf[static TP_VALUE_BUF]);

/* As a count of decimals: three significant digits with the unit that suits the size, as tp_value_text has it. */
enum { TP_DECIMALS_BY_SIZE = -1, TP_DECIMALS_BY_COLUMN = -2 };

/* The number alone, in `unit` with a fixed count of decimals, for a column whose head names the unit: "1,234.5"; shares in
 * per cent without the sign. Missing: "–". What is not 0 but rounds to it is "<0.1" and so on, if below 0 too; and so is a
 * share that is nearer to 0 than that, as in tp_value_text. */
struct tp_slice tp_value_fixed(
	struct tp_value v, enum tp_unit unit, int decimals, char buf[static TP_VALUE_BUF]);

/* "ms", "%", "GB/s": what stands in the head of a column; empty for counts and texts. */
struct tp_slice tp_unit_symbol(enum tp_unit unit);

/* "ms", "share", "bytes", "flop_per_s": the unit in JSON and `tpreport get`; empty for texts. */
struct tp_slice tp_unit_name(enum tp_unit unit);

/* The double that is written as the shortest decimal which reads back as this number of single precision: 0.1, where the number
 * itself would be written 0.10000000149011612. At most nine digits. As they are: whole numbers below 2^53, and what single precision
 * cannot hold. */
double tp_number_of_single(double number);

/* The raw number with full precision as scripts read it ("0.6199482", "363729698768750"), "-" when missing. */
struct tp_slice tp_value_raw(struct tp_value v, char buf[static TP_VALUE_BUF]);

/* "500M" as bytes: a number with a unit, as ulimit and containers count (1 K is 1024 bytes). False: the word is none. */
bool tp_parse_bytes(const char *word, uint64_t *out_bytes);

/* "12.5ms" up to `end`: ns, us, ms, s or min, in seconds; NaN: it is no time. */
double tp_parse_seconds(const char *word, const char *end);

#endif
