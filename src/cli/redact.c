/* A document is redacted as its JSON, which holds all of it, and read back. */
#include "cli/redact.h"

#include <string.h>

#include "base/arena.h"
#include "cli/terminal.h"
#include "io/sink.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "redact/redaction.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "stored/document.h"
#include "stored/tree.h"

static unsigned
kind_named(struct tp_slice word)
{
	for (unsigned kind = 0; kind < TP_REDACT_KINDS; kind++) {
		if (tp_slice_eq(word, tp_slice_of(tp_redact_kind_names[kind])))
			return 1U << kind;
	}
	return 0;
}

bool
tp_redact_read(const char *words, struct tp_arena *arena, struct tp_redaction **out)
{
	unsigned kinds = *words == '\0' ? (1U << TP_REDACT_KINDS) - 1 : 0;

	for (const char *at = words; *at != '\0';) {
		struct tp_slice word = {at, strcspn(at, ",")};
		unsigned kind = kind_named(word);

		if (kind == 0) {
			tp_say(
				"--redact=%s: give paths, hosts, names, args, with commas between; without =, all",
				words);
			return false;
		}
		kinds |= kind;
		at += word.len + (at[word.len] == ',');
	}
	*out = tp_redaction_new(arena, kinds);
	return true;
}

void
tp_redact_learn(struct tp_redaction *redaction, const struct tp_profile *profile)
{
	for (uint32_t i = 0; i < profile->host_count; i++)
		tp_redaction_know(redaction, TP_NOUN_HOST, profile->hosts[i].name);
	for (uint32_t i = 0; i < profile->precomputed_host_count; i++)
		tp_redaction_know(redaction, TP_NOUN_HOST, profile->precomputed_hosts[i]->host_name);
	for (uint32_t i = 0; i < profile->input_count; i++)
		tp_redaction_sort(redaction, TP_NOUN_PATH, TP_WRITTEN_PLAIN, profile->inputs[i].path);
	tp_redaction_sort(redaction, TP_NOUN_PATH, TP_WRITTEN_PLAIN, profile->name);
	tp_redaction_sort(redaction, TP_NOUN_PATH, TP_WRITTEN_PLAIN, profile->run);
}

struct tp_doc *
tp_redacted(struct tp_redaction *redaction, const struct tp_doc *doc, struct tp_arena *arena,
	struct tp_err *err)
{
	struct tp_sink *sink = tp_sink_memory();
	struct tp_doc *result = NULL;

	if (tp_render_json.render(doc, &(struct tp_render_options){0}, sink, err) == TP_OK) {
		struct tp_slice json = tp_arena_copy(arena, tp_sink_bytes(sink));
		struct tp_node *root = tp_tree_read(json, "the report", NULL, arena, err);
		bool was_redacted = root != NULL && tp_redact_tree(redaction, root);

		result = root != NULL ? tp_document_of(root, "the redacted report", arena, err) : NULL;
		if (result != NULL)
			tp_redact_present(redaction, result, was_redacted);
	}
	tp_sink_close(sink);
	return result;
}
