/* Details of launches are texts of "key:value", separated by blanks or line ends, in any order. */
#include "analyze/facts/kernel_launch.h"

#include <math.h>
#include <stdlib.h>

struct pair {
	struct tp_slice key, value;
};

/* The next pair of rest; false at the end. What holds no colon, or more than one, is passed over. */
static bool
next_pair(struct tp_slice *rest, struct pair *out)
{
	while (rest->len != 0) {
		size_t end = 0;

		while (end < rest->len && rest->ptr[end] != ' ' && rest->ptr[end] != '\n')
			end++;
		struct tp_slice token = {rest->ptr, end};
		const char *colon = end == 0 ? NULL : memchr(token.ptr, ':', end);

		*rest = tp_slice_from(*rest, end + 1);
		if (colon == NULL)
			continue;
		out->key = (struct tp_slice){token.ptr, (size_t)(colon - token.ptr)};
		out->value = tp_slice_from(token, out->key.len + 1);
		if (!tp_slice_has(out->value, TP_S(":")))
			return true;
	}
	return false;
}

/* Digits alone, at most `most`. */
static bool
read_whole(struct tp_slice text, uint64_t most, uint64_t *out)
{
	uint64_t number = 0;

	for (size_t i = 0; i < text.len; i++) {
		uint64_t digit = (uint64_t)(unsigned char)text.ptr[i] - '0';

		if (digit > 9 || number > (most - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*out = number;
	return text.len != 0;
}

static bool
read_three(struct tp_slice text, uint32_t out[static 3])
{
	uint32_t n[3];

	for (int i = 0; i < 3; i++) {
		const char *comma = text.len == 0 ? NULL : memchr(text.ptr, ',', text.len);
		struct tp_slice part = {text.ptr, comma == NULL ? text.len : (size_t)(comma - text.ptr)};
		uint64_t number;

		if ((comma == NULL) != (i == 2) || !read_whole(part, UINT32_MAX, &number) || number == 0)
			return false;
		n[i] = (uint32_t)number;
		text = tp_slice_from(text, part.len + 1);
	}
	memcpy(out, n, sizeof n);
	return true;
}

static double
read_percent(struct tp_slice text)
{
	char digits[32] = {0}, *end;

	if (text.len == 0 || text.len >= sizeof digits)
		return NAN;
	memcpy(digits, text.ptr, text.len);
	double percent = strtod(digits, &end);

	/* 0 is what the driver writes when it could not tell: a kernel that ran had at least a warp. */
	return end == digits + text.len && percent > 0 && percent <= 100 ? percent / 100 : NAN;
}

struct tp_kernel_launch
tp_kernel_launch_read(struct tp_slice details)
{
	struct tp_kernel_launch l = {.occupancy = NAN};
	struct pair p;

	while (next_pair(&details, &p)) {
		uint64_t number;

		if (tp_slice_eq(p.key, TP_S("regs")) && read_whole(p.value, UINT32_MAX, &number)) {
			l.registers = (uint32_t)number;
			l.has_registers = number != 0;
		} else if ((tp_slice_eq(p.key, TP_S("static_shared")) || tp_slice_eq(p.key, TP_S("shm"))) &&
			read_whole(p.value, UINT32_MAX, &number)) {
			l.static_bytes = (uint32_t)number;
			l.has_shared = true;
		} else if (tp_slice_eq(p.key, TP_S("dynamic_shared")) &&
			read_whole(p.value, UINT32_MAX, &number)) {
			l.dynamic_bytes = (uint32_t)number;
			l.has_shared = true;
		} else if (tp_slice_eq(p.key, TP_S("grid"))) {
			l.has_grid = read_three(p.value, l.grid);
		} else if (tp_slice_eq(p.key, TP_S("block"))) {
			l.has_block = read_three(p.value, l.block);
		} else if (tp_slice_eq(p.key, TP_S("occ_pct"))) {
			l.occupancy = read_percent(p.value);
		}
	}
	return l;
}

static uint64_t
product(bool stated, const uint32_t n[static 3])
{
	uint64_t two = (uint64_t)n[0] * n[1], all;

	return !stated || __builtin_mul_overflow(two, n[2], &all) ? 0 : all;
}

uint64_t
tp_launch_blocks(const struct tp_kernel_launch *l)
{
	return product(l->has_grid, l->grid);
}

uint64_t
tp_launch_threads(const struct tp_kernel_launch *l)
{
	return product(l->has_block, l->block);
}

int
tp_launch_cmp(const struct tp_kernel_launch *a, const struct tp_kernel_launch *b)
{
	const uint32_t left[] = {a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1],
		a->block[2], a->registers, a->static_bytes, a->dynamic_bytes};
	const uint32_t right[] = {b->grid[0], b->grid[1], b->grid[2], b->block[0], b->block[1],
		b->block[2], b->registers, b->static_bytes, b->dynamic_bytes};

	for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	}
	return 0;
}

struct tp_copy
tp_copy_read(struct tp_slice details)
{
	struct tp_copy c = {0};
	struct pair p;

	while (next_pair(&details, &p)) {
		if (tp_slice_eq(p.key, TP_S("size")) || tp_slice_eq(p.key, TP_S("num_bytes")))
			c.has_bytes = read_whole(p.value, INT64_MAX, &c.bytes);
		else if (tp_slice_eq(p.key, TP_S("kind_src")))
			c.from = p.value;
		else if (tp_slice_eq(p.key, TP_S("kind_dst")))
			c.to = p.value;
		else if (tp_slice_eq(p.key, TP_S("kind")) && !tp_slice_eq(p.value, TP_S("Unknown")))
			c.to = p.value;
	}
	return c;
}
