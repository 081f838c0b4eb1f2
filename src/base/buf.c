/* Growing arrays; memory that runs out ends the program, as in arena.c. */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *
tp_buf_add(struct tp_buf *b, size_t size)
{
	if (b->count == b->capacity) {
		size_t capacity = b->capacity ? b->capacity * 2 : 64, bytes;
		void *data = NULL;

		if (!__builtin_mul_overflow(capacity, size, &bytes))
			data = realloc(b->data, bytes);
		if (data == NULL) {
			fputs("tpreport: out of memory\n", stderr);
			abort();
		}
		b->data = data;
		b->capacity = capacity;
	}
	void *item = (char *)b->data + b->count++ * size;

	memset(item, 0, size);
	return item;
}

void
tp_buf_free(struct tp_buf *b)
{
	free(b->data);
	*b = (struct tp_buf){0};
}
