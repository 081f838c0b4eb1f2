/* Opening several runs or reports. */
#include "cli/many.h"

#include "cli/options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "compare/compare.h"
#include "compare/noise.h"

#include <stdlib.h>

const struct tp_doc *
tp_many_open(struct tp_many *m, const char *path, int *status)
{
	struct tp_session *s = tp_session_open(m->args, &path, 1, status);

	if (s == NULL)
		return NULL;
	*(struct tp_session **)tp_buf_add(&m->sessions, sizeof s) = s;
	m->partial = m->partial || tp_session_partial(s);
	return tp_session_doc(s, tp_session_count(s) - 1);
}

void
tp_many_close(struct tp_many *m)
{
	for (size_t i = 0; i < m->sessions.count; i++)
		tp_session_close(((struct tp_session **)m->sessions.data)[i]);
	tp_buf_free(&m->sessions);
}

bool
tp_share_read(const char *option, const char *word, double most, double *out)
{
	char *end;
	double share = strtod(word, &end);

	share = *end == '%' ? share / 100 : share;
	end += *end == '%';
	if (end != word && *end == '\0' && share > 0 && share < most) {
		*out = share;
		return true;
	}
	tp_say("--%s %s: give a share such as 0.02 or 2%%", option, word);
	return false;
}

bool
tp_level_read(const char *word, double *level)
{
	if (word == NULL)
		return true;
	if (!tp_share_read("level", word, 1, level))
		return false;
	if (*level >= TP_LEVEL_LEAST && *level <= TP_LEVEL_MOST)
		return true;
	tp_say("--level %s: give a share from 0.5 to 0.9999, such as 99%%", word);
	return false;
}

void
tp_many_settle(const struct tp_many *m, struct tp_compare_wish *wish, struct tp_arena *arena)
{
	tp_baselines_settle(wish, arena);
	if (m->args->quiet)
		return;
	if (wish->counted_already != 0)
		tp_say("warning: %zu of the baselines count already: the same run in another file",
			wish->counted_already);
	if (wish->incomparable != 0)
		tp_say(
			"warning: %zu of the baselines cannot be compared with A: other devices, batch, program "
			"or source of steps",
			wish->incomparable);
}
