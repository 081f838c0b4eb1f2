/* Device peaks by name. A name must match as a whole: "TPU v5" is not "TPU v5 lite", nor "GB200" "B200", and of a name with a
 * word more ("RTX 4090 Laptop GPU") nothing is known. */
#include "analyze/facts/peaks.h"

#include "base/texts.h"

#include <ctype.h>

const char tp_peak_table_version[] = "2026-11-26";

#define GIB 1073741824.0
#define GB 1e9
#define FIGURE(kind, number, letter) [kind] = {(number), (letter)}
#define MARK_d 'd'
#define MARK_s 's'
#define MARK_c 'c'
#define MARK_m 'm'
#define TENSOR(tera, mark) FIGURE(TP_PEAK_FLOP, (tera)*1e12, MARK_##mark)
#define FP8(tera, mark) FIGURE(TP_PEAK_FP8, (tera)*1e12, MARK_##mark)
#define INT8(tera, mark) FIGURE(TP_PEAK_INT8, (tera)*1e12, MARK_##mark)
#define TF32(tera, mark) FIGURE(TP_PEAK_TF32, (tera)*1e12, MARK_##mark)
#define FP32(tera, mark) FIGURE(TP_PEAK_FP32, (tera)*1e12, MARK_##mark)
#define HBM(giga, mark) FIGURE(TP_PEAK_HBM, (giga)*1e9, MARK_##mark)
#define MEMORY(bytes, mark) FIGURE(TP_PEAK_CAPACITY, bytes, MARK_##mark)
#define VMEM(read, write, mark)                                                                    \
	FIGURE(TP_PEAK_VMEM_READ, (read)*1e9, MARK_##mark),                                            \
		FIGURE(TP_PEAK_VMEM_WRITE, (write)*1e9, MARK_##mark)
#define TPU(matches, display, ...) {matches, display, NULL, 0, false, {__VA_ARGS__}},
#define MEGACORE(matches, display, ...) {matches, display, NULL, 0, true, {__VA_ARGS__}},
#define GPU(matches, display, remark, multiprocessors, ...)                                        \
	{matches, display, remark, multiprocessors, false, {__VA_ARGS__}},

static const struct tp_peak_row rows[] = {
#include "analyze/facts/device_peaks.inc"
};

/* Words that a maker may put before the name, or that say nothing. */
static bool
is_filler(struct tp_slice word)
{
	return tp_texts_any(word, tp_slice_eq,
		TP_TEXTS("nvidia", "tesla", "geforce", "amd", "instinct", "google", "cloud", "gpu"));
}

enum { LONGEST_NAME = 128 };

/* "NVIDIA A100-SXM4-40GB MIG 1g.5gb" → "a100 sxm4 40gb", a slice; empty when the name is longer than any device's. */
static struct tp_slice
plain_name(struct tp_slice name, char buf[static LONGEST_NAME], bool *slice)
{
	size_t used = 0;

	*slice = false;
	if (name.len >= LONGEST_NAME)
		return TP_S("");
	for (size_t i = 0; i < name.len;) {
		size_t start = used, blank = used > 0;

		if (!isalnum((unsigned char)name.ptr[i])) {
			i++;
			continue;
		}
		if (blank)
			buf[used++] = ' ';
		while (i < name.len && isalnum((unsigned char)name.ptr[i]))
			buf[used++] = (char)tolower((unsigned char)name.ptr[i++]);
		struct tp_slice word = {buf + start + blank, used - start - blank};

		*slice = tp_slice_eq(word, TP_S("mig"));
		if (*slice || is_filler(word))
			used = start;
		if (*slice)
			break;
	}
	return (struct tp_slice){buf, used};
}

static bool
is_one_of(struct tp_slice name, const char *names)
{
	while (*names != '\0') {
		size_t length = strcspn(names, "|");

		if (tp_slice_eq(name, (struct tp_slice){names, length}))
			return true;
		names += length + (names[length] == '|');
	}
	return false;
}

const struct tp_peak_row *
tp_peak_row(struct tp_slice name, bool *slice)
{
	char buf[LONGEST_NAME];
	struct tp_slice plain = plain_name(name, buf, slice);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (is_one_of(plain, rows[i].names))
			return &rows[i];
	}
	return NULL;
}
