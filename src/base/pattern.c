/* PCRE2 with limits: each text may cost so much, and all texts together so much more. */
#include "base/pattern.h"

#include "base/buf.h"
#include "base/memory.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Ways that are tried: for most texts, for those that need more, and how many of those there may be: together a second or two. */
enum { FEW_WAYS = 10000, MANY_WAYS = 1000000, MOST_HARD_TEXTS = 100 };
enum { HEAP_KIB = 20000, LONGEST_BYTES = 10000 };

struct tp_pattern {
	struct tp_slice text;
	pcre2_code *code;
	pcre2_match_data *found;
	pcre2_match_context *few, *many;
	unsigned hard_texts;
	bool given_up;
};

static void
drop(struct tp_pattern *p)
{
	pcre2_match_context_free(p->few);
	pcre2_match_context_free(p->many);
	pcre2_match_data_free(p->found);
	pcre2_code_free(p->code);
}

static pcre2_match_context *
limited(uint32_t ways)
{
	pcre2_match_context *context = pcre2_match_context_create(NULL);

	if (context == NULL)
		tp_out_of_memory();
	pcre2_set_match_limit(context, ways);
	pcre2_set_heap_limit(context, HEAP_KIB);
	return context;
}

static enum tp_status
compile(struct tp_slice text, struct tp_pattern *p, struct tp_err *err)
{
	PCRE2_SIZE at;
	PCRE2_UCHAR why[128];
	int number;

	if (text.len > LONGEST_BYTES)
		return tp_fail(err, TP_ERR_USAGE, "a pattern of %zu bytes is too long", text.len);
	*p = (struct tp_pattern){.text = text};
	p->code = pcre2_compile((PCRE2_SPTR)text.ptr, text.len,
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED |
			PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY,
		&number, &at, NULL);
	if (p->code == NULL && number == PCRE2_ERROR_HEAP_FAILED)
		tp_out_of_memory();
	if (p->code == NULL) {
		pcre2_get_error_message(number, why, sizeof why);
		return tp_fail(err, TP_ERR_USAGE, "%.*s: not a regular expression: at character %zu: %s",
			TP_ARG(text), (size_t)at + 1, (const char *)why);
	}
	p->found = pcre2_match_data_create(1, NULL);
	if (p->found == NULL)
		tp_out_of_memory();
	p->few = limited(FEW_WAYS);
	p->many = limited(MANY_WAYS);
	return TP_OK;
}

/* The next item of a list, cut off its front; false at its end. */
static bool
next_item(struct tp_slice *rest, struct tp_slice *item)
{
	while (rest->len != 0) {
		const char *comma = memchr(rest->ptr, ',', rest->len);
		size_t length = comma != NULL ? (size_t)(comma - rest->ptr) : rest->len;

		*item = (struct tp_slice){rest->ptr, length};
		*rest = tp_slice_from(*rest, length + 1);
		if (length != 0)
			return true;
	}
	return false;
}

enum tp_status
tp_patterns_set(struct tp_patterns *list, struct tp_slice commas, struct tp_err *err)
{
	struct tp_buf items = {0};
	char *copy = tp_memory_take(commas.len + 1);
	struct tp_slice item, rest = {copy, commas.len};

	if (copy == NULL)
		tp_out_of_memory();
	if (commas.len != 0)
		memcpy(copy, commas.ptr, commas.len);
	struct tp_patterns made = {.all_of_it = rest};
	enum tp_status status = TP_OK;

	while (status == TP_OK && next_item(&rest, &item))
		status = compile(item, tp_buf_new(&items, struct tp_pattern), err);
	made.items = items.data;
	made.count = (uint32_t)items.count;
	made.all = made.count == 1 && tp_slice_eq(made.items[0].text, TP_S(".*"));
	if (status != TP_OK) {
		tp_patterns_free(&made);
		return status;
	}
	tp_patterns_free(list);
	*list = made;
	return TP_OK;
}

static int
match(struct tp_pattern *p, struct tp_slice text, pcre2_match_context *limits)
{
	int result = pcre2_match(
		p->code, (PCRE2_SPTR)(text.len != 0 ? text.ptr : ""), text.len, 0, 0, p->found, limits);

	if (result == PCRE2_ERROR_NOMEMORY)
		tp_out_of_memory();
	return result;
}

static bool
fits(struct tp_patterns *list, struct tp_pattern *p, struct tp_slice text)
{
	if (p->given_up)
		return false;
	int result = match(p, text, p->few);

	if (result == PCRE2_ERROR_MATCHLIMIT && p->hard_texts++ < MOST_HARD_TEXTS)
		result = match(p, text, p->many);
	if (result >= 0)
		return true;
	if (result != PCRE2_ERROR_NOMATCH) {
		p->given_up = true;
		if (list->given_up.len == 0)
			list->given_up = p->text;
	}
	return false;
}

bool
tp_patterns_nth_matches(struct tp_patterns *list, uint32_t nth, struct tp_slice text)
{
	return fits(list, &list->items[nth], text);
}

unsigned
tp_patterns_matching(struct tp_patterns *list, struct tp_slice text)
{
	unsigned count = 0;

	for (uint32_t i = 0; i < list->count; i++)
		count += fits(list, &list->items[i], text);
	return count;
}

bool
tp_patterns_match(struct tp_patterns *list, struct tp_slice text)
{
	bool found = list->all;

	for (uint32_t i = 0; i < list->count && !found; i++)
		found = fits(list, &list->items[i], text);
	return found;
}

void
tp_patterns_free(struct tp_patterns *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		drop(&list->items[i]);
	free(list->items);
	free((char *)list->all_of_it.ptr);
	*list = (struct tp_patterns){0};
}
