/* The lists as one sorted table. */
#include "analyze/graph/tpu_ops.h"

#include <ctype.h>
#include <stdlib.h>

#define OP(name, since) {name, TP_TPU_LIST_##since, TP_TPU_LIST_COUNT},
#define GONE(name, since, gone) {name, TP_TPU_LIST_##since, TP_TPU_LIST_##gone},

static const struct tp_tpu_op ops[] = {
#include "analyze/graph/tpu_ops.inc"
};

static const struct tp_tpu_list_row rows[TP_TPU_LIST_COUNT] = {
	[TP_TPU_LIST_1_5] = {"1.5", "1.5", "2018-01-16", "8a4a12462"},
	[TP_TPU_LIST_1_6] = {"1.6", "1.7", "2018-01-31", "2b165481d"},
	[TP_TPU_LIST_1_8] = {"1.8", "1.8", "2018-04-02", "7cd599239"},
	[TP_TPU_LIST_1_9] = {"1.9", "1.9", "2018-05-18", "d05ac742a"},
	[TP_TPU_LIST_1_10] = {"1.10", "1.10", "2018-07-03", "c39395a5b"},
	[TP_TPU_LIST_1_11] = {"1.11", "2.3", "2018-08-09", "29ec6c16a"},
	[TP_TPU_LIST_2_4] = {"2.4", "2.4", "2020-10-27", "31ee89598"},
	[TP_TPU_LIST_2_5] = {"2.5", "2.21", "2021-03-30", "46f4e2a46"},
};

const struct tp_tpu_list_row *
tp_tpu_list_row(enum tp_tpu_list list)
{
	return &rows[list];
}

static bool
is_in(const struct tp_tpu_op *op, enum tp_tpu_list list)
{
	return op->since <= list && list < op->gone;
}

size_t
tp_tpu_list_size(enum tp_tpu_list list)
{
	size_t size = 0;

	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		size += is_in(&ops[i], list);
	return size;
}

/* "2.12.3" → 2 and 12. */
static bool
parse_version(const char *text, unsigned long parts[static 2])
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	parts[0] = strtoul(text, &end, 10);
	parts[1] = 0;
	if (*end == '.' && !isdigit((unsigned char)end[1]))
		return false;
	if (*end == '.')
		parts[1] = strtoul(end + 1, &end, 10);
	return *end == '\0' || *end == '.';
}

enum tp_tpu_list
tp_tpu_list_of(const char *version)
{
	unsigned long wanted[2], first[2];

	if (!parse_version(version, wanted))
		return TP_TPU_LIST_COUNT;
	for (int list = TP_TPU_LIST_NEWEST; list >= 0; list--) {
		parse_version(rows[list].first, first);
		if (first[0] < wanted[0] || (first[0] == wanted[0] && first[1] <= wanted[1]))
			return (enum tp_tpu_list)list;
	}
	return TP_TPU_LIST_COUNT;
}

bool
tp_tpu_list_is_past(const char *version)
{
	unsigned long wanted[2], last[2];

	return parse_version(version, wanted) && parse_version(rows[TP_TPU_LIST_NEWEST].last, last) &&
		(wanted[0] > last[0] || (wanted[0] == last[0] && wanted[1] > last[1]));
}

static int
by_name(const void *key, const void *member)
{
	const struct tp_slice *name = key;
	const struct tp_tpu_op *op = member;

	return tp_slice_cmp(*name, tp_slice_of(op->name));
}

const struct tp_tpu_op *
tp_tpu_op(struct tp_slice name)
{
	return bsearch(&name, ops, sizeof ops / sizeof *ops, sizeof *ops, by_name);
}

bool
tp_tpu_listed(struct tp_slice name, enum tp_tpu_list list)
{
	const struct tp_tpu_op *op = tp_tpu_op(name);

	return op != NULL && is_in(op, list);
}
