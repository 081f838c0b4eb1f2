/* What all outputs of a checked budget say in the same words. */
#include "cli/checked.h"

#include "base/arena.h"
#include "cli/commands.h"
#include "report/judge.h"

int
tp_checked_status(const struct tp_checked *check)
{
	const struct tp_budget_result *r = check->result;

	if (r->outside + r->failed != 0)
		return TP_EXIT_GATE;
	return r->not_judged != r->passed ? TP_EXIT_NOT_JUDGED : TP_EXIT_OK;
}

/* "; 2 cannot be judged; 1 cannot be judged (missing: pass)": by what they count as. */
static struct tp_slice
not_judged(const struct tp_checked *check)
{
	const struct tp_budget_result *r = check->result;
	const struct {
		size_t count;
		const char *as;
	} parts[] = {
		{r->not_judged - r->passed - r->failed, ""},
		{r->failed, " (missing: fail)"},
		{r->passed, " (missing: pass)"},
	};
	struct tp_slice said = TP_S("");

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].count != 0)
			said = tp_arena_printf(check->arena, "%.*s; %zu cannot be judged%s", TP_ARG(said),
				parts[i].count, parts[i].as);
	}
	return said;
}

struct tp_slice
tp_checked_headline(const struct tp_checked *check)
{
	const struct tp_budget_result *r = check->result;
	struct tp_arena *arena = check->arena;
	struct tp_slice rest = not_judged(check);

	switch (tp_checked_status(check)) {
	case TP_EXIT_GATE:
		return tp_arena_printf(arena, "outside the budget: %zu of %zu%.*s", r->outside + r->failed,
			r->count, TP_ARG(rest));
	case TP_EXIT_NOT_JUDGED:
		return tp_arena_printf(
			arena, "cannot be judged: %zu of %zu", r->not_judged - r->passed, r->count);
	default:
		break;
	}
	if (r->not_judged != 0)
		return tp_arena_printf(arena, "within the budget: %zu of %zu%.*s", r->count - r->not_judged,
			r->count, TP_ARG(rest));
	return r->count == 1 ? TP_S("within the budget: 1 limit")
						 : tp_arena_printf(arena, "within the budget: all %zu limits", r->count);
}

enum tp_judge
tp_checked_judge(const struct tp_checked *check)
{
	switch (tp_checked_status(check)) {
	case TP_EXIT_OK:
		return TP_JUDGE_GOOD;
	case TP_EXIT_GATE:
		return TP_JUDGE_BAD;
	default:
		return TP_JUDGE_UNDECIDED;
	}
}

enum tp_judge
tp_checked_item_judge(const struct tp_budget_item *item)
{
	static const enum tp_judge judges[] = {
		[TP_BUDGET_OUTSIDE] = TP_JUDGE_BAD,
		[TP_BUDGET_NOT_JUDGED] = TP_JUDGE_UNDECIDED,
		[TP_BUDGET_WITHIN] = TP_JUDGE_GOOD,
	};

	return judges[item->status];
}

struct tp_slice
tp_checked_against(const struct tp_checked *check)
{
	if (check->baseline_count == 0)
		return TP_S("");
	return tp_arena_printf(check->arena,
		check->baseline_count == 1 ? "against %.*s" : "against %.*s, newest of %zu baselines",
		TP_ARG(check->base_path), check->baseline_count);
}

/* For a shell: quoted where it would read more than a name. */
static struct tp_slice
word(const struct tp_checked *check, struct tp_slice path)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:,@%-";
	char *out = tp_arena_alloc(check->arena, 4 * path.len + 3), *at = out;
	size_t same = 0;

	while (same < path.len && path.ptr[same] != '\0' && strchr(plain, path.ptr[same]) != NULL)
		same++;
	if (same == path.len && path.len != 0)
		return path;
	*at++ = '\'';
	for (size_t i = 0; i < path.len; i++) {
		if (path.ptr[i] == '\'') {
			memcpy(at, "'\\'", 3);
			at += 3;
		}
		*at++ = path.ptr[i];
	}
	*at++ = '\'';
	return (struct tp_slice){out, (size_t)(at - out)};
}

struct tp_slice
tp_checked_next(const struct tp_checked *check)
{
	struct tp_slice path = word(check, check->path), base = word(check, check->base_path);

	if (tp_checked_status(check) == TP_EXIT_OK)
		return tp_arena_printf(
			check->arena, "tpreport summarize %.*s -o baseline.tps", TP_ARG(path));
	if (check->baseline_count == 0)
		return tp_arena_printf(check->arena, "tpreport %.*s -o report.html", TP_ARG(path));
	return tp_arena_printf(
		check->arena, "tpreport diff %.*s %.*s -o diff.html", TP_ARG(base), TP_ARG(path));
}
