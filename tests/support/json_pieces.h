/* A text handed out in pieces, each window in a block of its own of exactly its size, so that a sanitizer sees one byte too
 * far and every use of a window that is gone; and the walk over JSON written down as text. */
#ifndef TP_TESTS_JSON_PIECES_H
#define TP_TESTS_JSON_PIECES_H

#include "codec/json_pull.h"

#include <stdio.h>
#include <stdlib.h>

struct pieces {
	struct tp_slice left;
	size_t size; /* of a piece */
	char *window;
};

static inline bool
pieces_more(void *with, struct tp_slice *window, size_t keep)
{
	struct pieces *p = with;
	size_t size = p->left.len < p->size ? p->left.len : p->size;

	if (size == 0 || keep > window->len)
		return false;
	char *next = malloc(keep + size);

	if (keep != 0)
		memcpy(next, window->ptr + (window->len - keep), keep);
	memcpy(next + keep, p->left.ptr, size);
	p->left = tp_slice_from(p->left, size);
	free(p->window);
	p->window = next;
	*window = (struct tp_slice){next, keep + size};
	return true;
}

/* "3{ 4 k=n:12 …": offset, key, type and text of each value; caller frees. skip_from: containers at this depth and deeper
 * are skipped. */
static inline char *
json_walk(struct tp_slice text, size_t first, size_t piece, unsigned skip_from)
{
	static const char marks[] = {[TP_PULL_OBJECT] = '{',
		[TP_PULL_OBJECT_END] = '}',
		[TP_PULL_ARRAY] = '[',
		[TP_PULL_ARRAY_END] = ']',
		[TP_PULL_STRING] = 's',
		[TP_PULL_NUMBER] = 'n',
		[TP_PULL_TRUE] = 't',
		[TP_PULL_FALSE] = 'f',
		[TP_PULL_NULL] = '0',
		[TP_PULL_NON_FINITE] = '?'};
	static const char *const states[] = {"more", "end", "truncated", "broken"};
	struct pieces p = {.left = tp_slice_from(text, first), .size = piece};
	struct tp_slice window = {text.ptr, first < text.len ? first : text.len};
	struct tp_pull j;
	char *out = NULL, *head = malloc(window.len + 1);
	size_t size = 0;
	FILE *to = open_memstream(&out, &size);

	if (window.len != 0)
		memcpy(head, window.ptr, window.len);
	window.ptr = head;
	tp_pull_open(&j, window, piece != 0 ? pieces_more : NULL, &p);
	while (tp_pull_next(&j)) {
		fprintf(to, "%llu", (unsigned long long)j.offset);
		if (j.key.ptr != NULL)
			fprintf(to, " %.*s=", TP_ARG(j.key));
		fprintf(to, "%c", marks[j.type]);
		if (j.text.ptr != NULL)
			fprintf(to, ":%.*s", TP_ARG(j.text));
		fputc(' ', to);
		if ((j.type == TP_PULL_OBJECT || j.type == TP_PULL_ARRAY) && j.depth >= skip_from &&
			tp_pull_skip(&j))
			fprintf(to, "%c ", marks[j.type]);
	}
	fprintf(to, "%s@%llu odd %llu repaired %llu", states[j.state], (unsigned long long)j.offset,
		(unsigned long long)j.non_finite_values, (unsigned long long)j.repairs);
	tp_pull_close(&j);
	free(p.window);
	free(head);
	fclose(to);
	return out;
}

#endif
