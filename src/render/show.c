/* A section in order, each block rendered by itself and taken if there is room for it. */
#include "render/show.h"

#include "base/arena.h"
#include "render/terminal.h"
#include "render/terminal_table.h"

enum {
	LEAST_COLUMNS = 40,
	MOST_COLUMNS = 160,
	USUAL_COLUMNS = 80,
	FOOT = 480,       /* bytes that are kept for what is said of the rest */
	MOST_NAMED = 160, /* of them, for ids */
	GAP = 2,
};

/* "a, b": ids, as far as they are short. */
struct names {
	struct tp_slice text;
	size_t told, count;
};

struct showing {
	struct tp_terminal t; /* out: of the block in hand */
	const struct tp_show *how;
	struct tp_sink *out;
	size_t room;
	struct tp_slice heading;     /* of sections of which nothing is shown yet */
	struct names left_out, more; /* what there was no room for, and what is folded */
};

static struct showing
start(const struct tp_show *how, struct tp_sink *out)
{
	unsigned columns = how->columns == 0 ? USUAL_COLUMNS : how->columns;

	return (struct showing){
		.t = {.arena = tp_arena_new(),
			.columns = how->exact         ? columns
				: columns < LEAST_COLUMNS ? LEAST_COLUMNS
				: columns > MOST_COLUMNS  ? MOST_COLUMNS
										  : columns,
			.colour = how->colour},
		.how = how,
		.out = out,
		.room = how->most_bytes > FOOT ? how->most_bytes - FOOT : 0,
	};
}

static void
name(struct showing *s, struct names *names, const struct tp_block *b)
{
	names->count++;
	if (names->text.len + b->id.len > MOST_NAMED)
		return;
	names->text = tp_arena_printf(
		s->t.arena, "%.*s%s%.*s", TP_ARG(names->text), names->told != 0 ? ", " : "", TP_ARG(b->id));
	names->told++;
}

static void
begin(struct showing *s)
{
	s->t.out = tp_sink_memory();
}

/* What was written since begin. */
static struct tp_slice
end(struct showing *s)
{
	struct tp_slice text = tp_arena_copy(s->t.arena, tp_sink_bytes(s->t.out));

	tp_sink_close(s->t.out);
	return text;
}

/* Writes it, below the heading of its section; false where there is no room. No blank line begins the whole. */
static bool
take(struct showing *s, struct tp_slice text)
{
	text = tp_arena_printf(s->t.arena, "%.*s%.*s", TP_ARG(s->heading), TP_ARG(text));
	if (text.len > s->room)
		return false;
	if (tp_sink_written(s->out) == 0 && text.len != 0 && text.ptr[0] == '\n')
		text = tp_slice_from(text, 1);
	tp_sink_put(s->out, text);
	s->room -= text.len;
	s->heading = TP_S("");
	return true;
}

static void
flow(struct tp_terminal *t, const char *before, struct tp_text text)
{
	struct tp_slice words = tp_terminal_sentence(t, text);

	if (words.len != 0)
		tp_terminal_flow(t, true, TP_TERMINAL_PLAIN, 0,
			tp_arena_printf(t->arena, "%s%.*s", before, TP_ARG(words)));
}

/* Below its line what was seen, what to do, and what should then move. */
static void
finding_details(struct tp_terminal *t, const struct tp_finding *f)
{
	if (f->status != TP_FINDING_OPEN)
		return;
	flow(t, "", f->saw);
	for (size_t i = 0; i < f->action_count; i++)
		flow(t, "Do: ", f->actions[i]);
	flow(t, "Check: ", f->check);
}

static void
show_other(struct showing *s, const struct tp_block *b)
{
	/* Who looks for rows is not told the rest again. */
	if (s->how->filter.len != 0)
		return;
	begin(s);
	tp_terminal_block(&s->t, b);
	if (b->kind == TP_BLOCK_FINDING && !b->finding.brief)
		finding_details(&s->t, b->finding.finding);
	struct tp_slice text = end(s);

	if (text.len != 0 && !take(s, text))
		name(s, &s->left_out, b);
}

static void
show_table(struct showing *s, const struct tp_block *b)
{
	size_t room = s->room > s->heading.len ? s->room - s->heading.len : 0;
	const struct tp_terminal_rows wish = {s->how->most_rows, s->how->filter, room};

	begin(s);
	tp_sink_puts(s->t.out, "\n");
	enum tp_terminal_shown shown = tp_terminal_table(&s->t, &b->table, &wish);
	struct tp_slice text = end(s);

	if (shown == TP_TERMINAL_NO_ROOM || (shown == TP_TERMINAL_SHOWN && !take(s, text)))
		name(s, &s->left_out, b);
}

/* Both halves of a section's answer. */
static struct tp_slice
answer_of(struct tp_terminal *t, const struct tp_section *section)
{
	struct tp_slice answer = tp_terminal_sentence(t, section->answer);
	struct tp_slice so_what = tp_terminal_sentence(t, section->so_what);

	return tp_arena_printf(t->arena, "%.*s%s%.*s", TP_ARG(answer),
		answer.len != 0 && so_what.len != 0 ? " " : "", TP_ARG(so_what));
}

/* A section's title and answer, for the first thing in it that is shown. */
static struct tp_slice
heading_of(struct showing *s, const struct tp_block *b)
{
	begin(s);
	tp_terminal_block(&s->t, b);
	tp_terminal_flow(&s->t, false, TP_TERMINAL_PLAIN, 0, answer_of(&s->t, &b->section));
	return end(s);
}

/* Rows are looked for in what is folded, too. */
static bool
stays_folded(const struct showing *s, const struct tp_section *section)
{
	return section->role == TP_SECTION_VIEW ||
		(section->role == TP_SECTION_FOLD && s->how->filter.len == 0);
}

static void show_children(struct showing *s, const struct tp_section *section);

/* A section of which nothing was shown has no heading either. */
static void
show_section(struct showing *s, const struct tp_block *b)
{
	struct tp_slice around = s->heading;

	s->heading = tp_arena_printf(s->t.arena, "%.*s%.*s", TP_ARG(around), TP_ARG(heading_of(s, b)));
	show_children(s, &b->section);
	if (s->heading.len != 0)
		s->heading = around;
}

static void
show_children(struct showing *s, const struct tp_section *section)
{
	for (const struct tp_block *b = section->first; b != NULL; b = b->next) {
		switch (b->kind) {
		case TP_BLOCK_SECTION:
			if (stays_folded(s, &b->section)) {
				name(s, &s->more, b);
				break;
			}
			show_section(s, b);
			break;
		case TP_BLOCK_TABLE:
			show_table(s, b);
			break;
		case TP_BLOCK_PARAGRAPH:
		case TP_BLOCK_VERDICT:
		case TP_BLOCK_TILES:
		case TP_BLOCK_CHART:
		case TP_BLOCK_FINDING:
		case TP_BLOCK_NOTICE:
			show_other(s, b);
			break;
		}
	}
}

/* "Before a, b and 3 more after": what is told of it below the rest. */
static void
put_names(struct showing *s, const char *before, const struct names *names, const char *after)
{
	struct tp_arena *arena = s->t.arena;
	struct tp_slice more = names->told == names->count
		? TP_S("")
		: tp_arena_printf(
			  arena, "%s%zu more", names->told != 0 ? " and " : "", names->count - names->told);

	s->t.out = s->out;
	if (names->count != 0)
		tp_terminal_flow(&s->t, false, TP_TERMINAL_PLAIN, 0,
			tp_arena_printf(
				arena, "%s%.*s%.*s%s", before, TP_ARG(names->text), TP_ARG(more), after));
}

void
tp_show_block(const struct tp_block *block, const struct tp_show *how, struct tp_sink *out)
{
	struct showing s = start(how, out);

	if (block->kind == TP_BLOCK_TABLE) {
		show_table(&s, block);
	} else {
		s.heading = heading_of(&s, block);
		show_children(&s, &block->section);
		if (how->filter.len == 0)
			take(&s, TP_S("")); /* where there is nothing below it */
	}
	if (how->filter.len != 0 && tp_sink_written(out) == 0 && s.left_out.count == 0)
		tp_sink_puts(out, "No row holds this text.\n");
	if (tp_sink_written(out) != 0 && (s.left_out.count != 0 || s.more.count != 0))
		tp_sink_puts(out, "\n");
	put_names(&s, "Left out for lack of space: ", &s.left_out, "; --size 64K");
	put_names(&s, "More: tpreport show PATH ", &s.more, "");
	tp_arena_free(s.t.arena);
}

/* The first screen has no answer, but the verdict. */
static struct tp_slice
answer_in_list(struct tp_terminal *t, const struct tp_doc *doc, const struct tp_section *section)
{
	const struct tp_verdict *v = tp_doc_verdict(doc);

	if (section->role != TP_SECTION_SUMMARY || v == NULL)
		return answer_of(t, section);
	struct tp_slice name = tp_terminal_sentence(t, v->name), saw = tp_terminal_sentence(t, v->saw);

	return tp_arena_printf(
		t->arena, "%.*s%s%.*s", TP_ARG(name), saw.len != 0 ? " " : "", TP_ARG(saw));
}

void
tp_show_list(const struct tp_doc *doc, const struct tp_show *how, struct tp_sink *out)
{
	struct showing s = start(how, out);
	unsigned ids = 0;
	size_t left = 0;

	for (const struct tp_block *b = doc->first; b != NULL; b = b->next)
		ids = tp_terminal_width(b->id) > ids ? tp_terminal_width(b->id) : ids;
	for (const struct tp_block *b = doc->first; b != NULL; b = b->next) {
		struct tp_slice answer = answer_in_list(&s.t, doc, &b->section);
		struct tp_slice said = tp_arena_printf(s.t.arena, "%.*s%s%.*s",
			TP_ARG(tp_terminal_clean(&s.t, b->section.title)), answer.len != 0 ? ": " : "",
			TP_ARG(answer));

		begin(&s);
		tp_terminal_left(&s.t, b->id, ids + GAP);
		tp_terminal_put(&s.t, TP_TERMINAL_PLAIN,
			tp_terminal_fit(&s.t, said, s.t.columns > ids + GAP ? s.t.columns - ids - GAP : 1));
		tp_sink_puts(s.t.out, "\n");
		left += !take(&s, end(&s));
	}
	if (left != 0)
		tp_sink_printf(
			out, "%zu %s left out: --size\n", left, tp_plural(left, "section", "sections"));
	tp_sink_puts(out, "\nOne of them: tpreport show PATH SECTION\n");
	tp_arena_free(s.t.arena);
}
