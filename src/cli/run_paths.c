/* "report.html" → "report.2026_11_21_02_41_41.html", and ".2" after that where another run has taken the name. */
#include "cli/run_paths.h"

#include "base/arena.h"
#include "base/map.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "report/doc.h"

#include <stdbool.h>

struct naming {
	const struct tp_outputs *out;
	struct tp_arena *arena;
	struct tp_strings taken; /* paths */
};

static bool
is_stdout(const char *path)
{
	return strcmp(path, "-") == 0;
}

static struct tp_slice
path_for(struct tp_arena *arena, const char *path, struct tp_slice run)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');

	if (is_stdout(path))
		return tp_slice_of(path);
	if (dot == NULL || (slash != NULL && dot < slash))
		dot = path + strlen(path);
	return tp_arena_printf(arena, "%.*s.%.*s%s", (int)(dot - path), path, TP_ARG(run), dot);
}

/* Fills the paths of one run; false when one of them is taken. */
static bool
take(struct naming *n, struct tp_slice run, struct tp_slice *paths)
{
	bool all_free = true;

	for (size_t i = 0; i < n->out->count; i++) {
		uint32_t before = n->taken.count;

		paths[i] = path_for(n->arena, n->out->at[i].path, run);
		if (is_stdout(n->out->at[i].path))
			continue;
		tp_intern(&n->taken, paths[i]);
		all_free &= n->taken.count != before;
	}
	return all_free;
}

const struct tp_slice *
tp_run_paths(const struct tp_outputs *out, const struct tp_session *s, struct tp_arena *arena)
{
	struct naming n = {.out = out, .arena = arena};
	size_t runs = tp_session_count(s);
	struct tp_slice *paths = tp_new_array(arena, struct tp_slice, runs * out->count);
	bool *named = tp_new_array(arena, bool, runs);
	struct tp_strings names;
	struct tp_map numbers; /* name → the last number given */

	for (size_t i = 0; runs == 1 && i < out->count; i++)
		paths[i] = tp_slice_of(out->at[i].path);
	if (runs == 1)
		return paths;
	tp_strings_init(&n.taken, arena);
	tp_strings_init(&names, arena);
	tp_map_init(&numbers, arena);
	/* No number may take the name that a run has. */
	for (size_t r = 0; r < runs; r++)
		named[r] = take(&n, tp_session_doc(s, r)->run, paths + r * out->count);
	for (size_t r = 0; r < runs; r++) {
		struct tp_slice run = tp_session_doc(s, r)->run;
		uint32_t name = tp_intern(&names, run), number = tp_map_get(&numbers, name);

		if (named[r])
			continue;
		number = number == TP_MAP_NONE ? 1 : number;
		while (!take(
			&n, tp_arena_printf(arena, "%.*s.%u", TP_ARG(run), ++number), paths + r * out->count))
			;
		tp_map_put(&numbers, name, number);
	}
	return paths;
}
