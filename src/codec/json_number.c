/* Decimals as text → integers and doubles. */
#include "codec/json_number.h"

#include <stdlib.h>
#include <string.h>

/* A number taken apart: 0.DIGITS × 10^point, the digits with the decimal point left out. */
struct decimal {
	bool negative;
	struct tp_slice whole, fraction;
	int32_t exponent; /* clamped to ±100,000, which makes every number 0 or too large */
};

static struct tp_slice
take_digits(const char **at, const char *end)
{
	const char *start = *at;

	while (*at != end && **at >= '0' && **at <= '9')
		++*at;
	return (struct tp_slice){start, (size_t)(*at - start)};
}

static bool
take_exponent(const char **at, const char *end, int32_t *out)
{
	bool negative = false;
	int32_t exponent = 0;

	if (*at != end && (**at == '+' || **at == '-'))
		negative = *(*at)++ == '-';
	struct tp_slice digits = take_digits(at, end);

	for (size_t i = 0; i < digits.len && exponent < 100000; i++)
		exponent = exponent * 10 + (digits.ptr[i] - '0');
	exponent = exponent < 100000 ? exponent : 100000;
	*out = negative ? -exponent : exponent;
	return digits.len != 0;
}

static bool
take_apart(struct tp_slice text, struct decimal *d)
{
	*d = (struct decimal){.negative = false};
	if (text.len == 0)
		return false;
	const char *at = text.ptr, *end = text.ptr + text.len;

	if (*at == '-' || *at == '+')
		d->negative = *at++ == '-';
	d->whole = take_digits(&at, end);
	if (at != end && *at == '.') {
		at++;
		d->fraction = take_digits(&at, end);
	}
	if (d->whole.len + d->fraction.len == 0)
		return false;
	if (at != end && (*at == 'e' || *at == 'E')) {
		at++;
		if (!take_exponent(&at, end, &d->exponent))
			return false;
	}
	return at == end;
}

static unsigned
digit(const struct decimal *d, size_t i)
{
	if (i < d->whole.len)
		return (unsigned)(d->whole.ptr[i] - '0');
	i -= d->whole.len;
	return i < d->fraction.len ? (unsigned)(d->fraction.ptr[i] - '0') : 0;
}

static bool
append(uint64_t *number, unsigned more)
{
	return !__builtin_mul_overflow(*number, (uint64_t)10, number) &&
		!__builtin_add_overflow(*number, (uint64_t)more, number);
}

/* × 10^places; *rest: whether digits beyond were not 0. */
static bool
scaled(const struct decimal *d, unsigned places, int64_t *out, bool *rest)
{
	size_t all = d->whole.len + d->fraction.len;
	/* Digits before the point once it has moved. */
	int64_t wanted = (int64_t)d->whole.len + d->exponent + places;
	size_t used = wanted < 0 ? 0 : (size_t)wanted;
	uint64_t number = 0;

	for (size_t i = 0; i < used && i < all; i++) {
		if (!append(&number, digit(d, i)))
			return false;
	}
	for (size_t i = all; i < used && number != 0; i++) {
		if (!append(&number, 0))
			return false;
	}
	*rest = false;
	for (size_t i = used; i < all && !*rest; i++)
		*rest = digit(d, i) != 0;
	if (wanted >= 0 && digit(d, used) >= 5)
		number++;
	if (number > (uint64_t)INT64_MAX + d->negative)
		return false;
	*out = d->negative ? (int64_t)(0 - number) : (int64_t)number;
	return true;
}

/* What nearly all numbers are: no exponent, at most `places` digits behind the point, 19 digits in all. */
static bool
scaled_short(struct tp_slice text, unsigned places, int64_t *out)
{
	if (text.len == 0)
		return false;
	const char *at = text.ptr, *end = text.ptr + text.len;
	bool negative = *at == '-';
	uint64_t number = 0;

	at += negative;
	const char *start = at;

	for (; at != end && *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	if (at == start || (size_t)(at - start) + places > 19)
		return false;
	if (at != end && *at == '.') {
		for (at++; at != end && places != 0 && *at >= '0' && *at <= '9'; at++, places--)
			number = number * 10 + (uint64_t)(*at - '0');
	}
	for (; places != 0; places--)
		number *= 10;
	if (at != end || number > INT64_MAX)
		return false;
	*out = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

bool
tp_decimal_scaled(struct tp_slice text, unsigned places, int64_t *out)
{
	struct decimal d;
	bool rest;

	return scaled_short(text, places, out) ||
		(take_apart(text, &d) && scaled(&d, places, out, &rest));
}

bool
tp_decimal_integer(struct tp_slice text, int64_t *out)
{
	struct decimal d;
	bool rest;

	return scaled_short(text, 0, out) ||
		(take_apart(text, &d) && scaled(&d, 0, out, &rest) && !rest);
}

/* Up to 15 digits and a power of ten up to 22 are exact as doubles, and one operation rounds once (Clinger 1990). */
static bool
double_short(const struct decimal *d, double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	size_t all = d->whole.len + d->fraction.len;
	int64_t power = d->exponent - (int64_t)d->fraction.len;
	uint64_t number = 0;

	if (all > 15 || power < -22 || power > 22)
		return false;
	for (size_t i = 0; i < all; i++)
		number = number * 10 + digit(d, i);
	*out = power < 0 ? (double)number / powers[-power] : (double)number * powers[power];
	*out = d->negative ? -*out : *out;
	return true;
}

bool
tp_decimal_double(struct tp_slice text, double *out)
{
	struct decimal d;
	char copy[1024];

	/* A double has no more than 767 digits that could matter. */
	if (!take_apart(text, &d) || text.len >= sizeof copy)
		return false;
	if (double_short(&d, out))
		return true;
	/* strtod rounds to the nearest; the program never sets a locale for numbers. */
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	*out = strtod(copy, NULL);
	return true;
}
