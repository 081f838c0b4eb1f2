/* Opening several runs or reports. */
#include "cli/many.h"

#include "cli/session.h"
#include "cli/terminal.h"

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
