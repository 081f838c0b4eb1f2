/* A stack of ends for each row. */
#include "render/nest.h"

/* Where very many events overlap, each beyond these rows has one of its own, so that none is looked for among all. */
enum { MOST_TRIED = 1024 };

static struct tp_buf *
row_at(struct tp_nest *n, size_t row)
{
	return (struct tp_buf *)n->rows.data + row;
}

static void
end_until(struct tp_nest *n, size_t row, int64_t at)
{
	struct tp_buf *open = row_at(n, row);
	const int64_t *ends = open->data;

	while (open->count != 0 && ends[open->count - 1] <= at) {
		open->count--;
		if (n->ended != NULL)
			n->ended(n->with, row, ends[open->count]);
	}
}

/* Whether an event to that time fits into what is open. */
static bool
fits(struct tp_nest *n, size_t row, int64_t to)
{
	const struct tp_buf *open = row_at(n, row);
	const int64_t *ends = open->data;

	return open->count == 0 || ends[open->count - 1] >= to;
}

size_t
tp_nest_put(struct tp_nest *n, int64_t from, int64_t to)
{
	size_t row = 0;

	for (; row < n->used && row < MOST_TRIED; row++) {
		end_until(n, row, from);
		if (fits(n, row, to))
			break;
	}
	if (row == MOST_TRIED)
		row = n->used;
	if (row == n->used) {
		n->used++;
		if (n->used > n->rows.count)
			tp_buf_add(&n->rows, sizeof(struct tp_buf));
	}
	*tp_buf_new(row_at(n, row), int64_t) = to;
	return row;
}

void
tp_nest_end(struct tp_nest *n)
{
	for (size_t row = 0; row < n->used; row++)
		end_until(n, row, INT64_MAX);
	n->used = 0;
}

void
tp_nest_free(struct tp_nest *n)
{
	for (size_t i = 0; i < n->rows.count; i++)
		tp_buf_free(row_at(n, i));
	tp_buf_free(&n->rows);
}
