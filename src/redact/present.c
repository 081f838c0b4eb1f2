/* What was replaced in a report, as its last section. */
#include "redact/redaction.h"

#include "base/arena.h"
#include "report/column.h"
#include "report/draft.h"

struct cells {
	struct tp_cell kind, what, pseudonym, count;
};

static const struct tp_column columns[] = {
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("what", "What it stands for"),
	TP_COLUMN("pseudonym", "Pseudonyms", .code = true),
	TP_COUNT_COLUMN("count", "Replaced"),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static const char *const stands_for[TP_NOUNS] = {
	[TP_NOUN_HOST] = "hosts",
	[TP_NOUN_WORKER] = "workers and processes",
	[TP_NOUN_PATH] = "parts of paths: folders, files, and functions in places of code",
	[TP_NOUN_KERNEL] = "words in names of kernels",
	[TP_NOUN_MODULE] = "words in names of modules, programs and scopes",
	[TP_NOUN_OP] = "words in names of operations, operators and tensors",
	[TP_NOUN_ARG] = "words in what the profile says about its environment",
	[TP_NOUN_NAME] = "words in other names",
};

static struct tp_slice
listed(const struct tp_redaction *r, struct tp_arena *arena)
{
	struct tp_slice list = TP_S("");

	for (unsigned kind = 0; kind < TP_REDACT_KINDS; kind++) {
		if (tp_redaction_replaces(r, kind))
			list = tp_arena_printf(arena, "%.*s%s%s", TP_ARG(list), list.len != 0 ? ", " : "",
				tp_redact_kind_names[kind]);
	}
	return list;
}

void
tp_redact_present(const struct tp_redaction *r, struct tp_doc *doc, bool was_redacted)
{
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MINOR, "redaction", "Redaction");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "redaction/kinds", columns);
	size_t total = 0;

	for (enum tp_noun noun = 0; noun < TP_NOUNS; noun++) {
		size_t count = tp_redaction_count(r, noun, was_redacted);

		if (!tp_redaction_replaces(r, tp_noun_kind(noun)))
			continue;
		struct cells *cells =
			(void *)tp_draft_row(&draft, tp_slice_of(tp_noun_word(noun)), TP_ROW_NORMAL, 0);

		total += count;
		cells->kind.value = tp_text_value(tp_slice_of(tp_redact_kind_names[tp_noun_kind(noun)]));
		cells->what.value = tp_text_value(tp_slice_of(stands_for[noun]));
		cells->pseudonym.value =
			tp_text_value(tp_arena_printf(doc->arena, "%s-N", tp_noun_word(noun)));
		cells->count.value = tp_count(count);
	}
	tp_draft_finish(&draft, TP_NOUNS)->caption = TP_S("Names replaced in this report, by kind");
	section->section.key_figure = tp_text_value(
		tp_arena_printf(doc->arena, "%zu %s", total, tp_plural(total, "pseudonym", "pseudonyms")));
	section->section.answer = TP_SAY(doc, "{} {} in this report.", tp_count(total),
		tp_text_value(
			tp_slice_of(tp_plural(total, "name is a pseudonym", "names are pseudonyms"))));
	section->section.so_what = TP_SAY(doc, "Replaced: {}.", tp_text_value(listed(r, doc->arena)));
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "redaction/how",
		TP_SAY0(doc,
			"The same name has the same pseudonym throughout, in all outputs of one run of "
			"tpreport. Pseudonyms are numbered in the order in which names first appear in the "
			"report, so another run may give other numbers. Words that tpreport itself uses, and "
			"names that frameworks, compilers and libraries give, are kept."));
}
