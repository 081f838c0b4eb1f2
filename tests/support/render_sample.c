/* render_sample FORMAT OUT [letter] [all-rows]: the sample document through one renderer, to look at and for tests. */
#include "sample_doc.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"

static enum tp_status
render(const struct tp_doc *doc, const struct tp_renderer *renderer,
	const struct tp_render_options *options, const char *path, struct tp_err *err)
{
	if (tp_doc_check(doc, err) != TP_OK)
		return err->status;
	struct tp_sink *out = tp_sink_open(path, err);

	if (out == NULL)
		return err->status;
	if (renderer->render(doc, options, out, err) == TP_OK)
		tp_sink_commit(out, err);
	tp_sink_close(out);
	return err->status;
}

int
main(int argc, char **argv)
{
	struct tp_err err = {.status = TP_OK};
	const struct tp_renderer *renderer = argc >= 3 ? tp_renderer_named(argv[1]) : NULL;
	struct tp_render_options options = {.template_dir = NULL};

	for (int i = 3; i < argc; i++) {
		options.letter |= strcmp(argv[i], "letter") == 0;
		options.all_rows |= strcmp(argv[i], "all-rows") == 0;
	}
	if (renderer == NULL) {
		fputs("usage: render_sample FORMAT OUT [letter] [all-rows]\n", stderr);
		return 2;
	}
	struct tp_arena *arena = tp_arena_new();

	if (render(sample_doc(arena), renderer, &options, argv[2], &err) != TP_OK)
		fprintf(stderr, "render_sample: %s: %s\n", err.input, err.text);
	tp_arena_free(arena);
	return err.status == TP_OK ? 0 : 1;
}
