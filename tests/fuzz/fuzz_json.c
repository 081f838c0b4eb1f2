/* Any bytes as JSON: the walk ends, and it is the same for every way to cut the bytes into windows; every number is read
 * the same twice. The first byte says where the window is cut and from which depth on values are skipped. */
#include <stdint.h>

#include "codec/json_number.h"
#include "json_pieces.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_numbers(struct tp_slice text)
{
	struct tp_pull j;

	tp_pull_open(&j, text, NULL, NULL);
	while (tp_pull_next(&j)) {
		int64_t whole, scaled;
		double number;

		if (j.type != TP_PULL_NUMBER || !tp_decimal_integer(j.text, &whole))
			continue;
		if (!tp_decimal_scaled(j.text, 0, &scaled) || scaled != whole)
			abort();
		if (j.text.len < 1000 && (!tp_decimal_double(j.text, &number) || number != (double)whole))
			abort();
	}
	if (j.state == TP_PULL_MORE || j.offset > text.len)
		abort();
	tp_pull_close(&j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct tp_slice text = {(const char *)data + 1, size - 1};
	unsigned skip_from = 1 + data[0] % 8;
	char *whole = json_walk(text, text.len, 0, skip_from);
	char *cut = json_walk(text, data[0] % (text.len + 1), 1 + data[0] / 8u, skip_from);

	if (strcmp(whole, cut) != 0)
		abort();
	free(whole);
	free(cut);
	read_numbers(text);
	return 0;
}
