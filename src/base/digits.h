/* Digits of numbers, one after the other into a text: grouped, with decimals, or as few as read back. No locale has a say. */
#ifndef TP_BASE_DIGITS_H
#define TP_BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

struct tp_writer {
	char *buf;
	size_t len, room; /* what does not fit is left out */
};

void tp_put(struct tp_writer *w, const char *text);

/* With zeros in front where there are fewer digits than at_least (up to 20): "007". */
void tp_put_whole(struct tp_writer *w, uint64_t number, int at_least);

/* "1,234" */
void tp_put_grouped(struct tp_writer *w, uint64_t number);

/* x ≥ 0 with so many decimals, rounded as printf does: "1,234.50". decimals: 0 to 15. */
void tp_put_decimal(struct tp_writer *w, double x, int decimals);

/* The shortest text that reads back as the same number: "0.1", "1e+300". */
void tp_put_shortest(struct tp_writer *w, double x);

/* The power of ten of x's first digit once it is rounded to this many significant digits. x > 0. */
int tp_exponent(double x, int digits);

#endif
