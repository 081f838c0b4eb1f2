/* Phrases. */
#include "analyze/core/say.h"

#include "base/arena.h"
#include "base/path.h"
#include "model/profile.h"

struct tp_value
tp_say_number(const struct tp_pass_ctx *ctx, size_t count, const char *one, const char *many)
{
	char buf[TP_VALUE_BUF];
	struct tp_slice figure = tp_value_text(tp_count(count), buf);

	return tp_text_value(
		tp_arena_printf(ctx->keep, "%.*s %s", TP_ARG(figure), tp_plural(count, one, many)));
}

struct tp_slice
tp_say_value(const struct tp_pass_ctx *ctx, struct tp_value value)
{
	char buf[TP_VALUE_BUF];

	return tp_arena_copy(ctx->keep, tp_value_text(value, buf));
}

struct tp_block *
tp_say_part_of(struct tp_doc *doc, const char *const *sections, const char *id, const char *title,
	const char *part_title)
{
	for (; *sections != NULL; sections++) {
		struct tp_block *section = tp_doc_find_section(doc, *sections);

		if (section != NULL)
			return tp_doc_section(doc, section, TP_SECTION_SUB, id, part_title);
	}
	return tp_doc_section(doc, NULL, TP_SECTION_MAIN, id, title);
}

void
tp_say_left_out(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const char *id, size_t count, size_t most, const char *one, const char *many)
{
	if (count > most)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_SMALL, id,
			TP_SAY(doc, "{} {} left out.", tp_say_number(ctx, count - most, one, many),
				tp_text_value(tp_slice_of(tp_plural(count - most, "is", "are")))));
}

enum tp_judge
tp_say_mark_of(struct tp_doc *doc, const char *rule)
{
	const struct tp_block *findings = tp_doc_find_section(doc, "findings");
	const struct tp_block *b = findings != NULL ? findings->section.first : NULL;

	while (b != NULL &&
		!(b->kind == TP_BLOCK_FINDING && tp_slice_eq(b->finding.finding->id, tp_slice_of(rule))))
		b = b->next;
	return b != NULL && b->finding.finding->status == TP_FINDING_OPEN ? b->finding.finding->severity
																	  : TP_JUDGE_NONE;
}

void
tp_say_how(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *text)
{
	/* The section may have the same at its end. */
	const char *title = section->section.role == TP_SECTION_SUB
		? tp_arena_printf(ctx->keep, "%.*s: about these figures", TP_ARG(section->section.title))
			  .ptr
		: "About these figures";
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, id, title);
	struct tp_slice inside = tp_arena_printf(ctx->keep, "%s/text", id);

	fold->section.same_elsewhere = true;
	fold->section.about = true;
	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, inside.ptr, TP_SAY0(doc, text));
}

void
tp_say_metric(
	struct tp_doc *doc, const char *id, const char *label, struct tp_value value, const char *how)
{
	tp_doc_metric(doc, tp_slice_of(id), label, value, tp_slice_of(how), TP_S(""));
}

struct tp_slice
tp_say_file_name(struct tp_slice path)
{
	return tp_path_name(path);
}

void
tp_say_source(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, const char *what)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_value part = tp_text_value(tp_slice_of(what));
	const struct tp_input *first = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < p->input_count; i++) {
		if (p->inputs[i].of_job)
			continue;
		first = first == NULL ? &p->inputs[i] : first;
		count++;
	}
	if (first == NULL)
		return;
	struct tp_value file = tp_text_value(tp_say_file_name(first->path));
	struct tp_text text = count == 1 ? TP_SAY(doc, "From `{}`: {}.", file, part)
									 : TP_SAY(doc, "From {}, first `{}`: {}.",
										   tp_say_number(ctx, count, "file", "files"), file, part);

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, id, text);
}

struct tp_scope
tp_say_host_scope(const struct tp_pass_ctx *ctx, uint32_t host)
{
	struct tp_slice name = ctx->profile->hosts[host].name;

	return (struct tp_scope){.host = name.ptr != NULL ? name : TP_S("")};
}

struct tp_scope
tp_say_device_scope(const struct tp_pass_ctx *ctx, uint32_t device)
{
	const struct tp_device *d = &ctx->profile->devices[device];
	struct tp_slice prefix = TP_S("/device:");
	struct tp_scope scope = tp_say_host_scope(ctx, d->host);

	scope.device = tp_slice_starts(d->name, prefix) ? tp_slice_from(d->name, prefix.len) : d->name;
	return scope;
}

struct tp_slice
tp_say_device(const struct tp_pass_ctx *ctx, uint32_t device)
{
	struct tp_slice name = tp_say_device_scope(ctx, device).device, prefix = TP_S("GPU:");

	return tp_slice_starts(name, prefix)
		? tp_arena_printf(ctx->keep, "GPU %.*s", TP_ARG(tp_slice_from(name, prefix.len)))
		: name;
}
