/* Any bytes as a line of tfprof's options and a dump: the first line, of which each view is made, as text, JSON and timeline. */
#include "base/arena.h"
#include "io/sink.h"
#include "model/tfprof.h"
#include "tfprof/json.h"
#include "tfprof/line.h"
#include "tfprof/text.h"
#include "tfprof/timeline.h"

#include <stdint.h>

/* Each row stands as far right as it is deep: that many take the square of it. */
enum { MOST_DEPTH = 50 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
look(const struct tp_tfprof *t, enum tp_tfprof_kind kind, struct tp_tfprof_line *line,
	struct tp_arena *arena)
{
	struct tp_tfprof_view view;
	struct tp_sink *out = tp_sink_memory(), *said = tp_sink_memory();

	if (line->view.max_depth > MOST_DEPTH)
		line->view.max_depth = MOST_DEPTH;
	if (tp_tfprof_view(t, kind, &line->view, arena, &view, NULL) == TP_OK) {
		tp_tfprof_put_text(&(struct tp_tfprof_text){t, &view, line, NULL, out, NULL});
		tp_tfprof_put_json(t, &view, line->view.step, NULL, out);
		if (kind == TP_TFPROF_GRAPH && t->step_count != 0)
			tp_tfprof_put_graph_timeline(t, &view, t->steps[0], out, said);
	}
	tp_sink_close(said);
	tp_sink_close(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = size != 0 ? memchr(text, '\n', size) : NULL;
	size_t length = end != NULL ? (size_t)(end - text) : size;
	struct tp_arena *arena = tp_arena_new();
	struct tp_tfprof t = {.step = -1};
	struct tp_tfprof_line line;
	enum tp_tfprof_command command;

	tp_tfprof_line_open(&line);
	tp_tfprof_line_read(&line, (struct tp_slice){text, length}, &command, NULL);
	if (length < size &&
		tp_tfprof_read((struct tp_slice){text + length + 1, size - length - 1}, arena, &t, NULL) ==
			TP_OK) {
		look(&t, TP_TFPROF_SCOPE, &line, arena);
		look(&t, TP_TFPROF_GRAPH, &line, arena);
		look(&t, TP_TFPROF_OP, &line, arena);
		look(&t, TP_TFPROF_CODE, &line, arena);
	}
	tp_tfprof_line_close(&line);
	tp_arena_free(arena);
	return 0;
}
