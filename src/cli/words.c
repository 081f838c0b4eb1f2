/* What is answered to a word that means nothing. */
#include "cli/words.h"

#include "base/arena.h"
#include "base/nearest.h"
#include "cli/options.h"

/* So that a script which has a folder of this name today reads it tomorrow, too, and nobody takes "no such file" for an
 * answer of the command. */
static const char *const reserved[] = {
	"capture", "check", "diff", "history", "merge", "monitor", "show", "tfprof"};

bool
tp_words_reserved(const char *word)
{
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
		if (strcmp(reserved[i], word) == 0)
			return true;
	}
	return false;
}

struct tp_slice
tp_words_near(const struct tp_nearest *n, const char *before)
{
	struct tp_slice text = TP_S("");

	for (unsigned i = 0; i < n->count; i++)
		text = tp_arena_printf(n->arena, "%.*s%s%s%.*s", TP_ARG(text),
			i != 0              ? ", "
				: n->count == 1 ? "; near is "
								: "; near are ",
			before, TP_ARG(n->names[i]));
	return text;
}

struct tp_slice
tp_words_near_option(struct tp_arena *arena, struct tp_slice wish)
{
	struct tp_nearest n = {.arena = arena, .wish = wish};

	for (const struct tp_option *o = tp_options; o->name != NULL; o++)
		tp_nearest_offer(&n, tp_slice_of(o->name));
	return tp_words_near(&n, "--");
}

struct tp_slice
tp_words_near_command(struct tp_arena *arena, struct tp_slice wish)
{
	struct tp_nearest n = {.arena = arena, .wish = wish};

	for (const struct tp_command *c = tp_commands; c->name != NULL; c++)
		tp_nearest_offer(&n, tp_slice_of(c->name));
	return tp_words_near(&n, "");
}
