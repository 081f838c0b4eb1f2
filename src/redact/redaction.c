/* What came of a report that was redacted. */
#include "redact/redaction.h"

#include "redact/dictionary.h"

void
tp_redaction_begin(struct tp_redaction *r)
{
	r->report++;
}

static size_t
count_of(const struct tp_redaction *r, const struct tp_names *n, enum tp_noun noun)
{
	size_t count = 0;

	for (uint32_t id = 1; id < n->text.count; id++)
		count += n->at[id].noun == noun && n->at[id].report == r->report;
	return count;
}

size_t
tp_redaction_count(const struct tp_redaction *r, enum tp_noun noun, bool was_redacted)
{
	return count_of(r, &r->names, noun) + (was_redacted ? count_of(r, &r->taken, noun) : 0);
}

void
tp_redaction_secrets(
	const struct tp_redaction *r, struct tp_strings *words, struct tp_strings *phrases)
{
	char room[TP_WORD_MOST];

	for (uint32_t id = 1; id < r->names.text.count; id++) {
		struct tp_slice text = tp_string(&r->names.text, id);

		if (!tp_name_is_replaced(r, &r->names.at[id]))
			continue;
		if (r->names.at[id].is_phrase)
			tp_intern(phrases, text);
		else
			tp_intern_copy(words, tp_word_folded(text, room));
	}
}

enum tp_redact_kind
tp_redaction_kind_of(const struct tp_redaction *r, struct tp_slice secret)
{
	char room[TP_WORD_MOST];

	for (uint32_t id = 1; id < r->names.text.count; id++) {
		struct tp_slice text = tp_string(&r->names.text, id);

		if (tp_slice_eq(text, secret) || tp_slice_eq(tp_word_folded(text, room), secret))
			return tp_noun_kind(r->names.at[id].noun);
	}
	return TP_REDACT_NAMES;
}
