/* A budget from JSON: each limit checked against the metrics that there are, and against which way of them is better. */
#include "compare/budget.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "report/direction.h"
#include "report/doc.h"

struct reading {
	const char *name;
	const struct tp_budget_known *known;
	struct tp_arena *arena;
	struct tp_err *err;
	struct tp_budget *budget;
};

/* What numbers may end in. */
static const struct {
	const char *word;
	enum tp_unit unit;
	double times;
} words[] = {
	{"ps", TP_UNIT_PS, 1},
	{"ns", TP_UNIT_NS, 1},
	{"us", TP_UNIT_US, 1},
	{"µs", TP_UNIT_US, 1},
	{"ms", TP_UNIT_MS, 1},
	{"s", TP_UNIT_S, 1},
	{"min", TP_UNIT_S, 60},
	{"bytes", TP_UNIT_BYTES, 1},
	{"B", TP_UNIT_BYTES, 1},
	{"kB", TP_UNIT_BYTES, 1e3},
	{"MB", TP_UNIT_BYTES, 1e6},
	{"GB", TP_UNIT_BYTES, 1e9},
	{"TB", TP_UNIT_BYTES, 1e12},
	{"KiB", TP_UNIT_BYTES, 1024},
	{"MiB", TP_UNIT_MIB, 1},
	{"GiB", TP_UNIT_GIB, 1},
	{"TiB", TP_UNIT_GIB, 1024},
	{"%", TP_UNIT_SHARE, 0.01},
	{"FLOP/s", TP_UNIT_FLOP_PER_S, 1},
	{"GFLOP/s", TP_UNIT_GFLOP_PER_S, 1},
	{"TFLOP/s", TP_UNIT_GFLOP_PER_S, 1e3},
	{"PFLOP/s", TP_UNIT_GFLOP_PER_S, 1e6},
	{"GB/s", TP_UNIT_GB_PER_S, 1},
	{"TB/s", TP_UNIT_GB_PER_S, 1e3},
	{"GiB/s", TP_UNIT_GIB_PER_S, 1},
	{"FLOP/byte", TP_UNIT_FLOP_PER_BYTE, 1},
};

static bool
fail(const struct reading *r, const char *key, struct tp_slice says)
{
	struct tp_slice shown = {key, strnlen(key, 120)};

	tp_fail(r->err, TP_ERR_USAGE, "budget %s: %.*s%s%.*s", r->name, TP_ARG(shown),
		key[0] != '\0' ? ": " : "", TP_ARG(says));
	return false;
}

#define SAY(r, ...) tp_arena_printf((r)->arena, __VA_ARGS__)

/* "50 ms" in that unit; NaN when it is no such quantity. A number alone is in that unit. */
static double
quantity(const char *text, enum tp_unit unit)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text)
		return NAN;
	end += strspn(end, " ");
	if (*end == '\0')
		return number;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strcmp(end, words[i].word) == 0)
			return tp_value_in(tp_number(number * words[i].times, words[i].unit), unit);
	}
	return NAN;
}

/* What else may be written, by unit. */
#define TIME " or a time, such as \"50 ms\""
#define SIZE " or a size, such as \"13 GiB\""
static const char *const examples[TP_UNIT_UNIX_NS + 1] = {
	[TP_UNIT_SHARE] = " or a share, such as \"85%\"",
	[TP_UNIT_PS] = TIME,
	[TP_UNIT_NS] = TIME,
	[TP_UNIT_US] = TIME,
	[TP_UNIT_MS] = TIME,
	[TP_UNIT_S] = TIME,
	[TP_UNIT_BYTES] = SIZE,
	[TP_UNIT_KIB] = SIZE,
	[TP_UNIT_MIB] = SIZE,
	[TP_UNIT_GIB] = SIZE,
};

bool
tp_missing_read(const char *word, enum tp_missing *out)
{
	bool passes = strcmp(word, "pass") == 0, fails = strcmp(word, "fail") == 0;

	if (passes || fails)
		*out = passes ? TP_MISSING_PASSES : TP_MISSING_FAILS;
	return passes || fails;
}

static bool
read_missing(const struct reading *r, const char *id, json_t *value, enum tp_missing *out)
{
	const char *word = json_string_value(value);

	return (word != NULL && tp_missing_read(word, out)) ||
		fail(r, id, TP_S("missing: give \"pass\" or \"fail\""));
}

/* 85 for 85 %: no figure reaches it, or none is above it, so that the limit would say nothing. */
static bool
is_percent(json_t *value, enum tp_unit unit, double number)
{
	const char *text = json_string_value(value);

	return unit == TP_UNIT_SHARE && fabs(number) > 1 && (text == NULL || strchr(text, '%') == NULL);
}

/* A number, or a text with one and its unit. */
static bool
read_quantity(const struct reading *r, const char *id, const char *key, json_t *value,
	enum tp_unit unit, double *out)
{
	*out = json_is_number(value) ? json_number_value(value)
		: json_is_string(value)  ? quantity(json_string_value(value), unit)
								 : NAN;
	if (!isfinite(*out))
		return fail(r, id,
			SAY(r, "%s: give a number%s", key, examples[unit] != NULL ? examples[unit] : ""));
	return !is_percent(value, unit, *out) ||
		fail(r, id,
			SAY(r, "%s: a share is 0 to 1, and %.12g is %.12g %%: write %.12g or \"%.12g%%\"", key,
				*out / 100, *out, *out / 100, *out));
}

/* "2%" is a share of the baseline, but of a metric that is a share itself it is points, as the number 0.02 is. */
static bool
read_step(const struct reading *r, const char *id, const char *key, json_t *value,
	enum tp_unit unit, struct tp_budget_step *out)
{
	const char *text = json_is_string(value) ? json_string_value(value) : "";

	out->is_share = unit != TP_UNIT_SHARE && strchr(text, '%') != NULL;
	if (out->is_share) {
		out->amount = quantity(text, TP_UNIT_SHARE);
		if (!isfinite(out->amount))
			return fail(r, id, SAY(r, "%s: give a share of the baseline such as \"2%%\"", key));
	} else if (!read_quantity(r, id, key, value, unit, &out->amount))
		return false;
	if (out->amount < 0)
		return fail(r, id, SAY(r, "%s: give 0 or more", key));
	return true;
}

/* The limits there are, and on which side of the metric. */
static const struct {
	const char *key, *instead;
	enum tp_direction wrong;
} keys[] = {
	{"max", "min", TP_HIGHER_IS_BETTER},
	{"min", "max", TP_LOWER_IS_BETTER},
	{"max_increase", "max_decrease", TP_HIGHER_IS_BETTER},
	{"max_decrease", "max_increase", TP_LOWER_IS_BETTER},
};
enum { MAX, MIN, MAX_INCREASE, MAX_DECREASE, KEYS };

static bool
read_key(const struct reading *r, const char *key, json_t *value, struct tp_budget_limit *limit)
{
	const char *id = limit->id.ptr;
	size_t which = 0;

	if (strcmp(key, "missing") == 0)
		return read_missing(r, id, value, &limit->missing);
	while (which < KEYS && strcmp(keys[which].key, key) != 0)
		which++;
	if (which == KEYS) {
		struct tp_nearest near = {.arena = r->arena, .wish = tp_slice_of(key)};

		for (size_t i = 0; i < KEYS; i++)
			tp_nearest_offer(&near, tp_slice_of(keys[i].key));
		return fail(r, id,
			SAY(r,
				"%.40s is not a limit%.*s; there are max, min, max_increase, max_decrease, and "
				"missing",
				key, TP_ARG(tp_nearest_words(&near, ""))));
	}
	if (tp_metric_direction(limit->id) == keys[which].wrong)
		return fail(r, id,
			SAY(r, "%s is better: write %s in place of %s",
				keys[which].wrong == TP_HIGHER_IS_BETTER ? "higher" : "lower", keys[which].instead,
				key));
	switch (which) {
	case MAX:
		return read_quantity(r, id, key, value, limit->unit, &limit->max);
	case MIN:
		return read_quantity(r, id, key, value, limit->unit, &limit->min);
	case MAX_INCREASE:
		return read_step(r, id, key, value, limit->unit, &limit->increase);
	default:
		return read_step(r, id, key, value, limit->unit, &limit->decrease);
	}
}

static const struct tp_metric *
known_metric(const struct reading *r, struct tp_slice id)
{
	struct tp_slice base = tp_scope_base(id);
	const struct tp_metric *m = tp_doc_find_metric(r->known->doc, base);
	struct tp_nearest near = {.arena = r->arena, .wish = base};

	if (m != NULL)
		return m;
	for (m = r->known->doc->metrics; m != NULL; m = m->next)
		tp_nearest_offer(&near, m->id);
	fail(r, id.ptr,
		SAY(r, "no metric has this id%.*s; tpreport --list metrics lists all",
			TP_ARG(tp_nearest_words(&near, ""))));
	return NULL;
}

static struct tp_budget_limit *
add_limit(const struct reading *r, struct tp_slice id, enum tp_unit unit)
{
	struct tp_budget_limit *limit = &r->budget->limits[r->budget->limit_count++];

	*limit = (struct tp_budget_limit){.id = tp_arena_copy(r->arena, id),
		.unit = unit,
		.max = NAN,
		.min = NAN,
		.increase = {.amount = NAN},
		.decrease = {.amount = NAN}};
	return limit;
}

static bool
read_limit(const struct reading *r, const char *id, json_t *entry)
{
	const struct tp_metric *m = known_metric(r, tp_slice_of(id));
	const char *key;
	json_t *value;

	if (m == NULL)
		return false;
	if (!json_is_object(entry) || json_object_size(entry) == 0)
		return fail(r, id, TP_S("give an object with max, min, max_increase or max_decrease"));
	struct tp_budget_limit *limit = add_limit(r, tp_slice_of(id), m->value.unit);

	json_object_foreach(entry, key, value)
	{
		if (!read_key(r, key, value, limit))
			return false;
	}
	if (json_object_size(entry) == 1 && limit->missing != TP_MISSING_STAYS)
		return fail(r, id,
			TP_S("missing alone limits nothing: give max, min, max_increase or max_decrease"));
	return limit->min > limit->max ? fail(r, id, TP_S("min is above max")) : true;
}

static bool
read_limits(const struct reading *r, json_t *metrics)
{
	const char *id;
	json_t *entry;

	if (metrics == NULL)
		return true;
	if (!json_is_object(metrics))
		return fail(r, "metrics", TP_S("give an object of metric ids, each with its limits"));
	json_object_foreach(metrics, id, entry)
	{
		if (!read_limit(r, id, entry))
			return false;
	}
	return true;
}

/* The same as a min of data.coverage_share. */
static bool
read_coverage(const struct reading *r, json_t *value)
{
	static const char id[] = "data.coverage_share";

	if (value == NULL)
		return true;
	for (size_t i = 0; i < r->budget->limit_count; i++) {
		if (tp_slice_eq(r->budget->limits[i].id, tp_slice_of(id)))
			return fail(r, "min_coverage", TP_S("data.coverage_share has limits already"));
	}
	return read_quantity(r, "min_coverage", "coverage", value, TP_UNIT_SHARE,
		&add_limit(r, tp_slice_of(id), TP_UNIT_SHARE)->min);
}

static bool
is_severity(const char *pattern)
{
	return strcmp(pattern, "severity:high") == 0 || strcmp(pattern, "severity:medium") == 0 ||
		strcmp(pattern, "severity:low") == 0;
}

static bool
known_finding(const struct reading *r, const char *pattern)
{
	struct tp_nearest near = {.arena = r->arena, .wish = tp_slice_of(pattern)};
	const char *star = strchr(pattern, '*');

	if (star != NULL && strchr(star + 1, '*') != NULL)
		return fail(r, pattern, TP_S("an id may have one *"));
	for (size_t i = 0; i < r->known->finding_count; i++) {
		if (tp_id_fits(r->known->findings[i], pattern))
			return true;
		tp_nearest_offer(&near, r->known->findings[i]);
	}
	return fail(r, pattern,
		SAY(r,
			"no finding has this id%.*s; a report lists all under Method, and severity:high, :medium and :low are known",
			TP_ARG(tp_nearest_words(&near, ""))));
}

/* An id, or an object with it and with what counts where it cannot be judged. */
static bool
read_entry(const struct reading *r, json_t *entry)
{
	static const char both[] = "each must be a string, such as \"TPR-OOM-*\", or {\"id\": "
							   "\"TPR-OOM-*\", \"missing\": \"pass\"}";
	bool is_object = json_is_object(entry);
	json_t *missing = json_object_get(entry, "missing");
	const char *pattern = json_string_value(is_object ? json_object_get(entry, "id") : entry);
	struct tp_budget_forbidden *f = &r->budget->forbidden[r->budget->forbidden_count++];

	if (pattern == NULL || (is_object && json_object_size(entry) != 1 + (missing != NULL)))
		return fail(r, "forbid", tp_slice_of(both));
	if (!is_severity(pattern) && !known_finding(r, pattern))
		return false;
	*f = (struct tp_budget_forbidden){.pattern = tp_arena_copy(r->arena, tp_slice_of(pattern))};
	return missing == NULL || read_missing(r, pattern, missing, &f->missing);
}

static bool
read_forbidden(const struct reading *r, json_t *list)
{
	size_t i;
	json_t *entry;

	if (list == NULL)
		return true;
	if (!json_is_array(list))
		return fail(r, "forbid", TP_S("give a list of finding ids, such as [\"TPR-OOM-*\"]"));
	json_array_foreach(list, i, entry)
	{
		if (!read_entry(r, entry))
			return false;
	}
	return true;
}

static bool
check_members(const struct reading *r, json_t *root)
{
	static const char *const members[] = {"schema", "name", "metrics", "forbid", "min_coverage"};
	const char *key;
	json_t *value;

	json_object_foreach(root, key, value)
	{
		struct tp_nearest near = {.arena = r->arena, .wish = tp_slice_of(key)};
		bool is_known = false;

		for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
			is_known = is_known || strcmp(key, members[i]) == 0;
			tp_nearest_offer(&near, tp_slice_of(members[i]));
		}
		if (!is_known)
			return fail(r, key,
				SAY(r,
					"unknown member%.*s; there are schema, name, metrics, forbid and min_coverage",
					TP_ARG(tp_nearest_words(&near, ""))));
	}
	return true;
}

static bool
read_heads(const struct reading *r, json_t *root)
{
	json_t *schema = json_object_get(root, "schema"), *name = json_object_get(root, "name");

	if (schema != NULL &&
		(!json_is_string(schema) || strcmp(json_string_value(schema), "tpreport.budget/1") != 0))
		return fail(r, "schema", TP_S("this version reads \"tpreport.budget/1\""));
	if (name != NULL && !json_is_string(name))
		return fail(r, "name", TP_S("give a string"));
	if (name != NULL)
		r->budget->name = tp_arena_copy(r->arena, tp_slice_of(json_string_value(name)));
	return true;
}

static bool
read_all(const struct reading *r, json_t *root)
{
	if (!json_is_object(root))
		return fail(r, "", TP_S("give an object with metrics, forbid or min_coverage"));
	r->budget->limits = tp_new_array(
		r->arena, struct tp_budget_limit, json_object_size(json_object_get(root, "metrics")) + 1);
	r->budget->forbidden = tp_new_array(
		r->arena, struct tp_budget_forbidden, json_array_size(json_object_get(root, "forbid")));
	if (!check_members(r, root) || !read_heads(r, root) ||
		!read_limits(r, json_object_get(root, "metrics")) ||
		!read_forbidden(r, json_object_get(root, "forbid")) ||
		!read_coverage(r, json_object_get(root, "min_coverage")))
		return false;
	/* What limits nothing would pass always. */
	if (r->budget->limit_count + r->budget->forbidden_count == 0)
		return fail(r, "", TP_S("it limits nothing: give metrics, forbid or min_coverage"));
	return true;
}

struct tp_budget *
tp_budget_read(struct tp_slice json, const char *name, const struct tp_budget_known *known,
	struct tp_arena *arena, struct tp_err *err)
{
	struct reading r = {name, known, arena, err, tp_new(arena, struct tp_budget)};
	json_error_t where;
	json_t *root =
		json_loadb(json.ptr != NULL ? json.ptr : "", json.len, JSON_REJECT_DUPLICATES, &where);
	bool sound = false;

	if (root == NULL)
		tp_fail(err, TP_ERR_USAGE, "budget %s: line %d: %s", name, where.line, where.text);
	else
		sound = read_all(&r, root);
	json_decref(root);
	return sound ? r.budget : NULL;
}
