/* Any bytes as a report that is read back: what is read can be rendered, and the JSON of that is read as the same report. */
#include "base/arena.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "stored/stored.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tp_sink *
rendered(const struct tp_renderer *renderer, const struct tp_doc *doc)
{
	struct tp_render_options options = {.columns = 80};
	struct tp_sink *sink = tp_sink_memory();
	struct tp_err err = {.status = TP_OK};

	if (renderer->render(doc, &options, sink, &err) == TP_OK)
		return sink;
	fprintf(stderr, "%s: %s\n", renderer->name, err.text);
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.status = TP_OK};
	struct tp_slice bytes = {(const char *)data, size};
	struct tp_doc *doc = tp_stored_read(bytes, "report", TP_STORED_WHOLE, arena, &err);

	if ((doc == NULL) != (err.status != TP_OK))
		abort();
	/* What is whole is so in part. */
	if (doc != NULL && tp_stored_read(bytes, "report", TP_STORED_COMPARED, arena, &err) == NULL)
		abort();
	if (doc != NULL) {
		struct tp_sink *json = rendered(&tp_render_json, doc);
		struct tp_doc *again =
			tp_stored_read(tp_sink_bytes(json), "again", TP_STORED_WHOLE, arena, &err);

		if (again == NULL) {
			fprintf(stderr, "%s\n", err.text);
			abort();
		}
		struct tp_sink *json_again = rendered(&tp_render_json, again);

		if (!tp_slice_eq(tp_sink_bytes(json), tp_sink_bytes(json_again)))
			abort();
		tp_sink_close(json_again);
		tp_sink_close(json);
		tp_sink_close(rendered(&tp_render_html, doc));
		tp_sink_close(rendered(&tp_render_text, doc));
	}
	tp_arena_free(arena);
	return 0;
}
