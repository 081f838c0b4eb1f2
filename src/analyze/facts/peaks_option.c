/* --peak bf16=989.4T,hbm=3.35T: what the user knows better. */
#include "analyze/facts/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPTED                                                                                                                     \
	"give bf16, fp8, int8, tf32, fp32 (or flops: of any type), hbm, vmem, memory (or capacity), each = a number that may end in K, " \
	"M, "                                                                                                                            \
	"G, T, P (Ki … Pi: powers of 1024), with commas between: --peak "                                                              \
	"bf16=989.4T,hbm=3.35T,memory=80G"

static const struct {
	const char *key;
	size_t field;
} keys[] = {
	{"bf16", offsetof(struct tp_peak_wish, bf16_per_s)},
	{"fp8", offsetof(struct tp_peak_wish, fp8_per_s)},
	{"int8", offsetof(struct tp_peak_wish, int8_per_s)},
	{"tf32", offsetof(struct tp_peak_wish, tf32_per_s)},
	{"fp32", offsetof(struct tp_peak_wish, fp32_per_s)},
	{"flops", offsetof(struct tp_peak_wish, flop_per_s)},
	{"hbm", offsetof(struct tp_peak_wish, hbm_bytes_per_s)},
	{"vmem", offsetof(struct tp_peak_wish, vmem_bytes_per_s)},
	{"memory", offsetof(struct tp_peak_wish, memory_bytes)},
	{"capacity", offsetof(struct tp_peak_wish, memory_bytes)},
};

static double *
field_of(struct tp_peak_wish *wish, struct tp_slice key)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (tp_slice_eq(key, tp_slice_of(keys[i].key)))
			return (double *)(void *)((char *)wish + keys[i].field);
	}
	return NULL;
}

/* Digits with at most one point among them; strtod alone would also take "nan", "0x1p3" and " 1". */
static size_t
digits_of(const char *text)
{
	size_t digits = strspn(text, "0123456789"), after = 0;

	if (text[digits] == '.')
		after = strspn(text + digits + 1, "0123456789") + 1;
	return digits + (after > 1 ? after : 0);
}

/* A positive number up to the next comma; NaN when it is none. */
static double
number_of(const char *text, const char **end)
{
	static const char prefixes[] = "KMGTP";
	size_t length = digits_of(text);
	double number = length > 0 ? strtod(text, NULL) : NAN;

	*end = text + length;
	const char *prefix = **end != '\0' ? strchr(prefixes, **end) : NULL;

	if (prefix != NULL) {
		bool binary = (*end)[1] == 'i';

		number *= pow(binary ? 1024 : 1000, (double)(prefix - prefixes + 1));
		*end += binary ? 2 : 1;
	}
	/* Beyond 10^21 no figure of a device is meant. */
	return number > 0 && number < 1e21 && (**end == ',' || **end == '\0') ? number : NAN;
}

enum tp_status
tp_peaks_parse(const char *text, struct tp_peak_wish *out, struct tp_err *err)
{
	const char *at = text;

	for (;;) {
		size_t length = strcspn(at, "=,");
		double *field = field_of(out, (struct tp_slice){at, length});

		if (field == NULL || at[length] != '=')
			return tp_fail(err, TP_ERR_USAGE, "--peak %.80s: \"%.*s\" is not a peak; " ACCEPTED,
				text, (int)length, at);
		const char *given = at + length + 1;
		double number = number_of(given, &at);

		if (!isfinite(number))
			return tp_fail(err, TP_ERR_USAGE,
				"--peak %.80s: \"%.*s\" is not a number above 0; " ACCEPTED, text,
				(int)strcspn(given, ","), given);
		*field = number;
		if (*at == '\0')
			return TP_OK;
		at++;
	}
}
